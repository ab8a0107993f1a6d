package pulls_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// onArrival is called with the number of each request that arrives.
type onArrival struct {
	n    atomic.Int64
	call func(n int)
}

func (a *onArrival) Write(line []byte) (int, error) {
	a.call(int(a.n.Add(1)))
	return len(line), nil
}

// A worker was wrongly taken for dead, and another has claimed its pull since: nothing it
// brings may be written, good or bad.
func TestOnlyTheNewestClaimCanCommit(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]sandbox.Fault{"a good reply": {}, "a broken reply": {Body: "{}"}, "a failure": {Cause: sandbox.Internal}, "a refused token": {Cause: sandbox.Revoked}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := synced(t, options{rateLimit: 60})
			w.wake("lifetime")
			numbers, replies, before := w.dump(numberTables), w.dump([]string{"replies", "credentials"}, "next_due_at"), w.one("lifetime")
			fault.Path = "/data/analytics/lifetime"
			fault.Edit = func(b []byte) []byte {
				w.exec(`update ledger set claim = 1000, claimed_until = now() + '1 minute' where pull = 'lifetime'`)
				return b
			}
			w.sandbox.Break(sandbox.Upsell, shop, fault)
			result := w.run()
			equal(t, "pulls done and failed", []int{result.Done, result.Failed}, []int{0, 0})
			same(t, w.dump(numberTables), numbers)
			same(t, w.dump([]string{"replies", "credentials"}, "next_due_at"), replies)
			after := w.one("lifetime")
			equal(t, "ledger row", after.Outcome+after.LastGood.String()+after.Due.String(), before.Outcome+before.LastGood.String()+before.Due.String())
			equal(t, "claim", get[int](w, `select claim from ledger where pull = 'lifetime'`), 1000)
		})
	}
}

func TestAPullOfADeadProcessIsFreeAfterItsLease(t *testing.T) {
	t.Parallel()
	w := synced(t, options{})
	w.wake("lifetime")
	w.exec(`update ledger set claim = claim + 1, claimed_until = now() + '1 minute' where pull = 'lifetime'`)
	from := w.mark()
	w.sync(shop)
	equal(t, "requests while it is held", w.mark()-from, 0)
	w.exec(`update ledger set claimed_until = now() - interval '1 second' where pull = 'lifetime'`)
	w.sync(shop)
	equal(t, "requests after its lease", w.mark()-from, 1)
	if r := w.one("lifetime"); r.Outcome != "good" || r.Claimed != nil {
		t.Errorf("%s, held until %v", r.Outcome, r.Claimed)
	}
}

// Any number of processes may run at once: each pull is made by only one.
func TestTwoProcessesMakeEachPullOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime})
	w.add(shop, 20)
	from := w.mark()
	var (
		wait    sync.WaitGroup
		results [3]pulls.Result
		errs    [3]error
	)
	for i := range results {
		syncer := newSyncer(t, w.db, w.clock) // as if in another process
		wait.Go(func() { results[i], errs[i] = syncer.Run(context.Background(), shop, pulls.RunOptions{}) })
	}
	wait.Wait()
	done := 0
	for i := range results {
		if errs[i] != nil || results[i].Failed > 0 {
			t.Fatalf("process %d: %v, %v", i, errs[i], results[i].Failures)
		}
		done += results[i].Done
	}
	var all []string
	for _, service := range []sandbox.Service{sandbox.Upsell, sandbox.Gift} {
		all = append(all, w.arrivals(service, from)...)
	}
	rows := w.ledger("")
	equal(t, "requests", len(all), len(rows))
	equal(t, "pulls done", done, len(rows))
	slices.Sort(all)
	for i := range all[1:] {
		// A gift day and a calendar week or month are two pulls, which may need the same window.
		if all[i] == all[i+1] && !strings.HasPrefix(all[i], "/analytics?days=") {
			t.Errorf("%s was asked for twice", all[i])
		}
	}
	for _, r := range rows {
		if r.Outcome != "good" || r.Claimed != nil {
			t.Errorf("%s %s is %s, held until %v", r.Pull, r.Subject, r.Outcome, r.Claimed)
		}
	}
}

// Stopped midway: claims are free at once, without an outcome, and after another run everything
// is as if undisturbed.
func TestAStoppedRunFreesItsClaimsAndLosesNothing(t *testing.T) {
	t.Parallel()
	now := frozen()
	calm := newWorld(t, options{at: now})
	calm.add(shop, 5)
	calm.sync(shop)
	// A repeated call is answered from the cache, which proves less (N49).
	how := []string{"cached", "flags", "begun_at", "same_since", "proven_at"}
	want := calm.dump(numberTables, how...)
	for name, at := range map[string]int{"at the first pull": 4, "in the middle": 20, "late": 45} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			w := newWorld(t, options{at: now, log: &onArrival{call: func(n int) {
				if n == at {
					cancel()
				}
			}}})
			w.add(shop, 5)
			_, err := w.syncer.Run(ctx, shop, pulls.RunOptions{})
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("the run was not stopped: %v", err)
			}
			arrived := w.mark()
			for _, r := range w.ledger("") {
				if r.Claimed != nil {
					t.Errorf("%s %s is held until %s", r.Pull, r.Subject, r.Claimed)
				}
				if r.Outcome != "good" && (r.Outcome != "never" || r.Attempts != 0 || r.FailingSince != nil || r.Text != "") {
					t.Errorf("%s %s is %s after %d attempts: %s", r.Pull, r.Subject, r.Outcome, r.Attempts, r.Text)
				}
			}
			w.sync(shop)
			same(t, w.dump(numberTables, how...), want)
			if repeated := w.mark() - len(calm.sandbox.Arrivals()); repeated < 0 || repeated > 8 {
				t.Errorf("%d requests were made more than in the undisturbed run (%d before the stop); want at most those under way", repeated, arrived)
			}
		})
	}
}

// The worker of the schedule: a tick starts a job for each credential, and Stop
// lets the calls under way end.
func TestTheWorkerPullsWhatIsDueAndStops(t *testing.T) {
	t.Parallel()
	everything := make(chan struct{})
	w := newWorld(t, options{rateLimit: 60, log: &onArrival{call: func(n int) { // one call at a time: no batch is cut by the stop
		if n == 3+43 { // connecting both services, then one of each pull
			close(everything)
		}
	}}})
	w.add(shop, 1)
	stop := w.start("@every 1s")
	select {
	case <-everything:
	case <-time.After(2 * time.Minute):
		t.Errorf("only %d requests", w.mark())
	}
	stop()
	good := 0
	for _, r := range w.ledger("") {
		if r.Outcome == "good" {
			good++
		}
		if r.Claimed != nil {
			t.Errorf("%s %s is held until %s", r.Pull, r.Subject, r.Claimed)
		}
	}
	if good < 42 {
		t.Errorf("%d good pulls", good)
	}
}
