//go:build bench

package bench

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/access"
)

const (
	// listed is how many stores, with this much history, are on one list.
	listed     = 1000
	listedDays = 120
	// listTail is the goal for the slowest of a hundred lists.
	listTail = 150 * time.Millisecond
	// listTries is how many lists are requested, one after the other.
	listTries = 30
)

// The list of a thousand stores, made for its reader each time: the usual page, in the orders
// and windows that need the numbers of all of them. What is judged is the tail for one reader
// who keeps reloading and has access through groups, so that the access check has a thousand
// stores to look up. Everything on one page, its file, and the page's CPU time are shown as
// well.
func TestListOfAThousandStores(t *testing.T) {
	w := newWorld(t)
	w.fill(t)
	var s serving
	pid := role(t, "server", &s, databaseVariable+"="+w.server.URL())
	ctx := context.Background()
	person, err := w.access.CreatePerson(ctx, "ina@example.com", "Ina Berg", access.Agency)
	must(t, err)
	_, err = w.db.Pool.Exec(ctx, "insert into grants (person_id, group_id) select $1, id from groups", person.ID)
	must(t, err)
	cookie := w.signInAs(t, s.Pages, person, 1)[0]

	others := watch(os.Getpid(), w.server.PID())
	type list struct {
		path   string
		judged bool
		took   [2]time.Duration
		server time.Duration
		data   time.Duration
	}
	plain := quantiles(newTarget(s.Plain, "/", http.StatusOK).each(t, listTries))
	var lists []list
	for _, l := range []list{
		{path: "/", judged: true}, {path: "/?window=last_90_days", judged: true}, {path: "/?currency=USD&sort=value", judged: true}, {path: "/?sort=delta", judged: true},
		{path: "/?sort=orders&window=last_month", judged: true}, {path: "/?by=group&q=store", judged: true}, {path: "/wall", judged: true}, {path: "/?show=all"}, {path: "/stores.csv"},
	} {
		g := newTarget(s.Pages, l.path, http.StatusOK, "Cookie: "+cookie)
		g.each(t, 6) // statements are planned
		tries := listTries
		if !l.judged {
			tries /= 10
		}
		server, data := cpuOf(pid), cpuOf(w.server.PID())
		l.took = quantiles(g.each(t, tries))
		l.server, l.data = (cpuOf(pid)-server)/time.Duration(tries), (cpuOf(w.server.PID())-data)/time.Duration(tries)
		lists = append(lists, l)
	}
	busy := others()
	rows := []string{fmt.Sprintf("one round trip (plain handler)\t%.1f ms\t%.1f ms", milliseconds(plain[0]), milliseconds(plain[1]))}
	for _, l := range lists {
		goal := fmt.Sprintf("p99 ≤ %d ms %s", listTail.Milliseconds(), verdict(l.took[1] <= listTail))
		switch {
		case !l.judged || busy >= quiet:
			goal = "(" + goal + ")"
		case l.took[1] > listTail:
			t.Errorf("%s: p99 is %s, want at most %s", l.path, l.took[1], listTail)
		}
		rows = append(rows, fmt.Sprintf("%s\t%.1f ms\t%.1f ms\t%.1f ms\t%.1f ms\t%s", l.path, milliseconds(l.took[0]), milliseconds(l.took[1]), milliseconds(l.server), milliseconds(l.data), goal))
	}
	report(fmt.Sprintf("%d stores, %d days\tp50\tp99\tCPU a page: server\tdatabase\tgoal", listed, listedDays), append(rows, meanwhile(busy))...)
}

// quantiles are the median and the 99th percentile.
func quantiles(took []time.Duration) [2]time.Duration {
	slices.Sort(took)
	return [2]time.Duration{took[len(took)/2], took[len(took)*99/100]}
}

// each sends that many requests over one connection, one after the other, and returns how long
// each answer took to its last byte.
func (g *target) each(t testing.TB, times int) []time.Duration {
	t.Helper()
	conn, err := net.Dial("tcp", g.addr)
	must(t, err)
	defer func() { _ = conn.Close() }()
	in := bufio.NewReaderSize(conn, 64<<10)
	took := make([]time.Duration, times)
	for i := range took {
		began := time.Now()
		_, err := conn.Write(g.requests[i%len(g.requests)])
		must(t, err)
		status, size, err := answer(in)
		must(t, err)
		if took[i] = time.Since(began); status != g.status || size == 0 {
			t.Fatalf("the answer's status is %d with %d bytes, want %d", status, size, g.status)
		}
	}
	return took
}

