package locale

import (
	"strconv"
	"strings"
	"time"

	"github.com/golang-sql/civil"
)

// Day is a day without its year: "4 Nov", "4. Nov.".
func (l Locale) Day(d civil.Date) string {
	return l.number(d) + styles[l].of + styles[l].months[d.Month-1]
}

// number is a day of its month: "4", "4.", "1er".
func (l Locale) number(d civil.Date) string {
	if l == French && d.Day == 1 {
		return "1er"
	}
	return strconv.Itoa(d.Day) + styles[l].day
}

// DayYear is a day with its year: "4 Nov 2026".
func (l Locale) DayYear(d civil.Date) string {
	return l.Day(d) + styles[l].of + strconv.Itoa(d.Year)
}

// DayNear is a day, with its year if that isn't today's.
func (l Locale) DayNear(d, today civil.Date) string {
	if d.Year == today.Year {
		return l.Day(d)
	}
	return l.DayYear(d)
}

// Weekday is a day with its name: "Mon 9 Nov", "Mo., 9. Nov.".
func (l Locale) Weekday(d civil.Date) string { return l.weekday(d) + l.Day(d) }

// WeekdayYear is a day with its name and year: "Mon 9 Nov 2026".
func (l Locale) WeekdayYear(d civil.Date) string { return l.weekday(d) + l.DayYear(d) }

// WeekdayNumber is short: "Mon 9", "Mo., 9.".
func (l Locale) WeekdayNumber(d civil.Date) string {
	return l.weekday(d) + l.number(d)
}

// DayLong is a day in full: "Tuesday 10 November 2026", "Dienstag, 10. November 2026".
func (l Locale) DayLong(d civil.Date) string {
	s := styles[l]
	return l.WeekdayName(d) + s.weekday + l.number(d) + s.of + s.longMonths[d.Month-1] + s.of + strconv.Itoa(d.Year)
}

// WeekdayName is the full name of a weekday: "Tuesday".
func (l Locale) WeekdayName(d civil.Date) string {
	return styles[l].longWeekdays[d.In(time.UTC).Weekday()]
}

func (l Locale) weekday(d civil.Date) string {
	return styles[l].weekdays[d.In(time.UTC).Weekday()] + styles[l].weekday
}

// MonthName is a month alone: "Nov".
func (l Locale) MonthName(m time.Month) string { return styles[l].months[m-1] }

// Month is a month with its year: "Nov 2026".
func (l Locale) Month(d civil.Date) string {
	return styles[l].months[d.Month-1] + styles[l].of + strconv.Itoa(d.Year)
}

// Dates is a range of days, both included: "21 Oct – 19 Nov 2026",
// "30 Dec 2025 – 2 Jan 2026", "19 Nov 2026".
func (l Locale) Dates(start, end civil.Date) string {
	switch {
	case start == end:
		return l.DayYear(end)
	case start.Year != end.Year:
		return styles[l].from + l.DayYear(start) + styles[l].until + l.DayYear(end)
	case start.Month == end.Month:
		return l.from(start) + l.DayYear(end)
	}
	return styles[l].from + l.Day(start) + styles[l].until + l.DayYear(end)
}

// DatesShort is a range without the year: "21 Sep – 20 Oct".
func (l Locale) DatesShort(start, end civil.Date) string {
	switch {
	case start == end:
		return l.Day(end)
	case start.Year == end.Year && start.Month == end.Month:
		return l.from(start) + l.Day(end)
	}
	return styles[l].from + l.Day(start) + styles[l].until + l.Day(end)
}

// DatesNear is a range without the year, if that is today's.
func (l Locale) DatesNear(start, end, today civil.Date) string {
	if start.Year == today.Year && end.Year == today.Year {
		return l.DatesShort(start, end)
	}
	return l.Dates(start, end)
}

// from begins a range that ends in the same month: "9 – ", "9.–", "du 9 au ".
func (l Locale) from(d civil.Date) string {
	return styles[l].from + l.number(d) + styles[l].to
}

// Time is a time of day: "14:05", "14 h 05".
func (l Locale) Time(t time.Time) string {
	if l == French {
		if t.Minute() == 0 {
			return strconv.Itoa(t.Hour()) + "\u00a0h"
		}
		return strconv.Itoa(t.Hour()) + "\u00a0h\u00a0" + t.Format("04")
	}
	return t.Format("15:04")
}

// DayList lists days: "4 Nov", "23 Sep and 4 Nov", "1 Nov, 2 Nov and 5 more days".
func (l Locale) DayList(days []civil.Date) string {
	names := make([]string, 0, 4)
	for i, d := range days {
		if i == 2 && len(days) > 3 {
			names = append(names, l.T("unit.more_days", "n", len(days)-2))
			break
		}
		names = append(names, l.Day(d))
	}
	return l.List(names)
}

// List names several things: "a", "a and b", "a, b and c".
func (l Locale) List(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return l.T("unit.and", "first", strings.Join(names[:last], ", "), "last", names[last])
}

// Days is "1 day" or "30 days".
func (l Locale) Days(n int) string { return l.T("unit.days", "n", n) }

// Age says how long ago then was: "just now", "12 minutes ago", "3 hours ago",
// "9 days ago"; "never" for the zero time.
func (l Locale) Age(now, then time.Time) string {
	unit, n := age(now, then)
	return l.T("age."+unit, "n", n)
}

// ShortAge is Age for a known time in a narrow column: "just now", "12 min", "3 hr", "9 days".
func (l Locale) ShortAge(now, then time.Time) string {
	unit, n := age(now, then)
	return l.T("age.short."+unit, "n", n)
}

// age counts in the largest unit worth naming.
func age(now, then time.Time) (unit string, n int) {
	switch d := now.Sub(then); {
	case then.IsZero():
		return "never", 0
	case d < time.Minute:
		return "just_now", 0
	case d < time.Hour:
		return "minutes", int(d / time.Minute)
	case d < 48*time.Hour:
		return "hours", int(d / time.Hour)
	default:
		return "days", int(d / (24 * time.Hour))
	}
}
