package pulls_test

import (
	"context"
	"net/http"
	"path"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/offers"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// wholeDays lists each finished day and whether its ranking is known to be complete.
func (w *world) wholeDays() string {
	w.t.Helper()
	return get[string](w, `select coalesce(string_agg(window_start || ' ' || row_count || ' ' || whole, ', ' order by window_start), '')
		from top_lists where window_start = window_end and direction = 'highest' and not partial`)
}

// cut limits the service's rankings to that many rows.
func cut(most int) sandbox.Fault {
	return sandbox.Fault{Path: "/data/analytics/top", Edit: page(func(d map[string]any) {
		if rows := d["offers"].([]any); len(rows) > most {
			d["offers"] = rows[:most]
		}
	})}
}

// In a small store, longer windows prove the days, so no day costs another call.
func TestASmallStoresDaysAreWholeWithoutAnotherCall_N16(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime})
	w.add("fernhollow", 9)
	w.sync("fernhollow")
	w.clock.set(settledTime.Add(time.Hour))
	w.sync("fernhollow")
	if days := w.wholeDays(); strings.Contains(days, "false") || !strings.Contains(days, "true") {
		t.Errorf("the days are %s, want all of them whole", days)
	}
	equal(t, "asked from the other end", len(w.ledger("top.day.lowest")), 0)
}

// The service gives at most four rows. Each end is cut off; if the two ends meet, everything is
// known. If they don't, an offer in neither may have earned.
func TestADayIsWholeWhereItsTwoEndsMeet_N16(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime})
	w.add("fernhollow", 9)
	w.sandbox.Break(sandbox.Upsell, "fernhollow", cut(4))
	w.sync("fernhollow")
	w.clock.set(settledTime.Add(20 * time.Minute))
	w.sync("fernhollow")
	equal(t, "days with both ends asked", len(w.ledger("top.day.lowest")),
		get[int](w, `select count(*) from top_lists where window_start = window_end and direction = 'highest' and not partial and row_count = 4`))

	// In truth, a day with up to seven earners can be complete, unless two earned the same; one
	// with more never can.
	w.sandbox.Clear(sandbox.Upsell, "fernhollow")
	truth := newWorld(t, options{at: settledTime})
	truth.add("fernhollow", 9)
	truth.sync("fernhollow")
	whole, more := 0, 0
	for _, day := range strings.Split(truth.wholeDays(), ", ") {
		f := strings.Fields(day)
		earners := get[int](truth, `select row_count from top_lists where window_start = $1::date and window_end = window_start and direction = 'highest'`, f[0])
		proven := get[bool](w, `select whole from top_lists where window_start = $1::date and window_end = window_start and direction = 'highest'`, f[0])
		switch {
		case proven && earners > 7:
			t.Errorf("%s has %d earners and is held to be whole", f[0], earners)
		case !proven && earners < 4:
			t.Errorf("%s has %d earners and is not held to be whole", f[0], earners)
		case proven:
			whole++
			names := `select coalesce(string_agg(distinct offer_id, ' ' order by offer_id), '') from top_offers where window_start = $1::date and window_end = window_start`
			equal(t, f[0]+": earners", get[string](w, names, f[0]), get[string](truth, names, f[0]))
		default:
			more++
		}
	}
	t.Logf("%d days whole, %d cut", whole, more)
	if whole == 0 || more == 0 {
		t.Error("the test needs days of both kinds")
	}
	from := w.mark()
	w.clock.set(settledTime.Add(40 * time.Minute))
	w.sync("fernhollow")
	equal(t, "calls for what is settled", len(w.arrivals(sandbox.Upsell, from)), 0)
}

// A day's ranking and its placement stats come in either order. The second one proves that the
// ranking is complete, even where no longer ranking does, and its other end isn't asked for.
func TestADayIsProvenWhicheverOfItsTwoAnswersComesFirst_N16_N68(t *testing.T) {
	t.Parallel()
	for _, late := range []string{"stats.day", "top.day"} {
		t.Run(late+" comes second", func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, options{at: settledTime})
			w.add("fernhollow", 1)
			w.sandbox.Break(sandbox.Upsell, "fernhollow", cut(7)) // as many as the day has
			w.snooze(late, "2026-11-19")
			w.sync("fernhollow")
			w.wake(late)
			w.sync("fernhollow")
			equal(t, "the day", w.wholeDays(), "2026-11-19 7 true")
			equal(t, "days whose other end is due", len(w.ledger("top.day.lowest")), 0)
		})
	}
}

