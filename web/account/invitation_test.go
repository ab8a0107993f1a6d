package account_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

func TestInvitationLetsItsPersonInOnce(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	_, secret := w.Invited("bo@example.com")
	link, err := url.Parse(site.InvitationLink(w.Server.Base, secret))
	w.Must(err)
	for _, method := range []string{"GET", "HEAD", "GET"} { // as mail scanners do
		if r := w.Browser().Do(method, link.Path, nil, nil); r.Status != 200 || len(r.Header["Set-Cookie"]) != 0 || r.Header.Get("Referrer-Policy") != "same-origin" {
			t.Fatalf("%s: %d %v", method, r.Status, r.Header)
		}
	}
	b := w.Browser()
	page := b.Get(link.Path)
	for _, part := range []string{"bo@example.com", "Ada Byron King", `autocomplete="new-password"`, "23 Nov 2026, 15:30 UTC"} {
		if !strings.Contains(page.Body, part) {
			t.Errorf("the page lacks %q", part)
		}
	}
	for name, c := range map[string]struct{ name, password, says string }{
		"no name": {"", webtest.GoodPassword, "Enter a name."}, "short": {"Bo", "short", "at least 12 characters"},
	} {
		r := b.Post("/invitation", url.Values{"token": {secret}, "name": {c.name}, "password": {c.password}})
		if r.Status != http.StatusUnprocessableEntity || !strings.Contains(r.Body, c.says) || strings.Contains(r.Body, `"`+c.password+`"`) {
			t.Errorf("%s: %d", name, r.Status)
		}
	}
	w.Audit()
	form := url.Values{"token": {secret}, "name": {"Bo Smith"}, "password": {webtest.GoodPassword}}
	if r := b.Post("/invitation", form); r.Status != http.StatusSeeOther || r.Header.Get("Location") != "/" {
		t.Fatalf("%d", r.Status)
	}
	w.Recorded("person bo@example.com person.joined bo@example.com", "nobody password.changed bo@example.com", "person bo@example.com sign-in.succeeded invitation")
	if r := b.Get("/stores/" + webtest.Own); r.Status != 200 || !strings.Contains(r.Body, "Bo Smith") {
		t.Errorf("joined, but %d", r.Status)
	}
	if r := w.Browser().Post("/invitation", form); r.Status != http.StatusGone || !strings.Contains(r.Body, "It was used, has expired or was revoked.") {
		t.Errorf("second use: %d", r.Status)
	}
	if r := w.Browser().Get(link.Path); r.Status != http.StatusGone {
		t.Errorf("looking at a used one: %d", r.Status)
	}
	if strings.Contains(w.Log.String(), secret) {
		t.Error("the log holds the secret")
	}
}

func TestInvitationThatWasTakenBackOrIsOldAdmitsNobody(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	p, revoked := w.Invited("bo@example.com")
	w.Must(w.SignIn.RevokeInvitation(t.Context(), p.ID))
	_, old := w.Invited("cy@example.com")
	w.Clock.Add(signin.InvitationLife)
	for _, secret := range []string{revoked, old, w.Link(), "", strings.Repeat("A", 43)} {
		r := w.Browser().Post("/invitation", url.Values{"token": {secret}, "name": {"Bo"}, "password": {webtest.GoodPassword}})
		if r.Status != http.StatusGone || len(r.Header["Set-Cookie"]) != 0 {
			t.Errorf("%.5s…: %d", secret, r.Status)
		}
	}
}

func TestManyWrongLinksFromOneAddressAreRefused(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	last := 0
	for range 61 {
		last = w.Browser().Get("/invitation/" + strings.Repeat("A", 43)).Status
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("%d", last)
	}
	if r := w.Browser().Post("/sign-in", url.Values{"token": {w.Link()}}); r.Status != http.StatusSeeOther {
		t.Errorf("a link that works: %d", r.Status)
	}
	w.Clock.Add(2 * time.Second)
	if r := w.Browser().Get("/invitation/x"); r.Status != http.StatusGone {
		t.Errorf("after a while: %d", r.Status)
	}
}
