package account

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/storeglass/storeglass/internal/access/sso"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/views/account"
	"github.com/storeglass/storeglass/web/site"
)

// sessionSSO is the session key of what is kept while the browser is at the single sign-on
// provider, in any of its tabs.
const sessionSSO = "sso"

// The provider sends people back to ssoCallback, whatever the purpose was.
const SSOStart, CallbackPath = "/sign-in/sso", "/sign-in/sso/callback"

// SSOCallback is the address that a provider must know to send people back to.
func SSOCallback(base *url.URL) string { return base.JoinPath(CallbackPath).String() }

// errNoSSO means that no provider is set.
var errNoSSO = site.NewProblem(fault.NotFound, "no_sso").Leading("sign_in", "/sign-in")

func (s *Handlers) beginSSO(c *site.Call) error {
	return s.leadTo(c, sso.Asked{Next: site.LocalPath(c.QueryParam("next"))}, false)
}

// confirmBySSO leads to the provider to confirm the person's identity there.
func (s *Handlers) confirmBySSO(c *site.Call) error {
	return s.leadTo(c, sso.Asked{Purpose: "confirm", Person: c.Visit.Person.ID, Next: site.LocalPath(c.QueryParam("next"))}, true)
}

func (s *Handlers) leadTo(c *site.Call, asked sso.Asked, fresh bool) error {
	address, err := s.askProvider(c, asked, fresh)
	if err != nil {
		return s.ssoFailed(c, asked, err)
	}
	return s.SeeOther(c, address)
}

// connectSSO leads to the provider to connect an account. It is a form, so that no other site
// can connect someone's account with an identity of its choice; since forms may not lead to
// another site, a page does.
func (s *Handlers) connectSSO(c *site.Call) error {
	asked := sso.Asked{Purpose: "connect", Person: c.Visit.Person.ID}
	address, err := s.askProvider(c, asked, false)
	if err != nil {
		return s.ssoFailed(c, asked, err)
	}
	c.Response().Header().Set("Refresh", "0; url="+address)
	return c.PageWithStatus(http.StatusOK, account.Onward(account.OnwardPage{Base: s.PageBase(c, c.T("account.on_to", "provider", s.SSO.Name())), Provider: s.SSO.Name(), Href: address}))
}

// askProvider returns the provider's address to go to, and keeps the state to check its answer.
func (s *Handlers) askProvider(c *site.Call, asked sso.Asked, fresh bool) (address string, err error) {
	if s.SSO == nil {
		return "", errNoSSO
	}
	ctx := c.Request().Context()
	if err := s.SignIn.TakeStart(ctx, c.From()); err != nil {
		return "", err
	}
	address, keep, err := s.SSO.Begin(ctx, s.Sessions.GetString(ctx, sessionSSO), asked, fresh)
	if err != nil {
		return "", err
	}
	if s.Sessions.Token(ctx) == "" {
		if err := s.freshSession(c, halfLife); err != nil {
			return "", err
		}
	}
	s.Sessions.Put(ctx, sessionSSO, keep)
	return address, nil
}

func (s *Handlers) finishSSO(c *site.Call) error {
	if s.SSO == nil {
		return errNoSSO
	}
	ctx := c.Request().Context()
	asked, keep, err := s.SSO.Take(s.Sessions.GetString(ctx, sessionSSO), c.QueryParams())
	if err != nil {
		return s.ssoFailed(c, asked, err)
	}
	s.Sessions.Put(ctx, sessionSSO, keep)
	id, err := s.SSO.Finish(ctx, asked, c.QueryParams())
	if err != nil {
		return s.ssoFailed(c, asked, err)
	}
	if asked.Purpose != "" && asked.Person != c.Visit.Person.ID { // signed out or in meanwhile
		return s.ssoFailed(c, asked, sso.Error(fault.Conflict, "late"))
	}
	if asked.Purpose == "connect" {
		if err := s.SignIn.ConnectSSO(ctx, c.Me(), id, c.Visit.SessionID); err != nil {
			return s.ssoFailed(c, asked, err)
		}
		s.Notify(c, c.Me().ID, locale.M("mail_account.changed.sso_connected", "provider", s.SSO.Name()))
		return s.accountChanged(c, nil, "connected")
	}
	p, err := s.SignIn.BySSO(ctx, id)
	if err == nil && asked.Purpose == "confirm" && p.ID != asked.Person {
		err = sso.Error(fault.Conflict, "taken")
	}
	if err != nil {
		return s.ssoFailed(c, asked, err)
	}
	return s.Then(c, s.startSession(c, p, "single sign-on with "+s.SSO.Name()), asked.Next)
}

// ssoFailed says in plain words what went wrong, on the page that the person came from.
func (s *Handlers) ssoFailed(c *site.Call, asked sso.Asked, err error) error {
	if s.SSO == nil {
		return err
	}
	f, ok := fault.As(err)
	if !ok {
		return err
	}
	words := c.T(f.Reason.ID, "provider", s.SSO.Name())
	c.Failed = err
	if c.Visit.Person.ID != 0 {
		return s.accountMistake(c, f.Status(), func(p *account.Page) { p.Problem = words })
	}
	page := s.signInPage(c, asked.Next)
	page.Problem = words
	return c.PageWithStatus(f.Status(), account.SignIn(page))
}

// removeIdentity disconnects a person from the provider.
func (s *Handlers) removeIdentity(c *site.Call) error {
	form := c.Form()
	err := s.SignIn.RemoveIdentity(c.Request().Context(), c.Me(), form.Get("issuer"), form.Get("subject"), c.Visit.SessionID)
	if errors.Is(err, fault.NotFound) {
		return s.SeeOther(c, "/account")
	}
	if err != nil {
		return err
	}
	s.Notify(c, c.Me().ID, locale.M("mail_account.changed.sso_disconnected"))
	return s.accountChanged(c, nil, "disconnected")
}
