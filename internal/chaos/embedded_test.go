//go:build chaos

package chaos

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The worker runs its own PostgreSQL. First the server under it is killed, then the worker
// above it, then both at once.
func TestKilledWorkerWithItsOwnDatabase(t *testing.T) {
	t.Parallel()
	seed := setting(t, "CHAOS_SEED", 1)
	chance := rand.New(rand.NewPCG(uint64(seed), 99))
	world := newStoppedWorld(t)
	want, calls := undisturbed(t, world)
	up := world.serve(t, killDelay)
	dir := dataDir(t)
	h := furnish(t, killRate, "DASHBOARD_DATA_DIR="+dir)
	h.database = func() string { return ownServer(dir).url }
	h.addStore("shop", up.account(), killDays)
	worker := h.worker()
	kills := 0
	for _, c := range []struct {
		name             string
		worker, database bool
	}{{"database", false, true}, {"worker", true, false}, {"both", true, true}} {
		up.awaitCall(t, time.Now(), comesBack)
		moment := aim(chance, up)
		if c.database {
			if err := syscall.Kill(ownServer(dir).pid, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
		}
		if c.worker {
			worker.kill()
			worker = h.worker()
		}
		kills++
		t.Logf("killed %s: %s", c.name, moment)
		killed := time.Now()
		time.Sleep(time.Second)
		up.awaitCall(t, time.Now(), comesBack)
		t.Logf("went on after %s", time.Since(killed).Round(time.Second))
	}
	h.awaitDone(5 * time.Minute)
	got := h.numbers()
	worker.stop()
	sameNumbers(t, got, want)
	for _, service := range []string{"upsell", "gift"} {
		n := up.calls(service)
		t.Logf("%s: %d calls, undisturbed %d, kills %d", service, n, calls[service], kills)
		if n < calls[service] || n > calls[service]+kills {
			t.Errorf("%s: %d calls arrived, want %d and at most one more a kill", service, n, calls[service])
		}
	}
}

// postmaster is the server of a data directory, according to its own file.
type postmaster struct {
	pid int
	url string
}

func ownServer(dir string) postmaster {
	text, err := os.ReadFile(filepath.Join(dir, "postgres", "postmaster.pid"))
	lines := strings.Split(string(text), "\n")
	if err != nil || len(lines) < 5 {
		return postmaster{url: "postgres://nowhere.invalid/"}
	}
	pid, _ := strconv.Atoi(strings.TrimSpace(lines[0]))
	return postmaster{pid, fmt.Sprintf("postgres://storeglass@/storeglass?host=%s&port=%s", url.QueryEscape(lines[4]), lines[3])}
}
