//go:build chaos

package chaos

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/db/dbtest"
)

const (
	// killDays and killDelay make a sync long enough to be killed in the middle.
	killDays  = 300
	killDelay = 120 * time.Millisecond
	// killRate is one call at a time for each credential, with slots always free.
	killRate = 600
	// comesBack is how long a killed worker's pulls and jobs may stay claimed by it.
	comesBack = 2 * time.Minute
)

// A worker is killed again and again in the middle of a first sync. Each kill
// may repeat the calls that were under way, one for each service, and must change
// nothing else. Two databases are worked on side by side.
func TestKilledWorkersLoseNothingAndRepeatOneCall(t *testing.T) {
	t.Parallel()
	kills, seed := setting(t, "CHAOS_KILLS", 20), setting(t, "CHAOS_SEED", 1)
	t.Logf("%d kills, seed %d", kills, seed)
	world := newStoppedWorld(t)
	want, calls := undisturbed(t, world)
	lanes := setting(t, "CHAOS_LANES", 2)
	for lane := range lanes {
		n := kills / lanes
		if lane < kills%lanes {
			n++
		}
		t.Run(fmt.Sprint("database ", lane+1), func(t *testing.T) {
			t.Parallel()
			chance := rand.New(rand.NewPCG(uint64(seed), uint64(lane)))
			up := world.serve(t, killDelay)
			h := newHouse(t, dbtest.URL(t), killRate)
			h.addStore("shop", up.account(), killDays)
			worker := h.worker()
			longest := time.Duration(0)
			for k := range n {
				back := time.Now()
				up.awaitCall(t, back, comesBack)
				longest = max(longest, time.Since(back))
				moment := aim(chance, up)
				worker.kill()
				t.Logf("kill %d: %s, after %d calls", k+1, moment, up.calls("upsell")+up.calls("gift"))
				worker = h.worker()
			}
			h.awaitDone(8 * time.Minute)
			worker.stop()
			t.Logf("went on after %s at most", longest.Round(time.Second))
			sameNumbers(t, h.numbers(), want)
			for _, service := range []string{"upsell", "gift"} {
				got := up.calls(service)
				t.Logf("%s: %d calls, undisturbed %d, kills %d", service, got, calls[service], n)
				if got < calls[service] || got > calls[service]+n {
					t.Errorf("%s: %d calls arrived, want %d and at most one more a kill", service, got, calls[service])
				}
			}
		})
	}
}

// aim waits for a random moment of a working worker and returns which kind it was: any moment,
// which is most likely in the middle of a call, or one shortly after an answer, where numbers
// and outcome are being written.
func aim(chance *rand.Rand, up *upstream) string {
	wait := time.Duration(chance.Int64N(int64(7 * time.Second)))
	time.Sleep(wait)
	if chance.IntN(2) == 0 {
		return fmt.Sprintf("%s into the work", wait.Round(time.Millisecond))
	}
	after := time.Duration(chance.Int64N(int64(8 * time.Millisecond)))
	select {
	case <-up.answered:
	case <-time.After(5 * time.Second):
		return fmt.Sprintf("%s into the work, none under way", wait.Round(time.Millisecond))
	}
	time.Sleep(after)
	return fmt.Sprintf("%s into the work, %s after an answer", wait.Round(time.Millisecond), after.Round(time.Microsecond))
}

// undisturbed is what one sync without disturbance leaves behind, and how many calls it takes
// for each service.
func undisturbed(t testing.TB, world *stoppedWorld) (numbers map[string][]string, calls map[string]int) {
	t.Helper()
	up := world.serve(t, 0)
	h := newHouse(t, dbtest.URL(t), killRate)
	h.addStore("shop", up.account(), killDays)
	h.run("sync", "--store", "shop")
	return h.numbers(), map[string]int{"upsell": up.calls("upsell"), "gift": up.calls("gift")}
}
