package db_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/report"
)

func list(rows ...map[string]any) []byte {
	out, err := json.Marshal(rows)
	if err != nil {
		panic(err)
	}
	return out
}

// seed writes one row to every table, like a pull answered at that time.
func seed(b *db.Batch, store int64, at time.Time) {
	seedWith(b, store, at, "12.34", "Second pair")
}

func seedWith(b *db.Batch, store int64, at time.Time, value, name string) {
	day := date("2026-11-20")
	db.Queue(b, (*sqlc.Queries).UpsertSummaries, sqlc.UpsertSummariesParams{StoreID: store, Rows: list(told(at, map[string]any{
		"total_upsold_value": json.Number(value), "total_upsold_orders": 1, "total_orders": 9, "offer_views": 5,
		"asked_start": "2026-11-20", "asked_end": "2026-11-20", "flags": []string{},
	}))})
	db.Queue(b, (*sqlc.Queries).UpsertPlacementStats, sqlc.UpsertPlacementStatsParams{StoreID: store, Rows: list(told(at, map[string]any{
		"placement": "Post-purchase upsell", "impressions": 5, "claims": 1, "revenue": json.Number(value), "shop_offer_count": 3, "position": 0,
	}))})
	db.Queue(b, (*sqlc.Queries).ReplaceTopLists, sqlc.ReplaceTopListsParams{
		StoreID: store, Lists: list(told(at, map[string]any{"direction": "highest", "row_limit": 50, "row_count": 1})),
		Rows: list(told(at, map[string]any{
			"direction": "highest", "place": 1, "offer_id": "1", "name": name, "placement": "Post-purchase upsell", "status": "active", "ab_test": false,
			"revenue": json.Number(value), "claims": 1, "deleted": false,
		})),
	})
	db.Queue(b, (*sqlc.Queries).ReplaceCoverage, sqlc.ReplaceCoverageParams{
		StoreID: store, FetchedAt: at, Currency: "USD", Source: "merchant",
		Rows: list(told(at, map[string]any{"position": 0, "placement": "Post-purchase upsell", "has_active": true, "active_count": 1, "total_count": 3, "recent_revenue": json.Number(value)})),
	})
	db.Queue(b, (*sqlc.Queries).UpsertLifetime, sqlc.UpsertLifetimeParams{
		StoreID: store, TotalRevenue: dec("99.5"), OfferViews: 50, UpsoldOrders: 4, ConversionRate: decp("0.08"), Currency: "USD", Flags: []report.Flag{}, FetchedAt: at,
	})
	db.Queue(b, (*sqlc.Queries).ReplaceOfferCounts, sqlc.ReplaceOfferCountsParams{StoreID: store, FetchedAt: at, Rows: list(
		map[string]any{"position": 0, "placement": "", "total": 3, "active": 1, "scheduled": 1, "expired": 1},
		map[string]any{"position": 1, "placement": "Post-purchase upsell", "total": 3, "active": 1, "scheduled": 1, "expired": 1},
	)})
	db.Queue(b, (*sqlc.Queries).UpsertOffers, sqlc.UpsertOffersParams{StoreID: store, Currency: ptr("USD"), FetchedAt: at, Walk: 1, Rows: list(offer("1", name, false))})
	db.Queue(b, (*sqlc.Queries).UpsertGiftWindow, sqlc.UpsertGiftWindowParams{
		StoreID: store, WindowStart: day, WindowEnd: day, AskedDays: 1, Timezone: "UTC", Currency: "USD", Orders: decp("7"), Revenue: decp(value),
		ConversionRateUnit: "percentage", Flags: []report.Flag{}, FetchedAt: at,
	})
	db.Queue(b, (*sqlc.Queries).UpsertGiftHealth, sqlc.UpsertGiftHealthParams{StoreID: store, Section: "theme", Body: []byte(`{"name": "` + name + `"}`), FetchedAt: at})
	db.Queue(b, (*sqlc.Queries).UpsertGiftPlan, sqlc.UpsertGiftPlanParams{StoreID: store, Body: []byte(`{"plan": "` + name + `"}`), FetchedAt: at})
	db.Queue(b, (*sqlc.Queries).UpsertCampaigns, sqlc.UpsertCampaignsParams{
		StoreID: store, Total: 1, FetchedAt: at,
		Rows: list(map[string]any{"position": 0, "campaign_id": "7", "name": name, "status": "active", "type": "order_value", "target_page": "cart"}),
	})
	db.Queue(b, (*sqlc.Queries).UpsertReplies, sqlc.UpsertRepliesParams{
		StoreID: store, Pulls: []string{"x"}, Subjects: []string{""}, Good: true, Endpoints: []string{"/x"}, Queries: []string{""}, Status: 200,
		Bodies: [][]byte{[]byte(name)}, FetchedAts: []time.Time{at}, TookMs: []int32{1},
	})
}

