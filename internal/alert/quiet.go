package alert

import "time"

// hours are quiet hours in minutes after midnight on a clock; from > to goes over midnight.
type hours struct {
	from, to int
	location *time.Location
}

// quiet reports whether the clock shows a time within them. It goes by what the clock
// shows, so an hour that is left out or comes twice needs no care: anyone who is asleep
// by their clock is left alone.
func (h hours) quiet(now time.Time) bool {
	t := now.In(h.location)
	shown := t.Hour()*60 + t.Minute()
	if h.from < h.to {
		return h.from <= shown && shown < h.to
	}
	return shown >= h.from || shown < h.to
}
