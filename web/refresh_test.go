package web_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	pulls "github.com/storeglass/storeglass/internal/sync"
	"github.com/storeglass/storeglass/web/webtest"
)

// refreshes are the pages with the button, and how many answers each requests for a store with
// two working services.
var refreshes = map[string]int{"": 9, "/placements": 7, "/offers": 8, "/gift": 3, "/sync": 11}

func TestRefreshAlwaysAsksAndThePageSaysHowFarItIs(t *testing.T) {
	t.Parallel()
	for page, answers := range refreshes {
		t.Run("overview"+page, func(t *testing.T) {
			t.Parallel()
			w := webtest.NewWorld(t)
			w.Server.Queue = pulls.Queue{DB: w.Pages(), Jobs: w.DB}
			w.Exec(`update credentials set state = 'good'`)
			b := w.SignedIn()
			form := url.Values{"csrf": {w.CSRF()}, "page": {page}, "at": {"window=last_30_days"}}
			shows := func(progress string) {
				t.Helper()
				body := b.Get("/stores/acme" + page).Body
				_, after, _ := strings.Cut(body, `<p class="note refresh-progress" role="status">`)
				if got, _, _ := strings.Cut(after, "</p>"); got != progress {
					t.Errorf("the page says %q, want %q", got, progress)
				}
				if again := strings.Contains(body, `http-equiv="refresh" content="2"`); progress != "" && !again {
					t.Error("without JavaScript it doesn't look again")
				}
			}
			of := " of " + strconv.Itoa(answers) + " answers"
			for range 2 { // the second time it is asked again
				shows("")
				r := b.Post("/stores/acme/refresh", form)
				if at := r.Header.Get("Location"); r.Status != http.StatusSeeOther || at != "/stores/acme"+page+"?window=last_30_days" {
					t.Fatalf("%d %q", r.Status, at)
				}
				shows("0" + of)
				w.Clock.Add(time.Second)
				const answered = `update ledger set tried_at = $1, outcome = 'good', due_at = null where wanted_at is not null`
				w.Exec(answered+` and pull in ('gift.today', 'summary.day')`, w.Clock.Now())
				if page == "" || page == "/sync" {
					shows("2" + of)
				} else {
					shows("1" + of)
				}
				w.Exec(answered, w.Clock.Now())
				shows("")
				w.Clock.Add(time.Second)
			}
		})
	}
}

func TestRefreshIsForThoseWhoMayHaveServicesAsked(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Server.Queue = pulls.Queue{DB: w.Pages(), Jobs: w.DB}
	b := w.SignedIn()
	const button = `action="/stores/acme/refresh"`
	for _, page := range []struct {
		change string
		shown  bool
	}{{`select 1`, true}, {`update people set role = 'viewer'`, false}, {`update people set role = 'agency'`, true}, {`update stores set paused_at = now(), revision = revision + 1`, false}} {
		w.Exec(page.change)
		for at := range refreshes {
			if r := b.Get("/stores/acme" + at); strings.Contains(r.Body, button) != page.shown {
				t.Errorf("after %q, %s/%s shows the button: %t", page.change, webtest.Own, at, !page.shown)
			}
		}
	}
	w.Exec(`update stores set paused_at = null`)
	w.HasNot(w.Browser().Get(w.Share(nil)), button)
}

func TestRefreshIsLimitedForEachPersonAndJoinsWhatRuns(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Server.Queue = pulls.Queue{DB: w.Pages(), Jobs: w.DB}
	w.Exec(`update credentials set state = 'good'`)
	b := w.SignedIn()
	form := url.Values{"csrf": {w.CSRF()}, "page": {"/placements"}}
	press := func() int { return b.Post("/stores/acme/refresh", form).Status }
	for range 30 {
		if got := press(); got != http.StatusSeeOther {
			t.Fatalf("while it runs: %d", got)
		}
	}
	w.Exec(`update ledger set tried_at = wanted_at, outcome = 'good'`)
	if got := press(); got != http.StatusTooManyRequests {
		t.Errorf("once more: %d", got)
	}
	for name, wrong := range map[string]url.Values{"page": {"page": {"//evil.example"}}, "days": {"at": {"start=x"}}, "query": {"at": {"%zz"}}} {
		wrong.Set("csrf", w.CSRF())
		if got := b.Post("/stores/acme/refresh", wrong).Status; got != http.StatusBadRequest {
			t.Errorf("a wrong %s: %d", name, got)
		}
	}
	w.Clock.Add(time.Hour)
	w.Exec(`update credentials set state = 'paused', paused_cause = 'x'`)
	r := b.Post("/stores/acme/refresh", form)
	w.Has(b.Get(r.Header.Get("Location")), "Nothing was asked, because no token works right now.")
}
