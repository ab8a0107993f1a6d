package pulls_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/fact"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// slotsOf is the budget of the shop's credential for a service.
const slotsOf = `from budget_slots b join credentials c on c.budget = b.budget where c.service = $1`

// runUntilWait pulls until no slot is free.
func (w *world) runUntilWait() {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	_, err := w.syncer.Run(ctx, shop, pulls.RunOptions{Progress: func(p pulls.Progress) {
		if p.Waiting > 0 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		w.t.Fatalf("the run did not come to wait for a slot: %v", err)
	}
}

// A new store's other pulls are due for a long time after its first days.
func TestAWindowIsComparedOnceItsDaysAreThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{rateLimit: 60, limit: 60, at: settledTime})
	w.add(shop, 60)
	w.exec(`delete from credentials where service = 'gift'`)
	w.runUntilWait()
	equal(t, "the last 7 days", get[string](w, `select days_stored || ' stored, ' || days_missing || ' missing, agree: ' || agrees
		from window_checks where window_start = '2026-11-13' and window_end = '2026-11-19'`), "7 stored, 0 missing, agree: true")
	equal(t, "the last 90 days", get[int](w, `select count(*) from window_checks where days_missing = 0 and window_end - window_start > 30`), 0)
}

// Both services count a request before they look at it. Whatever its outcome, it holds a slot
// until it is certainly a minute old.
func TestEveryAttemptSpendsASlotForAMinuteAfterItsReply_N5_N6(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault    sandbox.Fault
		attempts int
	}{
		"good":          {sandbox.Fault{Path: "/none"}, 1},
		"failed":        {sandbox.Fault{Cause: sandbox.Internal}, 3},
		"failed once":   {sandbox.Fault{Cause: sandbox.Internal, Times: 1}, 2},
		"cut off":       {sandbox.Fault{Cut: 10}, 3},
		"refused":       {sandbox.Fault{Status: 404, Body: "{}"}, 1},
		"refused token": {sandbox.Fault{Cause: sandbox.Revoked}, 3}, // two tries and a probe
		"broken":        {sandbox.Fault{Body: "{}"}, 1},
		"another shop":  {sandbox.Fault{Edit: replaced("lumen-optik", "other")}, 1},
		"no reply":      {sandbox.Fault{Drop: true}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := synced(t, options{rateLimit: 60})
			w.exec(`update budget_slots set held_until = 'epoch', lane = ''`)
			w.sandbox.Break(sandbox.Upsell, shop, c.fault)
			w.wake("coverage")
			from := w.mark()
			if _, err := w.syncer.Run(context.Background(), shop, pulls.RunOptions{}); err != nil {
				t.Fatal(err)
			}
			last := time.Now()
			equal(t, "requests", len(w.arrivals(sandbox.Upsell, from)), c.attempts)
			equal(t, "slots held", get[int](w, `select count(*) `+slotsOf+` and held_until > now()`, "upsell"), c.attempts)
			sent := w.sandbox.Arrivals()[from].At
			first, longest := get[time.Time](w, `select min(held_until) `+slotsOf+` and held_until > now()`, "upsell"), get[time.Time](w, `select max(held_until) `+slotsOf, "upsell")
			if first.Before(sent.Add(time.Minute)) {
				t.Errorf("a slot is free %s after the request arrived", first.Sub(sent))
			}
			// Without a reply, the request may still arrive within its deadline.
			most := 61 * time.Second
			if c.fault.Drop {
				most = 96 * time.Second
			}
			if longest.After(last.Add(most)) {
				t.Errorf("a slot is held for %s after the run", longest.Sub(last))
			}
		})
	}
}

// A pull that fails while slots are short must back off: otherwise it would take every slot
// that comes free, and the pulls after it would never be made.
func TestAFailingPullDoesNotStarveTheRestWhenSlotsAreShort(t *testing.T) {
	t.Parallel()
	w := synced(t, options{rateLimit: 60})
	leaveOne := func() {
		w.exec(`update budget_slots set held_until = case when n = 1 then 'epoch'::timestamptz else now() + '1 hour' end`)
	}
	w.sandbox.Break(sandbox.Upsell, shop, sandbox.Fault{Path: "/data/offers/count", Cause: sandbox.Internal})
	w.wake("offer_count", "lifetime")
	before := w.one("lifetime").LastGood
	leaveOne()
	w.runUntilWait()
	r := w.one("offer_count")
	equal(t, "outcome", r.Outcome+", "+r.Text, "failed, Server error (500)")
	equal(t, "attempts", r.Attempts, 1)
	if r.Due.Before(time.Now().Add(4 * time.Minute)) {
		t.Errorf("it is tried again at %s", r.Due)
	}
	leaveOne()
	if _, err := w.syncer.Run(context.Background(), shop, pulls.RunOptions{}); err != nil {
		t.Fatal(err)
	}
	if after := w.one("lifetime"); !after.LastGood.After(*before) {
		t.Error("the pull behind it got no slot")
	}
}

