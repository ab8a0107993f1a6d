package weekly

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/jobs"
	"github.com/storeglass/storeglass/internal/locale"
)

func TestADigestHoldsTheStoresThatItsReaderMaySeeNow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(`insert into stores (slug, name, timezone, history_days) values ('other', 'Other', 'Asia/Tokyo', 90), ('foreign', 'Foreign', 'UTC', 90)`)
	w.exec(`insert into people (email, name, role) values ('ada@example.com', 'Ada', 'agency')`)
	w.exec(`insert into grants (person_id, store_id) select p.id, s.id from people p, stores s where s.slug in ('acme', 'other')`)
	stores := func() string {
		d, _, err := ReadDigest(t.Context(), w.DB, 1, civil.Date{Year: 2026, Month: 11, Day: 9}, monday, time.Time{}, locale.English)
		w.must(err)
		var names []string
		for _, table := range d.Tables {
			for _, r := range table.Rows {
				names = append(names, r.Name)
			}
		}
		return d.Store.Name + ": " + strings.Join(names, ", ")
	}
	if got := stores(); got != "2 stores: Acme, Other" {
		t.Errorf("the digest is about %s", got)
	}
	w.exec(`delete from grants where store_id = $1`, w.store)
	if got := stores(); got != "1 store: Other" {
		t.Errorf("without a grant the digest is about %s", got)
	}
	w.exec(`update people set disabled_at = now()`)
	if got := stores(); got != "0 stores: " {
		t.Errorf("the digest of someone who was disabled is about %s", got)
	}
}

func TestADigestGoesOnlyToWhoHoldsAStoreAndLeadsToTheSameList(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.edit()
	w.exec(`insert into people (email, name, role) values ('ada@example.com', 'Ada', 'agency'), ('bob@example.com', 'Bob', 'agency')`)
	w.exec(`insert into grants (person_id, store_id) values (1, $1)`, w.store)
	w.exec(`insert into subscriptions (person_id, zone, confirmed_at) select id, 'America/New_York', $1 from people`, w.Now())
	w.sold(november9)
	w.later(time.Hour)
	w.round()
	mails := w.arrived()
	w.equal("arrived", to(mails), "ada")
	raw := strings.ReplaceAll(strings.ReplaceAll(mails[0].Raw, "=\r\n", ""), "=C2=A0", " ")
	for _, part := range []string{"Your store earned more than the week before.", "Open the stores: https://shop.example/?end=3D2026-11-15&sort=3Dname&start=3D2026-11-09", "https://shop.example/stores/acme?end=3D2026-11-15&start=3D2026-11-09"} {
		if !strings.Contains(raw, part) {
			t.Errorf("no %q in\n%s", part, raw[:min(len(raw), 6000)])
		}
	}
	w.equal("states", w.states(), "ada 2026-11-09 sent 0", "bob 2026-11-09 ended 0")
}

// allStores subscribes Ada, who holds Acme and Birch, to the mail about all her stores, whose
// first try the mail server defers.
func allStores(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.edit()
	w.sold(november9)
	w.exec(`insert into stores (slug, name, timezone) values ('birch', 'Birch', 'UTC')`)
	w.exec(`insert into people (email, name) values ('ada@example.com', 'Ada')`)
	w.exec(`insert into grants (person_id, store_id) select p.id, s.id from people p, stores s`)
	w.exec(`insert into subscriptions (person_id, zone, confirmed_at) select id, 'America/New_York', $1::timestamptz from people`, w.Now())
	w.server.AtReader = func(string) error { return refuses(451, 4, 2, 0) }
	w.later(time.Hour)
	w.round()
	w.server.AtReader = nil
	w.equal("put off", w.states(), "ada 2026-11-09 ready 1")
	return w
}

func TestARetriedDigestShowsNoStoreThatItsReaderLostMeanwhile(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]string{
		"a grant is taken": `delete from grants where store_id in (select id from stores where slug = 'birch')`,
		"it is removed":    `update stores set removed_at = now() where slug = 'birch'`,
	} {
		w := allStores(t)
		id := w.rows(`select message_id from deliveries`)
		w.exec(lose)
		w.later(jobs.MostBackoff)
		w.round()
		mails := w.arrived()
		w.equal(name+": arrived", to(mails), "ada")
		if raw := mails[0].Raw; strings.Contains(raw, "Birch") || !strings.Contains(raw, "Acme") {
			t.Errorf("%s: the retried mail says\n%s", name, raw)
		}
		w.equal(name+": the same mail", []string{messageID(t, mails[0])}, id...)
	}
}

