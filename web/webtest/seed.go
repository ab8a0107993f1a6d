package webtest

import (
	"github.com/storeglass/storeglass/internal/db/sqlc"
)

// Formula is an offer's name that a spreadsheet would run.
const Formula = `=HYPERLINK("https://evil.example","x")`

// Store adds a store with rows in every table that a page reads: 40 whole days except one, the
// reported 30 days, a ranking, coverage, lifetime, gift answers, a ledger and a raw reply.
func (w *World) Store(slug, name, currency string) {
	w.T.Helper()
	s, err := sqlc.New(w.DB.Pool).InsertStore(w.T.Context(), sqlc.InsertStoreParams{Slug: slug, Name: name, Timezone: "UTC", HistoryDays: 90})
	w.Must(err)
	at := w.Clock.Now().Add(-12 * 60e9)
	w.Exec(`update stores set currency = $2, domain = $3 where id = $1`, s.ID, currency, slug+".example.com")
	w.Exec(`insert into credentials (store_id, service, base_url, token_sealed, key_id, budget, token_tail, state)
		select $1, service, 'https://up.example', '\x00', 'k', decode(md5($2 || service), 'hex'), 'tail', 'good'
		from unnest(array['upsell', 'gift']) service`, s.ID, slug)
	days := `generate_series(date '2026-10-11', date '2026-11-19', '1 day') d`
	w.Exec(`insert into summaries (store_id, window_start, window_end, total_upsold_value, total_upsold_orders, total_orders,
			offer_views, currency, source, asked_start, asked_end, partial, fetched_at)
		select $1, d, d, 100.25, 4, 50, 200, $2, 'merchant', d, d, false, $3 from `+days+` where d <> date '2026-11-03'`, s.ID, currency, at)
	w.Exec(`insert into summaries (store_id, window_start, window_end, total_upsold_value, total_upsold_orders, total_orders,
			upsell_success_rate, average_upsold_value, offer_views, currency, source, asked_start, asked_end, partial, fetched_at)
		values ($1, '2026-10-21', '2026-11-19', 3007.50, 120, 1500, 0.08, 25.0625, 6000, $2, 'merchant', '2026-10-21', '2026-11-19', false, $3)`,
		s.ID, currency, at)
	w.Exec(`insert into placement_stats (store_id, window_start, window_end, placement, impressions, claims, revenue, currency,
			shop_offer_count, source, partial, position, fetched_at)
		select $1, b, e, p, 100, 5, case when p <> 'Coupon offer' then 20.5 end, $2, 7, 'merchant', false, n, $3
		from (select d::date as b, d::date as e from `+days+` where d <> date '2026-11-03' union all select date '2026-10-21', date '2026-11-19') w,
			unnest(array['Post-purchase upsell', 'Thank you page upsell', 'Coupon offer', 'Order status page upsell']) with ordinality x(p, n)`,
		s.ID, currency, at)
	w.Exec(`insert into top_lists (store_id, window_start, window_end, direction, row_limit, row_count, shop_offer_count, currency, source, partial, fetched_at)
		select $1, date '2026-10-21', date '2026-11-19', dir, 50, 2, 7, $2, 'merchant', false, $3 from unnest(array['highest', 'lowest']) dir`,
		s.ID, currency, at)
	w.Exec(`insert into top_offers (store_id, window_start, window_end, direction, place, offer_id, name, placement, status, ab_test, revenue,
			claims, acceptance_rate, deleted, url)
		select $1, date '2026-10-21', date '2026-11-19', dir, case when dir = 'highest' then n else 3 - n end, $2 || n, case n when 1 then $3 else $4 end,
			'Post-purchase upsell', 'active', false, 300 - n, 9, 0.12, false, 'https://admin.example/' || $2 || n
		from unnest(array['highest', 'lowest']) dir, generate_series(1, 2) n`, s.ID, slug+"-offer-", Formula, name+" bundle")
	w.Exec(`insert into coverage (store_id, placement, has_active, active_count, total_count, recent_revenue, currency, window_start, window_end, source, position, fetched_at)
		select $1, p, n < 3, case when n < 3 then 2 else 0 end, case when n < 4 then 3 else 0 end, case when p <> 'Coupon offer' then 20.5 end, $2,
			'2026-10-21', '2026-11-19', 'merchant', n, $3
		from unnest(array['Post-purchase upsell', 'Thank you page upsell', 'Coupon offer', 'Order status page upsell']) with ordinality x(p, n)`,
		s.ID, currency, at)
	w.Exec(`insert into lifetimes (store_id, total_revenue, offer_views, upsold_orders, conversion_rate, revenue_per_visit, currency, fetched_at)
		values ($1, 123456.78, 400000, 8000, 0.02, 0.31, $2, $3)`, s.ID, currency, at)
	w.Exec(`insert into offer_counts (store_id, placement, total, active, scheduled, expired, position, fetched_at) values ($1, '', 7, 4, 1, 2, 0, $2)`, s.ID, at)
	w.Exec(`insert into gift_windows (store_id, window_start, window_end, includes_today, asked_days, timezone, currency, cached, orders, revenue,
			conversion_rate, conversion_rate_unit, fetched_at, basis)
		values ($1, '2026-10-21', '2026-11-19', false, 30, 'UTC', $2, false, 60, 900.10, 3.2, 'percentage', $3, 'reported'),
			($1, '2026-11-02', '2026-11-02', false, 1, 'UTC', $2, false, 3, 41.25, null, '', $3, 'difference'),
			($1, '2026-11-04', '2026-11-04', false, 1, 'UTC', $2, false, 1, 12.00, 2.0, 'percentage', $3, 'previous'),
			($1, '2026-11-19', '2026-11-19', false, 1, 'UTC', $2, false, 2, 30.10, 3.1, 'percentage', $3, 'reported')`, s.ID, currency, at)
	w.Exec(`insert into gift_health (store_id, section, body, fetched_at) values ($1, 'issues', '[]', $2), ($1, 'errors', '[]', $2)`, s.ID, at)
	w.Exec(`insert into gift_plans (store_id, body, fetched_at) values ($1, '{}', $2)`, s.ID, at)
	w.Exec(`insert into gift_campaigns (store_id, campaign_id, name, status, type, target_page, position, first_seen_at, last_listed_at)
		values ($1, $5 || 1, $2, 'active', 'gift', 'cart', 1, $3, $3), ($1, $5 || 2, $4, 'scheduled', 'gift', 'product', 2, $3, $3),
			($1, $5 || 3, 'Gone', 'active', 'gift', 'cart', 3, $3, $3::timestamptz - interval '2 days')`, s.ID, name+" gift", at, Formula, slug+"-campaign-")
	w.Exec(`insert into gift_campaign_configs (store_id, campaign_id, found, body, fetched_at) values
		($1, $4 || 1, true, $2, $3), ($1, $4 || 2, false, '{"found": false}', $3)`, s.ID,
		`{"found": true, "triggerConditions": {"minOrderTotal": "90.00", "note": "<script>alert(1)</script>"}, "giftProducts": [{"title": "`+name+` mug"}]}`, at, slug+"-campaign-")
	w.Exec(`insert into gift_plan_days (store_id, day, body, fetched_at) values ($1, '2026-11-20', '{}', $2)`, s.ID, at)
	w.Exec(`insert into gift_widgets (store_id, type, title, is_premium, is_locked, position, first_seen_at, last_listed_at) values
		($1, 'bar', 'Progress bar', false, false, 1, $2, $2), ($1, 'popup', 'Gift pop-up', true, true, 2, $2, $2)`, s.ID, at)
	w.Exec(`insert into gift_widget_settings (store_id, type, found, body, fetched_at) values
		($1, 'bar', true, '{"found": true, "settings": {"barColor": "#fff"}}', $2), ($1, 'popup', false, '{"found": false}', $2)`, s.ID, at)
	w.Exec(`insert into gift_translations (store_id, locale, found, active_languages, total_strings, body, fetched_at) values
		($1, 'fr', true, '{fr,de}', 84, '{"widgets": [{"path": "bar.title", "text": "Free gift", "translations": {"fr": "Cadeau"}}], "campaigns": []}', $2)`, s.ID, at)
	w.Exec(`insert into gift_settings (store_id, found, body, fetched_at) values ($1, false, '{"found": false}', $2)`, s.ID, at)
	w.Exec(`insert into gift_campaign_lists (store_id, total, capped, fetched_at) values ($1, 2, false, $2)`, s.ID, at)
	w.Exec(`insert into ledger (store_id, pull, subject, service, outcome, tried_at, last_good_at, due_at)
		values ($1, 'summary.day', '2026-11-19', 'upsell', 'good', $2, $2, $2), ($1, 'lifetime', '', 'upsell', 'good', $2, $2, $2)`, s.ID, at)
	w.Exec(`insert into replies (store_id, pull, subject, good, endpoint, query, status, body, fetched_at, took_ms)
		values ($1, 'lifetime', '', true, 'GET /data/analytics/lifetime', '', 200, convert_to($2, 'UTF8'), $3, 12)`,
		s.ID, `{"shop":"<b>`+name+`</b>"}`, at)
	w.Exec(`update stores set upsell_pulled_at = $2, gift_pulled_at = $2, last_day = '2026-11-19', days_stored = 39, days_planned = 90, days_left = 0 where id = $1`, s.ID, at)
	w.offers(s.ID, slug, name, currency)
}

