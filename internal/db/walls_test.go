package db_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/dbtest"
	"github.com/storeglass/storeglass/internal/db/sqlc"
)

func TestAWallThatDoesNotStandIsNamed(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	h.exec(`alter table summaries no force row level security`)
	h.exec(`drop policy pages on coverage`)
	h.exec(`grant create on schema public to storeglass_pages`)
	faults, err := db.WallFaults(t.Context(), h.Pool)
	h.must(err)
	equal(t, "faults", sorted(faults), []string{
		"2 tables have no row-level security. Was a dump restored before its roles were there? Then restore it again, into an empty database, now that they are. Take no step of the schema back: that would delete what is stored",
		"the role storeglass_pages may make tables in the schema public: an administrator has to run: revoke create on schema public from public, storeglass_pages",
	})
	h.exec(`revoke create on schema public from storeglass_pages, public`)
	h.exec(`alter table coverage force row level security`)
	h.exec(`create policy pages on coverage to storeglass_pages using (true)`)
	faults, err = db.WallFaults(t.Context(), h.Pool)
	h.must(err)
	equal(t, "one", len(faults), 1)
	if !strings.HasPrefix(faults[0], "the table summaries has no row-level security.") {
		t.Error(faults[0])
	}
}

// walled is a house as pages see it, with people and tokens that make requests.
type walled struct {
	*house
	pages *db.DB
	now   time.Time
}

func newWalled(t *testing.T) *walled {
	t.Helper()
	h := newHouse(t, 60)
	w := &walled{house: h, pages: db.From(dbtest.As(t, h.Pool, db.Pages), 60), now: later}
	for _, id := range []int64{h.acme, h.birch} {
		h.write(func(b *db.Batch) { seed(b, id, first) })
	}
	return w
}

// session signs a person in, until an hour from now.
func (w *walled) session(person int64) string {
	w.t.Helper()
	return get[string](w.house, `insert into sessions (token, data, expiry, person_id) values (md5(random()::text), '{}', $1, $2) returning token`, w.now.Add(time.Hour), person)
}

// bearer creates an API token and returns its hash.
func (w *walled) bearer(stores ...string) []byte {
	w.t.Helper()
	return get[[]byte](w.house, `select token_hash from api_tokens where id = $1`, w.token(stores...))
}

// sees lists the stores whose rows ctx sees, without any of the program's own checks.
func (w *walled) sees(ctx context.Context, d *db.DB) string {
	w.t.Helper()
	stores, err := d.Queries().AllStores(ctx)
	w.must(err)
	var slugs []string
	for _, s := range stores {
		slugs = append(slugs, s.Slug)
	}
	for _, s := range []struct {
		slug string
		id   int64
	}{{"acme", w.acme}, {"birch", w.birch}} {
		rows, err := d.Queries().LifetimeRow(ctx, s.id)
		w.must(err)
		if (len(rows) > 0) != slices.Contains(slugs, s.slug) {
			w.t.Errorf("of the store %s the list says %v, its numbers %v", s.slug, slugs, len(rows) > 0)
		}
	}
	return strings.Join(slugs, " ")
}

