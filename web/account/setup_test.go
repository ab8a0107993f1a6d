package account_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

func TestAnEmptyInstallationAsksForItsSetUpCode(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	if r := w.Browser().Get("/set-up"); r.Status != http.StatusGone || !strings.Contains(r.Body, "already set up") {
		t.Errorf("set-up of what is in use: %d", r.Status)
	}
	w.Exec(`delete from people`)
	for _, path := range []string{"/sign-in", "/sign-in?next=%2Fpeople"} {
		if r := w.Browser().Get(path); r.Status != http.StatusSeeOther || r.Header.Get("Location") != "/set-up" {
			t.Errorf("%s of an empty installation: %d %s", path, r.Status, r.Header.Get("Location"))
		}
	}
	if r := w.Browser().Get("/set-up"); r.Status != 200 || !strings.Contains(r.Body, `name="code"`) {
		t.Errorf("set-up of an empty installation: %d", r.Status)
	}
}

func TestSetUpCodeMakesTheFirstAccountAndNoSecond(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Exec(`delete from people`)
	code, err := w.SignIn.SetUpCode(t.Context())
	w.Must(err)
	link, err := url.Parse(site.SetUpLink(w.Server.Base, code))
	w.Must(err)
	if r := w.Browser().Get("/set-up/" + strings.Repeat("A", 24)); r.Status != http.StatusGone || !strings.Contains(r.Body, "isn’t the setup code") {
		t.Errorf("a wrong link: %d", r.Status)
	}
	b := w.Browser()
	if r := b.Get(link.Path); r.Status != 200 || !strings.Contains(r.Body, code) {
		t.Fatalf("the link doesn't bring its code along: %d", r.Status)
	}
	form := func(email, name, password string) url.Values {
		return url.Values{"code": {code}, "email": {email}, "name": {name}, "password": {password}}
	}
	for says, f := range map[string]url.Values{
		"Enter an email address": form("ada", "Ada", webtest.GoodPassword),
		"at least 12 characters": form("ada@example.com", "Ada", "short"),
		"Enter a name.":          form("ada@example.com", " ", webtest.GoodPassword),
		"isn’t the setup code":   {"code": {"x"}, "email": {"ada@example.com"}, "name": {"Ada"}, "password": {webtest.GoodPassword}},
	} {
		if r := b.Post("/set-up", f); r.Status != http.StatusUnprocessableEntity || !strings.Contains(r.Body, says) {
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
	if strings.Contains(w.Log.String(), code) {
		t.Error("the log holds the code")
	}
}
