package truth

import (
	"time"
)

const hour = time.Hour

// ticks are when a worker would look again in a night in which calls fail.
var ticks = []time.Duration{6 * time.Minute, 12 * time.Minute, 25 * time.Minute, 50 * time.Minute, 100 * time.Minute, 200 * time.Minute}

// moment compares a store now: nothing may be wrong without saying so.
func (h *house) moment(l *lodged, scenario string) *tally {
	h.t.Helper()
	c := h.compare(l, scenario+" ("+l.slug+")")
	c.report(h.t)
	c.silent(h.t)
	return c
}

// nights passes two nights and expects every number to be right after them.
func (h *house) nights(l *lodged, scenario string) {
	h.t.Helper()
	h.aNight(l)
	h.moment(l, scenario+", one night on")
	h.aNight(l)
	h.moment(l, scenario+", two nights on").clean(h.t)
}

// aNight is a night with as many looks as failing calls need.
func (h *house) aNight(l *lodged) {
	h.t.Helper()
	h.night(l)
	if h.services.faults == nil {
		return
	}
	h.retried(l)
}

// retried looks again for as long as calls may be waiting for another try.
func (h *house) retried(l *lodged) {
	h.t.Helper()
	from := h.clock.Now()
	for _, tick := range ticks {
		h.clock.to(from.Add(tick))
		h.sync(l)
	}
}