func TestPagesSeeTheRowsOfTheirPrincipalsStores(t *testing.T) {
	t.Parallel()
	w := newWalled(t)
	w.store("cedar", "UTC")
	w.exec(`update stores set removed_at = now() where slug = 'cedar'`)
	north := get[int64](w.house, `insert into groups (name) values ('North') returning id`)
	w.exec(`insert into group_stores (group_id, store_id) values ($1, $2)`, north, w.birch)
	member := w.person()
	w.exec(`insert into grants (person_id, group_id) values ($1, $2)`, member, north)
	admin := w.person()
	w.exec(`update people set role = 'admin' where id = $1`, admin)
	disabled, revoked, gone := w.session(w.person("acme", "*")), w.bearer("acme"), w.session(w.person("acme", "*"))
	w.exec(`update people set disabled_at = now() where id = (select person_id from sessions where token = $1)`, disabled)
	w.exec(`update api_tokens set revoked_at = now() where token_hash = $1`, revoked)
	w.exec(`update sessions set expiry = $2 where token = $1`, gone, w.now)

	session := func(token string) func(context.Context) (db.Visit, error) {
		return func(ctx context.Context) (db.Visit, error) {
			return w.pages.VisitBySession(ctx, token, "", w.now, w.now.AddDate(0, 0, -7))
		}
	}
	token := func(hash []byte) func(context.Context) (db.Visit, error) {
		return func(ctx context.Context) (db.Visit, error) { return w.pages.VisitByToken(ctx, hash, "", w.now) }
	}
	for name, c := range map[string]struct {
		visit func(context.Context) (db.Visit, error)
		sees  string
	}{
		"nobody":                     {func(context.Context) (db.Visit, error) { return db.Visit{}, nil }, ""},
		"without a grant":            {session(w.session(w.person())), ""},
		"one store":                  {session(w.session(w.person("acme"))), "acme"},
		"both":                       {session(w.session(w.person("acme", "birch"))), "acme birch"},
		"a removed one beside":       {session(w.session(w.person("acme", "cedar"))), "acme"},
		"the stores of a group":      {session(w.session(member)), "birch"},
		"every store":                {session(w.session(w.person("*"))), "acme birch cedar"},
		"an admin":                   {session(w.session(admin)), "acme birch cedar"},
		"a disabled person":          {session(disabled), ""},
		"a session that ended":       {session(gone), ""},
		"a session that never was":   {session("none"), ""},
		"a token":                    {token(w.bearer("birch")), "birch"},
		"a revoked token":            {token(revoked), ""},
		"a token that was not given": {token([]byte("none")), ""},
	} {
		v, err := c.visit(t.Context())
		if err != nil && !errors.Is(err, db.ErrNotFound) {
			t.Fatalf("%s: %v", name, err)
		}
		equal(t, name+" sees", w.sees(db.WithVisit(t.Context(), v), w.pages), c.sees)
	}
	equal(t, "the worker sees", w.sees(t.Context(), db.From(dbtest.As(t, w.Pool, db.Worker), 60)), "acme birch cedar")
}

// A visit records who is asking, not what they may see: that is looked up each time.
func TestWhatIsTakenAwayIsGoneWithTheNextStatement(t *testing.T) {
	t.Parallel()
	w := newWalled(t)
	person := w.person("acme", "birch")
	v, err := w.pages.VisitBySession(t.Context(), w.session(person), "acme", w.now, w.now.AddDate(0, 0, -7))
	w.must(err)
	ctx := db.WithVisit(t.Context(), v)
	equal(t, "before", w.sees(ctx, w.pages), "acme birch")
	w.exec(`delete from grants where person_id = $1 and store_id = $2`, person, w.acme)
	equal(t, "after a grant is gone", w.sees(ctx, w.pages), "birch")
	w.exec(`delete from sessions`)
	equal(t, "after the session is gone", w.sees(ctx, w.pages), "")
}

func TestAShareSeesItsStoreWhileItLasts(t *testing.T) {
	t.Parallel()
	w := newWalled(t)
	hash := sha256.Sum256([]byte("secret"))
	w.exec(`insert into shares (store_id, token_hash, label, pages, preset, expires_at, created_by) values ($1, $2, 'x', '{overview}', 'last_7_days', $3, $4)`, w.birch, hash[:], w.now, w.person())
	sees := func(at time.Time) []string {
		t.Helper()
		var out []string
		w.must(pgx.BeginFunc(t.Context(), w.pages.Pool, func(tx pgx.Tx) error {
			if _, err := tx.Exec(t.Context(), `select set_principal('share', $1, $2)`, hex.EncodeToString(hash[:]), at); err != nil {
				return err
			}
			rows, err := tx.Query(t.Context(), `select slug from stores`)
			if err != nil {
				return err
			}
			out, err = pgx.CollectRows(rows, pgx.RowTo[string])
			return err
		}))
		return out
	}
	equal(t, "while it lasts", sees(w.now.Add(-time.Second)), []string{"birch"})
	equal(t, "at its end", sees(w.now), nil)
	w.exec(`update stores set removed_at = now() where id = $1`, w.birch)
	equal(t, "of a removed store", sees(w.now.Add(-time.Second)), nil)
	w.exec(`update stores set removed_at = null; update shares set revoked_at = now()`)
	equal(t, "revoked", sees(w.now.Add(-time.Second)), nil)
	w.exec(`update shares set revoked_at = null; update people set disabled_at = now()`)
	equal(t, "of someone disabled", sees(w.now.Add(-time.Second)), nil)
	w.exec(`update people set disabled_at = null`)
	equal(t, "of someone enabled again", sees(w.now.Add(-time.Second)), []string{"birch"})
	w.exec(`delete from people`)
	equal(t, "of someone who is gone", sees(w.now.Add(-time.Second)), nil)
}

