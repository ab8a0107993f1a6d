package report

import (
	"strings"
	"sync"
	"time"
)

var zones sync.Map // IANA name → *time.Location

// Zone is the clock of an IANA time zone name, loaded once.
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

// IsTimezone reports whether a text is the IANA name of a clock. "Local" would be this machine's.
func IsTimezone(name string) bool {
	if name == "" || strings.EqualFold(name, "local") {
		return false
	}
	_, err := Zone(name)
	return err == nil
}
