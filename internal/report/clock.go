package report

import (
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