// However a statement reaches the database, the principal is named first, and nothing of it remains for
// the next user of the connection.
func TestEveryWayToTheDatabaseNamesThePrincipalAndForgetsIt(t *testing.T) {
	t.Parallel()
	w := newWalled(t)
	pages := db.From(dbtest.As(t, w.Pool, db.Pages), 60)
	v, err := pages.VisitBySession(t.Context(), w.session(w.person("birch")), "", w.now, w.now.AddDate(0, 0, -7))
	w.must(err)
	birch := db.WithVisit(t.Context(), v)
	count := func(ctx context.Context) map[string]int {
		t.Helper()
		found := map[string]int{}
		stores, err := pages.Queries().AllStores(ctx) // Query
		w.must(err)
		found["query"] = len(stores)
		if _, err := pages.Queries().StoreByID(ctx, w.birch); err == nil { // QueryRow
			found["row"] = 1
		} else if !errors.Is(err, pgx.ErrNoRows) {
			t.Fatal(err)
		}
		w.must(pages.InTx(ctx, func(q *sqlc.Queries) error {
			stores, err := q.AllStores(ctx)
			found["transaction"] = len(stores)
			return err
		}))
		var acme, birch []sqlc.LifetimeRowRow
		w.must(pages.Read(ctx, func(b *db.Batch) {
			db.Ask(b, &acme, (*sqlc.Queries).LifetimeRow, w.acme)
			db.Ask(b, &birch, (*sqlc.Queries).LifetimeRow, w.birch)
		}))
		found["batch"] = len(acme) + len(birch)
		before := get[int64](w.house, `select sum(revision)::bigint from stores`)
		w.must(pages.Queries().PauseStore(ctx, w.birch)) // Exec
		w.must(pages.Write(ctx, func(b *db.Batch) { db.Queue(b, (*sqlc.Queries).PauseStore, w.birch) }))
		found["writes"] = int(get[int64](w.house, `select sum(revision)::bigint from stores`) - before)
		return found
	}
	for range 2 * int(pages.Pool.Config().MaxConns) {
		equal(t, "with a principal", count(birch), map[string]int{"query": 1, "row": 1, "transaction": 1, "batch": 1, "writes": 2})
		equal(t, "without one", count(t.Context()), map[string]int{"query": 0, "transaction": 0, "batch": 0, "writes": 0})
	}
	equal(t, "connections kept", pages.Pool.Stat().AcquiredConns(), int32(0))
}

