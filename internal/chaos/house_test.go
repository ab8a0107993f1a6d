//go:build chaos

package chaos

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/rivertype"

	"github.com/storeglass/storeglass/internal/jobs/jobstest"
)

// house is one installation: settings that all its processes share.
type house struct {
	t   testing.TB
	env []string
	// database is where its tables are; known only later if a process runs the server.
	database func() string
}

// newHouse makes an installation on the database of an address.
func newHouse(t testing.TB, databaseURL string, rateLimit int) *house {
	h := furnish(t, rateLimit, "DATABASE_URL="+databaseURL)
	h.database = func() string { return databaseURL }
	h.run("migrate", "up")
	return h
}

func furnish(t testing.TB, rateLimit int, settings ...string) *house {
	h := &house{t: t, env: []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"),
		"DASHBOARD_SECRET_KEY=" + newKey(),
		"DASHBOARD_UPSTREAM_ALLOW=127.0.0.1",
		fmt.Sprint("DASHBOARD_RATE_LIMIT=", rateLimit),
	}}
	h.env = append(h.env, settings...)
	return h
}

// start starts a long-running command.
func (h *house) start(args ...string) *process {
	h.t.Helper()
	return launch(h.t, program(h.t), h.env, args...)
}

// run runs a command to its end, which must succeed.
func (h *house) run(args ...string) string {
	h.t.Helper()
	return h.runWith(nil, args...)
}

func (h *house) runWith(env []string, args ...string) string {
	h.t.Helper()
	p := launch(h.t, program(h.t), append(append([]string{}, h.env...), env...), args...)
	<-p.exited
	if p.err != nil {
		h.t.Fatalf("%s: %v\n%s", p.name, p.err, p.out.last(20))
	}
	return p.out.String()
}

func (h *house) worker() *process { return h.start("serve", "--role", "worker") }

// account is what a client of both services of one store needs.
type account struct {
	timezone               string
	upsellURL, giftURL     string
	upsellToken, giftToken string
}

func (h *house) addStore(slug string, a account, historyDays int) {
	h.t.Helper()
	h.runWith([]string{"STORE_UPSELL_TOKEN=" + a.upsellToken, "STORE_GIFT_TOKEN=" + a.giftToken},
		"store", "add", "--slug", slug, "--name", slug, "--timezone", a.timezone,
		"--upsell-url", a.upsellURL, "--gift-url", a.giftURL, "--history-days", fmt.Sprint(historyDays), "--again")
}

// query reads rows of one text column.
func (h *house) query(sql string, args ...any) ([]string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, h.database())
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(ctx) }()
	rows, err := conn.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// jobs returns the queued and ended jobs of a kind; none while the database is down.
func (h *house) jobs(kind string) []*rivertype.JobRow {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	pool, err := pgxpool.New(ctx, h.database())
	if err != nil {
		return nil
	}
	defer pool.Close()
	list, _ := jobstest.List(ctx, pool, kind)
	return list
}

// mustQuery is query if the database must answer.
func (h *house) mustQuery(sql string, args ...any) []string {
	h.t.Helper()
	rows, err := h.query(sql, args...)
	if err != nil {
		h.t.Fatalf("%s: %v", sql, err)
	}
	return rows
}

var accountLine = regexp.MustCompile(`(?m)^(\S+) \(.*, (\S+)\)\n +--upsell-url (\S+) +STORE_UPSELL_TOKEN=(\S+)\n +--gift-url +(\S+) +STORE_GIFT_TOKEN=(\S+)`)

// sandboxProcess starts both services as a separate process and reads from its greeting what a
// client needs, by the store's name.
func (h *house) sandboxProcess(args ...string) map[string]account {
	h.t.Helper()
	p := h.start(append([]string{"sandbox", "--listen", "127.0.0.1:0"}, args...)...)
	const stores = 4
	for range 200 {
		found := accountLine.FindAllStringSubmatch(p.out.String(), -1)
		if len(found) < stores {
			time.Sleep(25 * time.Millisecond)
			continue
		}
		accounts := map[string]account{}
		for _, f := range found {
			accounts[f[1]] = account{timezone: f[2], upsellURL: f[3], upsellToken: f[4], giftURL: f[5], giftToken: f[6]}
		}
		return accounts
	}
	h.t.Fatalf("the sandbox did not say how to reach it:\n%s", p.out.String())
	return nil
}

// newKey makes a random secret key, because typed ones are refused.
func newKey() string {
	key := make([]byte, 32)
	_, _ = rand.Read(key)
	return hex.EncodeToString(key)
}
