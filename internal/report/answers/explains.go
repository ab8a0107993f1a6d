package answers

import (
	"math"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/overview"
)

// When an event counts as the reason for a change.
const (
	// partOfChange is how much of the change an event must account for.
	partOfChange = 0.5
	// rivalDays is how close another event must be to be a possible cause too, rivalShare how large.
	rivalDays  = 3
	rivalShare = 0.5
	// holds is how much of the step must remain over the rest of the window.
	holds = 0.5
	// nextTo is how many days may lie between the windows: an event can't explain a change since last year.
	nextTo = 7
)

// explains is the event that accounts for most of the change: clear, within the window, lasting to its
// end, and without another event around the same days that could be behind it.
func (h history) explains(events []BeforeAfter) *BeforeAfter {
	if !h.Explainable() {
		return nil
	}
	now, before, _ := compared(h.Input)
	change := gained(now, before)
	var best *BeforeAfter
	for i := range events {
		b := &events[i]
		if !b.fits || h.effect(*b)/change < partOfChange || !h.lasts(*b) || h.rivalled(*b, events) {
			continue
		}
		if best == nil || math.Abs(h.effect(*b)) > math.Abs(h.effect(*best)) {
			best = b
		}
	}
	return best
}

// Explainable reports whether an event may be the reason: the change is certain, large enough, and
// between two adjacent windows.
func (in Input) Explainable() bool {
	now, before, ok := compared(in)
	return ok && !doubted(now) && !doubted(before) && notable(now, before) && adjacent(now, before)
}

func adjacent(now, before overview.Summary) bool {
	return Adjacent(*now.Provenance.Window, *before.Provenance.Window)
}

// Adjacent reports whether an event may explain a change between two windows: at most a week lies
// between them.
func Adjacent(now, before report.Window) bool {
	gap := now.Start.DaysSince(before.End) - 1
	return gap >= 0 && gap <= nextTo
}

// effect is the step over the rest of the window.
func (h history) effect(b BeforeAfter) float64 {
	return b.step * float64(h.Choice.Window.End.DaysSince(b.Event.Day))
}

// gained is the change in upsold value, scaled as if both windows were as long as the newer one.
func gained(now, before overview.Summary) float64 {
	days := float64(now.Provenance.Window.Days()) / float64(before.Provenance.Window.Days())
	return now.TotalUpsoldValue.InexactFloat64() - before.TotalUpsoldValue.InexactFloat64()*days
}

// lasts: if the window goes on after the compared days, so does the step.
func (h history) lasts(b BeforeAfter) bool {
	end := h.Choice.Window.End
	if !end.After(b.After.End) {
		return true
	}
	days := h.value
	if !b.Event.Gift {
		days = h.of(b.Event.Placement).level()
	}
	before, ok := days.of(b.Before.Start, b.Days)
	rest, also := days.of(b.After.Start, end.DaysSince(b.Event.Day))
	return ok && also && (mean(rest)-mean(before))/b.step >= holds
}

// rivalled: another event on nearly the same days moved sales as much in the same direction, or may have.
func (h history) rivalled(b BeforeAfter, events []BeforeAfter) bool {
	for _, r := range events {
		gap := r.Event.Day.DaysSince(b.Event.Day)
		if r.Event == b.Event || gap < -rivalDays || gap > rivalDays {
			continue
		}
		switch {
		case r.Event.Gift:
			if b.Event.Gift { // no revenue per campaign is reported that could confirm it
				return true
			}
		case !r.Event.Placement.ReportsRevenue():
		case !r.ownKnown:
			return true
		case r.own*b.step > 0 && math.Abs(r.own) >= rivalShare*math.Abs(b.step):
			return true
		}
	}
	return false
}