// Two processes may write the two answers at the same moment. The second one waits for the first, and
// finds its rows.
func TestADayIsProvenWhenItsTwoAnswersComeAtOnce_N16_N68(t *testing.T) {
	t.Parallel()
	order := []string{"top", "stats"}
	var late atomic.Bool
	arrived, answer := make(chan bool, len(order)), map[string]chan bool{"top": make(chan bool), "stats": make(chan bool)}
	w := newWorld(t, options{at: settledTime, front: func(services http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if may, ok := answer[path.Base(r.URL.Path)]; ok && late.Load() {
				arrived <- true
				select {
				case <-may:
				case <-r.Context().Done():
				}
			}
			services.ServeHTTP(rw, r)
		})
	}})
	w.add("fernhollow", 1)
	w.sandbox.Break(sandbox.Upsell, "fernhollow", cut(7))
	w.sync("fernhollow")
	w.exec(`delete from top_lists where window_start = '2026-11-19'`)
	w.exec(`delete from placement_stats where window_start = '2026-11-19'`)
	late.Store(true)
	var both errgroup.Group
	for _, pull := range order { // each process has claimed one of them
		w.exec(`update ledger set due_at = '2020-01-01' where pull = $1 and subject = '2026-11-19'`, pull+".day")
		syncer := newSyncer(t, w.db, w.clock)
		both.Go(func() error {
			_, err := syncer.Run(context.Background(), "fernhollow", pulls.RunOptions{})
			return err
		})
		<-arrived
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	hold, err := w.db.Pool.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = hold.Rollback(context.Background()) }()
	if _, err := hold.Exec(ctx, `select from stores for no key update`); err != nil { // a transaction writes this row last
		t.Fatal(err)
	}
	for i, pull := range order {
		close(answer[pull])
		for waiting := 0; waiting <= i; {
			err := hold.QueryRow(ctx, `select count(distinct pid) from pg_locks where not granted and pid in (
				select pid from pg_locks where database = (select oid from pg_database where datname = current_database()))`).Scan(&waiting)
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := hold.Rollback(ctx); err != nil {
		t.Fatal(err)
	}
	if err := both.Wait(); err != nil {
		t.Fatal(err)
	}
	equal(t, "the day", w.wholeDays(), "2026-11-19 7 true")
}

// If a day has no row for an offer, that is zero when the ranking is complete, and unknown when
// it is cut off.
func TestAnAbsentOfferEarnedNothingOnlyOnAWholeDay_N1_N16(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime})
	w.add("fernhollow", 9)
	w.sync("fernhollow")
	id := get[string](w, `select offer_id from offers o where placement = 'Thank you page upsell' and exists (
			select from top_offers t where t.offer_id = o.offer_id and t.window_start = t.window_end and not deleted)
		order by (select count(*) from top_offers t where t.offer_id = o.offer_id and t.window_start = t.window_end), offer_id limit 1`)
	history := func() map[string]string {
		stored, err := w.detail("fernhollow", id)
		if err != nil {
			t.Fatal(err)
		}
		store := w.seen("fernhollow")
		choice, _ := report.ParseChoice(nil, w.clock.Now(), store.Location(), store.FirstDay)
		out := map[string]string{}
		for _, d := range offers.NewDetail(locale.English, stored, choice, w.clock.Now()).History.Days {
			switch {
			case !d.Stored:
				out[d.Day.String()] = "unknown"
			case d.Revenue.IsZero():
				out[d.Day.String()] = "nothing"
			default:
				out[d.Day.String()] = d.Revenue.String()
			}
		}
		return out
	}
	whole := history()
	var zero string
	for day, earned := range whole {
		if earned == "nothing" && day >= "2026-11-13" {
			zero = day
		}
	}
	if zero == "" {
		t.Fatalf("the offer earned on every day: %v", whole)
	}
	equal(t, "a day that is not stored", whole["2026-10-25"], "unknown")
	w.exec(`update top_lists set whole = false where window_start = $1::date and window_end = window_start`, zero)
	changed := history()
	equal(t, "the day whose ranking is cut", changed[zero], "unknown")
	delete(whole, zero)
	for day, earned := range whole {
		equal(t, day, changed[day], earned)
	}
}

// A day is pulled again at night: what proved the old answer doesn't prove the new one.
func TestAnAnswerThatIsReplacedIsProvenAnew_N16_N27(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime})
	w.add("fernhollow", 3)
	w.sync("fernhollow")
	before := w.wholeDays()
	w.exec(`update top_lists set row_count = 1 where window_start <> '2026-11-18' or window_end <> window_start`) // no longer window ever came
	w.sandbox.Break(sandbox.Upsell, "fernhollow", cut(3))
	w.clock.set(settledTime.Add(time.Minute))
	w.exec(`update ledger set due_at = '2020-01-01' where pull = 'top.day' and subject = '2026-11-18'`)
	w.sync("fernhollow")
	if !strings.Contains(before, "true") || strings.Contains(before, "false") || !strings.Contains(w.wholeDays(), "2026-11-18 3 false") {
		t.Errorf("before %s, now %s", before, w.wholeDays())
	}
}
