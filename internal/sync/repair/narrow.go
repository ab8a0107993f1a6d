package repair

import (
	"maps"
	"slices"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/report"
)

// OffBy is the answer for a window minus the sum of its stored days, by metric. Metrics that
// agree are left out, so an empty OffBy means that all agree.
type OffBy map[string]decimal.Decimal

func (d OffBy) minus(e OffBy) OffBy {
	out := maps.Clone(d)
	for metric, v := range e {
		if left := out[metric].Sub(v); left.IsZero() {
			delete(out, metric)
		} else {
			out[metric] = left
		}
	}
	return out
}

// Compared are windows whose answers have been compared with their stored days.
type Compared map[report.Window]OffBy

// Complete adds the windows that follow from two others: if a window and a part at one of its
// ends are known, so is the rest.
func (c Compared) Complete() {
	for {
		rest := Compared{}
		for whole, off := range c {
			for part, of := range c {
				if w, ok := remainder(whole, part); ok && c[w] == nil {
					rest[w] = off.minus(of)
				}
			}
		}
		if len(rest) == 0 {
			return
		}
		maps.Copy(c, rest)
	}
}

// remainder is the window without a part at one of its ends.
func remainder(whole, part report.Window) (report.Window, bool) {
	switch {
	case part == whole || part.Start.Before(whole.Start) || part.End.After(whole.End):
		return report.Window{}, false
	case part.Start == whole.Start:
		return report.Window{Start: part.End.AddDays(1), End: whole.End}, true
	case part.End == whole.End:
		return report.Window{Start: whole.Start, End: part.Start.AddDays(-1)}, true
	}
	return report.Window{}, false
}

// Suspects is the state of a search for changed days.
type Suspects struct {
	// Days have changed.
	Days []civil.Date
	// Ask are windows whose answers are needed to go on.
	Ask []report.Window
}

// Narrow finds the days of a window that changed, by halving: a part that agrees with its days
// is left alone, so one changed day in 90 takes at most six calls. When two days are left, both
// are named.
//
// c must be complete.
func (c Compared) Narrow(w report.Window) Suspects {
	off, known := c[w]
	switch {
	case !known:
		return Suspects{Ask: []report.Window{w}}
	case len(off) == 0:
		return Suspects{}
	case w.Days() == 1:
		return Suspects{Days: []civil.Date{w.Start}}
	}
	if left, right, ok := c.split(w); ok {
		a, b := c.Narrow(left), c.Narrow(right)
		return Suspects{Days: slices.Concat(a.Days, b.Days), Ask: slices.Concat(a.Ask, b.Ask)}
	}
	if w.Days() == 2 { // asking for one of them would already be the pull
		return Suspects{Days: []civil.Date{w.Start, w.End}}
	}
	return Suspects{Ask: []report.Window{{Start: w.Start, End: w.Start.AddDays((w.Days() - 1) / 2)}}}
}

// split finds the two known parts of a window that are closest in length.
func (c Compared) split(w report.Window) (left, right report.Window, ok bool) {
	best := w.Days()
	for part := range c {
		rest, fits := remainder(w, part)
		if !fits || part.Start != w.Start || c[rest] == nil {
			continue
		}
		if uneven := max(part.Days(), rest.Days()); uneven < best {
			best, left, right, ok = uneven, part, rest, true
		}
	}
	return left, right, ok
}

// OlderWindow is the window in which tonight we compare the days that no nightly window covers:
// they lie before all of those, or only in some whose days aren't all stored. If one answer
// can't hold them, parts take turns, one a night.
func OlderWindow(nightly []report.Window, first, today civil.Date) (w report.Window, ok bool) {
	reach := today
	for _, w := range nightly {
		if w.Start.Before(reach) && !w.Start.Before(first) {
			reach = w.Start
		}
	}
	var turns []report.Window
	for end := reach.AddDays(-1); !end.Before(first); end = end.AddDays(-upsell.MaxDays) {
		w := report.WindowEnding(end, upsell.MaxDays)
		if w.Start.Before(first) {
			w.Start = first
		}
		turns = append(turns, w)
	}
	if len(turns) == 0 {
		return report.Window{}, false
	}
	return turns[today.DaysSince(civil.Date{Year: 2000, Month: time.January, Day: 1})%len(turns)], true
}
