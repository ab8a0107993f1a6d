package pulls_test

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/overview"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// overview is what a page would show about the shop now.
func (w *world) overview(query string) overview.Overview {
	w.t.Helper()
	return w.overviewOf(shop, query)
}

func (w *world) overviewOf(slug, query string) overview.Overview {
	w.t.Helper()
	q, err := url.ParseQuery(query)
	if err != nil {
		w.t.Fatal(err)
	}
	store, now := w.seen(slug), w.clock.Now()
	choice, err := report.ParseChoice(q, now, store.Location(), store.FirstDay)
	if err != nil {
		w.t.Fatal(err)
	}
	stored, err := w.db.Stored(context.Background(), store, choice, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return overview.New(locale.English, stored, choice, now)
}

// berlin is the day that many days before today on the shop's clock.
func (w *world) berlin(daysAgo int) civil.Date {
	w.t.Helper()
	loc, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		w.t.Fatal(err)
	}
	return civil.DateOf(w.clock.Now().In(loc)).AddDays(-daysAgo)
}

// settledTime is far from every midnight of the shop.
var settledTime = time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)

func TestBothDatesAreAlwaysSent_N22_N44(t *testing.T) {
	t.Parallel()
	w := synced(t, options{at: settledTime})
	for _, path := range w.arrivals(sandbox.Upsell, 0) {
		at, query, _ := strings.Cut(path, "?")
		if strings.HasPrefix(at, "/data/analytics/") && !strings.HasSuffix(at, "/lifetime") && (!strings.Contains(query, "start=20") || !strings.Contains(query, "end=20")) {
			t.Errorf("%s leaves a date to the service", path)
		}
	}
	for _, path := range w.arrivals(sandbox.Gift, 0) {
		if strings.Contains(path, "ianaTimezone") {
			t.Errorf("%s sends a time zone", path)
		}
	}
	for _, r := range w.ledger("") {
		if r.Asked != "" && r.Applied != r.Asked {
			t.Errorf("%s %s asked for %s and got %s", r.Pull, r.Subject, r.Asked, r.Applied)
		}
	}
}

// The service answers for another window than the one asked for: the numbers are filed and
// flagged under the window that the answer names, and nothing is filed under the one asked for.
func TestAnAnswerForAnotherWindowIsFiledUnderItsOwn_N22_N24(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime})
	w.add(shop, 1)
	edit := replaced(`"start":"2026-10-21","end":"2026-11-19","source":"merchant"`, `"start":"2026-10-22","end":"2026-11-19","source":"who-knows"`)
	w.sandbox.Break(sandbox.Upsell, shop, sandbox.Fault{Edit: edit})
	w.sync(shop)
	r := w.row("summary.window", "30")
	equal(t, "ledger", r.Outcome+" "+r.Asked+" / "+r.Applied, "good 2026-10-21 2026-11-19 / 2026-10-22 2026-11-19")
	equal(t, "flags", r.Flags, []string{"window_differs"})
	for _, table := range []string{"summaries", "placement_stats", "top_lists"} {
		equal(t, table+" under the asked window", get[int](w, `select count(*) from `+table+` where window_start = '2026-10-21'`), 0)
		if get[int](w, `select count(*) from `+table+` where window_start = '2026-10-22' and window_end = '2026-11-19' and source = 'who-knows'`) == 0 {
			t.Errorf("%s has nothing under the applied window with the raw source", table)
		}
	}
	o := w.overview("start=2026-10-22&end=2026-11-19&compare=none")
	equal(t, "basis of the applied window", o.Summary.Provenance.Basis, report.Reported)
	equal(t, "source", o.Summary.Provenance.Source, "who-knows")
	equal(t, "flagged", o.Summary.Provenance.Has(report.FlagWindowDiffers), true)
	if asked := w.overview("window=last_30_days"); asked.Summary.Empty == nil && asked.Summary.Provenance.Basis == report.Reported {
		t.Error("the window that was asked for is shown as reported")
	}
}

func TestADayThatTheServiceDoesNotAnswerIsNotStored_N22_N28(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime})
	w.add(shop, 12)
	// For the 8th the service answers for the 9th: its history begins there.
	w.sandbox.Break(sandbox.Upsell, shop, sandbox.Fault{
		Path: "/data/analytics/summary", Edit: replaced(`"start":"2026-11-08","end":"2026-11-08"`, `"start":"2026-11-09","end":"2026-11-09"`),
	})
	w.runStore(shop)
	equal(t, "summaries of that day", get[int](w, `select count(*) from summaries where window_start = '2026-11-08' and window_end = '2026-11-08'`), 0)
	r := w.row("summary.day", "2026-11-08")
	equal(t, "ledger", r.Outcome+": "+r.Text, "refused: The app answered for 9 Nov 2026 instead")
	if r.Due != nil || r.LastGood != nil {
		t.Errorf("it is due again at %v, and its last good answer was at %v", r.Due, r.LastGood)
	}
	w.clock.set(settledTime.Add(2 * time.Hour))
	w.exec(`update stores set history_days = 40`)
	w.sync(shop)
	equal(t, "older days that were asked for", get[int](w, `select count(*) from ledger where pull like '%.day' and subject < '2026-11-08'`), 0)
}

