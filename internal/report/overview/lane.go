package overview

import (
	"cmp"
	"slices"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/report"
)

// laneDays is how many days the lane below a chart labels. A store may have dozens of starts and ends
// in a window, too many to read.
const laneDays = 6

// LaneDay is a point in a chart's lane (a day, week or month): its most important mark, and how many
// more starts and ends it has.
type LaneDay struct {
	report.Mark
	More int64
}

// Lane holds the few points that a chart labels, in order.
type Lane struct {
	Days []LaneDay
	// Rest counts all other starts and ends; RestDay is their day if they share one.
	Rest    int64
	RestDay *civil.Date
}

// Lane picks the most important starts and ends: first those named elsewhere on the page, in order,
// then gift campaigns, then the days with the most offer changes, then the newest.
func (t Trend) Lane(named []report.Event) Lane {
	type candidate struct {
		LaneDay
		point       civil.Date
		rank, gifts int
		all         int64
		oneDay      bool
	}
	var days []candidate
	for _, m := range slices.SortedStableFunc(slices.Values(t.Marks), func(a, b report.Mark) int { return a.Day.DaysSince(b.Day) }) {
		if n, point := len(days), t.pointOf(m.Day); n == 0 || days[n-1].point != point {
			days = append(days, candidate{LaneDay: LaneDay{Mark: m}, point: point, rank: len(named), oneDay: true})
		}
		d := &days[len(days)-1]
		d.all += max(m.Offers, 1)
		d.oneDay = d.oneDay && m.Day == d.Day
		if m.Gift && d.gifts == 0 {
			d.Mark, d.gifts = m, 1
		}
	}
	for i := range days {
		d := &days[i]
		if at := slices.IndexFunc(named, func(e report.Event) bool { return t.pointOf(e.Day) == d.point }); at >= 0 {
			e := named[at]
			d.rank, d.Mark = at, report.Mark{Day: e.Day, Start: e.Start, Gift: e.Gift, Name: e.Name}
		}
		d.More = d.all - max(d.Offers, 1)
	}
	slices.SortStableFunc(days, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.gifts, a.gifts), cmp.Compare(b.all, a.all), b.Day.DaysSince(a.Day))
	})
	var out Lane
	for i, d := range days {
		if i < laneDays {
			out.Days = append(out.Days, d.LaneDay)
			continue
		}
		if out.Rest += d.all; len(days) == laneDays+1 && d.oneDay {
			out.RestDay = &d.Day
		}
	}
	slices.SortFunc(out.Days, func(a, b LaneDay) int { return a.Day.DaysSince(b.Day) })
	return out
}

// pointOf is the first day of the point that contains the day.
func (t Trend) pointOf(d civil.Date) civil.Date {
	for _, p := range t.Days {
		if !d.Before(p.Day) && !d.After(p.Last()) {
			return p.Day
		}
	}
	return d
}
