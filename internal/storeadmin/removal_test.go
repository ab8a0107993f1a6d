package storeadmin_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/stores"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// outliving are the tables whose rows stay when their store is deleted, and why.
var outliving = map[string]string{
	"audit": "what people did is kept; it names the store by its short name",
}

// within are the tables that belong to a store only through another table, and go with it.
var within = map[string]string{
	"offer_slices": "parts of an offer_walks",
}

// byHand fills the tables that pulling the first shop doesn't. A new table is empty here, so
// the tests below fail until it gets a row.
func (w *world) byHand() {
	w.t.Helper()
	for _, sql := range []string{
		`insert into store_tags (store_id, tag) select id, 'flagship' from stores where slug = 'north'`,
		`with g as (insert into groups (name) values ('Northern') returning id) insert into group_stores (group_id, store_id) select g.id, s.id from g, stores s where s.slug = 'north'`,
		`insert into shares (store_id, token_hash, label, pages, preset, expires_at) select id, '\x01', 'For the board', '{overview}', 'last_30_days', now() from stores where slug = 'north'`,
		`insert into revisions (store_id, pull, subject, window_start, window_end, earlier, seen_at, replaced_at) select id, 'summary.day', '2026-11-01', '2026-11-01', '2026-11-01', '{}', now(), now() from stores where slug = 'north'`,
		`with s as (insert into subscriptions (store_id, address) select id, 'board@example.com' from stores where slug = 'north' returning id, store_id),
			d as (insert into deliveries (subscription_id, store_id, week, due_at, next_at, message_id) select id, store_id, '2026-11-02', now(), now(), 'x@example.com' from s returning id, subscription_id, store_id),
			l as (insert into mail_links (hash, subscription_id, delivery_id, store_id) select '\x01', subscription_id, id, store_id from d)
			insert into delivery_tries (delivery_id, n, store_id, began_at) select id, 1, store_id, now() from d`,
		`insert into suspect_days (store_id, service, first_day, last_day, noticed_by, noticed_at) select id, 'upsell', '2026-11-01', '2026-11-01', 'gift', now() from stores where slug = 'north'`,
		`insert into notes (store_id, first_day, last_day, text) select id, '2026-11-01', '2026-11-01', 'A sale' from stores where slug = 'north'`,
		`insert into goals (store_id, from_month, kind, amount, currency, set_at) select id, '2026-11-01', 'value', 54000, 'USD', now() from stores where slug = 'north'`,
		`insert into thresholds (store_id, metric, kind, amount, least_orders, set_at) select id, 'orders', 'fall', 30, 50, now() from stores where slug = 'north'`,
		`insert into alert_checks (store_id) select id from stores where slug = 'north'`,
		`insert into alert_snoozes (store_id, person_id) select s.id, p.id from stores s, people p where s.slug = 'north' limit 1`,
		`with a as (insert into alerts (store_id, rule, since, opened_at, title, text) select id, 'sync-stale', now(), now(), '"x"', '["x"]' from stores where slug = 'north' returning id, store_id),
			c as (insert into alert_channels (store_id, person_id, kind, name, host, sealed, key_id) select a.store_id, p.id, 'webhook', 'x', 'x', '', '' from a, people p limit 1 returning id, store_id),
			l as (insert into alert_letters (channel_id, store_id, message_id, body, created_at, next_at) select id, store_id, 'x', '', now(), now() from c returning id, store_id, channel_id)
			insert into alert_notices (alert_id, store_id, kind, channel_id, created_at, at, letter_id) select a.id, a.store_id, 'opened', l.channel_id, now(), now(), l.id from a, l`,
	} {
		w.exec(sql)
	}
}

// full returns every table of a store with its rows, and fails if one has none.
func (w *world) full() (tables []string, rows map[string]string) {
	w.t.Helper()
	w.pull()
	w.byHand()
	tables = w.storeTables()
	rows = w.rows(w.id("north"), tables)
	for table, has := range rows {
		if has == "" {
			w.t.Errorf("%s has no row of the store: give it one, so that its removal is tested", table)
		}
	}
	return tables, rows
}

