package truth

import (
	"context"
	"os"
	"testing"
	"time"

	pulls "github.com/storeglass/storeglass/internal/sync"
)

const hour = time.Hour

// ticks are when a worker would look again in a night in which calls fail.
var ticks = []time.Duration{6 * time.Minute, 12 * time.Minute, 25 * time.Minute, 50 * time.Minute, 100 * time.Minute, 200 * time.Minute}

// readings are how each store's services handle what their documents leave open.
var readings = map[string]reading{
	newYork.slug:  {},
	berlin.slug:   {topMax: 50, cacheFor: 10 * time.Minute, refuses: true},
	tokyo.slug:    {topMax: 20, todayAlone: true},
	bahrain.slug:  {cacheFor: time.Hour},
	lordHowe.slug: {topMax: 20, todayAlone: true},
}

// eachStore runs a scenario for one store, or for all five if TRUTH_STORES is set.
func eachStore(t *testing.T, run func(*testing.T, kind)) {
	t.Helper()
	t.Parallel()
	kinds := []kind{newYork}
	if os.Getenv("TRUTH_STORES") == "all" {
		kinds = allFive
	}
	for _, k := range kinds {
		t.Run(k.slug, func(t *testing.T) {
			t.Parallel()
			run(t, k)
		})
	}
}

// filled is a house with one store, filled on a calm day.
func filled(t *testing.T, k kind, history int) (*house, *lodged) {
	t.Helper()
	h := newHouse(t, start)
	h.withoutDetails()
	l := h.lodge(k, history, readings[k.slug])
	h.sync(l)
	return h, l
}

// moment compares a store now: nothing may be wrong without a flag.
func (h *house) moment(l *lodged, scenario string) *tally {
	h.t.Helper()
	c := h.compare(l, scenario+" ("+l.slug+")")
	c.report(h.t)
	c.silent(h.t)
	return c
}

// during compares again and again while the store is pulled.
func (h *house) during(l *lodged, scenario string) {
	h.t.Helper()
	done := make(chan error, 1)
	go func() {
		_, err := h.syncer.Run(context.Background(), l.slug, pulls.RunOptions{})
		done <- err
	}()
	for {
		h.moment(l, scenario)
		select {
		case err := <-done:
			h.must(err)
			return
		default:
		}
	}
}

// nights lets two nights pass and expects every number to be right after them.
func (h *house) nights(l *lodged, scenario string) {
	h.t.Helper()
	h.aNight(l)
	h.moment(l, scenario+", one night on")
	h.aNight(l)
	h.moment(l, scenario+", two nights on").clean(h.t)
}

// aNight is a night with as many syncs as failing calls need.
func (h *house) aNight(l *lodged) {
	h.t.Helper()
	h.night(l)
	if h.services.faults != nil {
		h.retried(l)
	}
}

// retried syncs again for as long as calls may be waiting for another try.
func (h *house) retried(l *lodged) {
	h.t.Helper()
	from := h.clock.Now()
	for _, tick := range ticks {
		h.clock.to(from.Add(tick))
		h.sync(l)
	}
}
