package account

import (
	"errors"
	"net/http"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/views/account"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/web/site"
)

// sessionPasskey is the session key of the state kept between asking a browser for a passkey
// and getting it. It is used once.
const sessionPasskey = "passkey"

// withPasskeys runs a handler if this site can use passkeys.
func (s *Handlers) withPasskeys(handle func(*site.Call) error) func(*site.Call) error {
	return func(c *site.Call) error {
		if s.passkeys == nil {
			return site.NewProblem(fault.NotFound, "no_passkeys", "reason", s.passkeysOff).Leading("account", "/account")
		}
		return handle(c)
	}
}

// passkeyOptions gives the browser's script what it needs to ask for a passkey.
func (s *Handlers) passkeyOptions(c *site.Call) error {
	ctx := c.Request().Context()
	if c.Visit.Person.ID == 0 { // a signed-in person already has a session to keep it in
		if err := s.SignIn.TakeStart(ctx, c.From()); err != nil {
			return err
		}
		if s.Sessions.Token(ctx) == "" {
			if err := s.freshSession(c, halfLife); err != nil {
				return err
			}
		}
	}
	options, state, err := s.SignIn.BeginPasskey(s.passkeys)
	if err != nil {
		return err
	}
	return s.ask(c, options, state)
}

// ask sends what the browser's script needs, and keeps the state to check its answer.
func (s *Handlers) ask(c *site.Call, options []byte, state string) error {
	s.Sessions.Put(c.Request().Context(), sessionPasskey, state)
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.Blob(http.StatusOK, "application/json", options)
}

// taken returns whose passkey was posted.
func (s *Handlers) taken(c *site.Call) (access.Person, error) {
	ctx := c.Request().Context()
	p, err := s.SignIn.TakePasskey(ctx, s.passkeys, s.Sessions.PopString(ctx, sessionPasskey), c.Form().Get("credential"))
	if errors.Is(err, fault.Conflict) {
		err = fault.Denied
	}
	return p, err
}

// signInByPasskey needs no password: a passkey counts as two factors.
func (s *Handlers) signInByPasskey(c *site.Call) error {
	p, err := s.taken(c)
	next := site.LocalPath(c.Form().Get("next"))
	if errors.Is(err, fault.Denied) {
		page := s.signInPage(c, next)
		page.Problem = c.T("account.problem.passkey")
		return c.PageWithStatus(http.StatusUnprocessableEntity, account.SignIn(page))
	}
	if err != nil {
		return err
	}
	return s.Then(c, s.startSession(c, p, "passkey"), next)
}

// secondStepByPasskey accepts a passkey as the second step.
func (s *Handlers) secondStepByPasskey(c *site.Call) error {
	return s.betweenSteps(c, func(h half, f signin.Factors) error {
		if err := s.CheckCSRF(c); err != nil {
			return err
		}
		p, err := s.taken(c)
		if err == nil && p.ID != h.Person {
			err = fault.Denied
		}
		if errors.Is(err, fault.Denied) {
			return s.secondStepPage(c, http.StatusUnprocessableEntity, h, f, c.T("account.problem.passkey"))
		}
		if err != nil {
			return err
		}
		return s.finish(c, h, h.Way+" and passkey")
	})
}

func (s *Handlers) confirmByPasskey(c *site.Call) error {
	p, err := s.taken(c)
	if err == nil && p.ID != c.Visit.Person.ID {
		err = fault.Denied
	}
	next := site.LocalPath(c.Form().Get("next"))
	if errors.Is(err, fault.Denied) {
		page, err := s.confirmView(c, next)
		if err != nil {
			return err
		}
		page.Problem = c.T("account.problem.passkey")
		return c.PageWithStatus(http.StatusUnprocessableEntity, account.Confirm(page))
	}
	if err != nil {
		return err
	}
	return s.Then(c, s.startSession(c, p, "passkey"), next)
}

// addPasskeyOptions gives the browser's script what it needs to make a passkey.
func (s *Handlers) addPasskeyOptions(c *site.Call) error {
	options, state, err := s.SignIn.BeginAddPasskey(c.Request().Context(), s.passkeys, c.Me())
	if err != nil {
		return err
	}
	return s.ask(c, options, state)
}

// addPasskey keeps the passkey that the browser made.
func (s *Handlers) addPasskey(c *site.Call) error {
	ctx := c.Request().Context()
	name := c.T("account.passkey")
	if agent := site.AgentWords(c.Request().UserAgent()); agent != "" {
		name = c.T("account.passkey_of", "agent", components.Agent(c.Locale(), agent))
	}
	codes, err := s.SignIn.AddPasskey(ctx, s.passkeys, c.Me(), s.Sessions.PopString(ctx, sessionPasskey), c.Form().Get("credential"), name, c.Visit.SessionID)
	switch {
	case errors.Is(err, fault.Denied):
		return s.accountMistake(c, http.StatusUnprocessableEntity, func(p *account.Page) {
			p.Problem = c.T("account.problem.passkey_add")
		})
	case errors.Is(err, fault.Conflict):
		return s.accountMistake(c, http.StatusConflict, func(p *account.Page) { p.Problem = c.T("account.problem.passkey_there") })
	case err != nil:
		return err
	}
	s.Notify(c, c.Me().ID, locale.M("mail_account.changed.passkey_added"))
	if len(codes) > 0 {
		return s.recoveryPage(c, codes, c.T("account.recovery.passkey_added"))
	}
	return s.accountChanged(c, nil, "passkey")
}

func (s *Handlers) renamePasskey(c *site.Call, id int64) error {
	err := s.SignIn.RenamePasskey(c.Request().Context(), c.Me(), id, c.Form().Get("name"))
	if errors.Is(err, fault.NotFound) { // removed in another window
		return s.SeeOther(c, "/account")
	}
	return s.accountChanged(c, err, "passkey-renamed")
}

func (s *Handlers) removePasskey(c *site.Call, id int64) error {
	err := s.SignIn.RemovePasskey(c.Request().Context(), c.Me(), id, c.Visit.SessionID)
	if errors.Is(err, fault.NotFound) {
		return s.SeeOther(c, "/account")
	}
	if err != nil {
		return err
	}
	s.Notify(c, c.Me().ID, locale.M("mail_account.changed.passkey_removed"))
	return s.accountChanged(c, nil, "passkey-removed")
}
