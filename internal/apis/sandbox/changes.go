package sandbox

import (
	"strconv"
	"time"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

// ChangeKind says what happened to an offer.
type ChangeKind string

const (
	Created    ChangeKind = "created"    // After is its name
	Deleted    ChangeKind = "deleted"    // Before is its name; nothing else reveals it
	Renamed    ChangeKind = "renamed"    // names
	Restatused ChangeKind = "restatused" // active, scheduled, expired; by hand or because its dates began or ended
	Moved      ChangeKind = "moved"      // priorities within its placement; others may have moved it
	ABSwitched ChangeKind = "ab-test"    // "true" or "false"
)

// Change is one difference in one offer between two moments.
type Change struct {
	Kind          ChangeKind
	OfferID       string
	Placement     string // label
	Before, After string
}

// Changes lists every difference in a store's offers between two moments, in order of creation: what a reader who saw
// the offers at the first moment must find at the second. Offers made and deleted in between aren't listed. An
// unknown store has none.
func (s *Server) Changes(slug string, from, to time.Time) (out []Change) {
	for _, sh := range s.shops {
		if sh.Slug == slug {
			out = changes(sh, sh.Moment(from), sh.Moment(to))
		}
	}
	return out
}

func changes(sh *world.Shop, from, to world.Moment) (out []Change) {
	old, now := sh.Offers(from.Day), sh.Offers(to.Day)
	oldAt, nowAt := world.Priorities(old, from), world.Priorities(now, to)
	for i := range now {
		o := &now[i]
		tell := func(kind ChangeKind, before, after string) {
			if before != after {
				out = append(out, Change{kind, o.Id, world.PlacementLabels[o.At], before, after})
			}
		}
		was := i < len(old) && old[i].Exists(from) && !old[i].Deleted(from)
		is := o.Exists(to) && !o.Deleted(to)
		switch {
		case !was && is:
			tell(Created, "", o.Name)
		case was && !is:
			tell(Deleted, old[i].Name, "")
		case was:
			tell(Renamed, old[i].Name, o.Name)
			tell(Restatused, old[i].Status(from), o.Status(to))
			tell(Moved, strconv.Itoa(oldAt[i]), strconv.Itoa(nowAt[i]))
			tell(ABSwitched, strconv.FormatBool(old[i].AbTest), strconv.FormatBool(o.AbTest))
		}
	}
	return out
}