func TestPagesCanNotWriteWhatIsNotTheirs(t *testing.T) {
	t.Parallel()
	w := newWalled(t)
	w.exec(`insert into credentials (store_id, service, base_url, token_sealed, key_id, budget) values ($1, 'upsell', 'https://x', '', '', '')`, w.acme)
	w.exec(`insert into audit (actor, action, store_id) values ('command', 'store.added', $1), ('command', 'store.added', $2), ('nobody', 'sign-in.failed', null)`, w.acme, w.birch)
	w.exec(`select count_audit('2026-11-20', 'sign-in.failed', 'x', 0, 0)`)
	token := w.session(w.person("acme"))
	for sql, want := range map[string]string{
		`update summaries set total_orders = 1`:                              "42501",
		`delete from summaries`:                                              "42501",
		`insert into stores (slug, name, timezone) values ('x', 'x', 'UTC')`: "42501",
		`update stores set slug = 'x'`:                                       "42501",
		`select token_sealed from credentials`:                               "42501",
		`select * from credentials`:                                          "42501",
		`update credentials set base_url = 'https://evil.example'`:           "42501",
		`select * from budget_slots`:                                         "42501",
		`select * from river_job`:                                            "42501",
		`update audit set subject = 'x'`:                                     "42501",
		`delete from audit`:                                                  "42501",
		`truncate audit`:                                                     "42501",
		`insert into audit_counts (day, action, network, times) values (now(), 'a.b', 'x', 9)`:                  "42501",
		`update audit_counts set times = 1`:                                                                     "42501",
		`delete from audit_counts`:                                                                              "42501",
		`select * from audit_counts`:                                                                            "SELECT 0",
		`select forget_audit(400)`:                                                                              "42501",
		`create table x ()`:                                                                                     "42501",
		`alter table stores disable row level security`:                                                         "42501",
		`insert into grants (person_id) select id from people limit 1`:                                          "42501",
		fmt.Sprintf(`insert into grants (person_id, store_id) select id, %d from people`, w.birch):              "42501",
		fmt.Sprintf(`insert into store_tags (store_id, tag) values (%d, 'x')`, w.birch):                         "42501",
		fmt.Sprintf(`insert into audit (actor, action, store_id) values ('person', 'store.seen', %d)`, w.birch): "42501",
		fmt.Sprintf(`insert into store_tags (store_id, tag) values (%d, 'x')`, w.acme):                          "INSERT 0 1",
		fmt.Sprintf(`insert into audit (actor, action, store_id) values ('person', 'store.seen', %d)`, w.acme):  "INSERT 0 1",
		`insert into audit (actor, action) values ('nobody', 'sign-in.failed')`:                                 "INSERT 0 1",
		`select * from audit`:                                "SELECT 1",
		`update stores set name = 'x'`:                       "42501",
		`update stores set paused_at = now()`:                "UPDATE 1",
		`select * from pending_connections`:                  "42501",
		`update ledger set due_at = now()`:                   fmt.Sprintf("UPDATE %d", get[int](w.house, `select count(*)::int from ledger where store_id = $1`, w.acme)),
		`select service, state, token_tail from credentials`: "SELECT 1",
		`select * from groups`:                               "SELECT 0",
		`insert into groups (name) values ('x')`:             "42501",
		`select build_wall('groups', 'id')`:                  "42501",
		`select 1 where current_user = 'storeglass_pages'`:   "SELECT 1",
	} {
		got := ""
		err := pgx.BeginFunc(t.Context(), w.pages.Pool, func(tx pgx.Tx) error {
			if _, err := tx.Exec(t.Context(), `select set_principal('session', $1, $2)`, token, w.now); err != nil {
				return err
			}
			tag, err := tx.Exec(t.Context(), sql)
			got = tag.String()
			return errors.Join(err, errRollback)
		})
		if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
			got = pg.Code
		} else if !errors.Is(err, errRollback) {
			t.Fatal(err)
		}
		equal(t, sql, got, want)
	}
}

var errRollback = errors.New("roll back")

func TestResetLeadsBackToTheRole(t *testing.T) {
	t.Parallel()
	pool := dbtest.As(t, dbtest.New(t), db.Pages)
	conn, err := pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	for _, sql := range []string{`reset role`, `reset all`, `set session authorization default`} {
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
		var role string
		if err := conn.QueryRow(t.Context(), `select current_user`).Scan(&role); err != nil {
			t.Fatal(err)
		}
		equal(t, sql, role, string(db.Pages))
	}
}

// A temporary table with one of our table names can't fool set_principal.
func TestEnterLooksAtOurTablesOnly(t *testing.T) {
	t.Parallel()
	w := newWalled(t)
	token := w.session(w.person())
	var seen int
	w.must(pgx.BeginFunc(t.Context(), w.pages.Pool, func(tx pgx.Tx) error {
		for _, sql := range []string{
			`create temp table grants as select p.id as person_id, null::bigint as api_token_id, null::bigint as store_id, null::bigint as group_id from people p`,
			`grant select on grants to public`,
			`set local search_path = pg_temp, public`,
		} {
			if _, err := tx.Exec(t.Context(), sql); err != nil {
				return err
			}
		}
		if _, err := tx.Exec(t.Context(), `select public.set_principal('session', $1, $2)`, token, w.now); err != nil {
			return err
		}
		return tx.QueryRow(t.Context(), `select count(*) from public.stores`).Scan(&seen)
	}))
	equal(t, "stores seen", seen, 0)
}

