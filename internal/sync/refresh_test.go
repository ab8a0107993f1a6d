package pulls_test

import (
	"context"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// refresh is a person refreshing a window; progress is how far that has come.
type refresh struct {
	*world
	pulls.Queue
	store    db.ScopedStore
	question report.Question
}

func (w *world) refresh(query string, lists bool, services ...string) refresh {
	w.t.Helper()
	store := w.seen(shop)
	q, _ := url.ParseQuery(query)
	choice, err := report.ParseChoice(q, w.clock.Now(), store.Location(), store.FirstDay)
	if err != nil {
		w.t.Fatal(err)
	}
	return refresh{w, pulls.Queue{DB: w.db, Jobs: w.db}, store, report.Question{Window: choice.Window, Services: services, Lists: lists}}
}

func (r refresh) press() (asked bool) {
	r.t.Helper()
	asked, err := r.Refresh(context.Background(), r.store, r.question, r.clock.Now())
	if err != nil {
		r.t.Fatal(err)
	}
	return asked
}

func (r refresh) progress() report.Refresh {
	r.t.Helper()
	p, err := r.Refreshing(context.Background(), r.store, r.question, r.clock.Now())
	if err != nil {
		r.t.Fatal(err)
	}
	return p
}

// later moves the world's clock.
func (w *world) later(by time.Duration) { w.clock.set(w.clock.Now().Add(by)) }

func TestARefreshAsksForTodayAndTheShownWindowAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime})
	w.add(shop, 60)
	w.sync(shop)
	for query, want := range map[string][2]int{ // calls to each service
		"":                                {3 + 4, 2},
		"window=last_7_days":              {3 + 4, 2},
		"window=yesterday":                {3 + 3, 2},
		"start=2026-10-25&end=2026-10-25": {3 + 3, 1},
		"window=today":                    {3, 1},
		"window=month_to_date":            {3 + 4, 2},
		"start=2026-11-03&end=2026-11-11": {3 + 4, 1}, // the gift service's windows end yesterday
		"start=2026-06-01&end=2026-11-19": {3, 2},     // too long for the upsell service
	} {
		for range 2 { // even if it was just asked for
			w.later(time.Minute)
			r, from := w.refresh(query, false, "upsell", "gift"), w.mark()
			equal(t, query+": asked", r.press(), true)
			equal(t, query+": to come", r.progress(), report.Refresh{Total: want[0] + want[1]})
			w.sync(shop)
			equal(t, query+": calls", [2]int{len(w.arrivals(sandbox.Upsell, from)), len(w.arrivals(sandbox.Gift, from))}, want)
			equal(t, query+": answered", r.progress(), report.Refresh{})
		}
	}
	w.later(time.Minute)
	r, from := w.refresh("", true, "upsell", "gift"), w.mark()
	r.press()
	w.sync(shop)
	all := slices.Concat(w.arrivals(sandbox.Upsell, from), w.arrivals(sandbox.Gift, from))
	for _, list := range []string{"/data/offers?page=1&sort=oldest", "/campaigns"} {
		if !slices.Contains(all, list) {
			t.Errorf("%q is not asked for in %q", list, all)
		}
	}
}

func TestASecondPressJoinsWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime})
	w.add(shop, 60)
	w.sync(shop)
	w.later(time.Minute)
	r, from := w.refresh("", false, "upsell"), w.mark()
	r.press()
	w.exec(`update ledger set tried_at = $1, due_at = null where pull like 'summary%' and wanted_at is not null`, w.clock.Now())
	w.later(time.Second)
	equal(t, "asked again", r.press(), false)
	equal(t, "progress", r.progress(), report.Refresh{Answered: 2, Total: 7})
	other := w.refresh("window=last_7_days", false, "upsell")
	equal(t, "another window", other.press(), true)
	equal(t, "its progress", other.progress(), report.Refresh{Answered: 1, Total: 7})
	w.sync(shop)
	equal(t, "calls", len(w.arrivals(sandbox.Upsell, from)), 5+4)
}

func TestARefreshSaysWhenItRunsIfNoCallIsLeft(t *testing.T) {
	t.Parallel()
	for name, spend := range map[string]func(*world){
		"all calls of the minute are used": func(w *world) { w.exec(`update budget_slots set held_until = now() + '40 seconds'`) },
		"the service said when": func(w *world) {
			w.exec(`update ledger set outcome = 'waiting', tried_at = $1::timestamptz, due_at = $1::timestamptz + interval '40 seconds' where wanted_at is not null`, w.clock.Now())
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, options{at: settledTime, rateLimit: 60})
			w.add(shop, 7)
			w.exec(`update budget_slots set held_until = 'epoch'`)
			r := w.refresh("window=last_7_days", false, "upsell")
			r.press()
			equal(t, "with calls left", r.progress(), report.Refresh{Total: 7})
			spend(w)
			got := r.progress()
			equal(t, "answers", got.Total-got.Answered, 7)
			if wait := got.RunsAt.Sub(w.clock.Now()); wait < 30*time.Second || wait > 41*time.Second {
				t.Errorf("it runs in %s", wait)
			}
		})
	}
}

// No worker runs, or none can read the token: then nothing is ever tried.
func TestARefreshThatNoWorkerTakesSaysSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime})
	w.add(shop, 7)
	w.exec(`update budget_slots set held_until = 'epoch'`)
	r := w.refresh("window=last_7_days", false, "upsell")
	r.press()
	w.later(report.StalledAfter - time.Second)
	equal(t, "before", r.progress(), report.Refresh{Total: 7})
	w.later(time.Second)
	equal(t, "after two minutes", r.progress(), report.Refresh{Total: 7, Stalled: true})
	w.exec(`update ledger set tried_at = $1, outcome = 'failed' where pull = 'summary.day' and wanted_at is not null`, w.clock.Now())
	equal(t, "with an answer", r.progress(), report.Refresh{Answered: 1, Total: 7})
}

func TestARefreshAsksNothingWithoutAWorkingToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime})
	w.add(shop, 7)
	w.exec(`update credentials set state = 'paused', paused_cause = 'x'`)
	r := w.refresh("", true, "upsell", "gift")
	equal(t, "asked", r.press(), false)
	equal(t, "progress", r.progress(), report.Refresh{})
}