// A full sync makes settled days due again. The day before the history must be asked for then, or it
// stays due forever and the pages say that it couldn't be loaded.
func TestAFullSyncAsksForTheEndOfTheHistoryAgain_N22_N66(t *testing.T) {
	t.Parallel()
	for name, newer := range map[string]bool{"the same": false, "a newer one, after days that were stored": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, options{at: settledTime})
			w.add(shop, 20)
			w.historyFrom("2026-11-05")
			w.run()
			if newer {
				w.sandbox.Clear(sandbox.Upsell, shop)
				w.historyFrom("2026-11-09")
			}
			for range 2 {
				w.later(time.Minute)
				mark := w.mark()
				r, err := w.syncer.Run(context.Background(), shop, pulls.RunOptions{Full: true})
				if err != nil || r.Failed > 0 {
					t.Fatalf("%+v, %v", r, err)
				}
				for _, row := range w.ledger("") {
					if row.Due != nil && !row.Due.After(w.clock.Now()) {
						t.Errorf("still due after the sync: %+v", row)
					}
				}
				asked := 0
				for _, path := range w.arrivals(sandbox.Upsell, mark) {
					if strings.Contains(path, "end=2026-11-04") {
						asked++
					}
				}
				if !newer && (asked == 0 || asked > 3) {
					t.Errorf("the day before the history was asked for %d times", asked)
				}
				if o := w.overview("start=2026-10-31&end=2026-11-19&compare=none"); o.Summary.Trouble != nil {
					t.Errorf("trouble: %+v", o.Summary.Trouble)
				}
			}
		})
	}
}

func TestARunningDayIsPartialUntilItsMidnight_N27_N45(t *testing.T) {
	t.Parallel()
	w := synced(t, options{at: settledTime})
	for table, want := range map[string]int{"summaries": 1, "placement_stats": 4, "top_lists": 1} {
		equal(t, table+" partial rows", get[int](w, `select count(*) from `+table+` where partial and window_start = '2026-11-20' and window_end = '2026-11-20'`), want)
		equal(t, table+" other partial rows", get[int](w, `select count(*) from `+table+` where partial and window_end < '2026-11-20'`), 0)
	}
	equal(t, "gift rows with today", get[int](w, `select count(*) from gift_windows where includes_today`), 1)
	equal(t, "of them among whole days", get[int](w, `select count(*) from gift_windows where not includes_today and window_end > '2026-11-19'`), 0)
	flagged := w.row("summary.day", "2026-11-20").Flags
	equal(t, "flags", flagged, []string{"partial"})

	w.clock.set(time.Date(2026, time.November, 20, 23, 21, 0, 0, time.UTC)) // 00:21 in Berlin
	w.sync(shop)
	equal(t, "partial rows of a day that is over", get[int](w, `select count(*) from summaries where partial and window_end = '2026-11-20'`), 0)
	equal(t, "a day that filled up is not revised", get[int](w, `select count(*) from revisions where window_start = '2026-11-20' and window_end = '2026-11-20'`), 0)
}

// A reply that was requested before midnight and came after it is partial.
func TestADayIsPartialWhenItWasAskedForBeforeItsEnd_N27(t *testing.T) {
	t.Parallel()
	before := time.Date(2026, time.November, 20, 22, 59, 59, 0, time.UTC) // a second before midnight in Berlin
	w := newWorld(t, options{at: before})
	w.add(shop, 1)
	w.sandbox.Break(sandbox.Upsell, shop, sandbox.Fault{Path: "/data/analytics/summary", Edit: func(b []byte) []byte {
		if bytes.Contains(b, []byte(`"start":"2026-11-20"`)) {
			w.clock.set(before.Add(2 * time.Second))
		}
		return b
	}})
	w.runStore(shop)
	if !get[bool](w, `select partial from summaries where window_start = '2026-11-20' and window_end = '2026-11-20'`) {
		t.Error("the running day is stored as whole")
	}
}

func TestAGiftPeriodThatWasNotMeantIsFiledAsWhatItIs_N43(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime})
	w.add(shop, 1)
	w.sandbox.Break(sandbox.Gift, shop, sandbox.Fault{Path: "/analytics", Edit: replaced(`"start":"2026-10-21","end":"2026-11-19","days":30,"timezone":"Europe/Berlin"`, `"start":"2026-10-20","end":"2026-11-18","days":30,"timezone":"Asia/Tokyo"`)})
	w.sync(shop)
	r := w.row("gift.window", "30")
	equal(t, "ledger", r.Outcome+" "+r.Asked+" / "+r.Applied, "good 2026-10-21 2026-11-19 / 2026-10-20 2026-11-18")
	equal(t, "flags", r.Flags, []string{"window_differs"})
	g := w.overview("window=last_30_days").Gift
	equal(t, "shown under", locale.English.Dates(g.Provenance.Window.Start, g.Provenance.Window.End)+", "+g.Provenance.Timezone+" by "+g.Provenance.TimezoneFrom, "20 Oct – 18 Nov 2026, Asia/Tokyo by gift")
	equal(t, "flagged", g.Provenance.Has(report.FlagWindowDiffers), true)
}

