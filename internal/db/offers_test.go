package db_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/offers"
)

// offerStore is a store with a few offers, next to another store with its own.
func offerStore(t *testing.T) (*house, db.ScopedStore) {
	t.Helper()
	h := newHouse(t, 60)
	h.exec(`update stores set currency = 'USD'`)
	add := func(store int64, id, name, placement, status string, test bool, revenue, currency, created string) {
		h.exec(`
			insert into offers (store_id, offer_id, name, placement, status, ab_test, revenue, currency, created_at_text, url, first_seen_at, last_listed_at, last_walk)
			values ($1, $2, $3, $4, $5, $6, nullif($7, '')::numeric, $8, $9, 'https://shop.example/' || $2, $10, $10, 1)`,
			store, id, name, placement, status, test, revenue, currency, created, first)
	}
	add(h.acme, "a", "100% wool", "Post-purchase upsell", "active", true, "30", "USD", "2026-01-03T10:00:00")
	add(h.acme, "b", "100 wool", "Post-purchase upsell", "expired", false, "0", "USD", "2026-01-02T10:00:00")
	add(h.acme, "c", "a_b \\ c", "Thank you page upsell", "scheduled", false, "9", "USD", "2026-01-05T10:00:00")
	add(h.acme, "d", "axb", "Coupon offer", "active", false, "", "USD", "2026-01-04T10:00:00")
	add(h.acme, "e", "Euro years", "Order status page upsell", "expired", false, "1000", "EUR", "2026-01-01T10:00:00")
	add(h.acme, "f", "gone", "Post-purchase upsell", "active", false, "5", "USD", "2026-01-06T10:00:00")
	h.exec(`update offers set deleted = true where offer_id = 'f'`)
	h.exec(`update offers set priority = 1 where offer_id = 'b'; update offers set priority = 2 where offer_id = 'a'`)
	h.exec(`update offers set url = 'javascript:alert(1)' where offer_id = 'c'`)
	add(h.birch, "a", "100% linen", "Coupon offer", "active", false, "", "EUR", "")
	add(h.birch, "z", "another store's", "Coupon offer", "active", false, "", "EUR", "")
	return h, h.see("acme")
}

// nameDeleted stores setups: most of the offers point to something deleted.
func (h *house) nameDeleted() {
	h.t.Helper()
	h.exec(`
		insert into offer_setups (store_id, offer_id, body, fetched_at)
		select $1, offer_id, jsonb_build_object('conditions', jsonb_build_array(
			jsonb_build_object('kind', 'order_value', 'raw', '{"deleted":true}'),
			jsonb_build_object('names', jsonb_build_array(jsonb_build_object('name', 'Boots'), jsonb_build_object('name', 'GTX', 'deleted', deleted)))
		)), $2
		from unnest(array['a', 'b', 'c', 'd', 'f', 'not listed'], array[true, true, false, true, true, true]) as s (offer_id, deleted)`, h.acme, first)
	h.exec(`insert into offer_setups (store_id, offer_id, body, fetched_at) values ($1, 'e', 'null', $2)`, h.acme, first)
}

// see is a store as someone with a grant for it sees it.
func (h *house) see(slug string) db.ScopedStore {
	h.t.Helper()
	id := get[int64](h, `
		with p as (insert into people (email, name) values (gen_random_uuid()::text, 'Ina') returning id)
		insert into grants (person_id, store_id) select p.id, s.id from p, stores s where s.slug = $1 returning person_id`, slug)
	scope, err := h.ScopeOfPerson(context.Background(), id)
	h.must(err)
	s, err := h.Store(context.Background(), scope, slug)
	h.must(err)
	return s
}

func ids(rows []offers.Row) string {
	var out []string
	for _, r := range rows {
		out = append(out, r.ID)
	}
	return strings.Join(out, " ")
}

