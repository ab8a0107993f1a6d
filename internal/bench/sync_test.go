//go:build bench

package bench

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"
)

const (
	// syncShare is the goal: calls per second with everything stored, relative to calls whose
	// replies are only fetched and decoded.
	syncShare = 0.25
	// syncDays is the history of one run; a run is one slice of time.
	syncDays  = 300
	syncPairs = 7
	// A pair counts if others used less of the machine than quiet. Without enough such pairs
	// after that many tries, the figures are shown but not judged.
	quiet     = 0.2
	syncTries = 40
	// inFlight is how many calls a sync at the bench's rate runs at once.
	inFlight = 4
)

// syncPair is one run of a sync and of the loops, in calls per second.
type syncPair struct {
	stored float64
	// asked is how many database statements a stored call took.
	asked  float64
	loops  []float64
	others float64 // share of the machine
}

// A first sync against services without a limit, compared with a loop that makes the same
// requests with the same clients one after the other and stores nothing: one run of each,
// alternating. What is judged is that plain loop; one with as many calls at once as a sync,
// which leaves a small machine no processor for the database, is shown as well.
func TestSyncBesideFetchAndDecode(t *testing.T) {
	w := newWorld(t)
	s := services(t)
	a := s.Accounts[0]
	sync := func(slug string) syncPair {
		w.add(t, slug, a, syncDays)
		before, asked := len(s.arrived(t)), w.asked.Load()
		began := time.Now()
		w.sync(t, slug)
		took := time.Since(began)
		asked = w.asked.Load() - asked
		calls := float64(len(s.arrived(t)) - before)
		return syncPair{stored: calls / took.Seconds(), asked: float64(asked) / calls}
	}
	sync("warm-up")
	w.add(t, "recorded", a, syncDays)
	before := len(s.arrived(t))
	w.sync(t, "recorded")
	loop := w.newLoop(t, a, s.arrived(t)[before:])
	loop.run(t, 1)

	under := []int{1, inFlight}
	var pairs, calm []syncPair
	for i := 0; i < syncTries && len(calm) < syncPairs; i++ {
		others := watch(os.Getpid(), w.server.PID())
		p := sync("run-" + strconv.Itoa(i))
		for _, n := range under {
			began := time.Now()
			loop.run(t, n)
			p.loops = append(p.loops, float64(len(loop.calls))/time.Since(began).Seconds())
		}
		p.others = others()
		pairs = append(pairs, p)
		if p.others < quiet {
			calm = append(calm, p)
		}
	}
	judged := len(calm) >= syncPairs/2
	if judged {
		pairs = calm
	}
	of := func(f func(syncPair) float64) float64 {
		var all []float64
		for _, p := range pairs {
			all = append(all, f(p))
		}
		return median(all)
	}
	var rows []string
	for j, n := range under {
		ratio := of(func(p syncPair) float64 { return p.stored / p.loops[j] })
		goal := fmt.Sprintf("≥ %.0f %% %s", 100*syncShare, verdict(ratio >= syncShare))
		switch {
		case j > 0 || !judged:
			goal = "(" + goal + ")"
		case ratio < syncShare:
			t.Errorf("a sync makes %.0f %% of the calls of a loop that stores nothing, want %.0f %%", 100*ratio, 100*syncShare)
		}
		rows = append(rows, fmt.Sprintf("%d days, %d calls\t%.0f\t%.2f\t%d\t%.0f\t%.0f %%\t%s",
			syncDays, len(loop.calls), of(func(p syncPair) float64 { return p.stored }), of(func(p syncPair) float64 { return p.asked }), n,
			of(func(p syncPair) float64 { return p.loops[j] }), 100*ratio, goal))
	}
	report("first sync\tstored calls/s\tstatements/call\tloop: under way\tcalls/s\tratio\tgoal", append(rows, meanwhile(of(func(p syncPair) float64 { return p.others })))...)
	if !judged {
		t.Skip("the machine was too busy with other work to judge")
	}
}
