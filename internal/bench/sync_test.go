//go:build bench

package bench

import (
	"fmt"
	"strconv"
	"testing"
	"time"
)

const (
	// syncShare is the goal: calls a second with everything stored, beside calls
	// whose replies are only fetched and decoded.
	syncShare = 0.50
	// syncDays is the history of one run; a run is one slice of time.
	syncDays  = 300
	syncPairs = 7
	// inFlight is how many calls a sync at the bench's rate has under way.
	inFlight = 4
)

// A first sync against services without a limit, beside a loop that makes the same
// requests with the same clients one after the other and keeps nothing: a run of
// one, a run of the other, in turns. Judged is that plain loop; one with as many
// calls under way as a sync, which leaves a small machine no processor for the
// database, stands beside it.
func TestSyncBesideFetchAndDecode(t *testing.T) {
	w := newWorld(t)
	s := services(t)
	a := s.Accounts[0]
	sync := func(slug string) float64 {
		w.add(t, slug, a, syncDays)
		before := len(s.arrived(t))
		began := time.Now()
		w.sync(t, slug)
		took := time.Since(began)
		return float64(len(s.arrived(t))-before) / took.Seconds()
	}
	sync("warm-up")
	w.add(t, "recorded", a, syncDays)
	before := len(s.arrived(t))
	w.sync(t, "recorded")
	loop := w.newLoop(t, a, s.arrived(t)[before:])
	loop.run(t, 1)

	under := []int{1, inFlight}
	ours, theirs, ratios := []float64{}, make([][]float64, 2), make([][]float64, 2)
	for i := range syncPairs {
		stored := sync("run-" + strconv.Itoa(i))
		ours = append(ours, stored)
		for j, n := range under {
			began := time.Now()
			loop.run(t, n)
			perSecond := float64(len(loop.calls)) / time.Since(began).Seconds()
			theirs[j], ratios[j] = append(theirs[j], perSecond), append(ratios[j], stored/perSecond)
		}
	}
	var rows []string
	for j, n := range under {
		ratio := median(ratios[j])
		goal := fmt.Sprintf("≥ %.0f %% %s", 100*syncShare, verdict(ratio >= syncShare))
		switch {
		case j > 0:
			goal = "(" + goal + ")"
		case ratio < syncShare:
			t.Errorf("a sync makes %.0f %% of the calls of a loop that stores nothing, want %.0f %%", 100*ratio, 100*syncShare)
		}
		rows = append(rows, fmt.Sprintf("%d days, %d calls\t%.0f\t%d\t%.0f\t%.0f %%\t%s",
			syncDays, len(loop.calls), median(ours), n, median(theirs[j]), 100*ratio, goal))
	}
	report("first sync\tstored calls/s\tloop: under way\tcalls/s\tratio\tgoal", rows...)
}
