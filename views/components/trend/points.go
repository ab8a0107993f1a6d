package trend

import (
	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/overview"
)

// by is what the chart shows: "Upsold value by week".
func (t Panel) by(l locale.Locale, metric string) string {
	return l.T("chart.by_"+string(t.group()), "metric", metric)
}

// group is what a point holds.
func (t Panel) group() report.Group {
	for _, g := range t.Groupings {
		if g.Current {
			return g.Group
		}
	}
	return report.ByDay
}

// pointName names a day, or the days of a week or month, with its year if the window spans two;
// a part of a week says so: "9 – 12 Nov · 4 of 7 days".
func (t Panel) pointName(l locale.Locale, p overview.DayPoint) string {
	if p.Until == nil {
		return t.dayName(l, p.Day)
	}
	name := t.spanName(l, p)
	if p.Stored && p.Part() {
		return l.T("chart.part_of", "dates", name, "counted", p.DaysCounted, "n", p.DaysOf)
	}
	return name
}

// spanName names a week or a month.
func (t Panel) spanName(l locale.Locale, p overview.DayPoint) string {
	if t.group() == report.ByMonth && report.ByMonth.Around(p.Day) == (report.Window{Start: p.Day, End: p.Last()}) {
		return l.Month(p.Day)
	}
	if first := t.Trend.Days[0].Day; first.Year == p.Last().Year && t.Trend.Days[len(t.Trend.Days)-1].Last().Year == first.Year {
		return l.DatesShort(p.Day, p.Last())
	}
	return l.Dates(p.Day, p.Last())
}

// at is the point that contains a day; -1 for none.
func (t Panel) at(d civil.Date) int {
	for i, p := range t.Trend.Days {
		if !d.Before(p.Day) && !d.After(p.Last()) {
			return i
		}
	}
	return -1
}
