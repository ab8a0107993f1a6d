package components

import (
	"strconv"
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// WindowWords is the applied window in words: the dates, and what follows them:
// "21 Oct – 19 Nov 2026" and " · 30 days · New York time · as reported". A
// number without a window has no dates.
func WindowWords(p report.Provenance) (dates, rest string) { return report.WindowWords(p) }

// coveredWords is "30 days", "29 of 30 days" or "part of a day".
func coveredWords(p report.Provenance) string { return report.CoveredWords(p) }

// MissingWords names missing days, runs as ranges: "4 Nov", "12 – 19 Nov", "23 Sep, 4 Nov and 3 more".
func MissingWords(days []civil.Date, today civil.Date) string {
	const most = 3
	var out []string
	named := 0
	for i := 0; i < len(days) && len(out) < most; {
		j := i
		for j+1 < len(days) && days[j+1] == days[j].AddDays(1) {
			j++
		}
		out = append(out, report.Window{Start: days[i], End: days[j]}.Near(today))
		named += j - i + 1
		i = j + 1
	}
	text := strings.Join(out, ", ")
	if rest := len(days) - named; rest > 0 {
		text += " and " + strconv.Itoa(rest) + " more"
	}
	return text
}

// IsAre is the verb for the missing days.
func IsAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// PulledWords is "pulled 12 minutes ago", or "" when nothing was ever fetched.
func PulledWords(p report.Provenance, now time.Time) string {
	switch {
	case p.FetchedLast.IsZero() && p.FetchedAt.IsZero():
		return ""
	case p.FetchedLast.IsZero():
		return "pulled " + locale.English.Age(now, p.FetchedAt)
	}
	return "pulled " + locale.English.Age(now, p.FetchedLast)
}

// stamp is a moment on the store's clock: "20 Nov 2026, 11:43".
func stamp(t, now time.Time) string {
	return t.In(now.Location()).Format("2 Jan 2006, 15:04")
}

// stampShort is a moment without its year: "2 Nov, 01:10".
func stampShort(t, now time.Time) string {
	return t.In(now.Location()).Format("2 Jan, 15:04")
}

// Clock is a moment near now: "11:43" today, "19 Nov 00:31" else, "never" for nil.
func Clock(t *time.Time, now time.Time) string {
	if t == nil {
		return "never"
	}
	at := t.In(now.Location())
	if civil.DateOf(at) == civil.DateOf(now) {
		return at.Format("15:04")
	}
	if at.Year() != now.Year() {
		return at.Format("2 Jan 2006 15:04")
	}
	return at.Format("2 Jan 15:04")
}
