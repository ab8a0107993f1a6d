package web

import (
	"net/http"
	"strings"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report/weekly"
	"github.com/storeglass/storeglass/views/mails"
)

// The addresses that links in mails lead to. Nobody is asked who they are: the secret in
// the address is all there is, and it stands in no page, header or line of the log. To
// open one changes nothing, since programs that look through mails open links; only a
// POST does.
const (
	unsubscribePath = "/unsubscribe/"
	confirmPath     = "/snapshots/confirm/"
	mailPath        = "/mail/"
	// bouncePath is for a mail server: its secret is a setting.
	bouncePath = "/bounces/"
)

// mailLinked reports whether the address is one of a link in a mail, or could be taken
// for one.
func (c *call) mailLinked() bool {
	p := strings.ToLower(c.Request().URL.Path)
	for _, prefix := range []string{unsubscribePath, confirmPath, mailPath, bouncePath} {
		if strings.HasPrefix(p, prefix) || p == strings.TrimSuffix(prefix, "/") {
			return true
		}
	}
	return false
}

// errMailGone is the one answer to every link of a mail that leads nowhere, whyever.
var errMailGone = &problem{
	status: 404, kind: "not-found", title: "This link does not work",
	detail: "It is too old, its store is gone, or it never was one. Copy the whole address from the newest mail, or ask whoever sends it to you.",
}

// confirmMailPage asks an address whether it wants the mail.
func (s *Server) confirmMailPage(c *call) error {
	offer, err := s.mailroom.Asked(c.Request().Context(), c.Param("token"))
	if err != nil {
		return err
	}
	return c.pageWithStatus(http.StatusOK, mails.ConfirmMail(mails.MailLinkPage{Base: s.basis(c, "Weekly mail"), Offer: offer}))
}

// mailConfirmed is its yes.
func (s *Server) mailConfirmed(c *call) error {
	if err := s.mailroom.Confirm(c.Request().Context(), c.Param("token")); err != nil {
		return err
	}
	return s.confirmMailPage(c)
}

// unsubscribePage asks whether to end the mails, or says that they have ended.
func (s *Server) unsubscribePage(c *call) error {
	offer, err := s.mailroom.Linked(c.Request().Context(), c.Param("token"))
	if err != nil {
		return err
	}
	title := "Weekly mail"
	if offer.Alerts {
		title = "Alert mails"
	}
	return c.pageWithStatus(http.StatusOK, mails.Unsubscribe(mails.MailLinkPage{Base: s.basis(c, title), Offer: offer}))
}

// unsubscribed ends the mails at once. Mail programs send this themselves, without a
// person, a cookie or a page of ours before it (RFC 8058).
func (s *Server) unsubscribed(c *call) error {
	if err := s.mailroom.Unsubscribe(c.Request().Context(), c.Param("token")); err != nil {
		return err
	}
	return s.unsubscribePage(c)
}

// mailPolicy lets a mail show its own pictures and its own looks, and nothing else.
const mailPolicy = "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// mailView shows a mail as it was sent. Its pictures stand beside it.
func (s *Server) mailView(c *call) error {
	m, err := s.mailroom.Mail(c.Request().Context(), c.Param("token"))
	if err != nil {
		return err
	}
	return c.mail(m)
}

// mailPicture is a picture of such a mail.
func (s *Server) mailPicture(c *call) error {
	m, err := s.mailroom.Mail(c.Request().Context(), c.Param("token"))
	if err != nil {
		return err
	}
	return c.picture(m)
}

// mailWeeks lists the earlier weeks that a mail stands for. Its links are relative, so
// that the secret in the address stands nowhere in the page.
func (s *Server) mailWeeks(c *call) error {
	weeks, err := s.mailroom.Weeks(c.Request().Context(), c.Param("token"))
	if err != nil {
		return err
	}
	offer, err := s.mailroom.Linked(c.Request().Context(), c.Param("token"))
	if err != nil {
		return err
	}
	return c.pageWithStatus(http.StatusOK, mails.MailWeeks(mails.MailWeeksPage{Base: s.basis(c, "Earlier reports"), Offer: offer, Weeks: weeks}))
}

// mailWeek shows the mail of such a week.
func (s *Server) mailWeek(c *call) error {
	m, err := s.weekAsked(c)
	if err != nil {
		return err
	}
	return c.mail(m)
}

func (s *Server) mailWeekPicture(c *call) error {
	m, err := s.weekAsked(c)
	if err != nil {
		return err
	}
	return c.picture(m)
}

func (s *Server) weekAsked(c *call) (weekly.WrittenMail, error) {
	first, err := civil.ParseDate(c.Param("week"))
	if err != nil {
		return weekly.WrittenMail{}, db.ErrNotFound
	}
	return s.mailroom.Week(c.Request().Context(), c.Param("token"), first)
}

// mail answers with a mail under its own policy.
func (c *call) mail(m weekly.WrittenMail) error {
	c.Response().Header().Set("Content-Security-Policy", mailPolicy)
	return c.Blob(http.StatusOK, htmlType, []byte(m.HTML))
}

// picture answers with the picture of a mail that the address names.
func (c *call) picture(m weekly.WrittenMail) error {
	picture, ok := m.Pictures[strings.TrimSuffix(c.Param("file"), ".png")]
	if !ok {
		return db.ErrNotFound
	}
	return c.Blob(http.StatusOK, "image/png", picture)
}
