package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

// Letting others in, sending data out or removing a store takes more than a stolen session.
func TestWhatLetsDataOutAsksForARecentSignIn(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	p, err := w.Access.CreatePerson(t.Context(), "root@example.com", "Root", access.Admin)
	w.Must(err)
	b := w.SignedInAs(p)
	w.Clock.Add(site.ProvedFor)
	for route, back := range map[string]string{
		"GET /stores/acme/shares/new":                "",
		"POST /stores/acme/shares":                   "/stores/acme/shares/new",
		"GET /stores/acme/export.zip":                "",
		"GET /stores/acme/settings/upsell":           "",
		"POST /stores/acme/settings/upsell":          "/stores/acme/settings/upsell",
		"GET /stores/acme/settings/gift/disconnect":  "",
		"POST /stores/acme/settings/gift/disconnect": "/stores/acme/settings/gift/disconnect",
		"GET /stores/acme/settings/remove":           "",
		"POST /stores/acme/settings/remove":          "/stores/acme/settings/remove",
		"POST /stores/removed":                       "/stores/removed",
		"GET /alerts/channels/new":                   "",
		"POST /alerts/channels":                      "/alerts/channels/new",
		"GET /alerts/channels/1":                     "",
		"POST /alerts/channels/1":                    "/alerts/channels/1",
		"POST /people/1/offboard":                    "/people/1/reach",
		"POST /alerts/channels/1/secret":             "/alerts/settings",
	} {
		method, path, _ := strings.Cut(route, " ")
		r := b.Get(path)
		if method == "POST" {
			r = b.Submit(path, url.Values{"slug": {"acme"}})
		}
		if back == "" {
			back = path
		}
		if want := "/account/confirm?next=" + url.QueryEscape(back); r.Header.Get("Location") != want {
			t.Errorf("%s: %d, to %q, want %s", route, r.Status, r.Header.Get("Location"), want)
		}
	}
	if r := b.Submit("/people/999/offboard", nil); r.Status != http.StatusNotFound {
		t.Errorf("nobody is offboarded with %d, to %q", r.Status, r.Header.Get("Location"))
	}
}

func TestATextIsShownToCopyWhenItsWriterMustConfirmFirst(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	w.Clock.Add(site.ProvedFor)
	r := b.Submit("/stores/acme/shares", url.Values{"message": {"A <b>long</b> message"}, "password": {"correct horse"}})
	w.Has(r, "so nothing was saved", "Your text")
	for _, want := range []string{">A &lt;b&gt;long&lt;/b&gt; message</textarea>", `href="/account/confirm?next=%2Fstores%2Facme%2Fshares%2Fnew"`} {
		if r.Status != http.StatusForbidden || !strings.Contains(r.Body, want) || strings.Contains(r.Body, "correct horse") {
			t.Errorf("%d, without %s: %s", r.Status, want, r.Body)
		}
	}
}

func TestAFormThatCouldBeOpenedCanBeSentForAQuarterOfAnHour(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	w.Clock.Add(site.ProvedFor - 15*time.Minute - time.Second)
	if r := b.Get("/stores/acme/shares/new"); r.Status != http.StatusOK {
		t.Fatalf("opened: %d", r.Status)
	}
	w.Clock.Add(15 * time.Minute)
	if r := b.Get("/stores/acme/shares/new"); r.Status != http.StatusSeeOther {
		t.Errorf("opened too late: %d", r.Status)
	}
	if r := b.Submit("/stores/acme/shares", url.Values{"message": {"Our autumn"}}); r.Status != http.StatusBadRequest || !strings.Contains(r.Body, "Our autumn</textarea>") {
		t.Errorf("sent, but incomplete: %d, to %q", r.Status, r.Header.Get("Location"))
	}
}