// The user that migrates and owns the tables doesn't need superuser rights, only the right to create roles.
func TestTheWallNeedsNoSuperuser(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	h.exec(`drop schema public cascade`)
	user := "storeglass_test_owner_" + strings.ToLower(h.Pool.Config().ConnConfig.Database[len("storeglass_test_"):])
	h.exec(`create role ` + user + ` login`)
	t.Cleanup(func() { _, _ = h.Pool.Exec(context.Background(), `drop owned by `+user+` cascade; drop role `+user) })
	h.exec(`create schema public authorization ` + user)
	h.exec(`grant usage on schema public to public`)
	owner := dbtest.As(t, h.Pool, db.Role(user))
	err := db.Migrate(t.Context(), owner)
	if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(),
		"an administrator of the server has to run: create role storeglass_pages nologin; create role storeglass_worker nologin; grant storeglass_pages, storeglass_worker to "+user) {
		t.Fatalf("who may make no roles is told: %v", err)
	}
	h.exec(`grant storeglass_pages, storeglass_worker to ` + user)
	h.must(db.Migrate(t.Context(), owner))
	faults, err := db.WallFaults(t.Context(), owner)
	h.must(err)
	equal(t, "faults", faults, nil)
	equal(t, "owner", get[string](h, `select tableowner::text from pg_tables where tablename = 'stores'`), user)

	// The owner bypasses the wall, and set_principal runs with the owner's rights.
	w := &walled{house: &house{DB: db.From(owner, 60), t: t}, now: later}
	w.acme, w.birch = w.store("acme", "UTC"), w.store("birch", "UTC")
	for _, id := range []int64{w.acme, w.birch} {
		w.write(func(b *db.Batch) { seed(b, id, first) })
	}
	w.pages = db.From(dbtest.As(t, h.Pool, db.Pages), 60)
	v, err := w.pages.VisitBySession(t.Context(), w.session(w.person("acme")), "", w.now, w.now.AddDate(0, 0, -7))
	h.must(err)
	equal(t, "the owner sees", w.sees(t.Context(), w.DB), "acme birch")
	equal(t, "pages see", w.sees(db.WithVisit(t.Context(), v), w.pages), "acme")
}

func column(h *house, sql string, args ...any) []string {
	h.t.Helper()
	rows, err := h.Pool.Query(context.Background(), sql, args...)
	h.must(err)
	out, err := pgx.CollectRows(rows, pgx.RowTo[string])
	h.must(err)
	return out
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func sorted(in []string) []string {
	slices.Sort(in)
	return in
}

// The mail about all stores names no store.
func TestASubscriptionToAllStoresIsSeenByItsPersonAndByWhoSeesEveryStore(t *testing.T) {
	t.Parallel()
	w := newWalled(t)
	ada, ben, all := w.person("acme"), w.person("acme", "birch"), w.person("*")
	for _, person := range []int64{ada, ben} {
		w.exec(`with s as (insert into subscriptions (person_id, zone) values ($1, 'UTC') returning id),
			d as (insert into deliveries (subscription_id, week, due_at, next_at, message_id) select id, '2026-11-09', now(), now(), id from s returning id)
			insert into delivery_tries (delivery_id, n, began_at) select id, 1, now() from d`, person)
	}
	// what ada was sent about a store that she no longer sees
	w.exec(`insert into subscriptions (store_id, address, person_id) values ($1, 'x@example.com', null), ($1, null, $2)`, w.birch, ada)
	w.exec(`insert into deliveries (subscription_id, store_id, week, due_at, next_at, message_id) select id, case when address is null then $1::bigint end, '2026-11-02', now(), now(), 'x' from subscriptions where person_id = $2 and store_id is null or address is not null`, w.birch, ada)
	w.exec(`insert into delivery_tries (delivery_id, store_id, n, began_at) select d.id, $1, 2, now() from deliveries d join subscriptions s on s.id = d.subscription_id where s.person_id = $2`, w.birch, ada)
	w.exec(`insert into delivery_tries (delivery_id, n, began_at) select id, 3, now() from deliveries where store_id is not null`)
	sees := func(token string) string {
		t.Helper()
		var seen string
		w.must(pgx.BeginFunc(t.Context(), w.pages.Pool, func(tx pgx.Tx) error {
			if _, err := tx.Exec(t.Context(), `select set_principal('session', $1, $2)`, token, w.now); err != nil {
				return err
			}
			return tx.QueryRow(t.Context(), `
				select coalesce((select string_agg(person_id::text, ' ' order by id) from subscriptions where store_id is null), '')
					|| '; ' || (select count(id) from subscriptions where store_id is not null) || ' of stores'
					|| '; ' || (select count(id) from deliveries) || ' mails, ' || (select count(n) from delivery_tries) || ' tries'`).Scan(&seen)
		}))
		return seen
	}
	equal(t, "one of them", sees(w.session(ada)), fmt.Sprintf("%d; 0 of stores; 1 mails, 1 tries", ada))
	equal(t, "the other", sees(w.session(ben)), fmt.Sprintf("%d; 2 of stores; 2 mails, 3 tries", ben))
	equal(t, "who sees every store", sees(w.session(all)), fmt.Sprintf("%d %d; 2 of stores; 4 mails, 5 tries", ada, ben))
	equal(t, "someone without a grant", sees(w.session(w.person())), "; 0 of stores; 0 mails, 0 tries")
	equal(t, "nobody", sees("none"), "; 0 of stores; 0 mails, 0 tries")
}

// Code above grants finds a store without one; pages never do, whatever their principal may see.
func TestNoPageFindsAStoreButByAGrant(t *testing.T) {
	t.Parallel()
	w := newWalled(t)
	_, err := db.From(dbtest.As(t, w.Pool, db.Worker), 60).StoreUnasked(t.Context(), "acme")
	w.must(err)
	v, err := w.pages.VisitBySession(t.Context(), w.session(w.person("*")), "acme", w.now, w.now.AddDate(0, 0, -7))
	w.must(err)
	if _, err := w.pages.StoreUnasked(db.WithVisit(t.Context(), v), "acme"); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("a page found a store without a grant: %v", err)
	}
}