// fill makes the stores with rows as today's sync would leave them: days scattered on disk as
// pulls of many stores write them, the answers for windows, coverage, gifts, ledger, groups and
// tags.
func (w *world) fill(t testing.TB) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, w.server.URL()) // without the pool's time limit
	must(t, err)
	defer func() { _ = conn.Close(ctx) }()
	for _, statement := range []string{
		`insert into stores (slug, name, timezone, currency, domain, history_days, upsell_pulled_at, gift_pulled_at, last_day, days_stored, days_planned, days_left)
			select 'store-' || n, 'Store ' || n, (array['America/New_York', 'Europe/Berlin', 'Asia/Tokyo', 'UTC', 'Australia/Sydney'])[1 + n % 5],
				(array['USD', 'USD', 'EUR', 'JPY', 'GBP'])[1 + n % 5], 'store-' || n || '.example', {days}, now() - (n % 50) * interval '1 minute', now() - interval '3 minutes',
				current_date - 1, {days}, {days}, 0
			from generate_series(1, {stores}) n`,
		`insert into credentials (store_id, service, base_url, token_sealed, key_id, budget, state)
			select id, service, 'https://up.example', '', 'k', decode(md5(slug || service), 'hex'), case when id % 97 = 0 and service = 'upsell' then 'paused' else 'good' end
			from stores, unnest(array['upsell', 'gift']) service`,
		`insert into summaries (store_id, window_start, window_end, total_upsold_value, total_upsold_orders, total_orders, offer_views, currency, source, asked_start, asked_end, partial, fetched_at)
			select s.id, d, d, round((random() * 2000)::numeric, 2), (random() * 40)::integer, 100 + (random() * 300)::integer, 1000, s.currency, 'merchant', d, d, d >= current_date, now()
			from generate_series(current_date - {days}, current_date, interval '1 day') x(t), date(t) d, stores s
			order by d, md5(s.slug || d)`,
		`insert into summaries (store_id, window_start, window_end, total_upsold_value, total_upsold_orders, total_orders, offer_views, currency, source, asked_start, asked_end, partial, fetched_at)
			select s.id, e - n + 1, e, 30000 + (random() * 9000)::integer, 700 + (random() * 90)::integer, 9000, 30000, s.currency, 'merchant', e - n + 1, e, false, now()
			from generate_series(current_date - 30, current_date - 1, interval '1 day') x(t), date(t) d, unnest(array[7, 30, 90]) n, unnest(array[0, 1]) p, lateral (select d - p * n as e) y, stores s
			where s.id % 20 <> 0
			on conflict do nothing`,
		`insert into coverage (store_id, placement, has_active, active_count, total_count, recent_revenue, currency, window_start, window_end, source, position, fetched_at)
			select s.id, p, true, case when s.id % 7 = n then 0 else 2 end, 3, 20.5, s.currency, current_date - 30, current_date - 1, 'merchant', n, now()
			from stores s, unnest(array['Post-purchase upsell', 'Thank you page upsell', 'Coupon offer', 'Order status page upsell']) with ordinality x(p, n)`,
		`insert into gift_windows (store_id, window_start, window_end, includes_today, asked_days, timezone, currency, cached, orders, revenue, conversion_rate, conversion_rate_unit, fetched_at, basis)
			select s.id, d - n + 1, d, false, n, s.timezone, s.currency, false, 60, 900.10, 3.2, 'percentage', now(), 'reported'
			from stores s, generate_series(current_date - {days}, current_date - 1, interval '1 day') x(t), date(t) d, unnest(array[1, 7, 30, 90]) n`,
		`insert into gift_health (store_id, section, body, fetched_at)
			select id, section, body::jsonb, now() from stores, (values ('issues', '[]'), ('errors', '[]'), ('theme', '{"name": "Dawn", "os2": true, "embed_enabled": true}'), ('campaigns', '{"total": 3, "active": 1}')) x(section, body)`,
		`insert into gift_plans (store_id, body, fetched_at) select id, '{"plan": "pro", "is_paid": true, "revenue_used": "120.5", "revenue_limit": "5000"}', now() from stores`,
		`insert into ledger (store_id, pull, subject, service, outcome, tried_at, last_good_at, due_at, applied_start, applied_end)
			select s.id, pull, subject, 'upsell', 'good', now(), now() - random() * interval '1 hour', now() + interval '1 hour', current_date - 30, current_date - 1
			from stores s, unnest(array['summary.window', 'stats.window', 'gift.window', 'top.highest']) pull, unnest(array['7', '30', '90', 'prev7', 'prev30', 'prev90']) subject`,
		`insert into ledger (store_id, pull, subject, service, outcome, tried_at, last_good_at)
			select s.id, pull, d::text, 'upsell', 'good', now(), now() - random() * interval '1 hour'
			from stores s, unnest(array['summary.day', 'stats.day', 'top.day']) pull, generate_series(current_date - {days}, current_date, interval '1 day') x(t), date(t) d`,
		`insert into groups (name) select 'Client ' || n from generate_series(1, {stores} / 20) n`,
		`insert into group_stores (group_id, store_id) select g.id, s.id from groups g join stores s on s.id % ({stores} / 20) = g.id % ({stores} / 20)`,
		`insert into store_tags (store_id, tag) select id, 'tag ' || id % 9 from stores`,
	} {
		_, err := conn.Exec(ctx, strings.NewReplacer("{stores}", strconv.Itoa(listed), "{days}", strconv.Itoa(listedDays)).Replace(statement))
		must(t, err)
	}
	_, err = conn.Exec(ctx, "vacuum analyze") // as autovacuum has by the next day
	must(t, err)
}
