package account_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

func TestSetUpLinkMakesTheFirstAccountAndNoSecond(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	if page := w.Browser().Get("/sign-in").Body; strings.Contains(page, "set-up link") || !strings.Contains(page, "invite you") {
		t.Error("the sign-in page offers to set up what is in use")
	}
	w.Exec(`delete from people`)
	if page := w.Browser().Get("/sign-in").Body; !strings.Contains(page, "set-up link") {
		t.Error("the sign-in page doesn't say how to begin")
	}
	secret, err := w.Access.SetUpSecret(t.Context())
	w.Must(err)
	link, err := url.Parse(site.SetUpLink(w.Server.Base, secret))
	w.Must(err)
	if r := w.Browser().Get("/set-up/" + strings.Repeat("A", 43)); r.Status != http.StatusGone {
		t.Errorf("a wrong link: %d", r.Status)
	}
	b := w.Browser()
	if r := b.Get(link.Path); r.Status != 200 || !strings.Contains(r.Body, "Create account") {
		t.Fatalf("the link: %d", r.Status)
	}
	form := func(email, name, password string) url.Values {
		return url.Values{"token": {secret}, "email": {email}, "name": {name}, "password": {password}}
	}
	for says, f := range map[string]url.Values{
		"Enter an email address":  form("ada", "Ada", webtest.GoodPassword),
		"at least 12 characters":  form("ada@example.com", "Ada", "short"),
		"Enter a name.":           form("ada@example.com", " ", webtest.GoodPassword),
		"This link no longer wor": {"token": {"x"}, "email": {"ada@example.com"}, "name": {"Ada"}, "password": {webtest.GoodPassword}},
	} {
		if r := b.Post("/set-up", f); r.Status != http.StatusUnprocessableEntity && r.Status != http.StatusGone || !strings.Contains(r.Body, says) {
			t.Errorf("%s: %d", says, r.Status)
		}
	}
	if r := b.Post("/set-up", form("ada@example.com", "Ada", webtest.GoodPassword)); r.Status != http.StatusSeeOther || r.Header.Get("Location") != "/" {
		t.Fatalf("%d: %s", r.Status, r.Body)
	}
	if r := b.Get("/people"); r.Status != 200 {
		t.Errorf("the first person doesn't manage people: %d", r.Status)
	}
	if r := w.Browser().Post("/set-up", form("bo@example.com", "Bo", webtest.GoodPassword)); r.Status != http.StatusGone {
		t.Errorf("a second account: %d", r.Status)
	}
	if r := w.Browser().Get(link.Path); r.Status != http.StatusGone {
		t.Errorf("the link afterwards: %d", r.Status)
	}
	if strings.Contains(w.Log.String(), secret) {
		t.Error("the log holds the secret")
	}
}