// The worker deletes old records with a function that keeps at least 30 days and each person's last
// sign-in. Nothing else in the program deletes or changes a record.
func TestOldRecordsAreForgottenButNoPersonsLastSignIn(t *testing.T) {
	t.Parallel()
	w := newWalled(t)
	ada, ben := w.person("acme"), w.person("acme")
	for _, r := range []struct {
		action, subject string
		actor           any
		days            int
	}{
		{"sign-in.succeeded", "first of ada", ada, 90}, {"sign-in.succeeded", "last of ada", ada, 80},
		{"sign-in.succeeded", "old of ben", ben, 90}, {"sign-in.succeeded", "last of ben", ben, 1},
		{"sign-in.succeeded", "of nobody who is here", ada + 1000, 90},
		{"store.paused", "old", ada, 61}, {"store.paused", "new", ada, 59},
	} {
		w.exec(`insert into audit (actor, actor_id, action, subject, at) values ('person', $1, $2, $3, now() - make_interval(days => $4))`, r.actor, r.action, r.subject, r.days)
	}
	w.exec(`insert into audit_counts (day, action, network, times) values (now() - interval '62 days', 'sign-in.failed', 'old', 9), (now() - interval '59 days', 'sign-in.failed', 'new', 9)`)
	worker := dbtest.As(t, w.Pool, db.Worker)
	code := func(sql string) string {
		t.Helper()
		_, err := worker.Exec(t.Context(), sql)
		pg, ok := errors.AsType[*pgconn.PgError](err)
		if !ok {
			t.Fatalf("%s: %v", sql, err)
		}
		return pg.Code
	}
	for _, sql := range []string{
		`update audit set subject = 'x'`, `delete from audit`, `truncate audit`, `update audit_counts set times = 1`, `delete from audit_counts`,
		`insert into audit_counts (day, action, network, times) values (now(), 'a.b', 'x', 9)`,
	} {
		equal(t, sql, code(sql), "42501")
	}
	for _, sql := range []string{`select forget_audit(29)`, `select forget_audit(-400)`, `select forget_audit(null)`} {
		equal(t, sql, code(sql), "22023")
	}
	gone, err := db.From(worker, 60).Queries().DeleteOldAudit(t.Context(), 60)
	w.must(err)
	equal(t, "gone", gone, int64(4))
	equal(t, "left", column(w.house, `select subject from audit order by at`), []string{"last of ada", "new", "last of ben"})
	equal(t, "counts left", column(w.house, `select network from audit_counts`), []string{"new"})
}
