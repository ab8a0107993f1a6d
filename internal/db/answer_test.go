package db_test

import (
	"testing"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/overview"
)

// An offer starts on 31 October, and its placement earns 100 more a day from then on. Some days of
// October are in no window; they are read because of the start.
func TestTheOverviewNamesTheStartThatExplainsTheChange(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	h.credential(h.acme, "upsell")
	h.exec(`insert into summaries (store_id, window_start, window_end, total_upsold_value, total_upsold_orders, total_orders,
			currency, asked_start, asked_end, partial, fetched_at)
		select $1, d, d, v, v / 20, 100, 'USD', d, d, false, $2
		from generate_series(date '2026-09-01', date '2026-11-20', '1 day') x(t), date(t) d, lateral (select 200 + extract(day from d)::integer % 5 * 4 + case when d > '2026-10-31' then 100 else 0 end) as of(v)`, h.acme, first)
	h.exec(`insert into placement_stats (store_id, window_start, window_end, placement, impressions, claims, revenue, currency, partial, position, fetched_at)
		select store_id, window_start, window_end, 'Post-purchase upsell', 100, 5, total_upsold_value, 'USD', false, 1, fetched_at from summaries`)
	h.exec(`insert into offers (store_id, offer_id, name, status, placement, ab_test, first_seen_at, last_listed_at, last_walk) values ($1, 'kit', 'Boot care kit', 'active', 'Post-purchase upsell', false, $2, $2, 1)`, h.acme, first)
	h.exec(`insert into offer_setups (store_id, offer_id, body, starts_on, fetched_at) values ($1, 'kit', '{}', '2026-10-31', $2)`, h.acme, first)
	h.exec(`insert into top_lists (store_id, window_start, window_end, direction, row_limit, row_count, currency, partial, whole, fetched_at)
		select $1, d, d, 'highest', 100, 1, 'USD', false, true, $2 from generate_series(date '2026-09-01', date '2026-11-20', '1 day') x(t), date(t) d`, h.acme, first)
	h.exec(`insert into top_offers (store_id, window_start, window_end, direction, place, offer_id, name, placement, status, ab_test, deleted, revenue, claims)
		select $1, d, d, 'highest', 1, 'kit', 'Boot care kit', 'Post-purchase upsell', 'active', false, false, 100, 5 from generate_series(date '2026-11-01', date '2026-11-20', '1 day') x(t), date(t) d`, h.acme)
	stored := h.stored("start=2026-10-22&end=2026-11-20&compare=previous")
	why := func() (said, evidence string) {
		choice := report.Choice{Preset: report.Custom, Window: report.Window{Start: date("2026-10-22"), End: date("2026-11-20")}, Comparison: report.ComparePrevious, Today: date("2026-11-21")}
		choice, err := choice.Compared()
		h.must(err)
		answer, err := h.Answer(t.Context(), h.view(), overview.New(locale.English, stored, choice, later), stored, nil, nil)
		h.must(err)
		return answer.Verdict.Why.In(locale.English), answer.Verdict.Evidence.In(locale.English)
	}
	said, evidence := why()
	equal(t, "why", said, "Since the offer “\u2068Boot care kit\u2069” started on 31 Oct, the post-purchase page earns about $100 more a day.")
	equal(t, "evidence", evidence, "14 days after (1 – 14 Nov 2026) compared with the same weekdays before (17 – 30 Oct 2026).")
	moved := h.portfolio("acme", "start=2026-10-22&end=2026-11-20&compare=previous", later).Grew
	if len(moved) != 1 || moved[0].Why != "“\u2068Boot care kit\u2069” started 31 Oct" {
		t.Errorf("the list says %+v", moved)
	}
	stored.Events = nil
	said, _ = why()
	equal(t, "without the start", said, "")
}
