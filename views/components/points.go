package components

import (
	"net/url"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/overview"
)

// Grouping is a way to group the days of a trend, with the page that shows it.
type Grouping struct {
	Group   report.Group
	Href    string
	Current bool
}

// groupedFrom is the shortest window, in days, whose weeks or months are worth a look.
const groupedFrom = 14

// Groupings are those of the page's window; none if it is too short.
func (b Base) Groupings(c report.Choice) (out []Grouping) {
	if c.Window.Days() < groupedFrom {
		return nil
	}
	for _, g := range report.Groups {
		out = append(out, Grouping{g, WithQuery(b.Path, b.grouped(c, g)) + "#trend-title", g == c.Group})
	}
	return out
}

// GroupedQuery is WindowQuery for the file of a trend, whose rows are the chart's points.
func (b Base) GroupedQuery(c report.Choice) string {
	if c.Group == report.ByDay || c.Group == "" {
		return b.WindowQuery(c)
	}
	return b.grouped(c, c.Group).Encode()
}

// grouped is the window, which is a share link's own, with a group.
func (b Base) grouped(c report.Choice, g report.Group) url.Values {
	q := url.Values{}
	if b.Shared == nil {
		q = c.Query()
	}
	q.Set("group", string(g))
	return q
}

// by is what the chart shows: "Upsold value by week".
func (t TrendPanel) by(l locale.Locale, metric string) string {
	return l.T("chart.by_"+string(t.group()), "metric", metric)
}

// group is what a point holds.
func (t TrendPanel) group() report.Group {
	for _, g := range t.Groupings {
		if g.Current {
			return g.Group
		}
	}
	return report.ByDay
}

// pointName names a day, or the days of a week or month, with its year if the window spans two;
// a part of a week says so: "9 – 12 Nov · 4 of 7 days".
func (t TrendPanel) pointName(l locale.Locale, p overview.DayPoint) string {
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
func (t TrendPanel) spanName(l locale.Locale, p overview.DayPoint) string {
	if t.group() == report.ByMonth && report.ByMonth.Around(p.Day) == (report.Window{Start: p.Day, End: p.Last()}) {
		return l.Month(p.Day)
	}
	if first := t.Trend.Days[0].Day; first.Year == p.Last().Year && t.Trend.Days[len(t.Trend.Days)-1].Last().Year == first.Year {
		return l.DatesShort(p.Day, p.Last())
	}
	return l.Dates(p.Day, p.Last())
}

// at is the point that contains a day; -1 for none.
func (t TrendPanel) at(d civil.Date) int {
	for i, p := range t.Trend.Days {
		if !d.Before(p.Day) && !d.After(p.Last()) {
			return i
		}
	}
	return -1
}
