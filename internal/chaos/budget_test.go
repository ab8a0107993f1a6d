//go:build chaos

package chaos

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/riverqueue/river/rivertype"

	"github.com/storeglass/storeglass/internal/db/dbtest"
)

// Two workers and a person's sync, all on one token with more to pull than the time allows: the
// service must never see too many calls, and hardly ever fewer than it would accept. Two stores
// share the token, so that both workers have a job.
func TestThreeProcessesKeepOneBudgetAndUseIt(t *testing.T) {
	const limit = 60
	minutes := setting(t, "CHAOS_MINUTES", 5)
	h := newHouse(t, dbtest.URL(t), limit)
	log := filepath.Join(t.TempDir(), "arrivals")
	store := h.sandboxProcess("--limit", "60", "--log", log)["fernhollow"]
	h.addStore("north", store, 400)
	h.addStore("south", store, 400)

	began := time.Now()
	workers := []*process{h.worker(), h.worker()}
	sync := h.start("sync", "--store", "north", "--backfill", "400")
	ends := began.Add(time.Duration(minutes) * time.Minute)
	for time.Now().Before(ends) {
		select {
		case <-sync.exited:
			t.Fatalf("the sync ended before its time: %v\n%s", sync.err, sync.out.last(5))
		case <-time.After(min(time.Until(ends)+time.Millisecond, 10*time.Second)):
		}
	}
	for _, w := range workers {
		w.stop()
	}
	sync.kill()

	arrivals := readLog(t, log)
	refused := 0
	for _, a := range arrivals {
		if a.Status == 429 {
			refused++
		}
	}
	for _, c := range []struct{ service, token string }{{"upsell", store.upsellToken}, {"gift", store.giftToken}} {
		at := of(arrivals, c.service, c.token)
		used := between(at, began, ends)
		share := 100 * float64(used) / float64(limit*minutes)
		most := fullest(at, time.Minute)
		t.Logf("%-6s %4d arrivals in %d min, %5.1f %% of %d a minute; fullest 60 s: %d", c.service, used, minutes, share, limit, most)
		if most > limit {
			t.Errorf("%s: %d arrivals within 60 s, the limit is %d", c.service, most, limit)
		}
		if c.service == "upsell" && share < 95 {
			t.Errorf("%.1f %% of the budget were used while there was a backlog, want at least 95", share)
		}
	}
	t.Logf("%d arrivals in all, %d answered with 429", len(arrivals), refused)
	if refused > 0 {
		t.Errorf("%d arrivals were refused", refused)
	}
	t.Logf("pulls by lane: %s", strings.Join(h.mustQuery(
		`select lane || ' ' || count(*) from ledger where outcome = 'good' group by lane order by lane`), ", "))
	if bad := h.mustQuery(`select pull || ' ' || subject || ': ' || outcome_text::text from ledger where outcome not in ('good', 'never')`); len(bad) > 0 {
		t.Errorf("%d pulls ended badly: %v", len(bad), bad)
	}
	if !slices.ContainsFunc(h.jobs("drain"), func(job *rivertype.JobRow) bool { return len(job.AttemptedBy) > 0 }) {
		t.Error("no worker had a job")
	}
}
