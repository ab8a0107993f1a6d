package pulls_test

import (
	"context"
	"errors"
	"testing"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// A call from a store without a paid plan makes the service revoke all of the store's keys. So
// once the trial in the stored plan has lapsed, we make none.
func TestN40_NothingIsCalledOnceTheTrialHasLapsed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	store := w.add("fernhollow", 1)
	w.sync("fernhollow")
	ctx := context.Background()
	if _, err := w.db.Pool.Exec(ctx, `update gift_plans set body = body || '{"is_paid": false, "trial_ends_at": "2020-01-31T00:00:00"}' where store_id = $1`, store.ID); err != nil {
		t.Fatal(err)
	}
	if err := w.db.Queries().WakeAll(ctx, sqlc.WakeAllParams{StoreID: store.ID, At: w.clock.Now()}); err != nil {
		t.Fatal(err)
	}
	calls := giftCalls(w)
	id := get[int64](w, `select id from credentials where service = 'gift'`)
	if _, err := w.syncer.Probe(ctx, id); !errors.Is(err, pulls.ErrTrialLapsed) {
		t.Errorf("a probe answers %v, want that the trial has lapsed", err)
	}
	if _, err := w.syncer.Run(ctx, "fernhollow", pulls.RunOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := giftCalls(w) - calls; got != 0 {
		t.Errorf("%d gift calls were made after the trial had lapsed, want 0", got)
	}
	var cause string
	if err := w.db.Pool.QueryRow(ctx, `select paused_cause from credentials where store_id = $1 and service = 'gift' and state = 'paused'`, store.ID).Scan(&cause); err != nil || cause != "trial_lapsed" {
		t.Errorf("the gift credential's cause is %q (%v), want trial_lapsed", cause, err)
	}

	// A person who resumes vouches that the plan is paid: then the service is called.
	if err := w.db.Resume(ctx, w.seen("fernhollow")); err != nil {
		t.Fatal(err)
	}
	w.sync("fernhollow")
	if got := giftCalls(w) - calls; got == 0 {
		t.Error("nothing was asked after the store was resumed")
	}
}

func giftCalls(w *world) int {
	n := 0
	for _, a := range w.sandbox.Arrivals() {
		if string(a.Service) == pulls.Gift {
			n++
		}
	}
	return n
}
