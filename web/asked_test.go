package web_test

import (
	"strings"
	"testing"
	"time"

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
	}
	if n := asked(); n != 4 {
		t.Errorf("%d pulls are wanted, want 4", n)
	}
	for path, status := range map[string]int{"/history?" + days: 200, "/summary?window=last_30_days": 200, "/summary?" + days + "&wait=soon": 400, "/summary?" + days + "&wait=31": 400, "/coverage?wait=1": 400} {
		if r := api.Get("/api/v1/stores/acme" + path); r.Status != status {
			t.Errorf("%s: %d, want %d", path, r.Status, status)
		}
	}
	const said = "The app was asked about these dates."
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
