package report

import (
	"time"

	"github.com/golang-sql/civil"
)

// Group is what each point of a trend covers, as in `?group=`.
type Group string

// The groups. Weeks run from Monday to Sunday (ISO 8601) in every language, so that all readers of a
// store see the same numbers.
const (
	ByDay   Group = "day"
	ByWeek  Group = "week"
	ByMonth Group = "month"
)

// Groups lists the groups in the order of the trend's control.
var Groups = []Group{ByDay, ByWeek, ByMonth}

// usualGroup is the default group, which keeps long windows readable.
func usualGroup(w Window) Group {
	switch n := w.Days(); {
	case n > 400:
		return ByMonth
	case n > 120:
		return ByWeek
	}
	return ByDay
}

// Around is the whole week or month that contains the day.
func (g Group) Around(d civil.Date) Window {
	switch g {
	case ByWeek:
		monday := d.AddDays(-(int(d.In(time.UTC).Weekday()) + 6) % 7)
		return Window{monday, monday.AddDays(6)}
	case ByMonth:
		first := civil.Date{Year: d.Year, Month: d.Month, Day: 1}
		return Window{first, civil.DateOf(time.Date(d.Year, d.Month+1, 0, 0, 0, 0, 0, time.UTC))}
	}
	return OneDay(d)
}
