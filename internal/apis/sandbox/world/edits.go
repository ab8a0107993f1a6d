package world

import "slices"

// edit is something that the merchant does to an offer at the start of a day.
type edit struct {
	day  int
	does editKind
	plan int    // the newest offer of this plan, or of the next plan with an offer that the edit applies to
	to   string // renamed: the new name
	at   int    // moved: the new place, 1 is the first; deletedLast: the placement
}

type editKind int

const (
	renamed     editKind = iota
	removed              // deleted
	deletedLast          // deletes the offer that a placement shows last, so that no other offer changes its place
	moved                // takes another place in its placement
	swapped              // swaps places with the one in front of it
	stopped              // an active offer ends: it is expired from this day on
	resumed              // an expired offer runs again, without an end
	testBegun            // an A/B test begins
	testOver             // an A/B test ends
)

// edited applies the edits up to a day and gives each offer its place in the display order. Offers come oldest first.
func (sh *Shop) edited(offers []Offer, until int) {
	var order [Placements][]int
	edits := sh.edits
	for i := range offers {
		o := &offers[i]
		for len(edits) > 0 && edits[0].day <= min(until, o.Created) {
			sh.edit(offers[:i], &order, edits[0])
			edits = edits[1:]
		}
		line := &order[o.At]
		at := len(*line)
		if o.before > 0 {
			at = max(0, at-o.before)
		}
		*line = slices.Insert(*line, at, i)
	}
	for len(edits) > 0 && edits[0].day <= until {
		sh.edit(offers, &order, edits[0])
		edits = edits[1:]
	}
	for p := range order {
		for rank, i := range order[p] {
			offers[i].rank = rank
		}
	}
}

func (sh *Shop) edit(offers []Offer, order *[Placements][]int, e edit) {
	now := Moment{Day: e.day, minute: minutesADay}
	if e.does == deletedLast {
		line := order[e.at]
		for n := len(line) - 1; n >= 0; n-- {
			if o := &offers[line[n]]; !o.Deleted(now) {
				o.gone = e.day
				return
			}
		}
		return
	}
	i := sh.fitting(offers, e, now)
	if i == None {
		return
	}
	o := &offers[i]
	switch e.does {
	case renamed:
		o.Name = e.to
	case removed:
		o.gone = e.day
	case stopped:
		o.End = e.day - 1
	case resumed:
		o.Again = e.day
	case testBegun:
		o.AbTest = true
	case testOver:
		o.AbTest = false
	case moved, swapped:
		line := slices.DeleteFunc(slices.Clone(order[o.At]), func(j int) bool { return offers[j].Deleted(now) })
		from := slices.Index(line, i)
		to := min(e.at, len(line)) - 1
		if e.does == swapped {
			to = max(0, from-1)
		}
		line = slices.Insert(slices.Delete(line, from, from+1), to, i)
		order[o.At] = line // what is deleted has no place any more
	}
}

// fitting finds the offer of an edit: the newest one of its plan, or of the next plans in turn.
func (sh *Shop) fitting(offers []Offer, e edit, now Moment) int {
	newest := make([]int, len(sh.offerPlans)) // 1 + index
	for i := range offers {
		newest[offers[i].Plan] = i + 1
	}
	for n := range newest {
		i := newest[(e.plan+n)%len(newest)] - 1
		if i < 0 || offers[i].Deleted(now) {
			continue
		}
		o, fits := &offers[i], true
		switch e.does {
		case stopped:
			fits = o.Status(now) == "active" && o.Again == 0 // an offer that was resumed keeps running
		case resumed:
			fits = o.Status(now) == "expired"
		case testBegun:
			fits = !o.AbTest && o.Status(now) == "active"
		case testOver:
			fits = o.AbTest
		}
		if fits {
			return i
		}
	}
	return None
}
