package sandbox

import (
	"fmt"
	"net/url"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

const (
	spanMax     = 90 // days, both ends included
	spanDefault = 30
)

// window is a range of days and what the service says about it.
type window struct {
	from, to int // day numbers, both included
	source   string
}

// appliedWindow is the window of an answer as sent.
type appliedWindow struct {
	Start  string `json:"start"`
	End    string `json:"end"`
	Source string `json:"source"`
}

// windowOf reads start and end. Without either it is the last 30 days including today; with one of them, 30 days from
// or to it, but not past today. The service knows nothing from before its installation: an earlier date becomes the
// first day, and the source says so.
func windowOf(sh *world.Shop, q asked, m world.Moment, capped bool) (window, error) {
	w := window{from: m.Day - spanDefault + 1, to: m.Day, source: "default"}
	start, hasStart, err := dayParam(sh, q.Values, "start")
	if err != nil {
		return window{}, err
	}
	end, hasEnd, err := dayParam(sh, q.Values, "end")
	if err != nil {
		return window{}, err
	}
	switch {
	case hasStart && hasEnd:
		w = window{start, end, "merchant"}
	case hasStart:
		w = window{start, max(start, min(start+spanDefault-1, m.Day)), "merchant"}
	case hasEnd:
		w = window{end - spanDefault + 1, end, "merchant"}
	}
	if w.to < w.from {
		return window{}, fmt.Errorf("start must not be after end")
	}
	if capped && w.to-w.from+1 > spanMax && q.clamp {
		w.from, w.source = w.to-spanMax+1, "adjusted"
	} else if capped && w.to-w.from+1 > spanMax {
		return window{}, fmt.Errorf("date range must not exceed %d days", spanMax)
	}
	if w.from < 0 {
		w = window{0, max(w.to, 0), "adjusted"}
	}
	return w, nil
}

func dayParam(sh *world.Shop, q url.Values, name string) (day int, given bool, err error) {
	text := q.Get(name)
	if text == "" {
		return 0, false, nil
	}
	date, err := civil.ParseDate(text)
	if err != nil {
		return 0, false, fmt.Errorf("%s must be a date in the form YYYY-MM-DD", name)
	}
	return date.DaysSince(sh.Since), true, nil
}

func applied(sh *world.Shop, w window) appliedWindow {
	if w.source != "merchant" {
		w.source = sh.Word(w.source) // values may be unknown to clients
	}
	return appliedWindow{sh.Date(w.from).String(), sh.Date(w.to).String(), w.source}
}
