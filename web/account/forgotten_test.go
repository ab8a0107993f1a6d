package account_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

var resetLink = regexp.MustCompile(`http://localhost:8080(/sign-in/reset/[A-Za-z0-9_-]{43})`)

func TestForgottenPasswordIsSetAnewByAMailedLink(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	smtp := w.HasMail()
	w.HasPassword()
	there := w.Browser()
	there.Post("/sign-in", url.Values{"token": {w.Link()}}) // joins
	if r := w.Browser().Forgets("ADA@example.com"); r.Status != 200 {
		t.Fatalf("%d", r.Status)
	}
	mails := w.Mails(smtp)
	if len(mails) != 1 || mails[0].To != "ada@example.com" || !strings.Contains(mails[0].Raw, "Subject: Set a new password for Storeglass") {
		t.Fatalf("%+v", mails)
	}
	found := resetLink.FindStringSubmatch(mails[0].Raw)
	if found == nil {
		t.Fatalf("no link in %s", mails[0].Raw)
	}
	path, secret := found[1], found[1][len("/sign-in/reset/"):]
	for range 2 {
		if r := w.Browser().Get(path); r.Status != 200 || r.Header.Get("Referrer-Policy") != "same-origin" || !strings.Contains(r.Body, "ada@example.com") {
			t.Fatalf("%d", r.Status)
		}
	}
	b := w.Browser()
	if r := b.Post("/sign-in/reset", url.Values{"token": {secret}, "password": {"short"}}); r.Status != http.StatusUnprocessableEntity {
		t.Errorf("a short password: %d", r.Status)
	}
	r := b.Post("/sign-in/reset", url.Values{"token": {secret}, "password": {webtest.OtherPassword}})
	if r.Header.Get("Location") != "/sign-in?done=reset" || len(r.Header["Set-Cookie"]) != 0 {
		t.Fatalf("%d, cookies %q", r.Status, r.Header["Set-Cookie"])
	}
	if r := b.Get("/sign-in?done=reset"); !strings.Contains(r.Body, "Your new password is saved") {
		t.Error("nothing is said")
	}
	if there.Get("/account").Status != http.StatusSeeOther {
		t.Error("a session from before lives on")
	}
	if r := b.SignIn("ada@example.com", webtest.OtherPassword); r.Status != http.StatusSeeOther {
		t.Errorf("the new password: %d", r.Status)
	}
	if r := w.Browser().Post("/sign-in/reset", url.Values{"token": {secret}, "password": {webtest.GoodPassword}}); r.Status != http.StatusGone {
		t.Errorf("second use: %d", r.Status)
	}
	if told := w.Mails(smtp); len(told) != 1 || !strings.Contains(told[0].Raw, locale.English.T("mail_account.changed.reset")) {
		t.Errorf("the owner hears %+v", told)
	}
	if strings.Contains(w.Log.String(), secret) {
		t.Error("the log holds the secret")
	}
}

func TestWhoHasAnAccountIsNotToldToWhoForgets(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	smtp := w.HasMail()
	w.Invited("invited@example.com")
	gone, err := w.Access.CreatePerson(t.Context(), "gone@example.com", "", "")
	w.Must(err)
	w.Must(w.Access.DisablePerson(t.Context(), gone.ID))
	w.SignedIn()
	answers := map[string]bool{}
	for _, email := range []string{"ada@example.com", "eve@example.com", "gone@example.com", "invited@example.com"} {
		r := w.Browser().Forgets(email)
		answers[strings.ReplaceAll(r.Body, email, "…")+r.Header.Get("Set-Cookie")] = r.Status == 200
	}
	if len(answers) != 1 {
		t.Errorf("%d answers", len(answers))
	}
	if mails := w.Mails(smtp); len(mails) != 1 || mails[0].To != "ada@example.com" {
		t.Errorf("%+v", mails)
	}
}

