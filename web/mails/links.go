package mails

import (
	"net/http"
	"strings"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/weekly"
	"github.com/storeglass/storeglass/views/mails"
	"github.com/storeglass/storeglass/web/site"
)

// confirmMailPage asks an address whether it wants the mail.
func (s *Handlers) confirmMailPage(c *site.Call) error {
	offer, err := s.Subscriptions.Asked(c.Request().Context(), c.Param("token"))
	if err != nil {
		return err
	}
	speak(c, offer)
	return c.PageWithStatus(http.StatusOK, mails.ConfirmMail(mails.MailLinkPage{Base: s.PageBase(c, c.T("mails.preview.title")), Offer: offer}))
}

// speak switches the page to the language of the mail that led to it.
func speak(c *site.Call, offer weekly.Offer) {
	if l, ok := locale.Of(offer.Language); ok {
		c.Speak(l)
	}
}

func (s *Handlers) confirmMail(c *site.Call) error {
	if err := s.Subscriptions.Confirm(c.Request().Context(), c.Param("token")); err != nil {
		return err
	}
	return s.confirmMailPage(c)
}

// unsubscribePage asks whether to end the mails, or says that they have ended.
func (s *Handlers) unsubscribePage(c *site.Call) error {
	offer, err := s.Subscriptions.Linked(c.Request().Context(), c.Param("token"))
	if err != nil {
		return err
	}
	speak(c, offer)
	title := c.T("mails.preview.title")
	if offer.Alerts {
		title = c.T("mails.link.alerts")
	}
	return c.PageWithStatus(http.StatusOK, mails.Unsubscribe(mails.MailLinkPage{Base: s.PageBase(c, title), Offer: offer}))
}

// unsubscribe ends the mails at once. Mail programs send this themselves, without a person, a
// cookie or a page of ours first (RFC 8058).
func (s *Handlers) unsubscribe(c *site.Call) error {
	if err := s.Subscriptions.Unsubscribe(c.Request().Context(), c.Param("token")); err != nil {
		return err
	}
	return s.unsubscribePage(c)
}

// MailPolicy lets a mail show its own pictures and styles, and nothing else.
const MailPolicy = "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// sent makes a handler that shows a mail as it was sent: itself, or a picture with an address next to it.
func sent(find func(*site.Call) (weekly.WrittenMail, error), show func(*site.Call, weekly.WrittenMail) error) func(*site.Call) error {
	return func(c *site.Call) error {
		m, err := find(c)
		if err != nil {
			return err
		}
		return show(c, m)
	}
}

func (s *Handlers) mailAsked(c *site.Call) (weekly.WrittenMail, error) {
	return s.Subscriptions.Mail(c.Request().Context(), c.Param("token"))
}

// mailWeeks lists the earlier weeks that a mail covers. Its links are relative, so that the
// secret in the address isn't in the page.
func (s *Handlers) mailWeeks(c *site.Call) error {
	weeks, err := s.Subscriptions.Weeks(c.Request().Context(), c.Param("token"))
	if err != nil {
		return err
	}
	offer, err := s.Subscriptions.Linked(c.Request().Context(), c.Param("token"))
	if err != nil {
		return err
	}
	speak(c, offer)
	return c.PageWithStatus(http.StatusOK, mails.MailWeeks(mails.MailWeeksPage{Base: s.PageBase(c, c.T("mails.earlier.title")), Offer: offer, Weeks: weeks}))
}

// weekAsked is the mail of an earlier week.
func (s *Handlers) weekAsked(c *site.Call) (weekly.WrittenMail, error) {
	first, err := civil.ParseDate(c.Param("week"))
	if err != nil {
		return weekly.WrittenMail{}, db.ErrNotFound
	}
	return s.Subscriptions.Week(c.Request().Context(), c.Param("token"), first)
}

// showMail answers with a mail under its own policy.
func showMail(c *site.Call, m weekly.WrittenMail) error {
	c.Response().Header().Set("Content-Security-Policy", MailPolicy)
	return c.Blob(http.StatusOK, site.HTMLType, []byte(m.HTML))
}

// picture answers with the picture of a mail that the address names.
func picture(c *site.Call, m weekly.WrittenMail) error {
	picture, ok := m.Pictures[strings.TrimSuffix(c.Param("file"), ".png")]
	if !ok {
		return db.ErrNotFound
	}
	return c.Blob(http.StatusOK, "image/png", picture)
}
