package db_test

import (
	"testing"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/db/sqlc"
)

// agreeing writes answers for 17 and 18 November that equal the sums of the two days.
func agreeing(h *house) {
	h.t.Helper()
	for _, w := range []struct {
		start, end string
		of         int
	}{{"2026-11-17", "2026-11-17", 1}, {"2026-11-18", "2026-11-18", 1}, {"2026-11-17", "2026-11-18", 2}} {
		h.exec(`insert into summaries (store_id, window_start, window_end, total_upsold_value, total_upsold_orders, total_orders, offer_views, currency, asked_start, asked_end, partial, fetched_at)
			values ($1, $2::date, $3::date, 10.5 * $4::int, 2 * $4::int, 8 * $4::int, 90 * $4::int, 'USD', $2::date, $3::date, false, now())`, h.acme, w.start, w.end, w.of)
		for i, placement := range []string{"Post-purchase upsell", "Thank you page upsell", "Coupon offer"} {
			h.exec(`insert into placement_stats (store_id, window_start, window_end, placement, impressions, claims, revenue, currency, partial, position, fetched_at)
				values ($1, $2::date, $3::date, $4, (50 + $6::int) * $5::int, 3 * $5::int, case when $6::int < 2 then 7 * $5::int end, 'USD', false, $6::int, now())`, h.acme, w.start, w.end, placement, w.of, i)
		}
	}
}

func TestADifferenceIsSeenInEveryMetricAndOnlyOfWholeDaysInOneCurrency_N27_N34_N62(t *testing.T) {
	t.Parallel()
	starts, ends := []civil.Date{date("2026-11-17")}, []civil.Date{date("2026-11-18")}
	h := newHouse(t, 60)
	found := func() (summary, stats string) {
		s, err := h.Queries().SummaryDifferences(t.Context(), sqlc.SummaryDifferencesParams{StoreID: h.acme, Starts: starts, Ends: ends})
		h.must(err)
		p, err := h.Queries().StatDifferences(t.Context(), sqlc.StatDifferencesParams{StoreID: h.acme, Starts: starts, Ends: ends})
		h.must(err)
		summary, stats = "not compared", "not compared"
		if len(s) > 0 {
			summary = string(s[0].Difference)
		}
		if len(p) > 0 {
			stats = string(p[0].Difference)
		}
		return summary, stats
	}
	const thanks = ` and placement = 'Thank you page upsell'`
	for name, c := range map[string]struct{ table, set, where, summary, stats string }{
		"nothing":         {"summaries", "partial = partial", "", "{}", "{}"},
		"value":           {"summaries", "total_upsold_value = total_upsold_value - 1", "", `{"value": 1.0}`, "{}"},
		"orders":          {"summaries", "total_upsold_orders = total_upsold_orders - 1", "", `{"orders": 1}`, "{}"},
		"all orders":      {"summaries", "total_orders = total_orders + 1", "", `{"all orders": -1}`, "{}"},
		"views":           {"summaries", "offer_views = offer_views - 1", "", `{"views": 1}`, "{}"},
		"unknown views":   {"summaries", "offer_views = null", "", "{}", "{}"},
		"a partial day":   {"summaries", "partial = true", "", "not compared", "{}"},
		"euros":           {"summaries", "currency = 'EUR'", "", "not compared", "{}"},
		"impressions":     {"placement_stats", "impressions = impressions - 1", thanks, "{}", `{"Thank you page upsell impressions": 1}`},
		"claims":          {"placement_stats", "claims = claims - 1", thanks, "{}", `{"Thank you page upsell claims": 1}`},
		"revenue":         {"placement_stats", "revenue = revenue - 1", thanks, "{}", `{"Thank you page upsell revenue": 1}`},
		"unknown revenue": {"placement_stats", "revenue = null", thanks, "{}", "{}"},
		"part of a day":   {"placement_stats", "partial = true", thanks, "{}", "not compared"},
		"stats in euros":  {"placement_stats", "currency = 'EUR'", thanks, "{}", "not compared"},
	} {
		h.exec(`delete from summaries`)
		h.exec(`delete from placement_stats`)
		agreeing(h)
		h.exec(`update ` + c.table + ` set ` + c.set + ` where window_start = '2026-11-18' and window_end = '2026-11-18'` + c.where)
		summary, stats := found()
		equal(t, name+": summary", summary, c.summary)
		equal(t, name+": placements", stats, c.stats)
	}

	all := func(start, end, offers string) answered { return answered{start, end, "highest", 50, offers, 0} }
	h.rank(all("2026-11-17", "2026-11-17", "a 9, b 5"), all("2026-11-18", "2026-11-18", "a 4"), all("2026-11-17", "2026-11-18", "a 13, b 5"))
	ranked := func() string {
		rows, err := h.Queries().TopDifferences(t.Context(), sqlc.TopDifferencesParams{StoreID: h.acme, Starts: starts, Ends: ends})
		h.must(err)
		equal(t, "rankings compared", len(rows), 1)
		return string(rows[0].Difference)
	}
	equal(t, "rankings that agree", ranked(), "{}")
	h.exec(`update top_offers set claims = claims - 1 where offer_id = 'b' and window_end = '2026-11-17'`)
	equal(t, "claims of an offer", ranked(), `{"b claims": 1}`)
	h.exec(`update top_offers set revenue = revenue - 1 where offer_id = 'a' and window_start = '2026-11-18'`)
	equal(t, "its revenue", ranked(), `{"b claims": 1, "a revenue": 1}`)
}

