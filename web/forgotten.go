package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/views/account"
)

// forgottenPage asks for the address of whoever wants a new password.
func (s *accountHandlers) forgottenPage(c *call) error {
	return c.page(account.Forgotten(account.ForgottenPage{Base: s.pageBase(c, "Set a new password"), Mails: s.mail != nil}))
}

// sendReset mails a link, if the address has an account. The answer says
// the same to everybody and leaves before anybody looks.
func (s *accountHandlers) sendReset(c *call) error {
	form := c.form()
	email := form.Get("email")
	page := account.ForgottenPage{Base: s.pageBase(c, "Set a new password"), Mails: s.mail != nil, Email: email}
	if s.mail == nil {
		return c.pageWithStatus(http.StatusNotFound, account.Forgotten(page))
	}
	err := s.access.TakeReset(c.Request().Context(), email, c.from(), s.device(c))
	if many, limited := errors.AsType[*access.TooManyError](err); limited {
		words, status := s.limited(c, many)
		page.Problem = words
		return c.pageWithStatus(status, account.Forgotten(page))
	}
	if err != nil {
		return err
	}
	called := s.brandFor(c).view.Called()
	s.later(c, "mail a link for a new password", func(ctx context.Context) error {
		p, secret, err := s.access.ResetLink(ctx, email)
		if errors.Is(err, access.ErrNoPerson) {
			return nil
		}
		if err != nil {
			return err
		}
		return s.mail.Send(ctx, resetMail(s.base, called, p, secret))
	})
	page.Sent = true
	return c.pageWithStatus(http.StatusOK, account.Forgotten(page))
}

// resetSpent are the words for a link that sets no password, whatever the reason.
const resetSpent = "It is used up or too old: it works once, for 30 minutes, and only the newest one does."

// resetPage asks for the new password and uses nothing up.
func (s *accountHandlers) resetPage(c *call) error {
	page, err := s.resetView(c, c.Param("token"))
	if err != nil {
		return err
	}
	if page.Token == "" {
		return c.pageWithStatus(http.StatusGone, account.Reset(page))
	}
	return c.pageWithStatus(http.StatusOK, account.Reset(page))
}

func (s *accountHandlers) resetView(c *call, secret string) (account.ResetPage, error) {
	page := account.ResetPage{Base: s.pageBase(c, "Set a new password")}
	page.Base.Path = "/sign-in/reset" // the secret stays out of the page's own links
	p, err := s.access.CheckReset(c.Request().Context(), secret)
	err = s.wrongLink(c, err)
	if errors.Is(err, access.ErrLink) {
		page.Problem = resetSpent
		return page, nil
	}
	page.Token, page.Email = secret, p.Email
	return page, err
}

// resetPassword spends the link. It signs nobody in: who has a second step still
// needs it.
func (s *accountHandlers) resetPassword(c *call) error {
	form := c.form()
	secret := form.Get("token")
	page, err := s.resetView(c, secret)
	if err != nil {
		return err
	}
	if page.Token == "" {
		return c.pageWithStatus(http.StatusGone, account.Reset(page))
	}
	p, err := s.access.ResetPassword(c.Request().Context(), secret, form.Get("password"))
	if bad, ok := errors.AsType[*access.PasswordError](err); ok {
		page.PasswordProblem = bad.Reason
		return c.pageWithStatus(http.StatusUnprocessableEntity, account.Reset(page))
	}
	if errors.Is(err, access.ErrLink) { // another was quicker
		page.Token, page.Problem = "", resetSpent
		return c.pageWithStatus(http.StatusGone, account.Reset(page))
	}
	if err != nil {
		return err
	}
	s.notify(c, p, "A new password was set by a mailed link.")
	return s.seeOther(c, "/sign-in?done=reset")
}

// resetMail is the mail that brings a link for a new password.
func resetMail(base *url.URL, called string, p access.Person, secret string) Mail {
	return Mail{
		To: p.Email, Subject: "Set a new password for " + called,
		Text: fmt.Sprintf("Hello %s,\n\nsomebody asked for a new password for your account at %s. If it was you, set it here:\n\n%s\n\nThe link works once, for 30 minutes. If it was not you, do nothing: your password stays.\n",
			p.Name, base.Host, base.JoinPath("sign-in", "reset", secret)),
	}
}
