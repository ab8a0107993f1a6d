//go:build chaos

package chaos

import (
	"context"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/db/dbtest"
	"github.com/storeglass/storeglass/internal/db/embedded"
)

// The services go away for a while in the middle of a sync. Nobody helps the worker: it must
// retry the failed calls by itself.
func TestServicesGoAndComeBack(t *testing.T) {
	t.Parallel()
	const away = 20 * time.Second
	world := newStoppedWorld(t)
	want, _ := undisturbed(t, world)
	up := world.serve(t, killDelay)
	h := newHouse(t, dbtest.URL(t), killRate)
	h.addStore("shop", up.account(), killDays)
	worker := h.worker()
	up.awaitCall(t, time.Now(), time.Minute)
	time.Sleep(5 * time.Second)
	up.close()
	time.Sleep(away)
	failed := h.mustQuery(`select pull || ' ' || subject from ledger where outcome = 'failed'`)
	up.open(t)
	back := time.Now()
	t.Logf("%d pulls had failed when the services came back", len(failed))
	if len(failed) == 0 {
		t.Error("nothing failed while the services were away")
	}
	h.awaitDone(10 * time.Minute)
	t.Logf("everything stored %s after they came back", time.Since(back).Round(time.Second))
	worker.stop()
	sameNumbers(t, h.numbers(), want)
}

// PostgreSQL is stopped under a working worker, and killed, and each time comes back after a
// while at the same address. Nobody helps the worker.
func TestDatabaseGoesAndComesBack(t *testing.T) {
	t.Parallel()
	const away = 15 * time.Second
	world := newStoppedWorld(t)
	want, calls := undisturbed(t, world)
	ctx := context.Background()
	options := embedded.Options{DataDir: dataDir(t)}
	server, err := embedded.Start(ctx, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Stop(ctx) })
	up := world.serve(t, killDelay)
	h := newHouse(t, server.URL(), killRate)
	h.addStore("shop", up.account(), killDays)
	worker := h.worker()

	up.awaitCall(t, time.Now(), time.Minute)
	time.Sleep(5 * time.Second)
	if err := server.Stop(ctx); err != nil {
		t.Fatal(err)
	}
	time.Sleep(away)
	if server, err = embedded.Start(ctx, options); err != nil {
		t.Fatal(err)
	}
	back := time.Now()
	up.awaitCall(t, back, comesBack)
	t.Logf("stopped: the worker went on %s after the database was back", time.Since(back).Round(time.Second))

	time.Sleep(5 * time.Second)
	if err := syscall.Kill(server.PID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	killed := time.Now()
	time.Sleep(time.Second) // a call may still have been running
	up.awaitCall(t, time.Now(), comesBack)
	t.Logf("killed: the worker went on after %s", time.Since(killed).Round(time.Second))

	h.awaitDone(5 * time.Minute)
	worker.stop()
	sameNumbers(t, h.numbers(), want)
	for _, service := range []string{"upsell", "gift"} {
		t.Logf("%s: %d calls, undisturbed %d", service, up.calls(service), calls[service])
	}
}

// dataDir is a directory that the server's own user may enter, even when tests run as root.
func dataDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "storeglass-chaos-data-")
	if err == nil {
		err = os.Chmod(dir, 0o711)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}