func TestN63AnotherDifferenceOfAWindowIsANewOneAndTheSameIsNot(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	note := func(hour int, difference string) {
		t.Helper()
		h.must(h.Queries().NoteDifferences(t.Context(), sqlc.NoteDifferencesParams{
			StoreID: h.acme, Series: "summary", FirstDays: []civil.Date{date("2026-11-17")}, LastDays: []civil.Date{date("2026-11-18")},
			NoticedAts: []time.Time{first.Add(time.Duration(hour) * time.Hour)}, Differences: [][]byte{[]byte(difference)},
		}))
	}
	state := func() string {
		return get[string](h, `select coalesce(string_agg(difference::text || ' ' || extract(hour from noticed_at - $1)::int || case when unexplained then ' unexplained' else '' end, '; '), 'none') from suspect_days`, first)
	}
	note(1, `{"value": 1}`)
	h.exec(`update suspect_days set unexplained = true`)
	note(2, `{"value": 1}`)
	equal(t, "the same again", state(), `{"value": 1} 1 unexplained`)
	note(3, `{"value": 2}`)
	equal(t, "another one", state(), `{"value": 2} 3`)
	note(4, `{}`)
	equal(t, "none any more", state(), "none")
}

func TestN61ADayThatChangedIsCheckedByTheGiftServiceToo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		noticedBy string
		revised   time.Duration // after it was noticed
		gift      bool
		want      string
	}{
		"changed":                        {"summary", time.Minute, true, "gift 2026-11-17"},
		"did not change":                 {"summary", -time.Minute, true, "none"},
		"noticed by the gift service":    {"gift", time.Minute, true, "none"},
		"of a store without the service": {"summary", time.Minute, false, "none"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, 60)
			agreeing(h)
			if c.gift {
				h.credential(h.acme, "gift")
			}
			h.exec(`insert into suspect_days (store_id, service, first_day, last_day, noticed_by, noticed_at) values ($1, 'upsell', '2026-11-17', '2026-11-17', $2, $3)`, h.acme, c.noticedBy, first)
			h.exec(`update summaries set revised_at = $1 where window_end = '2026-11-17'`, first.Add(c.revised))
			h.must(h.Queries().HealedDay(t.Context(), sqlc.HealedDayParams{StoreID: h.acme, Day: date("2026-11-17"), NoticedBy: c.noticedBy}))
			equal(t, "suspects", get[string](h, `select coalesce(string_agg(service || ' ' || first_day, '; '), 'none') from suspect_days`), c.want)
		})
	}
}
