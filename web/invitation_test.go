package web

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/mail/mailtest"
	"github.com/storeglass/storeglass/web/site"
)

// mailed is a Mailer over a real mail server, as the program has it.
type mailed struct{ *mail.Sender }

func (m mailed) Send(ctx context.Context, msg site.Mail) error {
	return m.Sender.Send(ctx, mail.Message{To: msg.To, Subject: msg.Subject, Text: msg.Text, HTML: msg.HTML})
}

// hasMail gives the world's server a mail server.
func (w *world) hasMail() *mailtest.Server {
	w.t.Helper()
	smtp := mailtest.Start(w.t, mailtest.Plain)
	u, err := url.Parse("smtp://" + smtp.Addr)
	w.must(err)
	s, err := mail.New(u, mailFrom)
	w.must(err)
	w.server.Mail = mailed{s}
	return smtp
}

// mails are those that the server has sent, when it has nothing more to do.
func (w *world) mails(s *mailtest.Server) (all []mailtest.Mail) {
	w.t.Helper()
	w.must(w.server.Settle(w.t.Context()))
	for {
		select {
		case m := <-s.Got:
			m.Raw = strings.ReplaceAll(m.Raw, "=\r\n", "")
			all = append(all, m)
		default:
			return all
		}
	}
}

func (w *world) invited(email string) (access.Person, string) {
	w.t.Helper()
	p, secret, _, err := w.access.InvitePerson(w.t.Context(), access.Invite{By: w.person.ID, Email: email, Role: access.Agency, Stores: []string{own}})
	w.must(err)
	return p, secret
}

func TestInvitationLetsItsPersonInOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, secret := w.invited("bo@example.com")
	link, err := url.Parse(site.InvitationLink(w.server.Base, secret))
	w.must(err)
	for _, method := range []string{"GET", "HEAD", "GET"} { // programs that look through mails
		if r := w.browser().do(method, link.Path, nil, nil); r.status != 200 || len(r.header["Set-Cookie"]) != 0 || r.header.Get("Referrer-Policy") != "same-origin" {
			t.Fatalf("%s: %d %v", method, r.status, r.header)
		}
	}
	b := w.browser()
	page := b.get(link.Path)
	for _, part := range []string{"bo@example.com", "Ada Byron King", `autocomplete="new-password"`, "23 Nov 2026, 15:30 UTC"} {
		if !strings.Contains(page.body, part) {
			t.Errorf("the page lacks %q", part)
		}
	}
	for name, c := range map[string]struct{ name, password, says string }{
		"no name": {"", goodPassword, "Write a name."}, "short": {"Bo", "short", "at least 12 characters"},
	} {
		r := b.post("/invitation", url.Values{"token": {secret}, "name": {c.name}, "password": {c.password}})
		if r.status != http.StatusUnprocessableEntity || !strings.Contains(r.body, c.says) || strings.Contains(r.body, `"`+c.password+`"`) {
			t.Errorf("%s: %d", name, r.status)
		}
	}
	w.audit()
	form := url.Values{"token": {secret}, "name": {"Bo Smith"}, "password": {goodPassword}}
	if r := b.post("/invitation", form); r.status != http.StatusSeeOther || r.header.Get("Location") != "/" {
		t.Fatalf("%d", r.status)
	}
	w.recorded("person bo@example.com person.joined bo@example.com", "nobody password.changed bo@example.com", "person bo@example.com sign-in.succeeded invitation")
	if r := b.get("/stores/" + own); r.status != 200 || !strings.Contains(r.body, "Bo Smith") {
		t.Errorf("joined, but %d", r.status)
	}
	if r := w.browser().post("/invitation", form); r.status != http.StatusGone || !strings.Contains(r.body, "used up, too old, or was taken back") {
		t.Errorf("second use: %d", r.status)
	}
	if r := w.browser().get(link.Path); r.status != http.StatusGone {
		t.Errorf("looking at a used one: %d", r.status)
	}
	if strings.Contains(w.log.String(), secret) {
		t.Error("the log holds the secret")
	}
}

func TestInvitationThatWasTakenBackOrIsOldAdmitsNobody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, revoked := w.invited("bo@example.com")
	w.must(w.access.RevokeInvitation(t.Context(), p.ID))
	_, old := w.invited("cy@example.com")
	w.clock.add(access.InvitationLife)
	for _, secret := range []string{revoked, old, w.link(), "", strings.Repeat("A", 43)} {
		r := w.browser().post("/invitation", url.Values{"token": {secret}, "name": {"Bo"}, "password": {goodPassword}})
		if r.status != http.StatusGone || len(r.header["Set-Cookie"]) != 0 {
			t.Errorf("%.5s…: %d", secret, r.status)
		}
	}
}

func TestManyWrongLinksFromOneAddressAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	last := 0
	for range 61 {
		last = w.browser().get("/invitation/" + strings.Repeat("A", 43)).status
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("%d", last)
	}
	if r := w.browser().post("/sign-in", url.Values{"token": {w.link()}}); r.status != http.StatusSeeOther {
		t.Errorf("a link that works: %d", r.status)
	}
	w.clock.add(2 * time.Second)
	if r := w.browser().get("/invitation/x"); r.status != http.StatusGone {
		t.Errorf("after a while: %d", r.status)
	}
}
