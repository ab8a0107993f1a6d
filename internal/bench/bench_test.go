//go:build bench

package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/embedded"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// roleVariable makes the test binary act as another process.
const roleVariable = "STOREGLASS_BENCH_ROLE"

func TestMain(m *testing.M) {
	switch role := os.Getenv(roleVariable); role {
	case "":
		os.Exit(m.Run())
	case "server":
		finish(playServer())
	case "services":
		finish(playServices())
	default:
		finish(fmt.Errorf("no role %q", role))
	}
}

func finish(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// role starts this binary in a role, waits for its greeting, a line of JSON, and ends it with
// the test by closing its standard input.
func role(t testing.TB, name string, greeting any, env ...string) (pid int) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), roleVariable+"="+name), env...)
	stdin, err := cmd.StdinPipe()
	must(t, err)
	stdout, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() {
		_ = stdin.Close()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	must(t, err)
	must(t, json.Unmarshal(line, greeting))
	return cmd.Process.Pid
}

// greet sends the parent what it needs and returns when the parent wants this process to end.
func greet(greeting any) error {
	if err := json.NewEncoder(os.Stdout).Encode(greeting); err != nil {
		return err
	}
	_, err := io.Copy(io.Discard, os.Stdin)
	return err
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// rateLimit is far above the rate of any run here.
const rateLimit = 60_000

// world is its own database server, set up as in production, with a Syncer that may call
// services on this machine.
type world struct {
	server *embedded.Server
	db     *db.DB
	access *access.Access
	allow  upstream.AllowList
	syncer *pulls.Syncer
	asked  *statements
}

func newWorld(t testing.TB) *world {
	t.Helper()
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "storeglass-bench-")
	must(t, err)
	must(t, os.Chmod(dir, 0o711)) // as root the database server runs as another user
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	w := &world{asked: &statements{}}
	w.server, err = embedded.Start(ctx, embedded.Options{DataDir: dir})
	must(t, err)
	t.Cleanup(func() { _ = w.server.Stop(ctx) })
	owner, err := db.Open(ctx, w.server.URL())
	must(t, err)
	must(t, db.Migrate(ctx, owner))
	owner.Close()
	pool, err := db.Open(ctx, w.server.URL(), db.As(db.Worker), func(c *pgxpool.Config) { c.ConnConfig.Tracer = w.asked })
	must(t, err)
	t.Cleanup(pool.Close)
	w.db = db.From(pool, rateLimit)
	w.access = access.New(w.db, time.Now)
	sealer, err := seal.NewSealer("a secret key of at least thirty-two bytes")
	must(t, err)
	w.allow, err = upstream.ParseAllow("127.0.0.1")
	must(t, err)
	transport := upstream.NewTransport(upstream.Options{Allow: w.allow})
	t.Cleanup(transport.Close)
	w.syncer = pulls.New(pulls.Config{DB: w.db, Transport: transport, Allow: w.allow, Sealer: sealer})
	return w
}

// add connects a store of the services with that many days of history.
func (w *world) add(t testing.TB, slug string, a account, historyDays int) {
	t.Helper()
	ctx := context.Background()
	store, err := w.db.Queries().InsertStore(ctx, sqlc.InsertStoreParams{
		Slug: slug, Name: a.Name, Timezone: a.Timezone, HistoryDays: int32(historyDays),
	})
	must(t, err)
	for service, at := range map[string][2]string{
		pulls.Upsell: {a.UpsellURL, a.UpsellToken}, pulls.Gift: {a.GiftURL, a.GiftToken},
	} {
		_, err := w.syncer.Connect(ctx, store.ID, service, at[0], upstream.NewSecret(at[1]))
		must(t, err)
	}
}

// sync makes all due pulls and returns how many calls that took.
func (w *world) sync(t testing.TB, slug string) int {
	t.Helper()
	r, err := w.syncer.Run(context.Background(), slug, pulls.RunOptions{})
	must(t, err)
	if r.Failed > 0 {
		t.Fatalf("sync %s: %d pulls failed: %v", slug, r.Failed, r.Failures)
	}
	return r.Done
}

// report prints a table on stdout.
func report(head string, rows ...string) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 3, ' ', 0)
	_, _ = fmt.Fprintln(w, "\n"+head)
	for _, r := range rows {
		_, _ = fmt.Fprintln(w, r)
	}
	_ = w.Flush()
	fmt.Println()
}

// meanwhile is a table's last line: how far to trust its figures.
func meanwhile(others float64) string {
	return fmt.Sprintf("others used %.0f %% of this machine meanwhile", 100*others)
}

// verdict says in a table row whether its goal is met.
func verdict(met bool) string {
	if met {
		return "met"
	}
	return "MISSED"
}

func median(of []float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	return sorted[len(sorted)/2]
}
