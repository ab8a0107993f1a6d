package pulls_test

import (
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/report"
)

// when are the columns that say when a row was written, not what it holds.
var when = []string{"fetched_at", "begun_at", "same_since", "proven_at", "last_listed_at", "last_walk", "priority_walk"}

// Every write sets a value for a key, so pulling everything again changes only times.
func TestPullingEverythingTwiceChangesNothingButTheTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime, details: true})
	w.add(shop, 12)
	w.sync(shop)
	w.wakeAll()
	w.sync(shop) // from here on, the gift service answers from its cache
	before := w.dump(numberTables, when...)
	w.clock.set(settledTime.Add(30 * time.Second)) // the world moves by whole minutes
	w.wakeAll()
	from := w.mark()
	w.sync(shop)
	if pulls := w.mark() - from; pulls < len(w.ledger("")) {
		t.Fatalf("only %d requests were made", pulls)
	}
	same(t, w.dump(numberTables, when...), before)
	equal(t, "rows as old as the first run", get[int](w, `select count(*) from summaries where fetched_at < $1`, settledTime.Add(30*time.Second)), 0)
	equal(t, "revisions", get[int](w, `select count(*) from revisions`), 0)
}

// Orders can arrive late: a day that changed keeps its earlier value and when that was seen.
func TestALateOrderKeepsTheEarlierValue_N27(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime, late: true})
	w.add(shop, 12)
	w.sync(shop)
	const days = `window_start = window_end and window_end < '2026-11-20'`
	first := get[string](w, `select string_agg(window_start || ' ' || total_upsold_value, ', ' order by window_start) from summaries where `+days)
	next := settledTime.Add(24 * time.Hour)
	w.clock.set(next)
	w.sync(shop)

	changed := get[string](w, `select coalesce(string_agg(window_start::text, ' ' order by window_start), '') from summaries where revised_at is not null and `+days)
	if changed == "" {
		t.Fatal("no day changed: the test needs late orders")
	}
	equal(t, "days with a revision", get[string](w, `select string_agg(window_start::text, ' ' order by window_start) from revisions where pull = 'summary' and window_start = window_end`), changed)
	equal(t, "the earlier values", get[int](w, `
		select count(*) from revisions r
		where r.pull = 'summary' and r.window_start = r.window_end
		  and position(r.window_start || ' ' || (r.earlier ->> 'total_upsold_value') in $1) > 0 and r.seen_at = $2 and r.replaced_at = $3`, first, settledTime, next), len(strings.Fields(changed)))
	equal(t, "days that are settled are not asked again", get[int](w, `select count(*) from summaries where `+days+` and fetched_at = $1 and window_start < '2026-11-14'`, next), 0)
	equal(t, "placements keep theirs too", get[int](w, `select count(distinct window_start) from revisions where pull = 'stats' and window_start = window_end`) > 0, true)

	o := w.overview("start=2026-11-10&end=2026-11-20&compare=none")
	equal(t, "revised days of the panel", o.Summary.Provenance.Revised, len(strings.Fields(changed)))
	equal(t, "flag", o.Summary.Provenance.Has(report.FlagRevised), true)

	w.wakeAll() // once more, unchanged: no second revision
	w.sync(shop)
	equal(t, "revisions after a replay", get[int](w, `select count(*) from revisions where pull = 'summary' and window_start = window_end`), len(strings.Fields(changed)))
}

// frozen is noon tomorrow: ahead of the database's clock, which decides when rows were made
// due, and hours before the store's midnight.
func frozen() time.Time { return time.Now().UTC().Truncate(24 * time.Hour).Add(36 * time.Hour) }

// singleDays are the summary requests for one day each.
func singleDays(paths []string) (days int) {
	for _, path := range paths {
		query, ok := strings.CutPrefix(path, "/data/analytics/summary?end=")
		if end, start, found := strings.Cut(query, "&start="); ok && found && end == start {
			days++
		}
	}
	return days
}

func TestADriftPullsTheChangedDayAndAtMostItsNeighbourAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: frozen()})
	w.add(shop, 31)
	w.sync(shop)
	truth := get[string](w, daysAsItHasThem)
	const check = `select agrees::text || ' ' || days_stored || ' of ' || days_stored + days_missing from window_checks where window_end - window_start = 29 and window_end = $1`
	yesterday := w.berlin(1).String()
	equal(t, "nightly comparison", get[string](w, check, yesterday), "true 30 of 30")

	w.exec(`update summaries set total_upsold_value = total_upsold_value + 0.01 where window_start = window_end and window_start = $1`, w.berlin(20).String())
	w.wake("summary.window")
	w.clock.set(w.clock.Now().Add(time.Second))
	from := w.mark()
	w.sync(shop)
	equal(t, "days pulled again", singleDays(w.arrivals(sandbox.Upsell, from)), 2)
	equal(t, "comparison", get[string](w, check, yesterday), "true 30 of 30")
	equal(t, "the days", get[string](w, daysAsItHasThem), truth)
	equal(t, "the changed cent is kept as a revision", get[int](w, `select count(*) from revisions where pull = 'summary'`), 1)
	o := w.overview("window=last_30_days")
	equal(t, "shown as agreeing", o.Summary.Provenance.Check.Agrees, true)
}

// If the service itself disagrees with its days, the search for the changed day ends, the
// difference is shown, and it isn't searched for again.
func TestALastingDriftIsShownAndSearchedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: frozen()})
	w.add(shop, 31)
	w.sync(shop)
	window := `"start":"` + w.berlin(30).String() + `","end":"` + w.berlin(1).String() + `"`
	w.sandbox.Break(sandbox.Upsell, shop, sandbox.Fault{Path: "/data/analytics/summary", Edit: func(b []byte) []byte {
		if strings.Contains(string(b), window) {
			return replaced(`"totalUpsoldValue":`, `"totalUpsoldValue":1`)(b)
		}
		return b
	}})
	w.night()
	from := w.mark()
	w.sync(shop)
	equal(t, "days pulled again", singleDays(w.arrivals(sandbox.Upsell, from)), 2)
	p := w.overview("window=last_30_days").Summary.Provenance
	equal(t, "flag", p.Has(report.FlagDrift), true)
	equal(t, "comparison", p.Check.Agrees, false)
	w.night()
	from = w.mark()
	w.sync(shop)
	equal(t, "days pulled once more", singleDays(w.arrivals(sandbox.Upsell, from)), 0)
}
