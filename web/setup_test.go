package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/web/site"
)

func TestSetUpLinkMakesTheFirstAccountAndNoSecond(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if page := w.browser().get("/sign-in").body; strings.Contains(page, "set-up link") || !strings.Contains(page, "invite you") {
		t.Error("the sign-in page offers to set up what is in use")
	}
	w.exec(`delete from people`)
	if page := w.browser().get("/sign-in").body; !strings.Contains(page, "set-up link") {
		t.Error("the sign-in page doesn't say how to begin")
	}
	secret, err := w.access.SetUpSecret(t.Context())
	w.must(err)
	link, err := url.Parse(site.SetUpLink(w.server.Base, secret))
	w.must(err)
	if r := w.browser().get("/set-up/" + strings.Repeat("A", 43)); r.status != http.StatusGone {
		t.Errorf("a wrong link: %d", r.status)
	}
	b := w.browser()
	if r := b.get(link.Path); r.status != 200 || !strings.Contains(r.body, "Create the account") {
		t.Fatalf("the link: %d", r.status)
	}
	form := func(email, name, password string) url.Values {
		return url.Values{"token": {secret}, "email": {email}, "name": {name}, "password": {password}}
	}
	for says, f := range map[string]url.Values{
		"Enter an email address":  form("ada", "Ada", goodPassword),
		"at least 12 characters":  form("ada@example.com", "Ada", "short"),
		"Write a name.":           form("ada@example.com", " ", goodPassword),
		"This link no longer wor": {"token": {"x"}, "email": {"ada@example.com"}, "name": {"Ada"}, "password": {goodPassword}},
	} {
		if r := b.post("/set-up", f); r.status != http.StatusUnprocessableEntity && r.status != http.StatusGone || !strings.Contains(r.body, says) {
			t.Errorf("%s: %d", says, r.status)
		}
	}
	if r := b.post("/set-up", form("ada@example.com", "Ada", goodPassword)); r.status != http.StatusSeeOther || r.header.Get("Location") != "/" {
		t.Fatalf("%d: %s", r.status, r.body)
	}
	if r := b.get("/people"); r.status != 200 {
		t.Errorf("the first person doesn't manage people: %d", r.status)
	}
	if r := w.browser().post("/set-up", form("bo@example.com", "Bo", goodPassword)); r.status != http.StatusGone {
		t.Errorf("a second account: %d", r.status)
	}
	if r := w.browser().get(link.Path); r.status != http.StatusGone {
		t.Errorf("the link afterwards: %d", r.status)
	}
	if strings.Contains(w.log.String(), secret) {
		t.Error("the log holds the secret")
	}
}
