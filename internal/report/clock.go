package report

import (
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/golang-sql/civil"
)

var zones sync.Map // IANA name → *time.Location

// Zone loads an IANA time zone once and caches it.
func Zone(name string) (*time.Location, error) {
	if loc, ok := zones.Load(name); ok {
		return loc.(*time.Location), nil
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		return nil, err
	}
	zones.Store(name, loc)
	return loc, nil
}

// Clock is the time zone of a store or a person; UTC if its name isn't known.
func Clock(timezone string) *time.Location {
	if loc, err := Zone(timezone); err == nil {
		return loc
	}
	return time.UTC
}

// IsTimezone reports whether the text is an IANA time zone name. "Local" isn't: it would mean this machine's.
func IsTimezone(name string) bool {
	if name == "" || strings.EqualFold(name, "local") {
		return false
	}
	_, err := Zone(name)
	return err == nil
}

// momentLayouts are the forms of ISO 8601 that services write; each also takes fractions of a second.
var momentLayouts = []string{
	time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07", "2006-01-02T15:04:05",
	"2006-01-02T15:04Z07:00", "2006-01-02T15:04Z0700", "2006-01-02T15:04Z07", "2006-01-02T15:04",
	time.DateOnly,
}

// Moment reads a service's time. One with a zone is converted to the store's clock; one without is
// already on it (N26). A date alone is the start of that day, and a number of 10 or 13 digits counts
// the seconds or milliseconds since 1970.
func Moment(text string, store *time.Location) (time.Time, bool) {
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		switch len(text) {
		case 10:
			return time.Unix(int64(n), 0).In(store), true
		case 13:
			return time.UnixMilli(int64(n)).In(store), true
		}
	}
	text = strings.Replace(text, " ", "T", 1)
	for _, layout := range momentLayouts {
		if t, err := time.ParseInLocation(layout, text, store); err == nil {
			return t.In(store), true
		}
	}
	return time.Time{}, false
}

// DayOf is the day of a service's time on the store's clock.
func DayOf(text string, store *time.Location) (civil.Date, bool) {
	t, ok := Moment(text, store)
	return civil.DateOf(t), ok
}
