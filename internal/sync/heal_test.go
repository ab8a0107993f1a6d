package pulls_test

import (
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/report"
)

// lateOrder sets a day's stored rows back to before an order arrived: less in the summary, in
// each placement that has revenue, and in the ranking.
func (w *world) lateOrder(day string, tables ...string) {
	w.t.Helper()
	if len(tables) == 0 {
		tables = []string{"summaries", "placement_stats", "top_offers"}
	}
	for _, table := range tables {
		set := map[string]string{
			"summaries":       "total_upsold_value = total_upsold_value - 1, total_upsold_orders = total_upsold_orders - 1, total_orders = total_orders - 1",
			"placement_stats": "claims = claims + 1",
			"top_offers":      "revenue = revenue + 1",
		}[table]
		where := map[string]string{"placement_stats": " and placement = 'Thank you page upsell'", "top_offers": " and direction = 'highest' and place = 1"}[table]
		w.exec(`update `+table+` set `+set+` where window_start = window_end and window_start = $1`+where, day)
	}
}

// night makes the next night's pulls: the windows come in again.
func (w *world) night() {
	w.t.Helper()
	w.wake("summary.window", "stats.window", "top.highest", "top.lowest")
	w.clock.set(w.clock.Now().Add(time.Minute))
}

// daysAsked are the requests for single days since, by endpoint.
func daysAsked(paths []string, day string) map[string]int {
	n := map[string]int{}
	for _, path := range paths {
		if endpoint, query, ok := strings.Cut(path, "?"); ok && strings.Contains(query, "start="+day) && strings.Contains(query, "end="+day) {
			n[endpoint[strings.LastIndex(endpoint, "/")+1:]]++
		}
	}
	return n
}

const upsellSuspects = `select count(*) from suspect_days where service = 'upsell'`

// daysAsItHasThem reads the stored days of every series.
const daysAsItHasThem = `
	select concat_ws(' ', (select sum(total_upsold_value) from summaries where window_start = window_end and not partial),
		(select sum(total_upsold_orders) from summaries where window_start = window_end and not partial),
		(select sum(claims) from placement_stats where window_start = window_end and not partial),
		(select sum(revenue) from top_offers where window_start = window_end and direction = 'highest' and window_end < (select max(window_end) from summaries)))`

func TestN61ASignInOneSeriesWakesEveryKindOfItsDayAndIsFlaggedUntilHealed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: frozen()})
	w.add(shop, 91)
	w.sync(shop)
	truth := get[string](w, daysAsItHasThem)
	changed := w.berlin(70)
	day, around := changed.String(), "start="+changed.AddDays(-3).String()+"&end="+changed.AddDays(3).String()+"&compare=none"

	w.lateOrder(day)
	w.night()
	w.sandbox.Break(sandbox.Upsell, shop, sandbox.Fault{Path: "/data/analytics", Edit: func(b []byte) []byte {
		if strings.Contains(string(b), `"start":"`+day+`","end":"`+day+`"`) {
			return []byte("not today")
		}
		return b
	}})
	w.run()
	o := w.overview(around)
	equal(t, "days around the changed one are flagged", o.Summary.Provenance.Has(report.FlagChanged), true)
	equal(t, "in the placements too", o.Placements.Provenance.Has(report.FlagChanged), true)
	equal(t, "a window that was answered since is right", w.overview("window=last_90_days").Summary.Provenance.Has(report.FlagChanged), false)

	w.sandbox.Clear(sandbox.Upsell, shop)
	w.clock.set(w.clock.Now().Add(time.Hour))
	w.wake("summary.day", "stats.day", "top.day") // the failed pulls are due again
	w.exec(`update ledger set due_at = null where pull in ('summary.day', 'stats.day', 'top.day') and outcome = 'good'`)
	w.sync(shop)
	equal(t, "the days", get[string](w, daysAsItHasThem), truth)
	equal(t, "suspects left", get[int](w, upsellSuspects), 0)
	equal(t, "earlier values kept", get[int](w, `select count(distinct pull) from revisions where window_start = $1 and window_end = $1 and pull in ('summary', 'stats', 'top')`, day), 3)
	equal(t, "the flag", w.overview(around).Summary.Provenance.Has(report.FlagChanged), false)
}

func TestOneLateOrderSeventyDaysAgoIsHealedWithinTwentyFourCalls(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: frozen()})
	w.add(shop, 91)
	w.sync(shop)
	w.night()
	from := w.mark()
	w.sync(shop)
	ordinary := len(w.arrivals(sandbox.Upsell, from))
	w.lateOrder(w.berlin(70).String())
	w.night()
	from = w.mark()
	w.sync(shop)
	equal(t, "suspects left", get[int](w, upsellSuspects), 0)
	calls := len(w.arrivals(sandbox.Upsell, from)) - ordinary
	t.Logf("%d upsell calls healed a late order of 70 days ago", calls)
	if calls < 3 || calls > 24 {
		t.Errorf("healing took %d upsell calls, want 3 to 24", calls)
	}
}

func TestN62AChangeThatOnlyPlacementsOrRankingsShowIsFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: frozen()})
	w.add(shop, 31)
	w.sync(shop)
	truth := get[string](w, daysAsItHasThem)
	for _, table := range []string{"placement_stats", "top_offers"} {
		day := w.berlin(20).String()
		w.lateOrder(day, table)
		w.night()
		from := w.mark()
		w.sync(shop)
		equal(t, table+": the days", get[string](w, daysAsItHasThem), truth)
		asked := daysAsked(w.arrivals(sandbox.Upsell, from), day)
		equal(t, table+": every kind of the day was asked", asked["summary"] > 0 && asked["stats"] > 0 && asked["top"] > 0, true)
		equal(t, table+": suspects left", get[int](w, upsellSuspects), 0)
	}
}

func TestN63ASecondDriftOfAWindowOnOneDayIsHealedToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: frozen()})
	w.add(shop, 31)
	w.sync(shop)
	truth := get[string](w, daysAsItHasThem)
	for _, ago := range []int{20, 20, 12} {
		w.lateOrder(w.berlin(ago).String())
		w.night()
		w.sync(shop)
		equal(t, "the days", get[string](w, daysAsItHasThem), truth)
		equal(t, "suspects left", get[int](w, upsellSuspects), 0)
	}
}

// The answer for a past month was given before one of its days changed.
func TestAnOutdatedAnswerForALongerWindowGivesWayToItsDays(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: frozen()})
	w.add(shop, 31)
	w.sync(shop)
	first, last := w.berlin(25).String(), w.berlin(15).String()
	w.exec(`insert into summaries select (jsonb_populate_record(s, jsonb_build_object('window_start', $1::text, 'window_end', $2::text, 'total_upsold_value', 1))).*
		from summaries s where window_start = window_end and not partial limit 1`, first, last)
	asked := "start=" + first + "&end=" + last + "&compare=none"
	equal(t, "rows", get[int](w, `select count(*) from summaries where window_start = $1 and window_end = $2`, first, last), 1)
	equal(t, "basis before", w.overview(asked).Summary.Provenance.Basis, report.Reported)

	w.lateOrder(w.berlin(20).String())
	w.night()
	w.sync(shop)
	equal(t, "basis", w.overview(asked).Summary.Provenance.Basis, report.Stitched)
}
