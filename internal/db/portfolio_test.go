package db_test

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/internal/report/portfolio"
	"github.com/storeglass/storeglass/internal/report/portfolio/portfoliotest"
)

// portfolio is the list of the stores that a person with grants for slugs may see.
func (h *house) portfolio(slugs, query string, now time.Time) portfolio.Portfolio {
	h.t.Helper()
	scope, err := h.ScopeOfPerson(h.t.Context(), h.person(strings.Fields(slugs)...))
	h.must(err)
	values, err := url.ParseQuery(query)
	h.must(err)
	q, err := portfolio.ParseQuery(values, now)
	h.must(err)
	p, err := h.Portfolio(h.t.Context(), db.AlertPrincipal{Scope: scope, Now: now}, q, now)
	h.must(err)
	return p
}

// days stores whole days with values that differ from day to day.
func (h *house) days(store int64, first, last string) {
	h.t.Helper()
	h.exec(`insert into summaries (store_id, window_start, window_end, total_upsold_value, total_upsold_orders, total_orders, offer_views,
			currency, asked_start, asked_end, partial, fetched_at, revised_at)
		select $1, d, d, 100 + extract(day from d) * 1.01, extract(day from d), 90 + extract(doy from d), 7, 'USD', d, d, false,
			$4::timestamptz + (extract(doy from d) || ' minutes')::interval, case when extract(day from d) = 5 then $4::timestamptz end
		from generate_series($2::date, $3::date, '1 day') x(t), date(t) d`, store, first, last, first5)
	h.exec(`update stores set last_day = $2, upsell_pulled_at = $3, days_stored = 60, days_planned = 60, days_left = 0 where id = $1`, store, last, later.Add(-time.Minute))
}

var first5 = first.Add(-100 * time.Hour)

func (h *house) answer(store int64, start, end string, value string, partial bool) {
	h.t.Helper()
	h.exec(`insert into summaries (store_id, window_start, window_end, total_upsold_value, total_upsold_orders, total_orders, currency, source,
			asked_start, asked_end, partial, fetched_at)
		values ($1, $2, $3, $4, 700, 9000, 'USD', 'merchant', $2, $3, $5, $6)`, store, start, end, value, partial, first)
}

// A store's numbers for a window are the same wherever they appear.
func TestTheListSaysOfAWindowWhatTheOverviewSays(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	h.credential(h.acme, "upsell")
	h.days(h.acme, "2026-09-01", "2026-11-20")
	h.exec(`delete from summaries where store_id = $1 and window_start = '2026-11-04'`, h.acme)
	h.answer(h.acme, "2026-10-22", "2026-11-20", "49975.83", false)
	h.answer(h.acme, "2026-09-22", "2026-10-21", "44462.48", false)
	h.answer(h.acme, "2026-11-14", "2026-11-20", "1", true) // before its last day was over
	h.exec(`insert into window_checks (store_id, window_start, window_end, reported_value, stitched_value, reported_orders, stitched_orders, days_stored, days_missing, agrees, checked_at)
		values ($1, '2026-10-22', '2026-11-20', 1, 2, 1, 1, 30, 0, false, $2)`, h.acme, later)
	h.exec(`insert into ledger (store_id, pull, subject, service, outcome, last_good_at, due_at, applied_start, applied_end)
		values ($1, 'summary.window', '30', 'upsell', 'good', $2, $2, '2026-10-22', '2026-11-20')`, h.acme, later)
	for query, basis := range map[string]report.Basis{
		"": report.Reported, "window=last_7_days": report.Stitched, "window=last_month": report.Stitched, "window=month_to_date": report.Stitched,
		"start=2026-11-01&end=2026-11-09&compare=weekday": report.Stitched, "start=2026-10-22&end=2026-11-20&compare=year": report.Reported,
		"window=yesterday&compare=none": report.Reported, // a day is an answer too
	} {
		row := portfoliotest.Row(t, h.portfolio("acme birch", query, later), "acme")
		stored := h.stored(query)
		values, err := url.ParseQuery(query)
		h.must(err)
		choice, err := report.ParseChoice(values, later, h.view().Location(), h.view().FirstDay)
		h.must(err)
		want := overview.New(locale.English, stored, choice, later).Summary
		equal(t, query+": basis", row.Summary.Provenance.Basis, basis)
		same := func(what string, got, want overview.Summary) {
			t.Helper()
			g, w := got.Provenance, want.Provenance
			equal(t, query+": "+what+" value", got.TotalUpsoldValue.String(), want.TotalUpsoldValue.String())
			equal(t, query+": "+what+" orders", fmt.Sprint(got.TotalUpsoldOrders, got.TotalOrders), fmt.Sprint(want.TotalUpsoldOrders, want.TotalOrders))
			equal(t, query+": "+what+" rate", fmt.Sprint(got.UpsellSuccessRate), fmt.Sprint(want.UpsellSuccessRate))
			equal(t, query+": "+what+" window", *g.Window, *w.Window)
			equal(t, query+": "+what+" basis", g.Basis, w.Basis)
			equal(t, query+": "+what+" missing", fmt.Sprint(g.Missing), fmt.Sprint(w.Missing))
			equal(t, query+": "+what+" replies", g.Replies, w.Replies)
			equal(t, query+": "+what+" revised", g.Revised, w.Revised)
			equal(t, query+": "+what+" age", fmt.Sprint(g.FetchedAt.UTC(), g.FetchedLast.UTC()), fmt.Sprint(w.FetchedAt.UTC(), w.FetchedLast.UTC()))
			equal(t, query+": "+what+" reply", g.Pull+g.Subject, w.Pull+w.Subject)
			equal(t, query+": "+what+" check", fmt.Sprint(g.Check != nil, g.Has(report.FlagDrift)), fmt.Sprint(w.Check != nil, w.Has(report.FlagDrift)))
		}
		same("now", row.Summary, want)
		if (row.Summary.Previous == nil) != (want.Previous == nil) {
			t.Errorf("%s: compared %v, on the overview %v", query, row.Summary.Previous != nil, want.Previous != nil)
		} else if want.Previous != nil {
			before := *want.Previous
			before.Provenance.Pull, before.Provenance.Subject = row.Summary.Previous.Provenance.Pull, row.Summary.Previous.Provenance.Subject
			same("before", *row.Summary.Previous, before)
		}
		equal(t, query+": points", len(row.Spark), row.Window().Days())
	}
}

