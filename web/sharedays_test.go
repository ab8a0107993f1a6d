package web_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/access/sharing"
	"github.com/storeglass/storeglass/web/webtest"
)

// outside are, by table, the own store's rows that a link to the days must not reveal.
func outside(w *webtest.World, window sharing.Window) map[string]string {
	store := w.StoredTexts(`select id::text from stores where slug = $1`, webtest.Own)[0]
	w.Exec(`insert into goals (store_id, from_month, kind, amount, currency, set_at) select id, '2026-11-01', 'value', 4000, 'USD', now() from stores where slug = $1`, webtest.Own)
	w.Exec(`insert into thresholds (store_id, metric, kind, amount, currency, least_orders, set_at) select id, 'value', 'day', 4000, 'USD', 50, now() from stores where slug = $1`, webtest.Own)
	of := "store_id = " + store
	windowed := fmt.Sprintf("%s and (window_start < '%s' or window_end > '%s')", of, window.Start, window.End)
	rows := map[string]string{}
	for _, table := range []string{"summaries", "placement_stats", "top_lists", "top_offers", "gift_windows"} {
		rows[table] = windowed
	}
	for _, table := range []string{ // no day, or all time
		"lifetimes", "coverage", "gift_health", "gift_plans", "gift_plan_days", "gift_widgets", "gift_widget_settings", "gift_translations",
		"gift_settings", "offer_recommendations", "replies", "credentials", "goals", "thresholds",
	} {
		rows[table] = of
	}
	return rows
}

func canariesOutside(w *webtest.World, rows map[string]string) *spread {
	w.T.Helper()
	s := &spread{w: w, rows: rows}
	for table := range rows {
		if n := len(w.StoredTexts(`select '' from ` + table + ` where ` + rows[table])); n == 0 {
			w.T.Errorf("%s has no row outside", table)
		}
		for _, c := range columnsOf(w, table) {
			s.column(table, c[0], c[1])
		}
	}
	return s
}