// told adds the fields that every row of a day answered at that time has.
func told(at time.Time, row map[string]any) map[string]any {
	always := map[string]any{
		"window_start": "2026-11-20", "window_end": "2026-11-20", "currency": "USD", "source": "merchant", "partial": false, "fetched_at": at,
	}
	maps.Copy(always, row)
	return always
}

func offer(id, name string, deleted bool) map[string]any {
	row := map[string]any{
		"offer_id": id, "name": name, "status": "active", "placement": "Post-purchase upsell", "ab_test": false, "revenue": json.Number("10.5"), "deleted": deleted,
		"url": "https://acme.example/" + id, "created_at": "2026-01-02T03:04:05",
	}
	if deleted {
		delete(row, "url")
	}
	return row
}

var seeded = []string{
	"summaries", "placement_stats", "top_lists", "top_offers", "coverage", "lifetimes", "offer_counts", "offers",
	"gift_windows", "gift_health", "gift_plans", "gift_campaigns", "gift_campaign_lists", "replies",
}

// The newest reply stays, even if another worker, or a job's second run, writes an older one last.
func TestAnOlderReplyNeverReplacesANewerOne(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	h.write(func(b *db.Batch) { seedWith(b, h.acme, later, "12.34", "Second pair") })
	var want []string
	for _, table := range seeded {
		want = append(want, h.rows(table)...)
	}
	h.write(func(b *db.Batch) { seedWith(b, h.acme, first, "1.00", "Old name") })
	var got []string
	for _, table := range seeded {
		got = append(got, h.rows(table)...)
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("an older reply changed something:\n%s\nwas\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	equal(t, "revisions", len(h.rows("revisions")), 0)

	h.write(func(b *db.Batch) {
		seedWith(b, h.acme, later.Add(time.Second), "1.00", "New name")
	})
	for _, table := range seeded {
		for _, row := range h.rows(table) {
			if strings.Contains(row, "12.34") || strings.Contains(row, "Second pair") {
				t.Errorf("a newer reply did not replace %s: %s", table, row)
			}
		}
	}
}

func TestTheSameReplyTwiceIsOneAnswer(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	dump := func() string {
		var all []string
		for _, table := range append(seeded, "revisions") {
			all = append(all, h.rows(table)...)
		}
		return strings.Join(all, "\n")
	}
	h.write(func(b *db.Batch) { seed(b, h.acme, first) })
	once := dump()
	h.write(func(b *db.Batch) { seed(b, h.acme, first) })
	equal(t, "after the second time", dump(), once)
}

func TestAValueThatChangedKeepsTheEarlierOne_N27(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	h.write(func(b *db.Batch) { seedWith(b, h.acme, first, "12.34", "a") })
	h.write(func(b *db.Batch) { seedWith(b, h.acme, later, "15.00", "a") })
	for pull, column := range map[string]string{"summary": "total_upsold_value", "stats": "revenue", "gift": "revenue"} {
		equal(t, pull+": the earlier value", get[string](h, `select earlier ->> $2 from revisions where pull = $1`, pull, column), "12.34")
		equal(t, pull+": when it was seen", get[time.Time](h, `select seen_at from revisions where pull = $1`, pull), first)
		equal(t, pull+": when it was replaced", get[time.Time](h, `select replaced_at from revisions where pull = $1`, pull), later)
	}
	for _, table := range []string{"summaries", "placement_stats", "gift_windows"} {
		equal(t, table+": marked", get[time.Time](h, `select revised_at from `+table), later)
	}
	// Unchanged once more: the mark remains, and nothing is added.
	h.write(func(b *db.Batch) { seedWith(b, h.acme, later.Add(time.Hour), "15.00", "b") })
	equal(t, "revisions, with the ranking's", len(h.rows("revisions")), 4)
	equal(t, "mark", get[time.Time](h, `select revised_at from summaries`), later)
}

func TestAPartialDayThatFillsUpIsNotRevised_N27_N45(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	h.write(func(b *db.Batch) { seedWith(b, h.acme, first, "12.34", "a") })
	h.exec(`update summaries set partial = true`)
	h.exec(`update placement_stats set partial = true`)
	h.exec(`update top_lists set partial = true`)
	h.exec(`update gift_windows set includes_today = true`)
	h.write(func(b *db.Batch) { seedWith(b, h.acme, later, "15.00", "a") })
	equal(t, "revisions", len(h.rows("revisions")), 0)
	equal(t, "still partial", get[bool](h, `select partial from summaries`), false)
	// An answer that includes the current day and one that doesn't are two answers.
	equal(t, "gift answers", len(h.rows("gift_windows")), 2)
	h.write(func(b *db.Batch) {
		db.Queue(b, (*sqlc.Queries).UpsertGiftWindow, sqlc.UpsertGiftWindowParams{
			StoreID: h.acme, WindowStart: date("2026-11-20"), WindowEnd: date("2026-11-20"), IncludesToday: true, AskedDays: 1, Timezone: "UTC", Currency: "USD",
			Orders: decp("8"), Revenue: decp("99"), Flags: []report.Flag{}, FetchedAt: later,
		})
	})
	equal(t, "the running day goes on", get[string](h, `select revenue::text from gift_windows where includes_today`), "99")
	equal(t, "revisions", len(h.rows("revisions")), 0)
}

// A row marked as deleted changes nothing about an offer that we know.
func TestADeletedRowNeverOverwritesOrResurrects_N17(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	listed := func(at time.Time, walk int64, rows ...map[string]any) {
		h.write(func(b *db.Batch) {
			db.Queue(b, (*sqlc.Queries).UpsertOffers, sqlc.UpsertOffersParams{StoreID: h.acme, Currency: ptr("USD"), FetchedAt: at, Walk: walk, Rows: list(rows...)})
		})
	}
	listed(first, 1, offer("1", "Alive", false))
	alive := h.rows("offers")
	listed(later, 2, offer("1", "Gone", true))
	equal(t, "a known offer", h.rows("offers"), alive)

	listed(later, 2, offer("2", "Never known", true))
	equal(t, "an unknown one", get[string](h, `select name || ' ' || deleted || ' ' || (url is null) from offers where offer_id = '2'`), "Never known true true")
	gone := get[time.Time](h, `select last_listed_at from offers where offer_id = '2'`)
	listed(later.Add(time.Hour), 3, offer("2", "Never known", true))
	equal(t, "and stays as it was first seen", get[time.Time](h, `select last_listed_at from offers where offer_id = '2'`), gone)
	equal(t, "and stays deleted", get[bool](h, `select deleted from offers where offer_id = '2'`), true)
}

func TestAShorterListLeavesNoRowOfTheLonger(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	top := func(at time.Time, ids ...string) {
		rows := []map[string]any{}
		for i, id := range ids {
			rows = append(rows, told(at, map[string]any{
				"direction": "highest", "place": i + 1, "offer_id": id, "name": id, "placement": "x", "status": "active", "ab_test": false, "revenue": 1, "deleted": false,
			}))
		}
		h.write(func(b *db.Batch) {
			db.Queue(b, (*sqlc.Queries).ReplaceTopLists, sqlc.ReplaceTopListsParams{
				StoreID: h.acme, Rows: list(rows...), Lists: list(told(at, map[string]any{"direction": "highest", "row_limit": 50, "row_count": len(ids)})),
			})
			db.Queue(b, (*sqlc.Queries).ReplaceCoverage, sqlc.ReplaceCoverageParams{StoreID: h.acme, FetchedAt: at, Currency: "USD", Rows: places(ids)})
			db.Queue(b, (*sqlc.Queries).ReplaceOfferCounts, sqlc.ReplaceOfferCountsParams{StoreID: h.acme, FetchedAt: at, Rows: places(ids)})
		})
	}
	stored := func() string {
		return get[string](h, `select coalesce(string_agg(offer_id, ' ' order by place), '') from top_offers`) + "|" +
			get[string](h, `select coalesce(string_agg(placement, ' ' order by position), '') from coverage`) + "|" +
			get[string](h, `select coalesce(string_agg(placement, ' ' order by position), '') from offer_counts`)
	}
	top(first, "a", "b", "c")
	equal(t, "three", stored(), "a b c|a b c|a b c")
	top(later, "c", "a")
	equal(t, "two", stored(), "c a|c a|c a")
	top(first, "x", "y", "z")
	equal(t, "three, but older", stored(), "c a|c a|c a")
	equal(t, "rows of the list", get[int](h, `select row_count from top_lists`), 2)
	top(later.Add(time.Second))
	equal(t, "none", stored(), "||")
}

// places are rows for both coverage and count.
func places(names []string) []byte {
	rows := []map[string]any{}
	for i, name := range names {
		rows = append(rows, told(first, map[string]any{"position": i, "placement": name, "has_active": true, "active_count": 1, "total_count": 1, "total": 1, "active": 1, "scheduled": 0, "expired": 0}))
	}
	return list(rows...)
}
