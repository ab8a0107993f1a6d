package pulls_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// reseal re-encrypts and expects these counts.
func (w *world) reseal(s *pulls.Syncer, dry bool, done, current, lost int) {
	w.t.Helper()
	r, err := s.Reseal(context.Background(), dry)
	if err != nil {
		w.t.Fatal(err)
	}
	equal(w.t, "done, current, lost", [3]int{r.Done, r.Current, len(r.Lost)}, [3]int{done, current, lost})
}

// budgets are the names of the credentials' budgets and of those with slots.
func (w *world) budgets() (used, kept []string) {
	return w.column(`select distinct encode(budget, 'hex') from credentials order by 1`), w.column(`select distinct encode(budget, 'hex') from budget_slots order by 1`)
}

func TestWhatAnOlderKeySealedIsSealedAnew(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime})
	w.add(shop, 1)
	old, both, alone := w.syncer, newSyncerOf(t, w.db, w.clock, keyB, keyA), newSyncerOf(t, w.db, w.clock, keyB)
	sealed := func() []string {
		return w.column(`select service || key_id || encode(token_sealed, 'hex') || encode(budget, 'hex') from credentials order by 1`)
	}
	before := sealed()
	w.reseal(alone, false, 0, 0, 2) // without the old key, nothing changes
	w.reseal(both, true, 2, 0, 0)
	equal(t, "after a look", sealed(), before)
	w.reseal(both, false, 2, 0, 0)
	for i, row := range sealed() {
		if row == before[i] {
			t.Errorf("not changed: %s", row)
		}
	}
	w.reseal(both, false, 0, 2, 0)
	w.reseal(old, false, 0, 0, 2)
	used, kept := w.budgets()
	equal(t, "budgets with slots", kept, used)
	w.syncer = alone
	w.sync(shop)
}

// An interrupted run leaves everything it did complete, and the next run does the rest.
func TestSealingAnewCanBeCutOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime})
	w.add(shop, 1)
	w.exec(`create function refuse() returns trigger language plpgsql as 'begin if new.service = ''upsell'' then raise exception ''cut off''; end if; return new; end'`)
	w.exec(`create trigger refuse before update on credentials for each row execute function refuse()`)
	both := newSyncerOf(t, w.db, w.clock, keyB, keyA)
	if _, err := both.Reseal(t.Context(), false); err == nil {
		t.Fatal("nothing cut it off")
	}
	w.exec(`drop trigger refuse on credentials`)
	w.syncer = both
	w.sync(shop) // with one of the tokens under each key, or both under one
	r, err := both.Reseal(t.Context(), false)
	if err != nil || r.Done+r.Current != 2 || r.Done == 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestABudgetKeepsWhatIsSpentWhenItIsRenamed_N6(t *testing.T) {
	t.Parallel()
	const limit = 60
	w := newWorld(t, options{at: settledTime, rateLimit: limit})
	store := w.add(shop, 1)
	both := newSyncerOf(t, w.db, w.clock, keyB, keyA)
	w.exec(`update budget_slots set held_until = 'epoch', lane = ''`)
	budget := func() []byte { return get[[]byte](w, `select budget from credentials where service = 'upsell'`) }
	take := func(n int) int {
		t.Helper()
		slots, err := w.db.TakeSlots(t.Context(), budget(), fact.Interactive, n)
		if err != nil {
			t.Fatal(err)
		}
		return len(slots)
	}
	old := budget()
	equal(t, "taken before", take(25), 25)
	w.reseal(both, false, 2, 0, 0)
	equal(t, "taken after", take(limit), limit-25)
	equal(t, "a sixty-first", take(1), 0)
	if _, err := w.db.SlotWait(t.Context(), old, fact.Interactive); !errors.Is(err, db.ErrNoBudget) {
		t.Errorf("the old name: %v", err)
	}

	// Another store gets the same token, once with the old key and once with the new one first, and
	// shares the budget.
	shared := func(s *pulls.Syncer, slug string) {
		t.Helper()
		w.exec(`update budget_slots set held_until = 'epoch', lane = ''`)
		other, err := w.db.Queries().InsertStore(t.Context(), sqlc.InsertStoreParams{Slug: slug, Name: slug, Timezone: store.Timezone, HistoryDays: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, shopOf := range w.sandbox.Stores() {
			if shopOf.Slug == shop {
				if _, err := s.Connect(t.Context(), other.ID, pulls.Upsell, w.http.URL+shopOf.UpsellPath, upstream.NewSecret(shopOf.UpsellToken)); err != nil {
					t.Fatal(err)
				}
			}
		}
		equal(t, "budgets of the token", get[int](w, `select count(distinct budget) from credentials where service = 'upsell'`), 1)
		equal(t, "budgets kept", get[int](w, `select count(distinct budget) from budget_slots`), 2)
	}
	shared(both, "second")
	shared(newSyncerOf(t, w.db, w.clock, keyA, keyB), "third")
	shared(newSyncerOf(t, w.db, w.clock, "a third secret key of thirty-two bytes", keyA, keyB), "fourth")
}

// If both names are in use, what was spent under either counts.
func TestTwoBudgetsOfOneTokenBecomeOneThatWaits_N6(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime, rateLimit: 60})
	w.add(shop, 1)
	alone, both := newSyncerOf(t, w.db, w.clock, keyB), newSyncerOf(t, w.db, w.clock, keyB, keyA)
	for _, s := range w.sandbox.Stores() {
		if s.Slug == shop { // a process that doesn't have the old key yet
			if _, err := alone.Check(t.Context(), pulls.Upsell, w.http.URL+s.UpsellPath, upstream.NewSecret(s.UpsellToken)); err != nil {
				t.Fatal(err)
			}
		}
	}
	equal(t, "budgets", get[int](w, `select count(distinct budget) from budget_slots`), 3)
	w.reseal(both, false, 2, 0, 0)
	equal(t, "budgets", get[int](w, `select count(distinct budget) from budget_slots`), 2)
	budget := get[[]byte](w, `select budget from credentials where service = 'upsell'`)
	slots, err := w.db.TakeSlots(t.Context(), budget, fact.Interactive, 60)
	if err != nil || len(slots) > 0 {
		t.Errorf("%d slots are free, %v", len(slots), err)
	}
	wait, err := w.db.SlotWait(t.Context(), budget, fact.Interactive)
	if err != nil || wait <= 0 || wait > db.HoldUnanswered {
		t.Errorf("wait %s, %v", wait, err)
	}
}