func TestARetriedDigestOfWhoLostNothingIsTheSameMail(t *testing.T) {
	t.Parallel()
	w := allStores(t)
	kept := w.rows(`select convert_from(body, 'UTF8') from deliveries`)
	w.exec(`insert into stores (slug, name, timezone) values ('cedar', 'Cedar', 'UTC')`)
	w.exec(`insert into grants (person_id, store_id) select p.id, s.id from people p, stores s where s.slug = 'cedar'`)
	w.later(jobs.MostBackoff)
	w.round()
	w.equal("arrived", []string{w.arrived()[0].Raw}, kept...)
}

func TestAStoredMailOpensOnlyForWhoMaySeeAllOfIt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change string
		opens  bool
	}{
		"nothing changed":                    {`select`, true},
		"a store is lost":                    {`delete from grants where store_id in (select id from stores where slug = 'birch')`, false},
		"a store is removed":                 {`update stores set removed_at = now() where slug = 'birch'`, false},
		"the person is ended":                {`update people set disabled_at = now()`, false},
		"the mails are ended":                {`update subscriptions set ended_at = now(), end_cause = 'reader'`, true},
		"its stores are not known":           {`update deliveries set stores = null`, false},
		"a person who saw no store is ended": {`with d as (update deliveries set stores = '{}') update people set disabled_at = now()`, false},
		"60 days are over":                   {`update deliveries set body = null`, false},
	} {
		w := allStores(t)
		w.later(jobs.MostBackoff)
		w.round()
		token := tokenIn(t, w.arrived()[0])
		w.exec(c.change)
		if _, err := w.subscriptions().Mail(t.Context(), token); (err == nil) != c.opens || err != nil && !errors.Is(err, db.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestADigestShowsTheNotesAndGoalsOfItsReadersStoresOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.sold(november9)
	w.exec(`insert into stores (slug, name, timezone) values ('foreign', 'Foreign', 'UTC')`)
	w.exec(`insert into people (email, name, role) values ('ada@example.com', 'Ada', 'agency')`)
	w.exec(`insert into grants (person_id, store_id) values (1, $1)`, w.store)
	w.exec(`insert into notes (store_id, first_day, last_day, text, for_clients, written_by, written_at)
		select id, '2026-11-10', '2026-11-10', 'About ' || name, false, 1, now() from stores`)
	w.exec(`insert into notes (store_id, first_day, last_day, text, for_clients, written_by, written_at) values ($1, '2026-11-17', '2026-11-17', 'Later', true, 1, now())`, w.store)
	w.exec(`insert into goals (store_id, from_month, kind, amount, currency, set_at) select id, '2026-11-01', 'orders', 5, '', now() from stores`)
	d, _, err := ReadDigest(t.Context(), w.DB, 1, civil.Date{Year: 2026, Month: 11, Day: 9}, monday, time.Time{}, locale.English)
	w.must(err)
	w.equal("notes", []string{fmt.Sprint(d.Notes)}, "[{Acme, 10 Nov About Acme Private}]")
	rows := d.Tables[len(d.Tables)-1].Rows
	if len(rows) != 1 || !strings.Contains(rows[0].Under, "November goal: reached") {
		t.Errorf("the stores are %+v", rows)
	}
}

func TestAWeekHasNumbersOnlyWhereItsReadersStoresSoldThen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(`insert into stores (slug, name, timezone) values ('birch', 'Birch', 'UTC')`)
	w.exec(`insert into people (email, name) values ('ada@example.com', 'Ada')`)
	w.exec(`insert into grants (person_id, store_id) values (1, $1)`, w.store)
	w.exec(`insert into subscriptions (person_id, zone) values (1, 'UTC')`) // 1: all her stores
	w.exec(`insert into subscriptions (person_id, store_id) values (1, $1)`, w.store)
	sold := func(slug, first, last string) {
		w.exec(`insert into summaries (store_id, window_start, window_end, total_upsold_value, total_upsold_orders, total_orders, currency, asked_start, asked_end, partial, fetched_at)
			select id, $2::date, $3::date, 1, 1, 1, 'USD', $2::date, $3::date, false, now() from stores where slug = $1`, slug, first, last)
	}
	has := func(what string, want ...string) {
		t.Helper()
		w.equal(what, w.rows(`select n::text from generate_series(1, 2) n where week_has_numbers(n, '2026-11-09')`), want...)
	}
	sold("birch", "2026-11-10", "2026-11-10")
	has("a store of others")
	for _, days := range [][2]string{{"2026-11-08", "2026-11-08"}, {"2026-11-16", "2026-11-16"}, {"2026-11-08", "2026-11-09"}, {"2026-11-15", "2026-11-16"}} {
		sold("acme", days[0], days[1])
	}
	has("other days")
	sold("acme", "2026-11-15", "2026-11-15")
	has("their last day", "1", "2")
	w.exec(`update stores set removed_at = now() where id = $1`, w.store)
	has("a removed store", "2")
	w.exec(`update stores set removed_at = null; delete from grants`)
	has("a lost store", "2")
}
