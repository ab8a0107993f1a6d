package alert

import "time"

// hours are quiet hours in minutes after midnight, local time; from > to spans midnight.
type hours struct {
	from, to int
	location *time.Location
}

// quiet reports whether local time is within the quiet hours. It uses wall-clock time, so
// an hour that daylight saving skips or repeats needs no special case: people sleep by their
// clocks.
func (h hours) quiet(now time.Time) bool {
	t := now.In(h.location)
	shown := t.Hour()*60 + t.Minute()
	if h.from < h.to {
		return h.from <= shown && shown < h.to
	}
	return shown >= h.from || shown < h.to
}
