package db_test

import (
	"context"
	"net/url"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/ledger"
)

// view is the store as a person with a grant sees it.
func (h *house) view() db.ScopedStore {
	h.t.Helper()
	ctx := context.Background()
	scope, err := h.ScopeOfPerson(ctx, h.person("acme"))
	h.must(err)
	store, err := h.Store(ctx, scope, "acme")
	h.must(err)
	return store
}

func (h *house) stored(query string) report.Stored {
	h.t.Helper()
	store := h.view()
	q, err := url.ParseQuery(query)
	h.must(err)
	choice, err := report.ParseChoice(q, later, store.Location(), store.FirstDay)
	h.must(err)
	stored, err := h.Stored(context.Background(), store, choice, nil)
	h.must(err)
	return stored
}

func TestTheAgeOfTheDaysIsTheUpsellServices_N1(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		upsell, gift *time.Time
		want         time.Time
	}{
		"never":             {nil, nil, time.Time{}},
		"upsell alone":      {&first, nil, first},
		"gifts are younger": {&first, &later, first},
		"gifts are older":   {&later, &first, later},
		"nothing but gifts": {nil, &later, later},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, 60)
			h.exec(`insert into ledger (store_id, pull, service, last_good_at) values ($1, 'lifetime', 'upsell', $2), ($1, 'gift.plan', 'gift', $3)`, h.acme, c.upsell, c.gift)
			h.credential(h.acme, "upsell")
			equal(t, "overview", h.stored("").PulledAt.IsZero(), c.want.IsZero())
			if got := h.stored("").PulledAt; !c.want.IsZero() && !got.Equal(c.want) {
				t.Errorf("the days are of %s, want %s", got, c.want)
			}
			h.exec(`update stores set upsell_pulled_at = $2, gift_pulled_at = $3 where id = $1`, h.acme, c.upsell, c.gift) // as a pull does
			if at := db.OrZero(h.portfolio("acme", "", later).Sections[0].Rows[0].Freshness.PulledAt); !at.Equal(c.want) {
				t.Errorf("in the list they are of %v, want %s", at, c.want)
			}
		})
	}
}

// An offer's all-time revenue in another currency doesn't belong in this ranking.
func TestAllTimeRevenueStandsBesideTheWindowsInOneCurrencyOnly_N12_N34(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	h.write(func(b *db.Batch) { seed(b, h.acme, first) })
	row := h.stored("start=2026-11-20&end=2026-11-20").TopLists[0].Rows[0]
	equal(t, "in the window", row.Revenue.String(), "12.34")
	equal(t, "of all time", row.RevenueAllTime.String(), "10.5")
	h.exec(`update offers set currency = 'EUR'`)
	row = h.stored("start=2026-11-20&end=2026-11-20").TopLists[0].Rows[0]
	if row.RevenueAllTime != nil {
		t.Errorf("of all time, in euros: %s", row.RevenueAllTime)
	}
	equal(t, "status", row.Status, "active")
}

// All that is known about a deleted offer is what the ranking says, and never a link.
func TestADeletedOfferInARankingHasNoLinkAndNoInventory_N17(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	h.write(func(b *db.Batch) { seed(b, h.acme, first) })
	h.exec(`update top_offers set url = 'https://acme.example/offers/1'`)
	equal(t, "link", h.stored("start=2026-11-20&end=2026-11-20").TopLists[0].Rows[0].URL, "https://acme.example/offers/1")
	h.exec(`update top_offers set deleted = true`)
	row := h.stored("start=2026-11-20&end=2026-11-20").TopLists[0].Rows[0]
	if !row.Deleted || row.URL != "" || row.Status != "" || row.RevenueAllTime != nil {
		t.Errorf("a deleted offer is %+v", row)
	}
	h.exec(`update top_offers set deleted = false, url = 'javascript:alert(1)'`)
	equal(t, "an unsafe link", h.stored("start=2026-11-20&end=2026-11-20").TopLists[0].Rows[0].URL, "")
}

