package web

import (
	"net/http"
	netmail "net/mail"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/web/site"
)

var mailFrom = netmail.Address{Name: "Storeglass", Address: "reports@example.com"}

var resetLink = regexp.MustCompile(`http://localhost:8080(/sign-in/reset/[A-Za-z0-9_-]{43})`)

func (b *browser) forgets(email string) response {
	b.w.t.Helper()
	return b.post("/sign-in/forgotten", url.Values{"email": {email}})
}

func TestForgottenPasswordIsSetAnewByAMailedLink(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	smtp := w.hasMail()
	w.hasPassword()
	there := w.browser()
	there.post("/sign-in", url.Values{"token": {w.link()}}) // joins
	if r := w.browser().forgets("ADA@example.com"); r.status != 200 {
		t.Fatalf("%d", r.status)
	}
	mails := w.mails(smtp)
	if len(mails) != 1 || mails[0].To != "ada@example.com" || !strings.Contains(mails[0].Raw, "Subject: Set a new password for Storeglass") {
		t.Fatalf("%+v", mails)
	}
	found := resetLink.FindStringSubmatch(mails[0].Raw)
	if found == nil {
		t.Fatalf("no link in %s", mails[0].Raw)
	}
	path, secret := found[1], found[1][len("/sign-in/reset/"):]
	for range 2 {
		if r := w.browser().get(path); r.status != 200 || r.header.Get("Referrer-Policy") != "same-origin" || !strings.Contains(r.body, "ada@example.com") {
			t.Fatalf("%d", r.status)
		}
	}
	b := w.browser()
	if r := b.post("/sign-in/reset", url.Values{"token": {secret}, "password": {"short"}}); r.status != http.StatusUnprocessableEntity {
		t.Errorf("a short password: %d", r.status)
	}
	r := b.post("/sign-in/reset", url.Values{"token": {secret}, "password": {otherPassword}})
	if r.header.Get("Location") != "/sign-in?done=reset" || len(r.header["Set-Cookie"]) != 0 {
		t.Fatalf("%d, cookies %q", r.status, r.header["Set-Cookie"])
	}
	if r := b.get("/sign-in?done=reset"); !strings.Contains(r.body, "Your new password is saved") {
		t.Error("nothing is said")
	}
	if there.get("/account").status != http.StatusSeeOther {
		t.Error("a session from before lives on")
	}
	if r := b.signIn("ada@example.com", otherPassword); r.status != http.StatusSeeOther {
		t.Errorf("the new password: %d", r.status)
	}
	if r := w.browser().post("/sign-in/reset", url.Values{"token": {secret}, "password": {goodPassword}}); r.status != http.StatusGone {
		t.Errorf("second use: %d", r.status)
	}
	if told := w.mails(smtp); len(told) != 1 || !strings.Contains(told[0].Raw, "A new password was set by a mailed link.") {
		t.Errorf("the owner hears %+v", told)
	}
	if strings.Contains(w.log.String(), secret) {
		t.Error("the log holds the secret")
	}
}

func TestWhoHasAnAccountIsNotToldToWhoForgets(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	smtp := w.hasMail()
	w.invited("invited@example.com")
	gone, err := w.access.CreatePerson(t.Context(), "gone@example.com", "", "")
	w.must(err)
	w.must(w.access.DisablePerson(t.Context(), gone.ID))
	w.signedIn()
	answers := map[string]bool{}
	for _, email := range []string{"ada@example.com", "eve@example.com", "gone@example.com", "invited@example.com"} {
		r := w.browser().forgets(email)
		answers[strings.ReplaceAll(r.body, email, "…")+r.header.Get("Set-Cookie")] = r.status == 200
	}
	if len(answers) != 1 {
		t.Errorf("%d answers", len(answers))
	}
	if mails := w.mails(smtp); len(mails) != 1 || mails[0].To != "ada@example.com" {
		t.Errorf("%+v", mails)
	}
}

func TestNobodyIsFloodedWithMails(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	smtp := w.hasMail()
	w.signedIn()
	for range 3 {
		w.browser().forgets("ada@example.com")
	}
	if r := w.browser().forgets("ada@example.com"); r.status != http.StatusTooManyRequests || r.header.Get("Retry-After") != "1200" {
		t.Errorf("%d, Retry-After %q", r.status, r.header.Get("Retry-After"))
	}
	if mails := w.mails(smtp); len(mails) != 3 {
		t.Errorf("%d mails", len(mails))
	}
}

func TestWithoutAMailServerThePageSaysWhomToAsk(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if r := w.browser().get("/sign-in/forgotten"); r.status != 200 || !strings.Contains(r.body, "No mails are sent") || strings.Contains(r.body, "<form class=\"form\"") {
		t.Errorf("%d", r.status)
	}
	if r := w.browser().forgets("ada@example.com"); r.status != http.StatusNotFound {
		t.Errorf("%d", r.status)
	}
}

func TestPasswordChangeIsToldToItsOwner(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	smtp := w.hasMail()
	w.hasPassword()
	b := w.browser()
	b.signIn("ada@example.com", goodPassword)
	b.send("/account/password", "current", goodPassword, "password", otherPassword)
	mails := w.mails(smtp)
	if len(mails) != 1 || mails[0].To != "ada@example.com" {
		t.Fatalf("%+v", mails)
	}
	for _, part := range []string{"Subject: Storeglass: Your password was changed.", "From: 127.0.0.1", "http://localhost:8080/account"} {
		if !strings.Contains(mails[0].Raw, part) {
			t.Errorf("the mail lacks %q: %s", part, mails[0].Raw)
		}
	}
	if strings.Contains(mails[0].Raw, otherPassword) || strings.Contains(mails[0].Raw, goodPassword) {
		t.Error("the mail holds a password")
	}
}

func TestInvitationMailBringsTheLink(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, secret := w.invited("bo@example.com")
	m := site.InvitationMail(w.server.Base, "Northwind", p, "Ada", secret, time.Date(2026, 11, 23, 15, 30, 0, 0, time.UTC))
	for _, part := range []string{"Ada invites you to Northwind at localhost:8080", "http://localhost:8080/invitation/" + secret, "23 November 2026, 15:30 UTC"} {
		if !strings.Contains(m.Text, part) {
			t.Errorf("the mail lacks %q:\n%s", part, m.Text)
		}
	}
	if m := site.InvitationMail(w.server.Base, "Northwind", access.Person{Email: "x@example.com", Name: "X"}, "", "s", time.Now()); !strings.Contains(m.Text, "You are invited to") {
		t.Errorf("%s", m.Text)
	}
}
