package components

import (
	"strconv"
	"time"

	"github.com/storeglass/storeglass/internal/report"
)

// secondsAgo is the age that a script goes on counting; a moment in the future has none.
func secondsAgo(now, at time.Time) string {
	return strconv.Itoa(max(0, int(now.Sub(at)/time.Second)))
}

// LastFetched is the newest reply behind a number; nil if there is none.
func LastFetched(p report.Provenance) *time.Time {
	at := p.FetchedLast
	if at.IsZero() {
		at = p.FetchedAt
	}
	if at.IsZero() {
		return nil
	}
	return &at
}
