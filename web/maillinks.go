package web

import (
	"net/http"
	"strings"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report/weekly"
	"github.com/storeglass/storeglass/views/mails"
)

// confirmMailPage asks an address whether it wants the mail.
func (s *mailsHandlers) confirmMailPage(c *call) error {
	offer, err := s.mailroom.Asked(c.Request().Context(), c.Param("token"))
	if err != nil {
		return err
	}
	return c.pageWithStatus(http.StatusOK, mails.ConfirmMail(mails.MailLinkPage{Base: s.pageBase(c, "Weekly mail"), Offer: offer}))
}

// confirmMail is its yes.
func (s *mailsHandlers) confirmMail(c *call) error {
	if err := s.mailroom.Confirm(c.Request().Context(), c.Param("token")); err != nil {
		return err
	}
	return s.confirmMailPage(c)
}

// unsubscribePage asks whether to end the mails, or says that they have ended.
func (s *mailsHandlers) unsubscribePage(c *call) error {
	offer, err := s.mailroom.Linked(c.Request().Context(), c.Param("token"))
	if err != nil {
		return err
	}
	title := "Weekly mail"
	if offer.Alerts {
		title = "Alert mails"
	}
	return c.pageWithStatus(http.StatusOK, mails.Unsubscribe(mails.MailLinkPage{Base: s.pageBase(c, title), Offer: offer}))
}

// unsubscribe ends the mails at once. Mail programs send this themselves, without a
// person, a cookie or a page of ours before it (RFC 8058).
func (s *mailsHandlers) unsubscribe(c *call) error {
	if err := s.mailroom.Unsubscribe(c.Request().Context(), c.Param("token")); err != nil {
		return err
	}
	return s.unsubscribePage(c)
}

// mailPolicy lets a mail show its own pictures and its own looks, and nothing else.
const mailPolicy = "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// mailPage shows a mail as it was sent. Its pictures stand beside it.
func (s *mailsHandlers) mailPage(c *call) error {
	m, err := s.mailroom.Mail(c.Request().Context(), c.Param("token"))
	if err != nil {
		return err
	}
	return showMail(c, m)
}

// mailPicture is a picture of such a mail.
func (s *mailsHandlers) mailPicture(c *call) error {
	m, err := s.mailroom.Mail(c.Request().Context(), c.Param("token"))
	if err != nil {
		return err
	}
	return picture(c, m)
}

// mailWeeks lists the earlier weeks that a mail stands for. Its links are relative, so
// that the secret in the address stands nowhere in the page.
func (s *mailsHandlers) mailWeeks(c *call) error {
	weeks, err := s.mailroom.Weeks(c.Request().Context(), c.Param("token"))
	if err != nil {
		return err
	}
	offer, err := s.mailroom.Linked(c.Request().Context(), c.Param("token"))
	if err != nil {
		return err
	}
	return c.pageWithStatus(http.StatusOK, mails.MailWeeks(mails.MailWeeksPage{Base: s.pageBase(c, "Earlier reports"), Offer: offer, Weeks: weeks}))
}

// mailWeek shows the mail of such a week.
func (s *mailsHandlers) mailWeek(c *call) error {
	m, err := s.weekAsked(c)
	if err != nil {
		return err
	}
	return showMail(c, m)
}

func (s *mailsHandlers) mailWeekPicture(c *call) error {
	m, err := s.weekAsked(c)
	if err != nil {
		return err
	}
	return picture(c, m)
}

func (s *mailsHandlers) weekAsked(c *call) (weekly.WrittenMail, error) {
	first, err := civil.ParseDate(c.Param("week"))
	if err != nil {
		return weekly.WrittenMail{}, db.ErrNotFound
	}
	return s.mailroom.Week(c.Request().Context(), c.Param("token"), first)
}

// showMail answers with a mail under its own policy.
func showMail(c *call, m weekly.WrittenMail) error {
	c.Response().Header().Set("Content-Security-Policy", mailPolicy)
	return c.Blob(http.StatusOK, htmlType, []byte(m.HTML))
}

// picture answers with the picture of a mail that the address names.
func picture(c *call, m weekly.WrittenMail) error {
	picture, ok := m.Pictures[strings.TrimSuffix(c.Param("file"), ".png")]
	if !ok {
		return db.ErrNotFound
	}
	return c.Blob(http.StatusOK, "image/png", picture)
}