func TestTheNightlyComparisonsShownAreThoseOfTheLastWindows(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	for i, w := range [][2]string{ // in the order in which they are made
		{"2026-10-21", "2026-11-19"}, {"2026-09-21", "2026-10-20"}, {"2026-11-13", "2026-11-19"}, {"2026-11-06", "2026-11-12"}, {"2026-08-22", "2026-11-19"}, {"2026-05-24", "2026-08-21"},
	} {
		h.exec(`insert into window_checks (store_id, window_start, window_end, reported_value, stitched_value, reported_orders, stitched_orders, days_stored, days_missing, agrees, checked_at)
			values ($1, $2, $3, 1, 1, 1, 1, 1, 0, $5, $4)`, h.acme, w[0], w[1], later.Add(time.Duration(i)*time.Second), w[1] == "2026-11-19")
	}
	page, err := h.StoredSync(t.Context(), h.view())
	h.must(err)
	equal(t, "words", ledger.New(locale.English, page, "all", later).CheckText, "7, 30 and 90 days agree with the app to the cent")
}

func TestVanishedCampaignsAreTold_N51_N52(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	h.write(func(b *db.Batch) { seed(b, h.acme, first) })
	h.write(func(b *db.Batch) {
		db.Queue(b, (*sqlc.Queries).UpsertCampaigns, sqlc.UpsertCampaignsParams{StoreID: h.acme, Total: 0, FetchedAt: later, Rows: []byte("[]")})
	})
	gone := h.stored("").Campaigns[0]
	if gone.LastListed == nil || !gone.LastListed.Equal(first) {
		t.Errorf("last listed %v, want %s", gone.LastListed, first)
	}
	// Nothing follows from a list that reached its cap: the campaign may be beyond it.
	h.exec(`update gift_campaign_lists set capped = true`)
	if c := h.stored("").Campaigns[0]; c.LastListed != nil {
		t.Errorf("a campaign beyond the cap is said to be gone since %s", c.LastListed)
	}
}

// The days of the two windows are read, with the 15 before that starts and ends are judged by if one
// window follows the other, but not the year between them. A placement's day is shown with the day it
// is compared with, also if the service has answered for that window as a whole.
func TestTheDaysOfTwoWindowsAreReadAndNoOthers(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	h.exec(`insert into summaries (store_id, window_start, window_end, total_upsold_value, total_upsold_orders, total_orders,
			currency, asked_start, asked_end, partial, fetched_at)
		select $1, d, d, 1, 1, 1, 'USD', d, d, d = date '2026-11-21', $2
		from generate_series(date '2025-10-01', date '2026-11-21', '1 day') d`, h.acme, first)
	stats := `insert into placement_stats (store_id, window_start, window_end, placement, impressions, claims, currency, partial, position, fetched_at)
		select $1, d, d + $3::integer, p, 1, 1, 'USD', false, 1, $2 from generate_series($4::date, $5::date, '1 day') x(t), date(t) d, unnest(array['a', 'b']) p`
	h.exec(stats, h.acme, first, 0, "2025-10-01", "2026-11-19")
	days := func(query string) (summaries, placements int) {
		s := h.stored("start=2026-11-10&end=2026-11-19&compare=" + query)
		return len(s.Days), len(s.StatDays)
	}
	check := func(what, query string, wantDays, wantStats int) {
		t.Helper()
		if d, p := days(query); d != wantDays || p != wantStats {
			t.Errorf("%s: %d days and %d of placements, want %d and %d", what, d, p, wantDays, wantStats)
		}
	}
	check("nothing to compare with", "none", 11, 20)
	check("the days before", "previous", 37, 70)
	check("a year earlier", "year", 21, 40)
	h.exec(stats, h.acme, first, 9, "2026-10-31", "2026-10-31")
	check("the comparison is answered", "previous", 37, 70)
}

// The first day may arrive after the store is read but before its days are.
func TestAFirstDayThatComesInWhileAPageIsReadIsTheFirst(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	store := h.view()
	h.write(func(b *db.Batch) { seed(b, h.acme, first) })
	choice, err := report.ParseChoice(url.Values{"window": {"yesterday"}}, later, store.Location(), store.FirstDay)
	h.must(err)
	stored, err := h.Stored(context.Background(), store, choice, nil)
	h.must(err)
	if store.FirstDay.IsValid() || len(stored.DaysKept) == 0 || stored.FirstDay != stored.DaysKept[0] || stored.LastDay != stored.DaysKept[len(stored.DaysKept)-1] {
		t.Errorf("first %v, last %v of %v", stored.FirstDay, stored.LastDay, stored.DaysKept)
	}
}