func TestAResetNeedsAnAddress(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.HasMail()
	if r := w.Browser().Forgets(" "); r.Status != http.StatusUnprocessableEntity || !strings.Contains(r.Body, "Enter an email address") {
		t.Errorf("%d", r.Status)
	}
}

func TestNobodyIsFloodedWithMails(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	smtp := w.HasMail()
	w.SignedIn()
	for range 3 {
		w.Browser().Forgets("ada@example.com")
	}
	if r := w.Browser().Forgets("ada@example.com"); r.Status != http.StatusTooManyRequests || r.Header.Get("Retry-After") != "1200" {
		t.Errorf("%d, Retry-After %q", r.Status, r.Header.Get("Retry-After"))
	}
	if mails := w.Mails(smtp); len(mails) != 3 {
		t.Errorf("%d mails", len(mails))
	}
}

func TestWithoutAMailServerThePageSaysWhomToAsk(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	if r := w.Browser().Get("/sign-in/forgotten"); r.Status != 200 || !strings.Contains(r.Body, "This server sends no mail") || strings.Contains(r.Body, "<form class=\"form\"") {
		t.Errorf("%d", r.Status)
	}
	if r := w.Browser().Forgets("ada@example.com"); r.Status != http.StatusNotFound {
		t.Errorf("%d", r.Status)
	}
}

func TestPasswordChangeIsToldToItsOwner(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	smtp := w.HasMail()
	w.HasPassword()
	b := w.Browser()
	b.SignIn("ada@example.com", webtest.GoodPassword)
	b.Send("/account/password", "current", webtest.GoodPassword, "password", webtest.OtherPassword)
	mails := w.Mails(smtp)
	if len(mails) != 1 || mails[0].To != "ada@example.com" {
		t.Fatalf("%+v", mails)
	}
	for _, part := range []string{"Subject: Storeglass: Your password was changed\r\n", "From: 127.0.0.1", "http://localhost:8080/account", "Forgot password?"} {
		if !strings.Contains(mails[0].Raw, part) {
			t.Errorf("the mail lacks %q: %s", part, mails[0].Raw)
		}
	}
	if strings.Contains(mails[0].Raw, webtest.OtherPassword) || strings.Contains(mails[0].Raw, webtest.GoodPassword) {
		t.Error("the mail holds a password")
	}
}

func TestMailsAboutAnAccountAreInTheLanguageOfItsOwner(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	smtp := w.HasMail()
	w.HasPassword()
	b := w.Browser()
	b.SignIn("ada@example.com", webtest.GoodPassword)
	b.Send("/account/language", "language", "de")
	b.Header.Set("Accept-Language", "fr") // as another person's browser may say
	b.Send("/account/password", "current", webtest.GoodPassword, "password", webtest.OtherPassword)
	w.Browser().Forgets("ada@example.com")
	mails := w.Mails(smtp)
	if len(mails) != 2 {
		t.Fatalf("%+v", mails)
	}
	for _, m := range mails {
		if !strings.Contains(m.Raw, "Guten Tag Ada Byron King,") {
			t.Errorf("in another language: %s", m.Raw)
		}
	}
}

func TestInvitationMailBringsTheLink(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	p, secret := w.Invited("bo@example.com")
	m := site.InvitationMail(locale.English, w.Server.Base, "Northwind", p, "Ada", secret, time.Date(2026, 11, 23, 15, 30, 0, 0, time.UTC))
	for _, part := range []string{locale.Name("Ada") + " invites you to Northwind at localhost:8080", "http://localhost:8080/invitation/" + secret, "23 Nov 2026, 15:30 UTC"} {
		if !strings.Contains(m.Text, part) {
			t.Errorf("the mail lacks %q:\n%s", part, m.Text)
		}
	}
	if m := site.InvitationMail(locale.English, w.Server.Base, "Northwind", access.Person{Email: "x@example.com", Name: "X"}, "", "s", time.Now()); !strings.Contains(m.Text, "You are invited to") {
		t.Errorf("%s", m.Text)
	}
}