func TestAllOffersOfAStoreAreListedWithThoseWhoseTriggerIsDeleted(t *testing.T) {
	t.Parallel()
	h, store := offerStore(t)
	h.nameDeleted()
	got, err := h.Offers(context.Background(), store)
	h.must(err)
	slices.SortFunc(got.Rows, func(a, b offers.Row) int { return strings.Compare(a.ID, b.ID) })
	equal(t, "offers", ids(got.Rows), "a b c d e f")
	// b and e are expired, f is deleted.
	equal(t, "a trigger names what is gone", ids(slices.DeleteFunc(got.Rows, func(r offers.Row) bool { return !r.TriggerDeleted })), "a d")
}

func TestAnOfferRowIsWhatIsKnown_N13_N17(t *testing.T) {
	t.Parallel()
	h, store := offerStore(t)
	h.exec(`update offers set unlisted_at = $1 where offer_id = 'b'`, later)
	h.exec(`insert into offer_walks (store_id, started_at, finished_at, seen, counted, calls, clamped) values ($1, $2, $2, 5, 6, 3, true), ($1, $2, null, null, null, 1, false)`, h.acme, first)
	got, err := h.Offers(context.Background(), store)
	h.must(err)
	row := map[string]offers.Row{}
	for _, r := range got.Rows {
		row[r.ID] = r
	}
	equal(t, "a coupon's revenue", row["d"].RevenueAllTime, nil)
	equal(t, "a deleted offer's address", row["f"].URL+fmt.Sprint(row["f"].Deleted), "true")
	equal(t, "an address that is no https", row["c"].URL, "")
	equal(t, "an address", row["a"].URL, "https://shop.example/a")
	equal(t, "no longer listed", fmt.Sprint(row["b"].Unlisted, row["b"].Deleted, row["a"].Unlisted), "true false false")
	equal(t, "priority", *row["a"].Priority, 2)
	equal(t, "no priority", row["c"].Priority, nil)
	equal(t, "the last finished walk", fmt.Sprint(got.Walk.Seen, *got.Walk.Counted, got.Walk.Calls, got.Walk.Clamped), "5 6 3 true")
}

func TestAnOfferIsFoundInItsOwnStoreAlone(t *testing.T) {
	t.Parallel()
	h, store := offerStore(t)
	choice := report.Choice{Window: report.Window{Start: date("2026-11-01"), End: date("2026-11-19")}, Today: date("2026-11-20")}
	for _, id := range []string{"z", "", "A", "a'", strings.Repeat("a", 300)} {
		if _, err := h.Offer(context.Background(), store, id, choice); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("%.10q: %v, want not found", id, err)
		}
	}
	got, err := h.Offer(context.Background(), store, "a", choice)
	h.must(err)
	equal(t, "name", got.Offer.Name, "100% wool")
	if got.Setup != nil || got.Stages != nil || got.Recommendations != nil || len(got.Days)+len(got.RankedDays)+len(got.Events) > 0 {
		t.Errorf("nothing else is stored, got %+v", got)
	}
}