// Without a store id, a table would be overlooked by the tests below.
func TestEveryTableThatHangsOnAStoreSaysWhichStore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hanging := list(w, `with recursive hanging(oid, name, by) as (
			select 'stores'::regclass::oid, 'stores'::text, 'c'::"char"
			union
			select c.conrelid, c.conrelid::regclass::text, c.confdeltype from pg_constraint c join hanging h on h.oid = c.confrelid where c.contype = 'f'
		) select distinct name || ' ' || by::text from hanging where name <> 'stores' order by 1`)
	tables := w.storeTables()
	for _, line := range hanging {
		table, by, _ := strings.Cut(line, " ")
		if _, named := within[table]; named == slices.Contains(tables, table) {
			t.Errorf("%s hangs on a table of a store and has no column store_id", table)
		}
		if by != "c" {
			t.Errorf("%s does not go with what it hangs on (%s)", table, by)
		}
	}
	if len(hanging) < 25 {
		t.Errorf("only %d tables hang on a store", len(hanging))
	}
}

func TestARemovedStoreComesBackWithEverythingWithinThirtyDays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tables, before := w.full()
	tables = slices.DeleteFunc(tables, func(table string) bool { return table == "audit" }) // it gets a record of the removal
	delete(before, "audit")
	id, ctx := w.id("north"), w.as(w.ada)
	w.must(w.admin.Remove(ctx, w.ada.ID, "north"))
	w.same(w.rows(id, tables), before)
	w.clock.add(pulls.RemovedFor - time.Second)
	ctx = w.as(w.ada)
	w.must(w.syncer.Purge(ctx, id)) // a job that comes too early
	w.must(w.admin.Restore(ctx, w.ada.ID, "north"))
	w.same(w.rows(id, tables), before)
	if err := w.admin.Restore(ctx, w.ada.ID, "north"); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("brought back twice: %v", err)
	}
	w.pull() // the encrypted tokens still work
	if got := w.recorded(audit.StoreRestored); len(got) != 1 || got[0] != "ada@example.com north" {
		t.Errorf("recorded %q", got)
	}
}

func TestAfterThirtyDaysNoTableHasARowOfARemovedStore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tables, before := w.full()
	_, err := w.add(w.ada, w.shop(1), "west")
	w.must(err)
	id, west := w.id("north"), w.rows(w.id("west"), tables)
	w.must(w.admin.Remove(w.as(w.ada), w.ada.ID, "north"))
	w.clock.add(pulls.RemovedFor)
	if err := w.admin.Restore(w.as(w.ada), w.ada.ID, "north"); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("brought back after its time: %v", err)
	}
	w.must(w.syncer.Purge(t.Context(), id))
	for table, rows := range w.rows(id, tables) {
		switch why, stays := outliving[table]; {
		case !stays && rows != "":
			t.Errorf("%s still has rows of the store: %.300s", table, rows)
		case stays && !strings.Contains(rows, before[table]):
			t.Errorf("%s lost what it keeps (%s)", table, why)
		}
	}
	if n := get[int](w, `select count(*) from stores where id = $1`, id); n != 0 {
		t.Error("the store itself is there")
	}
	w.same(w.rows(w.id("west"), tables), west) // the neighboring store is untouched
	w.must(w.syncer.Purge(t.Context(), id))    // a job that runs twice
}

func TestOfSeveralWhoRemoveAStoreAtOnceOneDid(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.person("root", access.Admin)
	w.must(w.access.GrantPerson(t.Context(), root.ID, access.AllStores))
	asked := []access.Person{w.ada, root, w.ada, root}
	errs := make([]error, len(asked))
	var all sync.WaitGroup
	for i, p := range asked {
		ctx := w.as(p)
		all.Go(func() { errs[i] = w.admin.Remove(ctx, p.ID, "north") })
	}
	all.Wait()
	done := 0
	for _, err := range errs {
		switch {
		case err == nil:
			done++
		case !errors.Is(err, db.ErrNotFound):
			t.Error(err)
		}
	}
	if got := w.recorded(audit.StoreRemoved); done != 1 || len(got) != 1 {
		t.Errorf("%d were told that they removed it, recorded %q", done, got)
	}
	who, err := w.admin.Removed(w.as(root), root.ID)
	w.must(err)
	if got := w.recorded(audit.StoreRemoved)[0]; len(who) != 1 || !strings.HasPrefix(got, who[0].By+"@") {
		t.Errorf("%+v, recorded %q", who, got)
	}
}

