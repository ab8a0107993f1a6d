package account

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/views/account"
	"github.com/storeglass/storeglass/web/site"
)

// forgottenPage asks for the address of the person who wants a new password.
func (s *Handlers) forgottenPage(c *site.Call) error {
	return c.Page(account.Forgotten(account.ForgottenPage{Base: s.PageBase(c, c.T("account.new_password_title")), Mails: s.Mail != nil}))
}

// sendReset mails a link if the address has an account. The answer is the same for everyone and
// is sent before the lookup.
func (s *Handlers) sendReset(c *site.Call) error {
	email := c.Form().Get("email")
	page := account.ForgottenPage{Base: s.PageBase(c, c.T("account.new_password_title")), Mails: s.Mail != nil, Email: email}
	if s.Mail == nil {
		return c.PageWithStatus(http.StatusNotFound, account.Forgotten(page))
	}
	if strings.TrimSpace(email) == "" {
		page.Problem = c.T("account.problem.email")
		return c.PageWithStatus(http.StatusUnprocessableEntity, account.Forgotten(page))
	}
	err := s.SignIn.TakeReset(c.Request().Context(), email, c.From(), s.device(c))
	if words, status := s.refused(c, err, ""); words != "" {
		page.Problem = words
		return c.PageWithStatus(status, account.Forgotten(page))
	}
	if err != nil {
		return err
	}
	called := s.BrandFor(c).View.Called()
	s.Later(c, "mail a link for a new password", func(ctx context.Context) error {
		p, secret, err := s.SignIn.ResetLink(ctx, email)
		if errors.Is(err, fault.Missing("person")) {
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

// resetPage asks for the new password and doesn't use up the link.
func (s *Handlers) resetPage(c *site.Call) error {
	page, err := s.resetView(c, c.Param("token"))
	if err != nil {
		return err
	}
	return c.PageWithStatus(stillThere(page.Token), account.Reset(page))
}

// stillThere is the status of a page for a secret in its address, which is empty if that no longer works.
func stillThere(token string) int {
	if token == "" {
		return http.StatusGone
	}
	return http.StatusOK
}

func (s *Handlers) resetView(c *site.Call, secret string) (account.ResetPage, error) {
	page := account.ResetPage{Base: s.PageBase(c, c.T("account.new_password_title"))}
	page.Base.Path = "/sign-in/reset" // the secret stays out of the page's own links
	p, err := s.SignIn.CheckReset(c.Request().Context(), secret)
	err = s.wrongLink(c, err)
	if errors.Is(err, fault.NotFound) {
		page.Problem = c.T("account.reset_spent")
		return page, nil
	}
	page.Token, page.Email = secret, p.Email
	return page, err
}

// resetPassword uses up the link. It signs nobody in: a second step is still needed.
func (s *Handlers) resetPassword(c *site.Call) error {
	secret := c.Form().Get("token")
	page, err := s.resetView(c, secret)
	if err != nil {
		return err
	}
	if page.Token == "" {
		return c.PageWithStatus(http.StatusGone, account.Reset(page))
	}
	p, err := s.SignIn.ResetPassword(c.Request().Context(), secret, c.Form().Get("password"))
	if bad, ok := fault.As(err); ok && bad.Kind == fault.Invalid {
		page.Wrong = c.Wrong(bad)
		return c.PageWithStatus(http.StatusUnprocessableEntity, account.Reset(page))
	}
	if errors.Is(err, fault.NotFound) { // used meanwhile
		page.Token, page.Problem = "", c.T("account.reset_spent")
		return c.PageWithStatus(http.StatusGone, account.Reset(page))
	}
	if err != nil {
		return err
	}
	s.Notify(c, p.ID, locale.M("mail_account.changed.reset"))
	return s.SeeOther(c, "/sign-in?done=reset")
}

// resetMail is the mail with the link for a new password.
func resetMail(base *url.URL, called string, p access.Person, secret string) site.Mail {
	l, _ := locale.Of(p.Language)
	return site.Mail{
		To: p.Email, Subject: l.T("mail_account.reset_subject", "product", called),
		Text: site.MailText(
			l.T("mail_account.hello", "name", p.Name), l.T("mail_account.reset_asked", "host", base.Host),
			base.JoinPath("sign-in", "reset", secret).String(), l.T("mail_account.reset_else"),
		),
	}
}