func TestAnOffersDaysAreThoseOfTheWindow(t *testing.T) {
	t.Parallel()
	h, store := offerStore(t)
	list := func(day, direction string, partial, whole bool, fetched time.Time, revenue string) {
		h.exec(`insert into top_lists (store_id, window_start, window_end, direction, row_limit, row_count, currency, partial, fetched_at, whole) values ($1, $2::date, $2::date, $3, 50, 1, 'USD', $4, $5, $6)`,
			h.acme, day, direction, partial, fetched, whole)
		h.exec(`insert into top_offers (store_id, window_start, window_end, direction, place, offer_id, name, placement, status, ab_test, revenue, claims, deleted) values ($1, $2::date, $2::date, $3, 1, 'a', 'A', 'Post-purchase upsell', 'active', false, $4, 2, false)`,
			h.acme, day, direction, revenue)
	}
	list("2026-10-31", "highest", false, true, first, "1")
	list("2026-11-01", "highest", false, true, first, "2")
	list("2026-11-02", "highest", false, false, first, "3")
	list("2026-11-02", "lowest", false, false, later, "4") // the newer of the two ends
	list("2026-11-18", "highest", true, true, first, "5")  // it wasn't over when it was requested
	list("2026-11-20", "highest", true, true, first, "6")  // today: part of a day
	h.exec(`insert into top_lists (store_id, window_start, window_end, direction, row_limit, row_count, currency, partial, fetched_at, whole) values ($1, '2026-11-01', '2026-11-19', 'highest', 50, 0, 'USD', false, $2, true)`, h.acme, first)
	choice := report.Choice{Window: report.Window{Start: date("2026-11-01"), End: date("2026-11-20")}, Today: date("2026-11-20")}
	got, err := h.Offer(context.Background(), store, "a", choice)
	h.must(err)
	var days []string
	for _, d := range got.Days {
		days = append(days, fmt.Sprintf("%s %s %d", d.Day, d.Revenue, *d.Claims))
	}
	equal(t, "days", strings.Join(days, ", "), "2026-11-01 2 2, 2026-11-02 4 2, 2026-11-20 6 2")
	drawn, err := h.OfferDays(context.Background(), store, []string{"a", "b"}, choice.Window)
	h.must(err)
	days = nil
	for _, d := range drawn.Days {
		days = append(days, fmt.Sprintf("%s %s %s %d %s", d.OfferID, d.Day, d.Revenue, *d.Claims, d.Currency))
	}
	equal(t, "days of several, that are over", strings.Join(days, ", "), "a 2026-11-01 2 2 USD, a 2026-11-02 4 2 USD")
	whole := func() string {
		got, err := h.Offer(context.Background(), store, "a", choice)
		h.must(err)
		var out []string
		for _, d := range got.RankedDays {
			if d.Whole {
				out = append(out, d.Day.String()+" "+d.FetchedAt.UTC().Format(time.TimeOnly))
			}
		}
		return strings.Join(out, ", ")
	}
	equal(t, "whole days", whole(), "2026-11-01 "+first.UTC().Format(time.TimeOnly))
	h.exec(`update top_lists set whole = true, fetched_at = $1 where window_start = '2026-11-02' and direction = 'highest'`, later)
	h.exec(`update top_lists set fetched_at = $1 where window_start = '2026-11-02' and direction = 'lowest'`, first)
	equal(t, "a day that two lists show is as old as the older", whole(), "2026-11-01 "+first.UTC().Format(time.TimeOnly)+", 2026-11-02 "+first.UTC().Format(time.TimeOnly))
}

// Expired, deleted or unlisted offers leave nothing to do.
func TestDeletedTriggersAreThoseOfOffersThatRunOrWill(t *testing.T) {
	t.Parallel()
	h, _ := offerStore(t)
	h.nameDeleted()
	h.exec(`insert into offer_setups (store_id, offer_id, body, fetched_at) select $1, offer_id, body, fetched_at from offer_setups where store_id = $2`, h.birch, h.acme)
	tell := func() string {
		var out []string
		for _, s := range h.stored("").Triggers {
			out = append(out, fmt.Sprintf("%s: %d of %v, %s", s.Placement, s.Offers, s.IDs, s.Name))
		}
		return strings.Join(out, "; ")
	}
	equal(t, "placements", tell(), "Coupon offer: 1 of [d], axb; Post-purchase upsell: 1 of [a], 100% wool")
	h.exec(`update offers set status = 'scheduled' where offer_id = 'b'; update offers set unlisted_at = now() where offer_id = 'd'`)
	equal(t, "with another that will run", tell(), "Post-purchase upsell: 2 of [a b], 100% wool")
	h.exec(`update offer_setups set body = 'null'`)
	equal(t, "once the set-ups name nothing", tell(), "")
}

