package components

import (
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// MissingWords names missing days, runs as ranges: "4 Nov", "12 – 19 Nov", "23 Sep, 4 Nov and 3 more".
func MissingWords(l locale.Locale, days []civil.Date, today civil.Date) string {
	const most = 3
	var out []string
	named := 0
	for i := 0; i < len(days) && len(out) < most; {
		j := i
		for j+1 < len(days) && days[j+1] == days[j].AddDays(1) {
			j++
		}
		out = append(out, l.DatesNear(days[i], days[j], today))
		named += j - i + 1
		i = j + 1
	}
	if rest := len(days) - named; rest > 0 {
		return l.T("common.and_more", "named", strings.Join(out, ", "), "n", rest)
	}
	return l.List(out)
}

// UpdatedWords is "updated 12 minutes ago", or "" if nothing was ever fetched.
func UpdatedWords(l locale.Locale, p report.Provenance, now time.Time) string {
	at := LastFetched(p)
	if at == nil {
		return ""
	}
	return l.T("common.updated", "ago", l.Age(now, *at))
}

// Stamp is a moment on the store's clock: "20 Nov 2026, 11:43".
func Stamp(l locale.Locale, t, now time.Time) string {
	at := t.In(now.Location())
	return l.T("common.stamp", "day", l.DayYear(civil.DateOf(at)), "time", l.Time(at))
}

// stampShort is a moment without its year: "2 Nov, 01:10".
func stampShort(l locale.Locale, t, now time.Time) string {
	at := t.In(now.Location())
	return l.T("common.stamp", "day", l.Day(civil.DateOf(at)), "time", l.Time(at))
}

// Clock is a moment near now: "11:43" today, otherwise "19 Nov, 00:31", "never" for nil.
func Clock(l locale.Locale, t *time.Time, now time.Time) string {
	if t == nil {
		return l.T("age.never")
	}
	at := t.In(now.Location())
	switch {
	case civil.DateOf(at) == civil.DateOf(now):
		return l.Time(at)
	case at.Year() != now.Year():
		return Stamp(l, at, now)
	}
	return stampShort(l, at, now)
}