func TestGiftsOfTheListAreThoseOfItsDays(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	h.credential(h.acme, "upsell")
	h.credential(h.acme, "gift")
	h.days(h.acme, "2026-09-01", "2026-11-20")
	gift := `insert into gift_windows (store_id, window_start, window_end, includes_today, asked_days, timezone, currency, cached, orders, revenue, conversion_rate_unit, fetched_at, basis)
		select $1, b, e, today, n, 'UTC', 'USD', false, 3, v, '', $2, 'reported' from (values
			(date '2026-10-22', date '2026-11-20', false, 30, 900.10), (date '2026-11-15', date '2026-11-21', false, 7, 70.5),
			(date '2026-11-21', date '2026-11-21', true, 1, 6), (date '2026-10-01', date '2026-10-01', false, 1, 11), (date '2026-10-02', date '2026-10-02', false, 1, 12)
		) x(b, e, today, n, v)`
	h.exec(gift, h.acme, later)
	h.exec(gift, h.birch, later)
	for query, want := range map[string]string{
		"":                                    "900.1 reported 2026-10-22 – 2026-11-20",
		"window=last_7_days":                  "70.5 reported 2026-11-15 – 2026-11-21", // the answer for as many days, under its own label
		"window=last_month":                   "23 stitched 2026-10-01 – 2026-10-31",
		"start=2026-09-01&end=2026-09-05":     "none",
		"window=last_90_days&compare=weekday": "none",
	} {
		g, got := portfoliotest.Row(t, h.portfolio("acme", query, later), "acme").Gift, "none"
		if g.Empty == nil {
			w := g.Provenance.Window
			got = fmt.Sprintf("%s %s %s – %s", g.Revenue.Value, g.Provenance.Basis, w.Start, w.End)
		}
		if query == "window=last_90_days&compare=weekday" { // only two of its days are stored
			want = "23 stitched 2026-08-23 – 2026-11-20"
		}
		equal(t, query, got, want)
	}
}