func TestN73OnlyOffersActiveOnEveryDayCanHaveSoldNothing(t *testing.T) {
	t.Parallel()
	h, store := offerStore(t)
	window := report.Window{Start: civil.Date{Year: 2026, Month: 1, Day: 10}, End: civil.Date{Year: 2026, Month: 1, Day: 12}}
	active := func() []string {
		t.Helper()
		stored, err := h.Stored(context.Background(), store, report.Choice{Window: window, Today: window.End.AddDays(1)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return stored.ActiveThroughout
	}
	if got := active(); got != nil {
		t.Errorf("before a walk was finished %v are known", got)
	}
	h.exec(`insert into offer_walks (store_id, started_at, finished_at) values ($1, $2, $2)`, h.acme, first)
	h.exec(`
		insert into offers (store_id, offer_id, name, placement, status, ab_test, created_at_text, first_seen_at, last_listed_at, last_walk)
		select $1, id, id, 'Post-purchase upsell', 'active', false, created, $2, $2, 1
		from (values ('new', '2026-01-11T10:00:00'), ('begun', '2026-01-10T10:00:00'), ('switched', '2026-01-03T10:00:00'), ('starts', '2026-01-03T10:00:00')) as v (id, created)`, h.acme, first)
	h.exec(`insert into offer_events (store_id, offer_id, at, kind, before, after) values ($1, 'switched', '2026-01-11T12:00:00Z', 'status', 'scheduled', 'active')`, h.acme)
	equal(t, "before a set-up was read", len(active()), 0)
	h.exec(`insert into offer_setups (store_id, offer_id, body, starts_on, fetched_at)
		select $1, id, '{}', starts::date, $2 from (values ('a', null), ('new', null), ('begun', null), ('switched', null), ('starts', '2026-01-12')) v (id, starts) on conflict do nothing`, h.acme, first)
	// Of the rest, b and e are expired, c is scheduled, d a coupon offer and f deleted.
	equal(t, "active on every day", active(), []string{"a", "begun"})
}

func TestTheNewestRankingOfThirtyDaysSaysWhoseDetailsComeFirst(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	h.exec(`insert into offers (store_id, offer_id, name, status, placement, ab_test, revenue, deleted, first_seen_at, last_listed_at, last_walk)
		select s.id, o.id, o.id, o.status, 'Post-purchase upsell', false, o.revenue, o.id = any('{gone,left}'), now(), now(), 1
		from (values ('less', 'active', 1), ('more', 'active', 2), ('best', 'active', 0), ('older', 'expired', 9), ('newer', 'expired', 0), ('week', 'expired', 9), ('poorest', 'expired', 9), ('gone', 'active', 9), ('left', 'active', 9)) as o (id, status, revenue), stores s
		where s.slug = 'acme' or o.id in ('older', 'newer', 'week')`)
	h.exec(`insert into offers (store_id, offer_id, name, status, placement, ab_test, first_seen_at, last_listed_at, last_walk)
		values ($1, 'abroad', '', 'active', 'Post-purchase upsell', false, now(), now(), 1)`, h.birch)
	for _, r := range []struct {
		store          int64
		end, direction string
		days           int
		offers         string
	}{
		{h.acme, "2026-11-17", "highest", 30, "older"}, {h.acme, "2026-11-18", "highest", 30, "best newer gone"}, {h.acme, "2026-11-19", "highest", 7, "week"},
		{h.acme, "2026-11-18", "highest", 7, "week"}, {h.acme, "2026-10-26", "highest", 7, "week"}, // end or begin on the same day as the newest
		{h.acme, "2026-11-18", "lowest", 30, "poorest"}, {h.acme, "2026-11-19", "lowest", 30, "poorest"},
		{h.birch, "2026-11-18", "highest", 30, "week abroad"}, {h.birch, "2026-11-20", "highest", 30, "older"},
	} {
		h.exec(`insert into top_lists (store_id, window_start, window_end, direction, row_limit, row_count, currency, partial, fetched_at)
			values ($1, $2::date - $3::int + 1, $2::date, $4, 50, 1, 'USD', false, now())`, r.store, r.end, r.days, r.direction)
		h.exec(`insert into top_offers (store_id, window_start, window_end, direction, place, offer_id, name, placement, status, ab_test, revenue, deleted)
			select $1, $2::date - $3::int + 1, $2::date, $4, n, id, id, '', '', false, 10 - n, false from unnest($5::text[]) with ordinality as o (id, n)`,
			r.store, r.end, r.days, r.direction, strings.Fields(r.offers))
	}
	first, err := h.Queries().OffersFirst(t.Context(), h.acme)
	h.must(err)
	if got := strings.Join(first, " "); got != "best newer more less" {
		t.Errorf("first come %s", got)
	}
}
