package account

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/views/account"
	"github.com/storeglass/storeglass/web/site"
)

// forgottenPage asks for the address of whoever wants a new password.
func (s *Handlers) forgottenPage(c *site.Call) error {
	return c.Page(account.Forgotten(account.ForgottenPage{Base: s.PageBase(c, "Set a new password"), Mails: s.Mail != nil}))
}

// sendReset mails a link, if the address has an account. The answer says
// the same to everybody and leaves before anybody looks.
func (s *Handlers) sendReset(c *site.Call) error {
	form := c.Form()
	email := form.Get("email")
	page := account.ForgottenPage{Base: s.PageBase(c, "Set a new password"), Mails: s.Mail != nil, Email: email}
	if s.Mail == nil {
		return c.PageWithStatus(http.StatusNotFound, account.Forgotten(page))
	}
	err := s.Access.TakeReset(c.Request().Context(), email, c.From(), s.device(c))
	if many, limited := errors.AsType[*access.TooManyError](err); limited {
		words, status := s.limited(c, many)
		page.Problem = words
		return c.PageWithStatus(status, account.Forgotten(page))
	}
	if err != nil {
		return err
	}
	called := s.BrandFor(c).View.Called()
	s.Later(c, "mail a link for a new password", func(ctx context.Context) error {
		p, secret, err := s.Access.ResetLink(ctx, email)
		if errors.Is(err, access.ErrNoPerson) {
			return nil
		}
		if err != nil {
			return err
		}
		return s.Mail.Send(ctx, resetMail(s.Base, called, p, secret))
	})
	page.Sent = true
	return c.PageWithStatus(http.StatusOK, account.Forgotten(page))
}

// resetSpent are the words for a link that sets no password, whatever the reason.
const resetSpent = "It is used up or too old: it works once, for 30 minutes, and only the newest one does."

// resetPage asks for the new password and uses nothing up.
func (s *Handlers) resetPage(c *site.Call) error {
	page, err := s.resetView(c, c.Param("token"))
	if err != nil {
		return err
	}
	if page.Token == "" {
		return c.PageWithStatus(http.StatusGone, account.Reset(page))
	}
	return c.PageWithStatus(http.StatusOK, account.Reset(page))
}

func (s *Handlers) resetView(c *site.Call, secret string) (account.ResetPage, error) {
	page := account.ResetPage{Base: s.PageBase(c, "Set a new password")}
	page.Base.Path = "/sign-in/reset" // the secret stays out of the page's own links
	p, err := s.Access.CheckReset(c.Request().Context(), secret)
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
func (s *Handlers) resetPassword(c *site.Call) error {
	form := c.Form()
	secret := form.Get("token")
	page, err := s.resetView(c, secret)
	if err != nil {
		return err
	}
	if page.Token == "" {
		return c.PageWithStatus(http.StatusGone, account.Reset(page))
	}
	p, err := s.Access.ResetPassword(c.Request().Context(), secret, form.Get("password"))
	if bad, ok := errors.AsType[*access.PasswordError](err); ok {
		page.PasswordProblem = bad.Reason
		return c.PageWithStatus(http.StatusUnprocessableEntity, account.Reset(page))
	}
	if errors.Is(err, access.ErrLink) { // another was quicker
		page.Token, page.Problem = "", resetSpent
		return c.PageWithStatus(http.StatusGone, account.Reset(page))
	}
	if err != nil {
		return err
	}
	s.Notify(c, p, "A new password was set by a mailed link.")
	return s.SeeOther(c, "/sign-in?done=reset")
}

// resetMail is the mail that brings a link for a new password.
func resetMail(base *url.URL, called string, p access.Person, secret string) site.Mail {
	return site.Mail{
		To: p.Email, Subject: "Set a new password for " + called,
		Text: fmt.Sprintf("Hello %s,\n\nsomebody asked for a new password for your account at %s. If it was you, set it here:\n\n%s\n\nThe link works once, for 30 minutes. If it was not you, do nothing: your password stays.\n",
			p.Name, base.Host, base.JoinPath("sign-in", "reset", secret)),
	}
}
