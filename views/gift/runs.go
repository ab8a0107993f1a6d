package gift

import (
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
)

// Runs is when a campaign runs: "15 Nov – 31 Dec 2026", "from 1 Sep 2026". An invalid date is
// shown as the service sent it.
func Runs(l locale.Locale, start, end string) string {
	from, okFrom := day(start)
	to, okTo := day(end)
	switch {
	case start == "" && end == "":
		return l.T("gift.campaigns.no_dates")
	case okFrom && okTo:
		return l.Dates(from, to)
	}
	if okFrom {
		start = l.DayYear(from)
	}
	if okTo {
		end = l.DayYear(to)
	}
	switch {
	case end == "":
		return l.T("gift.campaigns.from", "day", start)
	case start == "":
		return l.T("gift.campaigns.until", "day", end)
	}
	return start + " – " + end
}

// day reads a date, or the date of a time in whatever zone it is written: the
// service's text is on the store's clock.
func day(s string) (civil.Date, bool) {
	if d, err := civil.ParseDate(s); err == nil && d.IsValid() {
		return d, true
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05"} {
		if t, err := time.Parse(layout, s); err == nil {
			return civil.DateOf(t), true
		}
	}
	return civil.Date{}, false
}

// dayWords is a day on the store's clock in words; if it couldn't be read, the text as it was
// sent.
func dayWords(l locale.Locale, d *civil.Date, sent string) string {
	if d != nil {
		return l.DayYear(*d)
	}
	return locale.Name(sent)
}
