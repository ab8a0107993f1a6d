package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/access/sharing"
	pulls "github.com/storeglass/storeglass/internal/sync"
	"github.com/storeglass/storeglass/web/webtest"
)

// A window that a service could answer and hasn't is asked for: a program gets 202, a reader
// sees a note on the page; once the service has answered, it is a 200.
func TestAWindowThatWasNeverAskedIsAskedAndSaidToBe(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Server.Queue = pulls.Queue{DB: w.Pages(), Jobs: w.DB}
	api := w.APIClient(w.Token("acme"))
	const days = "start=2026-11-02&end=2026-11-08"
	asked := func() int {
		var n int
		w.Must(w.DB.Pool.QueryRow(t.Context(), `select count(*) from ledger where subject = '2026-11-02..2026-11-08' and wanted_at is not null`).Scan(&n))
		return n
	}
	for _, path := range []string{"/summary", "/placements", "/top", "/offers"} {
		r := api.Get("/api/v1/stores/acme" + path + "?" + days)
		if r.Status != 202 || r.Header.Get("Retry-After") == "" || !strings.Contains(r.Body, `"provenance"`) {
			t.Errorf("%s: %d %q %s", path, r.Status, r.Header.Get("Retry-After"), r.Body)
		}
		if r := api.Do("GET", "/api/v1/stores/acme"+path+"?"+days, nil, http.Header{"If-None-Match": {"*"}}); r.Status != 202 {
			t.Errorf("%s: confirmed with %d while it is asked", path, r.Status)
		}
	}
	if n := asked(); n != 4 {
		t.Errorf("%d pulls are wanted, want 4", n)
	}
	for path, status := range map[string]int{"/history?" + days: 200, "/summary?window=last_30_days": 200, "/summary?" + days + "&wait=soon": 400, "/summary?" + days + "&wait=-1": 400, "/summary?" + days + "&wait=31": 400, "/coverage?wait=1": 400} {
		if r := api.Get("/api/v1/stores/acme" + path); r.Status != status {
			t.Errorf("%s: %d, want %d", path, r.Status, status)
		}
	}
	const said = "More data is loading"
	page := w.SignedIn().Get("/stores/acme?" + days)
	w.Has(page, said)
	for _, path := range []string{"/offers", "/offers/acme-offer-1", "/placements"} {
		w.Has(w.SignedIn().Get("/stores/acme"+path+"?"+days), said)
	}
	if !strings.Contains(page.Body, `data-loaded=`) {
		t.Error("the page doesn't look again")
	}
	refuse := func() {
		w.Exec(`update ledger set tried_at = now(), outcome = 'refused', due_at = null where subject = '2026-11-02..2026-11-08'`)
	}
	refusal := time.AfterFunc(time.Second, refuse)
	if r := api.Get("/api/v1/stores/acme/summary?" + days + "&wait=30"); r.Status != 200 || r.Header.Get("Retry-After") != "" {
		t.Errorf("a program waits for the answer: %d %q", r.Status, r.Header.Get("Retry-After"))
	}
	if refusal.Stop() {
		t.Error("the program didn't wait")
	}
	w.HasNot(w.SignedIn().Get("/stores/acme?"+days), said)
	if r := api.Get("/api/v1/stores/acme/summary?" + days); r.Status != 200 {
		t.Errorf("a window that the service refuses: %d", r.Status)
	}
	if r := api.Get("/api/v1/stores/acme/offers?" + days); r.Status != 200 || !strings.Contains(r.Body, `"ranking"`) {
		t.Errorf("the offers once there is an answer: %d", r.Status)
	}
}

// Otherwise a program that reads month after month would take "no data" for the last word.
func TestAWindowThatCanNotBeAskedYetIsNoFinalAnswer(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Server.Queue = pulls.Queue{DB: w.Pages(), Jobs: w.DB}
	window := func(i int) string { return fmt.Sprintf("/summary?compare=none&start=2026-03-%02d&end=2026-03-31", i) }
	api := w.APIClient(w.Token("acme"))
	ask := func(path string) webtest.Response {
		t.Helper()
		r := api.Get("/api/v1/stores/acme" + path)
		if r.Status != 202 {
			t.Errorf("%s: %d %s", path, r.Status, r.Body)
		}
		return r
	}
	for i := range 8 { // 4 pulls each, and at most 30 of a store wait at once
		ask(window(i + 1))
	}
	if r := ask(window(9)); r.Header.Get("Retry-After") != "10" {
		t.Errorf("enough is pending: try again in %q s", r.Header.Get("Retry-After"))
	}
	w.Exec(`update ledger set tried_at = now(), outcome = 'refused', due_at = null where pull like '%.range%'`)
	ask(window(10))
	if r := ask(window(11) + "&wait=30"); r.Header.Get("Retry-After") == "" || r.Header.Get("Retry-After") == "3" {
		t.Errorf("too many windows: try again in %q s", r.Header.Get("Retry-After"))
	}
	w.Clock.Add(time.Minute)
	if r := ask(window(11)); r.Header.Get("Retry-After") != "3" {
		t.Errorf("a minute later it is asked: try again in %q s", r.Header.Get("Retry-After"))
	}
}

func TestEveryPrincipalHasALimitOfItsOwnForAskingAboutWindows(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Server.Queue = pulls.Queue{DB: w.Pages(), Jobs: w.DB}
	link := func(last int) string { // to days that haven't been asked for
		return w.Share(func(n *sharing.Draft) {
			n.Window = sharing.Window{Start: civil.Date{Year: 2026, Month: 11, Day: 2}, End: civil.Date{Year: 2026, Month: 11, Day: last}}
		})
	}
	for n, ask := range []func() webtest.Response{
		func() webtest.Response { return w.Browser().Get(link(7) + "/overview.json") },
		func() webtest.Response { return w.Browser().Get(link(8) + "/overview.json") },
		func() webtest.Response {
			return w.APIClient(w.Token("acme")).Get("/api/v1/stores/acme/summary?start=2026-11-02&end=2026-11-09")
		},
		func() webtest.Response { return w.SignedIn().Get("/stores/acme?start=2026-11-02&end=2026-11-10") },
	} {
		if r := ask(); r.Status >= 300 {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
		if limits := w.StoredTexts(`select bucket from attempts where bucket like 'window:%'`); len(limits) != n+1 {
			t.Errorf("%d principals have asked, and these limits counted: %q", n+1, limits)
		}
	}
}
