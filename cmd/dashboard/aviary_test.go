package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"log/slog"
	"maps"
	"net"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/expfmt"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/db/dbtest"
	"github.com/storeglass/storeglass/internal/settings"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// aviary is a whole installation in which every secret is a canary: a text that can be told
// from all others, and is searched for in every form in all that the program stores or prints.
type aviary struct {
	t      *testing.T
	house  *app.App
	owner  *pgxpool.Pool
	env    []string
	shop   sandbox.Store
	base   string // of the services
	pages  string // of the web server
	faulty *faulty
	post   *telltale
	sync   *pulls.Syncer
	log    *lines
	// said is what commands printed, and shown what pages answered, since the last search.
	said, shown strings.Builder

	mu      sync.Mutex
	secrets map[string]string // by name
}

// canary makes a secret with the characters that each encoding writes differently.
func (a *aviary) canary(name string) string {
	secret := name + `+/&"<=>%41` + rand.Text()
	a.knows(name, secret)
	return secret
}

// knows adds a secret to search for from now on.
func (a *aviary) knows(name, secret string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.secrets[name] = secret
}

func newAviary(t *testing.T) *aviary {
	t.Helper()
	a := &aviary{t: t, log: newLines(), secrets: map[string]string{}}
	inner := sandbox.New(sandbox.Config{Seed: 7, Limit: 1 << 20})
	a.shop = inner.Stores()[0]
	known := map[string]string{}
	upsell, gift := a.canary("upsell-token"), a.canary("gift-key")
	known[upsell], known[gift] = a.shop.UpsellToken, a.shop.GiftKey
	a.shop.UpsellToken, a.shop.GiftKey = upsell, gift
	a.faulty = newFaulty(inner, known)
	services := httptest.NewUnstartedServer(a.faulty)
	services.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	services.Start()
	t.Cleanup(services.Close)
	a.base = services.URL
	a.post = newTelltale(t, func(secret string) { a.knows("mailed link "+secret[:4], secret) }, func() { a.faulty.note(repeats, 1) })

	key := make([]byte, 32)
	rand.Read(key)
	a.knows("secret key", string(key))
	a.knows("secret key as it is written", base64.StdEncoding.EncodeToString(key))
	address := dbtest.URL(t)
	password := a.canary("database-password")
	if strings.Contains(address, "?") {
		address += "&"
	} else {
		address += "?"
	}
	a.env = []string{
		"DATABASE_URL=" + address + "password=" + url.QueryEscape(password), "DASHBOARD_SECRET_KEY=" + base64.StdEncoding.EncodeToString(key),
		"DASHBOARD_SMTP_URL=smtp://mailer:" + url.QueryEscape(a.canary("mail-password")) + "@" + a.post.address, "DASHBOARD_MAIL_FROM=reports@example.com",
		"DASHBOARD_UPSTREAM_ALLOW=127.0.0.1", "DASHBOARD_RATE_LIMIT=100000", "DASHBOARD_LOG=debug",
	}
	a.owner = dbtest.Open(t, address)
	s, _, err := settings.Load(a.env, settings.NeedsKey)
	a.must(err)
	log := slog.New(bothHandlers{s.Log.Logger(a.log, slog.LevelDebug).Handler(), slog.NewJSONHandler(a.log, &slog.HandlerOptions{Level: slog.LevelDebug})})
	a.house, err = app.Open(t.Context(), s, log, app.SchemaUp)
	a.must(err)
	t.Cleanup(a.house.Close)
	sealer, err := s.Sealer()
	a.must(err)
	transport := upstream.NewTransport(upstream.Options{
		Allow: s.UpstreamAllow.AllowList, Timeout: 300 * time.Millisecond, MaxBytes: 512 << 10, Clock: noWait{},
	})
	t.Cleanup(transport.Close)
	a.sync = pulls.New(pulls.Config{DB: a.house.DB, Transport: transport, Allow: s.UpstreamAllow.AllowList, Sealer: sealer, Log: log})

	good(t, a.with(), "store", "add", "--slug", "acme", "--name", "Acme", "--upsell-url", a.base+a.shop.UpsellPath, "--gift-url", a.base+a.shop.GiftPath, "--history-days", "5")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	a.must(err)
	r := app.NewRunning(log)
	t.Cleanup(r.Stop)
	a.must(a.house.StartWeb(t.Context(), r, l))
	a.pages = "http://" + l.Addr().String()
	return a
}