// offers gives a store three offers: the first with everything, its name a
// formula; the second without details; the third a coupon offer, which reports
// no revenue. 16 to 19 November have daily rankings: the first offer earned on the
// 17th, the rankings of the 18th and 19th are whole without it, the 16th's is cut.
func (w *World) offers(store int64, slug, name, currency string) {
	w.T.Helper()
	at := w.Clock.Now().Add(-12 * 60e9)
	w.Exec(`insert into offers (store_id, offer_id, name, status, placement, ab_test, url, revenue, currency, created_at_text, first_seen_at, last_listed_at, last_walk, priority)
		select $1, $2 || n, case n when 1 then $3 else $4 || n end, 'active', case n when 3 then 'Coupon offer' else 'Post-purchase upsell' end, n = 1,
			'https://admin.example/' || $2 || n, case when n < 3 then 1000.5 * n end, $5, '2026-03-0' || n || 'T09:00:00', $6::timestamptz, $6::timestamptz, 1, case when n < 3 then n end
		from generate_series(1, 3) n`, store, slug+"-offer-", Formula, name+" bundle ", currency, at)
	w.Exec(`insert into offer_walks (store_id, started_at, finished_at, counted, seen, calls, whole) values ($1, $2, $2, 3, 3, 1, true)`, store, at)
	w.Exec(`insert into offer_events (store_id, offer_id, at, kind, after) values ($1, $2, $3, 'first_seen', $4)`, store, slug+"-offer-1", at, name)
	w.Exec(`insert into offer_setups (store_id, offer_id, body, fetched_at) values ($1, $2, $3, $4)`, store, slug+"-offer-1", `{"name":"x","status":"active","placement":"Post-purchase upsell",
		"start_date":"2026-03-04","trigger_criteria":"set-conditions","ab_test":true,"currency":"`+currency+`","revenue":"1000.5","claims":9,
		"conditions":[{"kind":"products","names":[{"kind":"product","name":"`+name+` boots","deleted":true}]},{"kind":"order_value","raw":"{}"}]}`, at)
	w.Exec(`insert into offer_stages (store_id, offer_id, body, fetched_at) values ($1, $2, $3, $4)`, store, slug+"-offer-1", `{"offer_name":"x","currency":"`+currency+`","stages":[
		{"label":"First","arms":[{"name":"A","products":[{"title":"Socks","discount_type":"percentage","discount_value":"10"}],"bundle":{"type":"q","discount_type":"percentage","tiers":[{"words":"2 for 5% off","raw":"{}"}]}}]},
		{"label":"Second","follows":"First","branch":"accepted","products":[{"title":"Hat","discount_type":"none","discount_value":""}]}]}`, at)
	w.Exec(`insert into offer_recommendations (store_id, offer_id, body, fetched_at) values ($1, $2, $3, $4)`, store, slug+"-offer-1", `{"shape":"bought_together","currency":"`+currency+`",
		"deleted":"Boots","triggers":[{"title":"Hat","bought_together":[{"id":"1","title":"Socks","price":"4.5","co_purchased_orders":7,"past_revenue":"31.5"}],"same_category_picks":[{"id":"2","title":"Cap","price":"9"}]},
		{"title":"Scarf","bought_together":null,"same_category_picks":null}]}`, at)
	w.Exec(`insert into top_lists (store_id, window_start, window_end, direction, row_limit, row_count, currency, source, partial, fetched_at, whole)
		select $1, d, d, 'highest', 50, 1, $2, 'merchant', false, $3, d > date '2026-11-16' from generate_series(date '2026-11-16', date '2026-11-19', '1 day') d`, store, currency, at)
	w.Exec(`insert into top_offers (store_id, window_start, window_end, direction, place, offer_id, name, placement, status, ab_test, revenue, claims, acceptance_rate, deleted, url)
		values ($1, '2026-11-17', '2026-11-17', 'highest', 1, $2, 'x', 'Post-purchase upsell', 'active', true, 12.25, 3, 0.5, false, '')`, store, slug+"-offer-1")
}