// Under load a slot comes free about once a second. A retry waits for it as the next pull would.
func TestARetryWaitsForASlotThatIsAboutToComeFree(t *testing.T) {
	t.Parallel()
	w := synced(t, options{rateLimit: 60})
	w.sandbox.Break(sandbox.Upsell, shop, sandbox.Fault{Path: "/data/analytics/lifetime", Cause: sandbox.Internal, Times: 1})
	w.wake("lifetime")
	w.exec(`update budget_slots set held_until = case n when 1 then 'epoch'::timestamptz when 2 then now() + '1 second' else now() + '1 hour' end`)
	r := w.run()
	equal(t, "failures", r.Failures, nil)
	equal(t, "outcome", w.one("lifetime").Outcome, "good")
}

// Without a slot a pull hasn't begun: its row is free, and nothing is recorded.
func TestAPullWithoutASlotHasNotBegun(t *testing.T) {
	t.Parallel()
	w := synced(t, options{rateLimit: 60})
	w.exec(`update budget_slots set held_until = now() + '1 hour'`)
	w.wake("lifetime")
	before, from := w.one("lifetime"), w.mark()
	w.runUntilWait()
	equal(t, "requests", w.mark()-from, 0)
	after := w.one("lifetime")
	equal(t, "ledger row", after.Outcome+after.LastGood.String()+after.Due.String(), before.Outcome+before.LastGood.String()+before.Due.String())
	if after.Claimed != nil {
		t.Errorf("it is held until %s", after.Claimed)
	}
}

// The service counts more than we sent: we hold the difference as someone else's, so that what
// is left for us matches the header.
func TestWhatSomeoneElseSpendsIsHeldAsTheirs_N38(t *testing.T) {
	t.Parallel()
	const limit = 90 // more than the first calls
	w := newWorld(t, options{at: settledTime, limit: limit, rateLimit: limit})
	w.add(shop, 1)
	w.sync(shop)
	var store sandbox.Store
	for _, s := range w.sandbox.Stores() {
		if s.Slug == shop {
			store = s
		}
	}
	ours := len(w.arrivals(sandbox.Upsell, 0))
	equal(t, "foreign slots after our own traffic", get[int](w, `select count(*) `+slotsOf+` and lane = 'foreign'`, "upsell"), 0)
	equal(t, "our slots", get[int](w, `select count(*) `+slotsOf+` and held_until > now()`, "upsell"), ours)

	const theirs = 17
	for range theirs {
		w.request(store.UpsellPath+"/data/offers/count", store.UpsellToken)
	}
	other := newSyncer(t, w.db, w.clock) // it compares with its first reply
	w.wake("lifetime")
	if _, err := other.Run(context.Background(), shop, pulls.RunOptions{}); err != nil {
		t.Fatal(err)
	}
	equal(t, "foreign slots", get[int](w, `select count(*) `+slotsOf+` and lane = 'foreign' and held_until > now()`, "upsell"), theirs)
	equal(t, "slots left", get[int](w, `select count(*) `+slotsOf+` and held_until <= now()`, "upsell"), limit-ours-1-theirs)
}

// A slot's hold covers a request only if it is sent soon: a later one would count at the service for longer
// than the slot is held.
func TestASlotThatIsNotUsedSoonIsTakenAnew_N6(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime, rateLimit: 60})
	w.add(shop, 1)
	w.exec(`update budget_slots set held_until = 'epoch', lane = ''`)
	budget := get[[]byte](w, `select budget from credentials where service = 'upsell'`)
	taken, err := w.db.TakeSlots(t.Context(), budget, fact.Schedule, 1)
	if err != nil || len(taken) != 1 {
		t.Fatal(taken, err)
	}
	enter := func(first db.Slot) db.Slot {
		t.Helper()
		s, err := pulls.Enter(t.Context(), w.db, budget, first)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	equal(t, "a fresh slot", enter(taken[0]), taken[0])
	old := taken[0]
	old.TakenAt = old.TakenAt.Add(-db.SlotFreshness)
	if got := enter(old); !got.HeldUntil.After(old.HeldUntil) || !got.TakenAt.After(taken[0].TakenAt) {
		t.Errorf("a request would be sent with %+v, taken too long ago: %+v", got, old)
	}
	equal(t, "slots held", get[int](w, `select count(*) `+slotsOf+` and held_until > now()`, "upsell"), 1)
}

func TestTheServicesCountIsComparedOnceASecond(t *testing.T) {
	t.Parallel()
	at := settledTime
	equal(t, "comparisons", pulls.Comparisons(at, at, at.Add(999*time.Millisecond), at.Add(time.Second), at.Add(1900*time.Millisecond), at.Add(2*time.Second)), 3)
}