func TestTheListHoldsNothingOfForeignOrRemovedStores(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	h.store("cedar", "UTC")
	for _, slug := range []string{"acme", "birch", "cedar"} {
		id := get[int64](h, `select id from stores where slug = $1`, slug)
		h.days(id, "2026-09-01", "2026-11-20")
		h.exec(`insert into store_tags (store_id, tag) values ($1, $2), ($1, 'shared')`, id, "tag of "+slug)
		h.exec(`with g as (insert into groups (name) values ($2) returning id) insert into group_stores (group_id, store_id) select id, $1 from g`, id, "group of "+slug)
	}
	h.exec(`insert into groups (name) values ('empty group')`)
	h.exec(`with g as (insert into groups (name) values ('both') returning id) insert into group_stores (group_id, store_id) select g.id, s.id from g, stores s where s.slug <> 'cedar'`)
	h.exec(`update stores set removed_at = now() where slug = 'cedar'`)
	p := h.portfolio("acme cedar", "by=group&currency=", later)
	equal(t, "stores", p.Known, 1)
	text := fmt.Sprintf("%+v", p)
	for _, foreign := range []string{"birch", "cedar", "empty group"} {
		if strings.Contains(text, foreign) {
			t.Errorf("%q is in the list", foreign)
		}
	}
	equal(t, "groups", fmt.Sprint(p.Groups[0].Label, p.Groups[1].Label, len(p.Groups)), "bothgroup of acme2")
	equal(t, "count of the group that is shared", p.Groups[0].Count, 1)
	equal(t, "tags", fmt.Sprint(p.Tags), "[{shared shared 1 false} {tag of acme tag of acme 1 false}]")
	equal(t, "everything", h.portfolio("*", "", later).Known, 2)
}

func TestSavedViewsAreTheirPersonsOwn(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	ctx := t.Context()
	ada, ben := h.person("acme"), h.person("birch")
	names := func(person int64) (out []string) {
		views, err := h.SavedViews(ctx, person)
		h.must(err)
		for _, v := range views {
			name := v.Name + "=" + v.Query
			if v.Opens {
				name += "!"
			}
			out = append(out, name)
		}
		return out
	}
	late, err := h.SaveView(ctx, ada, "Late", "health=late")
	h.must(err)
	euro, err := h.SaveView(ctx, ada, "Euro", "currency=EUR")
	h.must(err)
	again, err := h.SaveView(ctx, ada, "Euro", "currency=EUR&by=group")
	h.must(err)
	equal(t, "a name that was taken keeps its view", again, euro)
	_, err = h.SaveView(ctx, ben, "Late", "q=ben")
	h.must(err)
	equal(t, "of ada", fmt.Sprint(names(ada)), "[Euro=currency=EUR&by=group Late=health=late]")
	h.must(h.OpenView(ctx, ada, late, true))
	h.must(h.OpenView(ctx, ada, euro, true))
	equal(t, "one opens", fmt.Sprint(names(ada)), "[Euro=currency=EUR&by=group! Late=health=late]")
	h.must(h.OpenView(ctx, ada, euro, false))
	if err := h.RenameView(ctx, ada, euro, "Late"); !errors.Is(err, db.ErrNameTaken) {
		t.Errorf("a name of two views: %v", err)
	}
	h.must(h.RenameView(ctx, ada, euro, "Euros"))
	for what, err := range map[string]error{
		"rename": h.RenameView(ctx, ben, euro, "x"), "open": h.OpenView(ctx, ben, euro, true), "delete": h.DeleteView(ctx, ben, euro),
		"delete unknown": h.DeleteView(ctx, ada, 99),
	} {
		if !errors.Is(err, db.ErrNotFound) {
			t.Errorf("%s a view of someone else: %v", what, err)
		}
	}
	equal(t, "of ada", fmt.Sprint(names(ada)), "[Euros=currency=EUR&by=group Late=health=late]")
	h.must(h.DeleteView(ctx, ada, euro))
	for i := range db.MaxSavedViews - 1 {
		_, err := h.SaveView(ctx, ada, fmt.Sprint("view ", i), "")
		h.must(err)
	}
	if _, err := h.SaveView(ctx, ada, "one too many", ""); !errors.Is(err, db.ErrTooManyViews) {
		t.Errorf("view %d: %v", db.MaxSavedViews+1, err)
	}
	_, err = h.SaveView(ctx, ada, "Late", "health=person") // an existing one can still be changed
	h.must(err)
	equal(t, "of ben", fmt.Sprint(names(ben)), "[Late=q=ben]")
}

