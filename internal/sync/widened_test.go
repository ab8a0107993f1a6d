package pulls_test

import (
	"context"
	"log/slog"
	gosync "sync"
	"testing"

	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/dbtest"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// A drain reads its store when it begins. If someone asks for more history meanwhile, and that
// has been recorded but not planned, the end of the drain must not postpone the credential.
func TestAHistoryThatIsWidenedDuringADrainIsDueAtItsEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime})
	w.add(shop, 2)
	var (
		once  gosync.Once
		begun gosync.Map
	)
	_, err := w.syncer.Run(context.Background(), shop, pulls.RunOptions{Progress: func(p pulls.Progress) {
		begun.Store(p.Service, true)
		_, upsell := begun.Load("upsell")
		_, gift := begun.Load("gift")
		if !upsell || !gift { // a drain that begins later reads the wider history
			return
		}
		once.Do(func() {
			r, err := w.barred().Run(context.Background(), shop, pulls.RunOptions{BackfillDays: 5})
			if err != nil || r.Failed != 2 {
				t.Errorf("the other sync does not fail as it should: %v %v", r, err)
			}
		})
	}})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "credentials that are due", get[int](w, `select count(*)::int from credentials where next_due_at <= $1`, w.clock.Now()), 2)
	w.sync(shop)
	equal(t, "credentials that are due when all is pulled", get[int](w, `select count(*)::int from credentials where next_due_at <= $1`, w.clock.Now()), 0)
	equal(t, "days", get[int](w, `select count(*)::int from ledger where pull = 'summary.day' and outcome = 'good'`), 6)
}

// barred is a process that may not call the services.
func (w *world) barred() *pulls.Syncer {
	w.t.Helper()
	sealer, err := seal.NewSealer(keyA)
	if err != nil {
		w.t.Fatal(err)
	}
	d := db.From(dbtest.As(w.t, w.db.Pool, db.Worker), w.db.RateLimit)
	return pulls.New(pulls.Config{DB: d, Transport: upstream.NewTransport(upstream.Options{Clock: w.clock}), Sealer: sealer, Log: slog.New(slog.DiscardHandler), Now: w.clock.Now})
}
