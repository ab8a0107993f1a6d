package storeadmin_test

import (
	"context"
	"io"
	"log"
	"log/slog"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/limit"
	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/dbtest"
	"github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/internal/storeadmin"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// world is an Admin with both services over real HTTP. The worker and the pages each use
// their own role, as in production; db uses the owner's, to inspect the database.
type world struct {
	t        *testing.T
	db       *db.DB
	pages    *db.DB
	access   *access.Access
	syncer   *pulls.Syncer
	admin    *storeadmin.Admin
	services *sandbox.Server
	at       string
	clock    *clock
	// ada is a merchant who has connected the first shop as "north".
	ada access.Person
}

// clock is a time that tests set. Calls use it too, so no time passes between retries.
type clock struct {
	mu sync.Mutex
	at time.Time
}

// Now implements upstream.Clock.
func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

// Wait implements upstream.Clock.
func (c *clock) Wait(ctx context.Context, _ time.Duration) error { return ctx.Err() }

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, db: db.From(dbtest.New(t), 2400), clock: &clock{at: time.Date(2026, 11, 20, 15, 30, 20, 0, time.UTC)}}
	sealer, err := seal.NewSealer(strings.Repeat("k", seal.MinSecretKey))
	w.must(err)
	w.access = access.New(w.db, w.clock.Now)
	w.pages = db.From(dbtest.As(t, w.db.Pool, db.Pages), w.db.RateLimit)
	w.services = sandbox.New(sandbox.Config{Seed: 1, Now: w.clock.Now})
	server := httptest.NewServer(w.services)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(server.Close)
	w.at = server.URL
	allow, err := upstream.ParseAllow("127.0.0.1")
	w.must(err)
	transport := upstream.NewTransport(upstream.Options{Allow: allow, Clock: w.clock})
	t.Cleanup(transport.Close)
	w.syncer = pulls.New(pulls.Config{
		DB: db.From(dbtest.As(t, w.db.Pool, db.Worker), w.db.RateLimit), Transport: transport, Allow: allow, Sealer: sealer,
		Log: slog.New(slog.DiscardHandler), Now: w.clock.Now,
	})
	w.admin = storeadmin.New(storeadmin.Config{Sync: w.syncer, DB: w.db, Access: w.access, Audit: audit.New(w.db, w.clock.Now), Limits: limit.New(w.db, w.clock.Now), Pages: w.pages})
	w.ada = w.person("ada", access.Merchant)
	slug, err := w.add(w.ada, w.shop(0), "north")
	w.must(err)
	if slug != "north" {
		t.Fatalf("added as %q", slug)
	}
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) person(name string, role access.Role) access.Person {
	w.t.Helper()
	p, err := w.access.CreatePerson(w.t.Context(), name+"@example.com", name, role)
	w.must(err)
	return p
}

// as is the context of a request of that person.
func (w *world) as(p access.Person) context.Context {
	w.t.Helper()
	token := get[string](w, `insert into sessions (token, data, expiry, person_id, created_at, seen_at) values (md5(random()::text), '{}', $1, $2, $3, $3) returning token`,
		w.clock.Now().Add(time.Hour), p.ID, w.clock.Now())
	visit, err := w.pages.VisitBySession(w.t.Context(), token, "", w.clock.Now(), w.clock.Now().Add(-db.SessionIdle))
	w.must(err)
	return audit.Acting(db.WithVisit(w.t.Context(), visit), audit.Actor{Kind: audit.ActorPerson, ID: p.ID, Name: p.Email})
}

func (w *world) shop(n int) sandbox.Store { return w.services.Stores()[n] }

func (w *world) upsell(s sandbox.Store) stores.Given {
	return stores.Given{Service: pulls.Upsell, Address: w.at + s.UpsellPath, Token: s.UpsellToken}
}

func (w *world) gift(s sandbox.Store) stores.Given {
	return stores.Given{Service: pulls.Gift, Address: w.at + s.GiftPath, Token: s.GiftKey}
}

func form(s sandbox.Store, slug string) stores.Form {
	return stores.Form{Slug: slug, Name: s.Name, Timezone: s.Timezone, HistoryDays: 2}
}

// add goes through both steps of adding a shop.
func (w *world) add(p access.Person, s sandbox.Store, slug string) (string, error) {
	w.t.Helper()
	ctx := w.as(p)
	id, err := w.admin.Discover(ctx, p.ID, []stores.Given{w.upsell(s), w.gift(s)})
	if err != nil {
		return "", err
	}
	return w.admin.Save(ctx, p.ID, id, form(s, slug))
}

// pull runs everything that is due for north.
func (w *world) pull() {
	w.t.Helper()
	r, err := w.syncer.Run(w.t.Context(), "north", pulls.RunOptions{})
	w.must(err)
	if r.Failed > 0 {
		w.t.Fatalf("%d pulls failed: %v", r.Failed, r.Failures)
	}
}

// storeTables are all tables with a store's id.
func (w *world) storeTables() []string {
	w.t.Helper()
	return list(w, `select c.relname::text from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'store_id' and not a.attisdropped
		where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`)
}

// rows are a store's rows in the tables, as text, without the columns that say when
// something is due.
func (w *world) rows(store int64, tables []string) map[string]string {
	w.t.Helper()
	out := map[string]string{}
	for _, table := range tables {
		out[table] = strings.Join(list(w, `select (to_jsonb(x) - 'next_due_at')::text from `+table+` x where store_id = `+text(store)+` order by 1`), "\n")
	}
	return out
}

func (w *world) same(got, want map[string]string) {
	w.t.Helper()
	for table := range want {
		if got[table] == want[table] {
			continue
		}
		before, after := strings.Split(want[table], "\n"), strings.Split(got[table], "\n")
		for _, row := range after {
			if !slices.Contains(before, row) {
				w.t.Errorf("%s has a row that was not there: %.300s", table, row)
			}
		}
		for _, row := range before {
			if !slices.Contains(after, row) {
				w.t.Errorf("%s lost a row: %.300s", table, row)
			}
		}
	}
}

// recorded are the audit log's records of an action, as "who store".
func (w *world) recorded(action audit.Action) []string {
	w.t.Helper()
	return list(w, `select actor_name || ' ' || coalesce(store_slug, '') from audit where action = '`+string(action)+`' order by id`)
}

func (w *world) exec(sql string, args ...any) {
	w.t.Helper()
	if _, err := w.db.Pool.Exec(w.t.Context(), sql, args...); err != nil {
		w.t.Fatalf("%s: %v", sql, err)
	}
}

func get[T any](w *world, sql string, args ...any) T {
	w.t.Helper()
	var v T
	if err := w.db.Pool.QueryRow(w.t.Context(), sql, args...).Scan(&v); err != nil {
		w.t.Fatalf("%s: %v", sql, err)
	}
	return v
}

func list(w *world, sql string) []string {
	w.t.Helper()
	rows, err := w.db.Pool.Query(w.t.Context(), sql)
	w.must(err)
	out, err := pgx.CollectRows(rows, pgx.RowTo[string])
	w.must(err)
	return out
}

// id is a store's id.
func (w *world) id(slug string) int64 {
	w.t.Helper()
	return get[int64](w, `select id from stores where slug = $1`, slug)
}
