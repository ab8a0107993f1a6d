package web

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/views/account"
)

// accountHandlers answer how people get in, and their own account.
type accountHandlers struct {
	*Site
	sso *access.SSO
	// passkeys is nil where this site can have none; passkeysOff says why.
	passkeys    *access.PasskeyRealm
	passkeysOff string
}

func newAccount(at *Site, sso *access.SSO) *accountHandlers {
	s := &accountHandlers{Site: at, sso: sso}
	realm, err := access.NewPasskeyRealm(at.base)
	if err != nil {
		s.passkeysOff = err.Error()
	}
	s.passkeys = realm
	return s
}

// accountDone are the words after an action, by the name it leaves in the address.
var accountDone = map[string]string{
	"name":            "Your name is saved.",
	"language":        "Your language is saved.",
	"password":        "Your password is saved. You are signed out everywhere else.",
	"app-removed":     "The app is removed.",
	"passkey":         "The passkey is added. You can sign in with it alone.",
	"passkey-renamed": "The passkey has its new name.",
	"connected":       "Your account is connected. You can sign in with it.",
	"disconnected":    "Your account is disconnected.",
	"passkey-removed": "The passkey is removed.",
	"session":         "Signed out there.",
	"sessions":        "You are signed out everywhere else.",
}

// accountPage shows a person their own account.
func (s *accountHandlers) accountPage(c *call) error {
	page, err := s.accountView(c)
	if err != nil {
		return err
	}
	page.Notice = accountDone[c.QueryParam("done")]
	return c.page(account.Show(page))
}

func (s *accountHandlers) accountView(c *call) (account.Page, error) {
	ctx, me := c.Request().Context(), c.me()
	page := account.Page{Base: s.pageBase(c, "Your account"), Email: me.Email, Name: me.Name, Role: string(me.Role), Language: c.visit.Person.Language}
	f, err := s.access.FactorsOf(ctx, me.ID)
	if err != nil {
		return page, err
	}
	page.PasswordSince, page.AppSince, page.RecoveryLeft = f.PasswordSet, f.TOTPSince, f.RecoveryCodes
	if !s.access.CanTOTP() {
		page.AppOff = "No authenticator app can be added: this server has no secret key."
	}
	page.PasskeysOff = s.passkeysOff
	if s.sso != nil {
		page.Provider = s.sso.Name()
	}
	identities, err := s.access.IdentitiesOf(ctx, me.ID)
	if err != nil {
		return page, err
	}
	for _, i := range identities {
		line := account.IdentityLine{Issuer: i.Issuer, Subject: i.Subject, Email: i.Email, Added: i.Added}
		if i.Used != nil {
			line.Used = *i.Used
		}
		page.Identities = append(page.Identities, line)
	}
	passkeys, err := s.access.PasskeysOf(ctx, me.ID)
	if err != nil {
		return page, err
	}
	for _, k := range passkeys {
		line := account.PasskeyLine{ID: strconv.FormatInt(k.ID, 10), Name: k.Name, Added: k.Added}
		if k.Used != nil {
			line.Used = *k.Used
		}
		page.Passkeys = append(page.Passkeys, line)
	}
	sessions, err := s.access.SessionsOf(ctx, me.ID)
	if err != nil {
		return page, err
	}
	for _, one := range sessions {
		page.Sessions = append(page.Sessions, account.SessionLine{
			ID: strconv.FormatInt(one.ID, 10), This: one.ID == c.visit.SessionID,
			Way: one.Way, Address: one.Address, Agent: one.Agent, Since: one.Since, Seen: one.Seen,
		})
	}
	return page, nil
}

// accountMistake shows the account again with what went wrong.
func (s *accountHandlers) accountMistake(c *call, status int, change func(*account.Page)) error {
	page, err := s.accountView(c)
	if err != nil {
		return err
	}
	page.Base.Path = "/account"
	change(&page)
	return c.pageWithStatus(status, account.Show(page))
}

