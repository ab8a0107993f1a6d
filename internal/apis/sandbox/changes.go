package sandbox

import (
	"strconv"
	"time"
)

// ChangeKind says what became of an offer.
type ChangeKind string

const (
	Created    ChangeKind = "created"    // After is its name
	Deleted    ChangeKind = "deleted"    // Before is its name; nothing else is told of it
	Renamed    ChangeKind = "renamed"    // names
	Restatused ChangeKind = "restatused" // active, scheduled, expired; by hand or because its days began or ended
	Moved      ChangeKind = "moved"      // priorities within its placement; others may have moved it
	ABSwitched ChangeKind = "ab-test"    // "true" or "false"
)

// Change is one difference of one offer between two moments.
type Change struct {
	Kind          ChangeKind
	OfferID       string
	Placement     string // label
	Before, After string
}

// Changes lists every difference in a store's offers between two moments, in the order of their creation: what a reader who saw them at
// the first moment must find at the second. An offer that was made and deleted in between is not told. A store that isn't served has none.
func (s *Server) Changes(slug string, from, to time.Time) (out []Change) {
	for _, sh := range s.shops {
		if sh.slug == slug {
			out = sh.changes(sh.moment(from), sh.moment(to))
		}
	}
	return out
}

func (sh *shop) changes(from, to moment) (out []Change) {
	old, now := sh.offers(from.day), sh.offers(to.day)
	oldAt, nowAt := priorities(old, from), priorities(now, to)
	for i := range now {
		o := &now[i]
		tell := func(kind ChangeKind, before, after string) {
			if before != after {
				out = append(out, Change{kind, o.id, placementLabels[o.at], before, after})
			}
		}
		was := i < len(old) && old[i].exists(from) && !old[i].deleted(from)
		is := o.exists(to) && !o.deleted(to)
		switch {
		case !was && is:
			tell(Created, "", o.name)
		case was && !is:
			tell(Deleted, old[i].name, "")
		case was:
			tell(Renamed, old[i].name, o.name)
			tell(Restatused, old[i].status(from), o.status(to))
			tell(Moved, strconv.Itoa(oldAt[i]), strconv.Itoa(nowAt[i]))
			tell(ABSwitched, strconv.FormatBool(old[i].abTest), strconv.FormatBool(o.abTest))
		}
	}
	return out
}
