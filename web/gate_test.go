package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

// sendRaw posts a form as it is here.
func sendRaw(b *webtest.Browser, path, form string) webtest.Response {
	b.W.T.Helper()
	r, err := http.NewRequestWithContext(b.W.T.Context(), "POST", b.W.HTTP.URL+path, strings.NewReader(form))
	b.W.Must(err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return b.Answer(r)
}

func TestTextThatCanNotBeStoredReachesNoHandler(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Server.Mail = nobodysMail{}
	p, err := w.Access.CreatePerson(t.Context(), "root@example.com", "Root", access.Admin)
	w.Must(err)
	admin, stranger := w.SignedInAs(p), w.Browser()
	csrf := "csrf=" + admin.CSRF()
	nul, broken, long := "a%00b", "%c3%28", strings.Repeat("w", site.MaxText+1)
	for _, c := range []struct {
		by         *webtest.Browser
		path, form string // an empty form is a GET
		want       int
	}{
		{stranger, "/sign-in", "a=%zz", 400},
		{stranger, "/sign-in?a=%zz", "email=a", 400},
		{stranger, "/sign-in", "email=" + nul + "%40example.com&password=x", 400},
		{stranger, "/sign-in", "email=" + broken + "&password=x", 400},
		{stranger, "/sign-in", "email=" + long + "&password=x", 413},
		{stranger, "/sign-in", "email=" + strings.Repeat("w", 1<<20), 413},
		{stranger, "/sign-in/forgotten", "email=" + nul, 400},
		{stranger, "/sign-in/reset", "%zz=1", 400},
		{stranger, "/invitation", "token=%zz", 400},
		{stranger, "/set-up", "token=%zz", 400},
		{stranger, "/sign-in?next=" + nul, "", 400},
		{stranger, "/sign-in?next=%zz", "", 400},
		{stranger, "/sign-in?" + long + "=x", "", 400},
		{stranger, "/sign-in/" + nul, "", 404},
		{admin, "/stores/acme/history.csv?window=last_7_days;group=week", "", 400},
		{admin, "/stores/acme/replies?pull=" + nul, "", 400},
		{admin, "/stores/acme/replies?pull=lifetime&subject=" + broken, "", 400},
		{admin, "/snapshots/new?store=" + nul, "", 400},
		{admin, "/stores/acme/offers/" + broken, "", 404},
		{admin, "/people", csrf + "&role=viewer&email=" + nul + "%40example.com", 400},
		{admin, "/people", csrf + "&role=viewer&email=" + strings.Repeat("w", 1<<16-100) + "%40example.com", 413},
		{admin, "/snapshots", csrf + "&store=acme&address=" + broken + "%40example.com", 400},
		{admin, "/snapshots/suppressed", csrf + "&address=" + nul, 400},
		{admin, "/account/identities/remove", csrf + "&issuer=" + nul + "&subject=x", 400},
		{admin, "/account/identities/remove", csrf + "&issuer=x&%00=x", 400},
	} {
		var r webtest.Response
		if c.form == "" {
			r = c.by.Get(c.path)
		} else {
			r = sendRaw(c.by, c.path, c.form)
		}
		if r.Status != c.want {
			t.Errorf("%.80s %.80s: %d, want %d", c.path, c.form, r.Status, c.want)
		}
	}
	if strings.Contains(w.Log.String(), "level=ERROR") {
		t.Errorf("the log has errors: %s", w.Log.String())
	}
}

// A value that may be long still reaches its handler, and an answer of the API names the field.
func TestGateLetsThroughWhatPagesSend(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	w.Server.Parts.Reports.Products = nobodysProducts{}
	handles := strings.Repeat(strings.Repeat("h", 99)+"\n", 100)
	if r := b.Post("/stores/acme/gift/products", url.Values{"csrf": {b.CSRF()}, "handles": {handles}}); r.Status == http.StatusRequestEntityTooLarge {
		t.Errorf("a list of products: %d", r.Status)
	}
	if r := w.APIClient(w.Token(webtest.Own)).Get("/api/v1/stores/acme/history?metric=%00"); r.Status != http.StatusBadRequest || !strings.Contains(r.Body, `"field":"metric"`) {
		t.Errorf("the API: %d %s", r.Status, r.Body)
	}
}

// Otherwise what can't be parsed would be left out, and the answer would be for another window.
func TestAQueryThatCanNotBeParsedIsRefused(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	api := w.APIClient(w.Token("acme"))
	for _, query := range []string{"window=%zz", "%zz=1", "window=last_7_days&compare=%", "window=last_7_days;compare=none", "start=2026-11-01;end=2026-11-02"} {
		r := api.Get("/api/v1/stores/acme/summary?" + query)
		if r.Status != http.StatusBadRequest || !strings.Contains(r.Body, "#/x-problems/bad-request") || !strings.Contains(r.Body, "percent-encode") {
			t.Errorf("%s: %d %s", query, r.Status, r.Body)
		}
	}
	if r := api.Get("/api/v1/stores/acme/summary?&window=last_7_days&"); r.Status != http.StatusOK {
		t.Errorf("an empty part: %d", r.Status)
	}
	if r := w.Browser().Get(w.Share(nil) + "?from=%zz;x"); r.Status != http.StatusOK {
		t.Errorf("a share link with something added: %d", r.Status)
	}
	if r := w.Browser().Get("/unsubscribe/unknown?from=%zz;x"); r.Status != http.StatusNotFound {
		t.Errorf("a mail's link with something added: %d", r.Status)
	}
}