// The key changes again and again while processes pull: the service still never gets more calls
// than the limit.
func TestTheLimitHoldsWhileTheKeyChanges_N6(t *testing.T) {
	t.Parallel()
	const limit = 60
	w := newWorld(t, options{at: settledTime, rateLimit: limit, limit: limit})
	w.add(shop, 60)
	a, b := newSyncerOf(t, w.db, w.clock, keyA, keyB), newSyncerOf(t, w.db, w.clock, keyB, keyA)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var spent atomic.Int32 // processes that no longer found a slot
	ended := make(chan error)
	pullers := []*pulls.Syncer{a, b, newSyncerOf(t, w.db, w.clock, keyA, keyB)}
	for _, s := range pullers {
		go func() {
			waits := false
			for ctx.Err() == nil {
				_, err := s.Run(ctx, shop, pulls.RunOptions{Progress: func(p pulls.Progress) {
					if len(w.sandbox.Arrivals()) > 2*limit { // already failed
						cancel()
					}
					if p.Waiting > time.Second && !waits {
						waits = true
						spent.Add(1)
					}
				}})
				if err != nil && !errors.Is(err, pulls.ErrChanged) && ctx.Err() == nil {
					ended <- err
					return
				}
			}
			ended <- nil
		}()
	}
	turns := 0
	for ; ctx.Err() == nil; turns++ {
		s := []*pulls.Syncer{b, a}[turns%2]
		if _, err := s.Reseal(ctx, false); err != nil && ctx.Err() == nil {
			t.Fatal(err)
		}
		// All wait for at least one service; the other must have been asked as well.
		if spent.Load() == int32(len(pullers)) && min(len(w.arrivals(sandbox.Upsell, 0)), len(w.arrivals(sandbox.Gift, 0))) >= limit/6 {
			cancel()
		}
	}
	for range pullers {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d changes of the key", turns)
	for _, service := range []sandbox.Service{sandbox.Upsell, sandbox.Gift} {
		n := len(w.arrivals(service, 0))
		if n > limit || n < limit/6 {
			t.Errorf("%s got %d calls within a minute", service, n)
		}
	}
	if refused := get[int](w, `select count(*) from ledger where outcome = 'waiting'`); refused > 0 {
		t.Errorf("%d calls were refused", refused)
	}
}