func TestRatesThatDisagreeByAHundredAreFlagged_N19(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime})
	w.add(shop, 1)
	w.sync(shop)
	equal(t, "flags of true rates", get[int](w, `select count(*) from summaries where 'rate_disagrees' = any(flags)`), 0)
	w.sandbox.Break(sandbox.Upsell, shop, sandbox.Fault{Edit: func(b []byte) []byte {
		return replaced(`"conversionRate":0.`, `"conversionRate":9.`)(replaced(`"upsellSuccessRate":0.`, `"upsellSuccessRate":9.`)(b))
	}})
	w.wake("summary.window", "lifetime")
	w.sync(shop)
	o := w.overview("window=last_30_days")
	equal(t, "success rate", o.Summary.Provenance.Has(report.FlagRateDisagrees), true)
	equal(t, "conversion rate", o.Lifetime.Provenance.Has(report.FlagRateDisagrees), true)
	if o.Summary.UpsellSuccessRate.IsPositive() && o.Summary.UpsellSuccessRate.IntPart() > 0 {
		t.Errorf("the reported rate is shown: %s", o.Summary.UpsellSuccessRate)
	}
}

// A window is stored before its days, so its first comparison finds none of them and must not
// be the last one.
func TestEveryReportedWindowIsComparedWhenItsDaysAreStored(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	w.add("fernhollow", 181) // two windows of 90 days and today
	w.sync("fernhollow")
	var windows, agreeing int
	err := w.db.Pool.QueryRow(context.Background(),
		`select count(*), count(*) filter (where agrees and days_missing = 0) from window_checks`).Scan(&windows, &agreeing)
	if err != nil {
		t.Fatal(err)
	}
	if windows != 6 || agreeing != windows {
		t.Errorf("%d of %d windows agree with their days, want 6 of 6", agreeing, windows)
	}
}

// A window that someone compared with may lie before the history. A full sync asks again, is refused
// again, and nothing has failed. A window within the history has.
func TestARefusedWindowBeforeTheHistoryIsNoFailure_N66(t *testing.T) {
	t.Parallel()
	for subject, failed := range map[string]int{"2025-10-21..2025-11-19": 0, "2026-11-12..2026-11-14": 1} {
		t.Run(subject, func(t *testing.T) {
			t.Parallel()
			start, end, _ := strings.Cut(subject, "..")
			w := newWorld(t, options{at: settledTime, front: func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
					if q := r.URL.Query(); q.Get("start") == start && q.Get("end") == end {
						http.Error(rw, `{"success":false,"message":"too old"}`, http.StatusUnprocessableEntity)
						return
					}
					next.ServeHTTP(rw, r)
				})
			}})
			w.add(shop, 10)
			w.run()
			w.exec(`insert into ledger (store_id, pull, subject, service, lane, due_at) select id, 'summary.range', $1, 'upsell', 'interactive', $2 from stores`, subject, w.clock.Now())
			for range 2 {
				w.later(time.Minute)
				r, err := w.syncer.Run(context.Background(), shop, pulls.RunOptions{Full: true})
				if err != nil || r.Failed != failed {
					t.Errorf("%+v, %v, want %d failed", r, err, failed)
				}
			}
			equal(t, "ledger", w.row("summary.range", subject).Outcome, "refused")
		})
	}
}

// A service may answer for its first day when it is asked about a window before it. That day is no start of
// the stored days: a person who asks about 2019 would then see hundreds of missing ones.
func TestADayAnsweredForAWindowBeforeTheHistoryIsNotKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime})
	w.add(shop, 10)
	w.run()
	days := `select count(*) from (select window_start from summaries where window_start = window_end union all select window_start from placement_stats where window_start = window_end union all select window_start from top_lists where window_start = window_end) days`
	before := get[int](w, days)
	kinds := []string{"summary.range", "stats.range", "top.range", "top.range.lowest"}
	const subject = "2019-01-01..2019-02-28"
	for _, kind := range kinds {
		w.exec(`insert into ledger (store_id, pull, subject, service, lane, due_at) select id, $3, $1, 'upsell', 'interactive', $2 from stores`, subject, w.clock.Now(), kind)
	}
	w.later(time.Minute)
	w.run()
	for _, kind := range kinds {
		equal(t, kind, get[bool](w, `select outcome = 'good' and applied_start = applied_end and applied_start > '2019-02-28' from ledger where pull = $1 and subject = $2`, kind, subject), true)
	}
	equal(t, "stored days", get[int](w, days), before)
}