// What the list keeps about a store between requests is dropped when the store's revision changes, and
// is never shown to anyone who may not see the store.
func TestTheListSaysWhatAWriteChanged(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	for _, id := range []int64{h.acme, h.birch} {
		h.days(id, "2026-09-01", "2026-11-20")
		h.exec(`insert into credentials (store_id, service, base_url, token_sealed, key_id, budget, state) values ($1::bigint, 'upsell', 'https://up.example', '', 'k', decode(md5($1::bigint::text), 'hex'), 'good')`, id)
		h.exec(`insert into coverage (store_id, placement, has_active, active_count, total_count, recent_revenue, currency, window_start, window_end, source, position, fetched_at)
			values ($1, 'Coupon offer', true, 1, 1, 1, 'USD', '2026-10-21', '2026-11-19', 'merchant', 1, $2)`, id, first)
	}
	health := func(slugs, of string) string {
		return portfoliotest.Row(t, h.portfolio(slugs, "", later), of).Health.Words
	}
	equal(t, "before", health("acme birch", "birch"), "Live")
	h.exec(`insert into alerts (store_id, rule, since, title, text) values ($1, 'embed-off', $2, '{"id": "alert.widget.off"}', '[]')`, h.birch, first)
	equal(t, "an alert that opened", health("acme birch", "birch"), "Gift widget off")
	h.exec(`update alerts set done_at = $1`, later)
	equal(t, "an alert that someone called done", health("acme birch", "birch"), "Live")
	h.exec(`update credentials set state = 'paused', paused_cause = 'token', paused_at = $2 where store_id = $1`, h.birch, first)
	h.exec(`update coverage set active_count = 0 where store_id = $1`, h.acme)
	h.exec(`update stores set revision = revision + 1`)
	equal(t, "a credential that stopped", strings.HasPrefix(health("acme birch", "birch"), "Upsell token refused"), true)
	equal(t, "a placement that was switched off", health("acme", "acme"), "1 placement off")
	equal(t, "stores of who holds one", h.portfolio("acme", "", later).Known, 1)
}

// One rule chooses what a store needs first and one rule counts, so the list and the store's inbox
// always agree, whatever this reader has snoozed.
func TestTheListSaysOfAStoreWhatItsInboxSays(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	ina := h.person("acme", "birch")
	for slug, rules := range map[string]string{"acme": "plan trigger-deleted embed-off drift rate-fell", "birch": "sold-nothing goal-at-risk"} {
		h.exec(`insert into alerts (store_id, rule, since, seen_at, title, todo, text)
			select s.id, r, $3::timestamptz + n * interval '1 day', $3, jsonb_build_object('id', 'alerts.rule.' || r || '.title'), jsonb_build_object('id', 'alerts.rule.' || r || '.means'), '[]'
			from stores s, unnest(string_to_array($2, ' ')) with ordinality as of_rules (r, n) where s.slug = $1`, slug, rules, first)
	}
	h.exec(`insert into alert_snoozes (store_id, rule, person_id) values ($1, 'embed-off', $2)`, h.acme, ina)
	h.exec(`update alerts set done_at = $1 where rule = 'drift'`, later)
	scope, err := h.ScopeOfPerson(t.Context(), ina)
	h.must(err)
	who := db.AlertPrincipal{Person: ina, Scope: scope, Now: later}
	q, err := portfolio.ParseQuery(nil, later)
	h.must(err)
	list, err := h.Portfolio(t.Context(), who, q, later)
	h.must(err)
	for slug, more := range map[string]int{"acme": 2, "birch": 1} {
		who.Store = slug
		inbox, _, err := h.OpenAlerts(t.Context(), who, 50)
		h.must(err)
		inbox = slices.DeleteFunc(inbox, func(a db.ListedAlert) bool { return a.Snooze != nil })
		top, got := inbox[0].Open(), portfoliotest.Row(t, list, slug).Health
		do, _ := top.ToDo(locale.English)
		since, _ := top.SinceIn(locale.English, later, inbox[0].Timezone)
		equal(t, slug+": what is wrong and since when", got.Words+", "+got.Note, locale.English.T("stores.short."+top.Rule)+", "+since)
		equal(t, slug+": what to do", got.ToDo, do)
		equal(t, slug+": how many more", fmt.Sprint(got.More, " ", len(inbox)-1), fmt.Sprint(more, " ", more))
	}
}

func TestTheListIsNarrowedToGoalsThatAreAtRisk(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	for store, goal := range map[int64]int{h.acme: 1, h.birch: 1_000_000} {
		h.days(store, "2026-09-01", "2026-11-20")
		h.exec(`insert into goals (store_id, from_month, kind, amount, currency, set_at) values ($1, '2026-10-01', 'orders', $2, '', $3)`, store, goal, first)
	}
	p := h.portfolio("acme birch", "goal=at_risk", later)
	if equal(t, "stores", p.Matched, 1); portfoliotest.Row(t, p, "birch").Goal == nil {
		t.Error("its row has no goal")
	}
}