func TestALinkTellsNothingOfOtherDays(t *testing.T) {
	t.Parallel()
	for name, window := range map[string]sharing.Window{"days that stay": october, "days that move": {Preset: "last_7_days"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := webtest.NewWorld(t)
			days := window
			if !window.Fixed() {
				days = sharing.Window{Start: civil.Date{Year: 2026, Month: 11, Day: 13}, End: civil.Date{Year: 2026, Month: 11, Day: 19}}
			}
			// today, which is not over, as people's pages show it
			w.Exec(`insert into summaries (store_id, window_start, window_end, total_upsold_value, total_upsold_orders, total_orders, offer_views, currency, source, asked_start, asked_end, partial, fetched_at)
				select id, '2026-11-20', '2026-11-20', 7, 7, 7, 7, 'USD', 'merchant', '2026-11-20', '2026-11-20', true, $2 from stores where slug = $1`, webtest.Own, w.Clock.Now())
			// the store's answer for exactly these days compares with the days before
			w.Exec(`insert into gift_windows (store_id, window_start, window_end, includes_today, asked_days, timezone, currency, cached, orders, revenue, orders_previous, revenue_previous,
					orders_change, revenue_change, conversion_rate_unit, fetched_at, basis)
				select id, $2, $3, false, 7, 'UTC', 'USD', false, 60, 900.10, 91739991, 91739992, 91739993, 91739994, 'percentage', $4, 'reported' from stores where slug = $1`,
				webtest.Own, days.Start.String(), days.End.String(), w.Clock.Now())
			rows := outside(w, days)
			if !window.Fixed() { // the number of active offers is shown
				delete(rows, "coverage")
			}
			s := canariesOutside(w, rows)
			// All-time values next to what may be shown.
			w.Exec(`update offers set revenue = 91739995, url = 'https://admin.example/cnry99995'`)
			w.Exec(`update coverage set recent_revenue = 91739985`)
			w.Exec(`update offer_setups set body = body || '{"revenue": "91739996", "claims": 91739997, "acceptance_rate": "91739998", "url": "https://admin.example/cnry99996"}'`)
			w.Exec(`insert into offer_events (store_id, offer_id, at, kind, before, after) select id, 'acme-offer-1', $2::date - 1, 'renamed', 'cnry99997', 'cnry99998' from stores where slug = $1`, webtest.Own, days.Start.String())
			if window.Fixed() { // current facts
				later := days.End.AddDays(1).String()
				w.Exec(`update offers set created_at_text = $1, name = 'cnry99994' where offer_id = 'acme-offer-2'`, later+"T09:00:00")
				w.Exec(`update gift_campaigns set start_date = $1, name = 'cnry99993' where campaign_id = 'acme-campaign-2'`, later+"T09:00:00Z")
				w.Exec(`update gift_campaign_configs set body = '{"found": true, "giftProducts": [{"title": "cnry99992"}]}'`)
				w.Exec(`update offer_setups set body = body || '{"name": "cnry99991"}'`)
				w.Exec(`update offer_stages set body = '{"stages": [{"products": [{"title": "cnry99990"}]}]}'`)
				w.Exec(`update offer_counts set total = 91739989, active = 91739988, scheduled = 91739987, expired = 91739986`)
			}
			link, b := w.Share(func(n *sharing.Draft) { n.Window = window }), w.Browser()
			asked, shown := 0, 0
			addresses := sharedAddresses(w)
			addresses["/offers/acme-offer-2"], addresses["/offers?sort=oldest"], addresses["/gift/campaigns/acme-campaign-2"] = "", "", ""
			for below := range addresses {
				r := b.Get(link + below)
				if r.Status == 200 {
					shown++
				}
				asked++
				charts := "?charts="
				if strings.Contains(below, "?") {
					charts = "&charts="
				}
				for _, found := range append(canariesIn(r), canariesIn(b.Get(link+below+charts))...) {
					t.Errorf("%s (%d) shows %s of %s", below, r.Status, found, s.where(found))
				}
			}
			want := asked
			if window.Fixed() {
				want -= 2 // the later offer and the later campaign don't exist
			}
			if shown != want {
				t.Errorf("%d of %d addresses answer", shown, asked)
			}
			// The canaries are found by a person who may see everything.
			person := w.SignedIn()
			met := map[string]bool{}
			for _, path := range []string{"/stores/acme", "/stores/acme?window=all&compare=none", "/stores/acme/offers", "/stores/acme/offers/acme-offer-1", "/stores/acme/gift", "/stores/acme/placements", "/stores/acme/gift/campaigns/acme-campaign-1"} {
				for _, found := range canariesIn(person.Get(path)) {
					met[found] = true
				}
			}
			if len(met) < 20 {
				t.Errorf("a person meets only %d canaries", len(met))
			}
		})
	}
}

func TestALinkToDaysThatMoveTellsWhatIsNow(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.Browser()
	moving, stays := w.Share(nil), w.Share(fixed)
	for below, text := range map[string]string{
		"/offers": "Status now", "/offers/acme-offer-1": "What the customer sees", "/gift": "Status now", "/gift/campaigns/acme-campaign-1": "Configuration", "": "Status now", "/placements": "active now",
	} {
		if !strings.Contains(b.Get(moving+below).Body, text) {
			t.Errorf("moving%s lacks %q", below, text)
		}
		if strings.Contains(b.Get(stays+below).Body, text) {
			t.Errorf("fixed%s holds %q", below, text)
		}
	}
	for query, want := range map[string][2]int{"sort=name": {200, 200}, "status=active": {200, 400}, "sort=revenue": {400, 400}, "never_earned=true": {400, 400}, "sort=priority&placement=post_purchase": {200, 400}} {
		for i, link := range []string{moving, stays} {
			for _, below := range []string{"/offers", "/offers.csv", "/offers.json"} {
				if r := b.Get(link + below + "?" + query); r.Status != want[i] {
					t.Errorf("%s?%s: %d, want %d", below, query, r.Status, want[i])
				}
			}
		}
	}
}
