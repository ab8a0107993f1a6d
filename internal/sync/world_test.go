package pulls_test

import (
	"cmp"
	"context"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/dbtest"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// world is a test's own database, both services over real HTTP, and a Syncer.
type world struct {
	t       testing.TB
	db      *db.DB
	sandbox *sandbox.Server
	http    *httptest.Server
	syncer  *pulls.Syncer
	clock   *clock
}

// clock is a time that tests can move. The zero clock is the machine's.
type clock struct {
	mu sync.Mutex
	at time.Time
}

// Now implements upstream.Clock.
func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at.IsZero() {
		return time.Now()
	}
	return c.at
}

// Wait implements upstream.Clock: no time passes between two tries.
func (c *clock) Wait(ctx context.Context, _ time.Duration) error { return ctx.Err() }

func (c *clock) set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = at
}

// options of a world; the zero value is a service without limits at the real time.
type options struct {
	limit     int // the service's
	rateLimit int // the worker's; 0 means 2400, four calls at a time
	at        time.Time
	late      bool                            // late orders change past days
	shuffle   bool                            // rows move between pages
	topMax    int                             // most rows of a ranking; 0 means 50
	offers    int                             // how many offers the vast store has; 0 means 1,840
	vast      bool                            // add the store with more offers than the list can show
	details   bool                            // also pull the details of each offer, campaign and type of widget
	log       io.Writer                       // gets one line for each request
	front     func(http.Handler) http.Handler // wraps both services; nil means nothing does
}

func newWorld(t testing.TB, o options) *world {
	t.Helper()
	return newWorldOn(t, o, dbtest.New(t))
}

// newWorldOn is newWorld with a given database: a fresh one, or one with data that another
// world pulled.
func newWorldOn(t testing.TB, o options, pool *pgxpool.Pool) *world {
	t.Helper()
	w := &world{t: t, clock: &clock{at: o.at}, db: db.From(pool, cmp.Or(o.rateLimit, 2400))}
	w.sandbox = sandbox.New(sandbox.Config{
		Seed: 1, Limit: o.limit, Prefix: "/some/where", Now: w.clock.Now, LateOrders: o.late, Vast: o.vast, VastOffers: o.offers, TopMax: o.topMax, Shuffle: o.shuffle, Log: o.log,
	})
	var services http.Handler = w.sandbox
	if o.front != nil {
		services = o.front(services)
	}
	w.http = httptest.NewServer(services)
	w.http.Config.ErrorLog = log.New(io.Discard, "", 0) // a fault that breaks a connection panics on purpose
	t.Cleanup(w.http.Close)
	w.syncer = newSyncer(t, w.db, w.clock)
	if !o.details {
		w.exec(`create or replace function no_details() returns trigger language plpgsql as 'begin return null; end'`)
		w.exec(`create or replace trigger no_details before insert on ledger for each row when (new.pull like 'offer.%' or new.pull in ('gift.campaign', 'gift.widget')) execute function no_details()`)
	}
	return w
}

// newSyncer makes a Syncer as another process would have, under the worker's role.
func newSyncer(t testing.TB, d *db.DB, c *clock) *pulls.Syncer {
	t.Helper()
	return newSyncerOf(t, d, c, keyA)
}

// Two secret keys.
const (
	keyA = "a secret key of at least thirty-two bytes"
	keyB = "another secret key of thirty-two bytes or more"
)

// newSyncerOf is newSyncer with these secret keys, the current one first.
func newSyncerOf(t testing.TB, d *db.DB, c *clock, key string, older ...string) *pulls.Syncer {
	t.Helper()
	d = db.From(dbtest.As(t, d.Pool, db.Worker), d.RateLimit)
	allow, err := upstream.ParseAllow("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	sealer, err := seal.NewSealer(key, older...)
	if err != nil {
		t.Fatal(err)
	}
	return pulls.New(pulls.Config{
		DB: d, Transport: upstream.NewTransport(upstream.Options{Allow: allow, Clock: c}),
		Allow: allow, Sealer: sealer, Log: slog.New(slog.DiscardHandler), Now: c.Now,
	})
}

// add connects a store of the sandbox with that many days of history.
func (w *world) add(slug string, historyDays int) sqlc.Store {
	w.t.Helper()
	ctx := context.Background()
	for _, s := range w.sandbox.Stores() {
		if s.Slug != slug {
			continue
		}
		store, err := w.db.Queries().InsertStore(ctx, sqlc.InsertStoreParams{Slug: s.Slug, Name: s.Name, Timezone: s.Timezone, HistoryDays: int32(historyDays)})
		if err != nil {
			w.t.Fatal(err)
		}
		for service, at := range map[string][2]string{
			pulls.Upsell: {s.UpsellPath, s.UpsellToken},
			pulls.Gift:   {s.GiftPath, s.GiftKey},
		} {
			if _, err := w.syncer.Connect(ctx, store.ID, service, w.http.URL+at[0], upstream.NewSecret(at[1])); err != nil {
				w.t.Fatalf("connect %s of %s: %v", service, slug, err)
			}
		}
		return store
	}
	w.t.Fatalf("the sandbox has no store %q", slug)
	return sqlc.Store{}
}

// sync pulls what is due and fails the test on any failed pull.
func (w *world) sync(slug string) pulls.Result {
	w.t.Helper()
	r, err := w.syncer.Run(context.Background(), slug, pulls.RunOptions{})
	if err != nil {
		w.t.Fatalf("sync %s: %v", slug, err)
	}
	if r.Failed > 0 {
		w.t.Fatalf("sync %s: %d pulls failed: %v", slug, r.Failed, r.Failures)
	}
	return r
}

// seen gives every store to a person: as pages and the JSON API read it.
func (w *world) seen(slug string) db.ScopedStore {
	w.t.Helper()
	ctx := context.Background()
	var id int64
	err := w.db.Pool.QueryRow(ctx, `
		with p as (insert into people (email, name, role) values (gen_random_uuid()::text, 'Ina', 'admin') returning id)
		insert into grants (person_id) select id from p returning person_id`).Scan(&id)
	if err != nil {
		w.t.Fatal(err)
	}
	scope, err := w.db.ScopeOfPerson(ctx, id)
	if err != nil {
		w.t.Fatal(err)
	}
	store, err := w.db.Store(ctx, scope, slug)
	if err != nil {
		w.t.Fatal(err)
	}
	return store
}
