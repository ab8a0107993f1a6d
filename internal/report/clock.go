package report

import (
	"strings"
	"sync"
	"time"
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

// IsTimezone reports whether the text is an IANA time zone name. "Local" isn't: it would mean this machine's.
func IsTimezone(name string) bool {
	if name == "" || strings.EqualFold(name, "local") {
		return false
	}
	_, err := Zone(name)
	return err == nil
}