// with is the environment plus the upstream tokens.
func (a *aviary) with(more ...string) []string {
	return slices.Concat(a.env, tokens(a.shop), more)
}

func (a *aviary) must(err error) {
	a.t.Helper()
	if err != nil {
		a.t.Fatal(err)
	}
}

// exec runs a statement as the database's owner.
func (a *aviary) exec(sql string, args ...any) {
	a.t.Helper()
	if _, err := a.owner.Exec(context.Background(), sql, args...); err != nil {
		a.t.Fatalf("%.200s: %v", sql, err)
	}
}

// command runs a command, whatever its result, and keeps its output.
func (a *aviary) command(env []string, args ...string) outcome {
	a.t.Helper()
	o := run(a.t, env, args...)
	a.said.WriteString(o.stdout + "\n" + o.stderr + "\n")
	return o
}

// bothHandlers write every record twice, since text and JSON logs escape differently.
type bothHandlers [2]slog.Handler

func (b bothHandlers) Enabled(context.Context, slog.Level) bool { return true }
func (b bothHandlers) Handle(ctx context.Context, r slog.Record) error {
	return errors.Join(b[0].Handle(ctx, r), b[1].Handle(ctx, r.Clone()))
}
func (b bothHandlers) WithAttrs(attrs []slog.Attr) slog.Handler {
	return bothHandlers{b[0].WithAttrs(attrs), b[1].WithAttrs(attrs)}
}
func (b bothHandlers) WithGroup(name string) slog.Handler {
	return bothHandlers{b[0].WithGroup(name), b[1].WithGroup(name)}
}

// look searches everything for every canary.
func (a *aviary) look(when string) (bytes int) {
	a.t.Helper()
	metrics, err := prometheus.DefaultGatherer.Gather()
	a.must(err)
	var measured strings.Builder
	for _, family := range metrics {
		_, err := expfmt.MetricFamilyToText(&measured, family)
		a.must(err)
	}
	places := map[string]string{"the log": a.log.String(), "what commands say": a.said.String(), "pages and files": a.shown.String(), "metrics": measured.String(), "mails": a.post.read()}
	a.log.reset()
	a.said.Reset()
	a.shown.Reset()
	for table, text := range a.dump() {
		places["table "+table] = text
	}
	a.mu.Lock()
	seeker := upstreamtest.NewSeeker(maps.Clone(a.secrets))
	a.mu.Unlock()
	for place, text := range places {
		bytes += len(text)
		for _, hit := range seeker.Seek(text) {
			a.t.Errorf("%s: %s holds the %s as %s: …%.300q…", when, place, hit.Secret, hit.Form, text[max(0, hit.At-150):min(len(text), hit.At+150)])
		}
	}
	return bytes
}

// dump is every row of every table as text, including jobs and their errors. Bytes appear both
// as a dump writes them and decoded.
func (a *aviary) dump() map[string]string {
	a.t.Helper()
	ctx := context.Background()
	tables := a.column(`select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`)
	out := map[string]string{}
	for _, table := range tables {
		columns := []string{"t::text"}
		for _, name := range a.column(`select column_name from information_schema.columns where table_schema = 'public' and data_type = 'bytea' and table_name = '` + table + `'`) {
			columns = append(columns, "coalesce(encode("+name+", 'escape'), '')")
		}
		rows, err := a.owner.Query(ctx, `select `+strings.Join(columns, " || E'\\n' || ")+` from `+table+` t`)
		a.must(err)
		var b strings.Builder
		for rows.Next() {
			var row string
			a.must(rows.Scan(&row))
			b.WriteString(row + "\n" + strings.ReplaceAll(row, `""`, `"`) + "\n" + strings.ReplaceAll(row, `\\`, `\`) + "\n")
		}
		a.must(rows.Err())
		out[table] = b.String()
	}
	return out
}

func (a *aviary) column(sql string) (out []string) {
	a.t.Helper()
	rows, err := a.owner.Query(context.Background(), sql)
	a.must(err)
	defer rows.Close()
	for rows.Next() {
		var s string
		a.must(rows.Scan(&s))
		out = append(out, s)
	}
	a.must(rows.Err())
	return out
}
