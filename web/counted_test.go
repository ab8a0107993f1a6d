package web_test

import (
	"log/slog"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/storeglass/storeglass/internal/alert"
	"github.com/storeglass/storeglass/web/webtest"
)

// counted adds stores whose offers are in every state, and alerts that are open, snoozed and
// resolved. Coverage, which the service counts, matches the offers.
func counted(w *webtest.World) *webtest.Browser {
	w.T.Helper()
	b := w.Agency()
	w.Exec(`insert into offers (store_id, offer_id, name, status, placement, ab_test, url, revenue, currency, created_at_text, deleted, first_seen_at, last_listed_at, last_walk, unlisted_at)
		select s.id, s.slug || '-' || o.name, o.name, o.status, o.placement, false, 'https://admin.example/x', 0, s.currency, '2026-03-01T09:00:00', o.gone, $1::timestamptz, $1::timestamptz, 1, case when o.gone then $1::timestamptz end
		from stores s, (values
			('silent', 'active', 'Post-purchase upsell', false), ('quiet', 'active', 'Post-purchase upsell', false), ('soon', 'scheduled', 'Post-purchase upsell', false),
			('ended', 'expired', 'Post-purchase upsell', false), ('removed', 'active', 'Post-purchase upsell', true),
			('old', 'expired', 'Thank you page upsell', false), ('older', 'expired', 'Thank you page upsell', false), ('taken', 'expired', 'Thank you page upsell', true)
		) o (name, status, placement, gone)`, w.Clock.Now())
	w.Exec(`insert into offers (store_id, offer_id, name, status, placement, ab_test, first_seen_at, last_listed_at, last_walk)
		select s.id, s.slug || '-many-' || n, 'Many ' || n, 'expired', 'Order status page upsell', true, $1::timestamptz, $1::timestamptz, 1 from stores s, generate_series(1, 60) n`, w.Clock.Now())
	w.Exec(`insert into offer_setups (store_id, offer_id, body, fetched_at)
		select store_id, offer_id, '{"conditions":[{"kind":"products","names":[{"kind":"product","name":"Boots","deleted":true}]}]}', $1
		from offers where name in ('silent', 'soon', 'ended', 'removed')`, w.Clock.Now())
	w.Exec(`update coverage c set total_count = x.n, active_count = x.a, has_active = x.a > 0
		from (select c.store_id, c.placement, count(o.offer_id) as n, count(o.offer_id) filter (where o.status = 'active') as a
			from coverage c left join offers o on o.store_id = c.store_id and o.placement = c.placement and not o.deleted and o.unlisted_at is null
			group by c.store_id, c.placement) x
		where x.store_id = c.store_id and x.placement = c.placement`)
	w.Exec(`update top_lists set whole = true, row_count = 3 where window_start = '2026-10-21'`)
	w.Exec(`insert into top_offers (store_id, window_start, window_end, direction, place, offer_id, name, placement, status, ab_test, revenue, claims, deleted)
		select store_id, window_start, window_end, direction, 3, 'gone before', 'Gone before', 'Thank you page upsell', '', false, 5, 1, true from top_lists where window_start = '2026-10-21'`)
	w.Exec(`insert into ledger (store_id, pull, subject, service, outcome, tried_at, last_good_at, due_at)
		select id, 'summary.day', '2026-11-' || n, 'upsell', 'good', $1, $1, $1::timestamptz + '1 day' from stores, generate_series(10, 18) n`, w.Clock.Now())
	checks := alert.Alerts{DB: w.DB, Now: w.Clock.Now, Log: slog.New(slog.DiscardHandler)}
	w.Must(checks.Check(w.T.Context()))
	w.Watched()
	w.Outage("rate-fell", "upsells")
	w.Outage("value-fell", "upsells")
	snoozed := w.Outage("drift", "value")
	w.Exec(`insert into alert_snoozes (store_id, rule, subject) select store_id, rule, subject from alerts where id = $1::text::bigint`, snoozed)
	return b
}

// A number in a link is the number of rows behind it.
func TestEveryCountLeadsToThatManyRows(t *testing.T) {
	t.Parallel()
	b := counted(webtest.NewWorld(t))
	followed := map[string]bool{}
	for _, path := range []string{"/", "/?currency=USD", "/alerts", "/stores/acme", "/stores/acme/placements", "/stores/acme/offers", "/stores/acme/offers?query=n&status=expired&sold_nothing=2026-10-21..2026-11-19", "/stores/acme/offers?query=n&ab_test=true&page=2", "/stores/acme/gift", "/stores/acme/sync", "/stores/acme/alerts", "/stores/cedar", "/stores/dogwood/placements"} {
		page := parsed(t, b.Get(path))
		for a := range page.Descendants() {
			want, counts := attribute(a, "data-count")
			if !counts {
				continue
			}
			href, _ := attribute(a, "href")
			to, err := url.Parse(href)
			if err != nil {
				t.Fatal(err)
			}
			at, _ := url.Parse(path)
			address := at.ResolveReference(to).String()
			followed[to.Path+" "+strings.Join(slices.Sorted(maps.Keys(to.Query())), " ")] = true
			if rows := rowsBehind(t, b, address); strconv.Itoa(rows) != want {
				t.Errorf("%s says %s in %q, and %s has %d rows", path, want, href, address, rows)
			}
		}
	}
	for _, list := range []string{"/ ", "/ currency", "/alerts ", "/stores/acme/alerts ", "/stores/acme/sync ", "/stores/acme/sync filter", "/stores/acme/offers sold_nothing", "/stores/acme/offers trigger_deleted", "/stores/acme/offers existing placement sort"} {
		if !followed[list] {
			t.Errorf("no count leads to %s", list)
		}
	}
}

// rowsBehind are the rows of a list on all of its pages.
func rowsBehind(t *testing.T, b *webtest.Browser, address string) (rows int) {
	t.Helper()
	next := ""
	for node := range parsed(t, b.Get(address)).Descendants() {
		if n, is := attribute(node, "data-rows"); is {
			each, err := strconv.Atoi(n)
			if err != nil {
				t.Fatal(err)
			}
			rows += each
		}
		if rel, _ := attribute(node, "rel"); rel == "next" {
			next, _ = attribute(node, "href")
		}
	}
	if next != "" {
		rows += rowsBehind(t, b, next)
	}
	return rows
}

func parsed(t *testing.T, r webtest.Response) *html.Node {
	t.Helper()
	if r.Status != 200 {
		t.Fatalf("answered %d: %.200s", r.Status, r.Body)
	}
	root, err := html.Parse(strings.NewReader(r.Body))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func attribute(n *html.Node, key string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val, true
		}
	}
	return "", false
}
