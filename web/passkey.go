package web

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/views/account"
)

// sessionPasskey is the session's key of what is kept between asking a browser for
// a passkey and getting it. It is used once.
const sessionPasskey = "passkey"

// passkeyWrong are the words for a passkey that does not sign in, whatever the reason.
const passkeyWrong = "This passkey does not sign in here, or it took too long. Try again, or come in another way."

// needsPasskeys refuses where this site can have none.
func (s *accountHandlers) needsPasskeys() error {
	if s.passkeys == nil {
		return &problem{status: http.StatusNotFound, kind: "not-found", title: "No passkeys here", detail: s.passkeysOff, action: "To your account", href: "/account"}
	}
	return nil
}

// passkeyOptions gives the browser's script what it needs to ask for a passkey.
func (s *accountHandlers) passkeyOptions(c *call) error {
	if err := s.needsPasskeys(); err != nil {
		return err
	}
	ctx := c.Request().Context()
	if c.visit.Person.ID == 0 { // who is signed in has a session to keep it in
		if err := s.access.TakeStart(ctx, c.from()); err != nil {
			return err
		}
		if s.sessions.Token(ctx) == "" {
			if err := s.freshSession(c, halfLife); err != nil {
				return err
			}
		}
	}
	options, state, err := s.access.BeginPasskey(s.passkeys)
	if err != nil {
		return err
	}
	return s.ask(c, options, state)
}

// ask sends what a browser's script needs, and keeps what its answer is checked by.
func (s *accountHandlers) ask(c *call, options []byte, state string) error {
	s.sessions.Put(c.Request().Context(), sessionPasskey, state)
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.Blob(http.StatusOK, "application/json", options)
}

// taken says whose passkey was posted.
func (s *accountHandlers) taken(c *call) (access.Person, error) {
	form := c.form()
	ctx := c.Request().Context()
	p, err := s.access.TakePasskey(ctx, s.passkeys, s.sessions.PopString(ctx, sessionPasskey), form.Get("credential"))
	if errors.Is(err, access.ErrCloned) {
		err = access.ErrWrong
	}
	return p, err
}

// signInByPasskey needs no password: a passkey is two things at once.
func (s *accountHandlers) signInByPasskey(c *call) error {
	if err := s.needsPasskeys(); err != nil {
		return err
	}
	p, err := s.taken(c)
	next := localPath(c.Request().PostForm.Get("next"))
	if errors.Is(err, access.ErrWrong) {
		page := s.signInPage(c, next)
		page.Problem = passkeyWrong
		return c.pageWithStatus(http.StatusUnprocessableEntity, account.SignIn(page))
	}
	if err != nil {
		return err
	}
	if err := s.startSession(c, p, "passkey"); err != nil {
		return err
	}
	return s.seeOther(c, next)
}

// secondStepByPasskey takes the second step.
func (s *accountHandlers) secondStepByPasskey(c *call) error {
	if err := s.needsPasskeys(); err != nil {
		return err
	}
	h, f, err := s.waiting(c)
	if errors.Is(err, errNoHalf) {
		return s.startAgain(c)
	}
	if err != nil {
		return err
	}
	if err := s.checkCSRF(c); err != nil {
		return err
	}
	p, err := s.taken(c)
	if err == nil && p.ID != h.Person {
		err = access.ErrWrong
	}
	if errors.Is(err, access.ErrWrong) {
		return s.secondStepPage(c, http.StatusUnprocessableEntity, h, f, passkeyWrong)
	}
	if err != nil {
		return err
	}
	return s.finish(c, h, h.Way+" and passkey")
}

// confirmByPasskey shows once more who one is.
func (s *accountHandlers) confirmByPasskey(c *call) error {
	if err := s.needsPasskeys(); err != nil {
		return err
	}
	p, err := s.taken(c)
	if err == nil && p.ID != c.visit.Person.ID {
		err = access.ErrWrong
	}
	next := localPath(c.Request().PostForm.Get("next"))
	if errors.Is(err, access.ErrWrong) {
		page, err := s.confirmView(c, next)
		if err != nil {
			return err
		}
		page.Problem = passkeyWrong
		return c.pageWithStatus(http.StatusUnprocessableEntity, account.Confirm(page))
	}
	if err != nil {
		return err
	}
	if err := s.startSession(c, p, "passkey"); err != nil {
		return err
	}
	return s.seeOther(c, next)
}

// addPasskeyOptions gives the browser's script what it needs to make a passkey.
func (s *accountHandlers) addPasskeyOptions(c *call) error {
	if err := s.needsPasskeys(); err != nil {
		return err
	}
	if err := c.recently("/account"); err != nil {
		return err
	}
	options, state, err := s.access.BeginAddPasskey(c.Request().Context(), s.passkeys, c.me())
	if err != nil {
		return err
	}
	return s.ask(c, options, state)
}

// addPasskey keeps the passkey that the browser made.
func (s *accountHandlers) addPasskey(c *call) error {
	if err := s.needsPasskeys(); err != nil {
		return err
	}
	if err := c.recently("/account"); err != nil {
		return err
	}
	form := c.form()
	ctx := c.Request().Context()
	name := "Passkey"
	if agent := agentWords(c.Request().UserAgent()); agent != "" {
		name = "Passkey of " + agent
	}
	codes, err := s.access.AddPasskey(ctx, s.passkeys, c.me(), s.sessions.PopString(ctx, sessionPasskey), form.Get("credential"), name, c.visit.SessionID)
	switch {
	case errors.Is(err, access.ErrWrong):
		return s.accountMistake(c, http.StatusUnprocessableEntity, func(p *account.Page) {
			p.Problem = "This passkey was not added: it took too long, or the browser answered something else. Try again."
		})
	case errors.Is(err, access.ErrTaken):
		return s.accountMistake(c, http.StatusConflict, func(p *account.Page) { p.Problem = "This passkey is there already." })
	case err != nil:
		return err
	}
	s.notify(c, c.me(), "A passkey was added to your account.")
	if len(codes) > 0 {
		return s.recoveryPage(c, codes, "The passkey is added.")
	}
	return s.accountChanged(c, "passkey")
}

// sentPasskey is the passkey that a form is about.
func sentPasskey(c *call) (int64, error) {
	form := c.form()
	id, err := strconv.ParseInt(form.Get("id"), 10, 64)
	if err != nil {
		return 0, errNotFound
	}
	return id, nil
}

// renamePasskey changes what a passkey is called.
func (s *accountHandlers) renamePasskey(c *call) error {
	id, err := sentPasskey(c)
	if err != nil {
		return err
	}
	err = s.access.RenamePasskey(c.Request().Context(), c.me(), id, c.Request().PostForm.Get("name"))
	if errors.Is(err, access.ErrNoFactor) { // gone, in another window
		return s.seeOther(c, "/account")
	}
	if err != nil {
		return err
	}
	return s.accountChanged(c, "passkey-renamed")
}

// removePasskey takes a passkey away.
func (s *accountHandlers) removePasskey(c *call) error {
	if err := c.recently("/account"); err != nil {
		return err
	}
	id, err := sentPasskey(c)
	if err != nil {
		return err
	}
	err = s.access.RemovePasskey(c.Request().Context(), c.me(), id, c.visit.SessionID)
	if errors.Is(err, access.ErrNoFactor) {
		return s.seeOther(c, "/account")
	}
	if err != nil {
		return err
	}
	s.notify(c, c.me(), "A passkey was removed from your account.")
	return s.accountChanged(c, "passkey-removed")
}