func (s *accountHandlers) accountChanged(c *call, done string) error {
	return s.seeOther(c, "/account?done="+done)
}

// saveName changes what a person is called.
func (s *accountHandlers) saveName(c *call) error {
	form := c.form()
	name := form.Get("name")
	wrong, mistaken := errors.AsType[*access.NameError](s.access.RenamePerson(c.Request().Context(), c.me(), name))
	if mistaken {
		return s.accountMistake(c, http.StatusUnprocessableEntity, func(p *account.Page) { p.Name, p.NameProblem = name, wrong.Reason })
	}
	return s.accountChanged(c, "name")
}

// saveLanguage chooses the language of a person's pages; empty is the browser's.
func (s *accountHandlers) saveLanguage(c *call) error {
	form := c.form()
	code := form.Get("language")
	if _, known := locale.Of(code); !known && code != "" {
		return errUnreadable
	}
	if err := s.access.SetLanguage(c.Request().Context(), c.visit.Person.ID, code); err != nil {
		return err
	}
	return s.accountChanged(c, "language")
}

// passwordPage shows the form for a new password. Who has none must have proved
// lately who they are; who has one names it.
func (s *accountHandlers) passwordPage(c *call) error {
	page, err := s.passwordView(c)
	if err != nil {
		return err
	}
	return c.pageWithStatus(http.StatusOK, account.Password(page))
}

func (s *accountHandlers) passwordView(c *call) (account.PasswordPage, error) {
	f, err := s.access.FactorsOf(c.Request().Context(), c.visit.Person.ID)
	if err != nil {
		return account.PasswordPage{}, err
	}
	if !f.Password() || f.Second() {
		if err := c.recently("/account/password"); err != nil {
			return account.PasswordPage{}, err
		}
	}
	return account.PasswordPage{Base: s.pageBase(c, "Password"), Email: c.visit.Person.Email, Has: f.Password()}, nil
}

// changePassword saves a new password.
func (s *accountHandlers) changePassword(c *call) error {
	form := c.form()
	page, err := s.passwordView(c)
	if err != nil {
		return err
	}
	ctx, me := c.Request().Context(), c.me()
	if page.Has {
		err := s.access.ConfirmPassword(ctx, me, form.Get("current"))
		many, limited := errors.AsType[*access.TooManyError](err)
		switch {
		case errors.Is(err, access.ErrWrong):
			page.CurrentProblem = "That is not your password."
			return c.pageWithStatus(http.StatusUnprocessableEntity, account.Password(page))
		case limited:
			words, status := s.limited(c, many)
			page.Problem = words
			return c.pageWithStatus(status, account.Password(page))
		case err != nil:
			return err
		}
	}
	err = s.access.SetPassword(ctx, me, form.Get("password"), c.visit.SessionID)
	if bad, ok := errors.AsType[*access.PasswordError](err); ok {
		page.NewProblem = bad.Reason
		return c.pageWithStatus(http.StatusUnprocessableEntity, account.Password(page))
	}
	if err != nil {
		return err
	}
	s.notify(c, me, "Your password was changed.")
	return s.accountChanged(c, "password")
}

// endSession signs the person out in another place.
func (s *accountHandlers) endSession(c *call) error {
	form := c.form()
	id, err := strconv.ParseInt(form.Get("id"), 10, 64)
	if err != nil {
		return errNotFound
	}
	if err := s.access.EndSession(c.Request().Context(), c.me(), id); err != nil {
		return err
	}
	return s.accountChanged(c, "session")
}

// endOtherSessions signs the person out everywhere else.
func (s *accountHandlers) endOtherSessions(c *call) error {
	if _, err := s.access.EndOtherSessions(c.Request().Context(), c.me(), c.visit.SessionID); err != nil {
		return err
	}
	return s.accountChanged(c, "sessions")
}
