package account

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/views/account"
	"github.com/storeglass/storeglass/web/site"
)

func (s *Handlers) signIn(c *site.Call) error {
	next := site.LocalPath(c.QueryParam("next"))
	if c.Visit.Person.ID != 0 {
		return s.SeeOther(c, next)
	}
	switch code, err := s.SignIn.SetUpCode(c.Request().Context()); {
	case err != nil:
		return err
	case code != "": // nobody has an account yet
		return s.SeeOther(c, setUpPath)
	}
	page := s.signInPage(c, next)
	switch c.QueryParam("done") {
	case "reset":
		page.Notice = c.T("account.done.reset")
	case "unsaved":
		page.Notice = c.T("account.done.unsaved")
	}
	return c.Page(account.SignIn(page))
}

func (s *Handlers) signInPage(c *site.Call, next string) account.SignInPage {
	page := account.SignInPage{Base: s.PageBase(c, c.T("account.sign_in")), Next: next, Passkeys: s.passkeys != nil}
	page.Provider, page.ProviderHref = s.providerHref(SSOStart, next)
	return page
}

// providerHref is the name of the single sign-on and the address that starts it; both are empty
// if there is none.
func (s *Handlers) providerHref(path, next string) (name, href string) {
	if s.SSO == nil {
		return "", ""
	}
	if next != "" {
		path += "?" + url.Values{"next": {next}}.Encode()
	}
	return s.SSO.Name(), path
}

// signInLink asks whether to sign in and doesn't use up the link: mail scanners open links, but
// they don't post forms.
func (s *Handlers) signInLink(c *site.Call) error {
	secret := c.Param("token")
	page := account.SignInLinkPage{Base: s.PageBase(c, c.T("account.sign_in")), Next: site.LocalPath(c.QueryParam("next"))}
	page.Base.Path = "/sign-in" // the secret stays out of the page's own links
	switch err := s.checkLink(c, secret); {
	case errors.Is(err, fault.NotFound):
		page.Problem = c.T("account.problem.link")
		return c.PageWithStatus(http.StatusGone, account.SignInLink(page))
	case err != nil:
		return err
	}
	page.Token = secret
	return c.PageWithStatus(http.StatusOK, account.SignInLink(page))
}

func (s *Handlers) checkLink(c *site.Call, secret string) error {
	err := s.SignIn.CheckLink(c.Request().Context(), secret)
	return s.wrongLink(c, err)
}

// wrongLink counts a link that doesn't work; working links aren't limited.
func (s *Handlers) wrongLink(c *site.Call, err error) error {
	if errors.Is(err, fault.NotFound) {
		if err := s.SignIn.TakeLink(c.Request().Context(), c.From()); err != nil {
			return err
		}
	}
	return err
}

// takeSignIn takes an address and a password, or a one-time link.
func (s *Handlers) takeSignIn(c *site.Call) error {
	form := c.Form()
	next := site.LocalPath(form.Get("next"))
	if secret := form.Get("token"); secret != "" {
		return s.signInByLink(c, secret, next)
	}
	person, err := s.SignIn.ByPassword(c.Request().Context(), signin.Try{
		Email: form.Get("email"), Password: form.Get("password"), From: c.From(), Device: s.device(c),
	})
	page := s.signInPage(c, next)
	page.Email = form.Get("email")
	words, status := s.refused(c, err, c.T("account.problem.sign_in"))
	switch {
	case err == nil:
		return s.firstStep(c, person, "password", next)
	case words != "":
		page.Problem = words
		return c.PageWithStatus(status, account.SignIn(page))
	}
	return err
}

// signInByLink uses up the link.
func (s *Handlers) signInByLink(c *site.Call, secret, next string) error {
	ctx := c.Request().Context()
	person, err := s.SignIn.UseLink(ctx, secret)
	err = s.wrongLink(c, err)
	if errors.Is(err, fault.NotFound) {
		return c.PageWithStatus(http.StatusGone, account.SignInLink(account.SignInLinkPage{Base: s.PageBase(c, c.T("account.sign_in")), Problem: c.T("account.problem.link")}))
	}
	if err != nil {
		return err
	}
	return s.firstStep(c, person, "one-time link", next)
}

// signOut ends the session, here and in the database, and makes the browser drop its cached
// pages.
func (s *Handlers) signOut(c *site.Call) error {
	ctx := c.Request().Context()
	if err := s.Audit.Record(ctx, audit.Event{Action: audit.SessionEnded}); err != nil {
		return err
	}
	if err := s.Sessions.Destroy(ctx); err != nil {
		return err
	}
	c.Response().Header().Set("Clear-Site-Data", `"cache", "storage"`)
	return s.SeeOther(c, "/sign-in")
}