// The name of a removed store stays reserved as long as the store could be restored, and
// then becomes free. Restoring too late doesn't touch the store that now has the name.
func TestTheNameOfARemovedStoreIsKeptForItThenFree(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must(w.admin.Remove(w.as(w.ada), w.ada.ID, "north"))
	_, err := w.add(w.ada, w.shop(1), "north")
	w.refused("another store of that name", err, "slug", "A removed store keeps this name until 20 Dec 2026. Choose another.")
	_, err = w.add(w.ada, w.shop(0), "elsewhere")
	w.refused("the same shop", err, "", "This shop is already here as "+locale.Name(w.shop(0).Name)+", which was removed and can be restored.")

	removed := w.id("north")
	w.clock.add(pulls.RemovedFor)
	w.must(w.syncer.Purge(t.Context(), removed))
	eve := w.person("eve", access.Merchant)
	slug, err := w.add(eve, w.shop(1), "north")
	if err != nil || slug != "north" {
		t.Fatalf("%q %v", slug, err)
	}
	now := w.rows(w.id("north"), []string{"credentials", "grants"})
	ctx := w.as(w.ada)
	if err := w.admin.Restore(ctx, w.ada.ID, "north"); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("brought back over another: %v", err)
	}
	for what, do := range map[string]func() error{
		"remove":  func() error { return w.admin.Remove(ctx, w.ada.ID, "north") },
		"connect": func() error { _, err := w.admin.Connect(ctx, w.ada.ID, "north", w.upsell(w.shop(0))); return err },
	} {
		if err := do(); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("%s with the grant of the one before: %v", what, err)
		}
	}
	w.same(w.rows(w.id("north"), []string{"credentials", "grants"}), now)
}

// The person who removed a store can restore it, and so can an administrator; people who only held it can't.
func TestARemovedStoreIsBroughtBackByWhoRemovedItOrAnAdministrator(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root, eve := w.person("root", access.Admin), w.person("eve", access.Merchant)
	w.must(w.access.GrantPerson(t.Context(), eve.ID, "north"))
	listed := func(p access.Person) (slugs []string) {
		t.Helper()
		stores, err := w.admin.Removed(w.as(p), p.ID)
		w.must(err)
		for _, s := range stores {
			slugs = append(slugs, s.Slug)
		}
		return slugs
	}
	w.must(w.admin.Remove(w.as(w.ada), w.ada.ID, "north"))
	if got := listed(eve); got != nil {
		t.Errorf("another merchant is shown %q", got)
	}
	if err := w.admin.Restore(w.as(eve), eve.ID, "north"); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("another merchant brings it back: %v", err)
	}
	for _, p := range []access.Person{w.ada, root} {
		if got := listed(p); !slices.Equal(got, []string{"north"}) {
			t.Errorf("%s is shown %q", p.Name, got)
		}
	}
	if had, err := w.access.RevokePerson(t.Context(), w.ada.ID, "north"); err != nil || !had {
		t.Fatalf("%v, %v", had, err)
	}
	if got := listed(w.ada); got != nil {
		t.Errorf("who lost the store since is shown %q", got)
	}
	if err := w.admin.Restore(w.as(w.ada), w.ada.ID, "north"); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("who lost the store since brings it back: %v", err)
	}
	w.must(w.admin.Restore(w.as(root), root.ID, "north"))
	if err := w.admin.Change(w.as(eve), eve.ID, "north", stores.Form{Name: "N", Timezone: "UTC", HistoryDays: 2}); err != nil {
		t.Errorf("the other merchant's grant did not come back: %v", err)
	}
}

func TestNobodyFindsOutByTryingWhichStoresThereAre(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	eve := w.person("eve", access.Merchant)
	ctx := w.as(eve)
	id, err := w.admin.Discover(ctx, eve.ID, []stores.Given{w.upsell(w.shop(1))})
	w.must(err)
	told := 0
	for range 40 {
		_, err := w.admin.Save(ctx, eve.ID, id, form(w.shop(1), "north"))
		if refused, ok := errors.AsType[*stores.Refusal](err); ok && refused.Reasons["slug"] == "Another store has this name. Choose another." {
			told++
		}
	}
	if told == 0 || told > 20 {
		t.Errorf("%d of 40 tries told that there is such a store", told)
	}
	_, err = w.admin.Save(ctx, eve.ID, id, form(w.shop(1), "north"))
	w.refused("one more", err, "slug", "You’ve tried many names that are taken. Try again in ")
}
