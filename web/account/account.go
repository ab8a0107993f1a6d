package account

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/internal/access/sso"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/views/account"
	"github.com/storeglass/storeglass/web/site"
)

// Handlers serve signing in and a person's own account.
type Handlers struct {
	*site.Site
	SSO *sso.Provider
	// passkeys is nil if this site can't use passkeys; passkeysOff says why.
	passkeys    *signin.PasskeyRealm
	passkeysOff locale.Message
}

func New(at *site.Site, sso *sso.Provider) *Handlers {
	s := &Handlers{Site: at, SSO: sso}
	s.passkeys, s.passkeysOff = signin.NewPasskeyRealm(at.Base)
	return s
}

func (s *Handlers) accountPage(c *site.Call) error {
	page, err := s.accountView(c)
	if err != nil {
		return err
	}
	page.Notice = c.Done("account.done.")
	return c.Page(account.Show(page))
}

func (s *Handlers) accountView(c *site.Call) (account.Page, error) {
	ctx, me := c.Request().Context(), c.Me()
	page := account.Page{Base: s.PageBase(c, c.T("account.title")), Email: me.Email, Name: me.Name, Role: string(me.Role), Language: c.Visit.Person.Language}
	f, err := s.SignIn.FactorsOf(ctx, me.ID)
	if err != nil {
		return page, err
	}
	page.PasswordSince, page.AppSince, page.RecoveryLeft = f.PasswordSet, f.TOTPSince, f.RecoveryCodes
	page.AppOff = !s.SignIn.CanTOTP()
	if s.passkeys == nil {
		page.PasskeysOff = s.passkeysOff.In(c.Locale())
	}
	if s.SSO != nil {
		page.Provider = s.SSO.Name()
	}
	identities, err := s.SignIn.IdentitiesOf(ctx, me.ID)
	if err != nil {
		return page, err
	}
	for _, i := range identities {
		page.Identities = append(page.Identities, account.IdentityLine{Issuer: i.Issuer, Subject: i.Subject, Email: i.Email, Added: i.Added, Used: db.OrZero(i.Used)})
	}
	passkeys, err := s.SignIn.PasskeysOf(ctx, me.ID)
	if err != nil {
		return page, err
	}
	for _, k := range passkeys {
		page.Passkeys = append(page.Passkeys, account.PasskeyLine{ID: strconv.FormatInt(k.ID, 10), Name: k.Name, Added: k.Added, Used: db.OrZero(k.Used)})
	}
	sessions, err := s.SessionStore.Of(ctx, me.ID)
	if err != nil {
		return page, err
	}
	for _, one := range sessions {
		page.Sessions = append(page.Sessions, account.SessionLine{
			ID: strconv.FormatInt(one.ID, 10), This: one.ID == c.Visit.SessionID,
			Way: one.Way, Address: one.Address, Agent: one.Agent, Since: one.Since, Seen: one.Seen,
		})
	}
	return page, nil
}

// accountMistake shows the account again with what went wrong.
func (s *Handlers) accountMistake(c *site.Call, status int, change func(*account.Page)) error {
	page, err := s.accountView(c)
	if err != nil {
		return err
	}
	page.Base.Path = "/account"
	change(&page)
	return c.PageWithStatus(status, account.Show(page))
}

// accountChanged leads back to the account, which says what was done; err is why it wasn't.
func (s *Handlers) accountChanged(c *site.Call, err error, done string) error {
	return s.Then(c, err, "/account?done="+done)
}

func (s *Handlers) saveName(c *site.Call) error {
	name := c.Form().Get("name")
	err := s.Access.RenamePerson(c.Request().Context(), c.Me(), name)
	if wrong, ok := fault.As(err); ok {
		return s.accountMistake(c, http.StatusUnprocessableEntity, func(p *account.Page) { p.Name, p.Wrong = name, c.Wrong(wrong) })
	}
	return s.accountChanged(c, err, "name")
}

// saveLanguage chooses the language of a person's pages; empty means the browser's.
func (s *Handlers) saveLanguage(c *site.Call) error {
	code := c.Form().Get("language")
	if _, known := locale.Of(code); !known && code != "" {
		return site.ErrUnreadable
	}
	return s.accountChanged(c, s.Access.SetLanguage(c.Request().Context(), c.Visit.Person.ID, code), "language")
}

// passwordPage shows the form for a new password. A person without one must have confirmed
// their identity recently; a person with one enters it.
func (s *Handlers) passwordPage(c *site.Call) error {
	page, err := s.passwordView(c)
	if err != nil {
		return err
	}
	return c.PageWithStatus(http.StatusOK, account.Password(page))
}

func (s *Handlers) passwordView(c *site.Call) (account.PasswordPage, error) {
	f, err := s.SignIn.FactorsOf(c.Request().Context(), c.Visit.Person.ID)
	if err != nil {
		return account.PasswordPage{}, err
	}
	if !f.Password() || f.Second() {
		if err := c.Recently("/account/password"); err != nil {
			return account.PasswordPage{}, err
		}
	}
	return account.PasswordPage{Base: s.PageBase(c, c.T("account.password")), Email: c.Visit.Person.Email, Has: f.Password()}, nil
}

func (s *Handlers) changePassword(c *site.Call) error {
	page, err := s.passwordView(c)
	if err != nil {
		return err
	}
	ctx, me := c.Request().Context(), c.Me()
	if page.Has {
		err := s.SignIn.ConfirmPassword(ctx, me, c.Form().Get("current"))
		words, status := s.refused(c, err, c.T("account.problem.password"))
		if errors.Is(err, fault.Denied) {
			page.Field = "current"
		}
		if page.Problem = words; words != "" {
			return c.PageWithStatus(status, account.Password(page))
		}
		if err != nil {
			return err
		}
	}
	err = s.SignIn.SetPassword(ctx, me, c.Form().Get("password"), c.Visit.SessionID)
	if bad, ok := fault.As(err); ok && bad.Kind == fault.Invalid {
		page.Wrong = c.Wrong(bad)
		return c.PageWithStatus(http.StatusUnprocessableEntity, account.Password(page))
	}
	if err != nil {
		return err
	}
	ends := s.Sessions.Deadline(ctx)
	if err := s.Sessions.RenewToken(ctx); err != nil { // someone else may know the old id
		return err
	}
	s.Sessions.SetDeadline(ctx, ends)
	s.Notify(c, me.ID, locale.M("mail_account.changed.password"))
	return s.accountChanged(c, nil, "password")
}

// endSession signs the person out of another session.
func (s *Handlers) endSession(c *site.Call, id int64) error {
	return s.accountChanged(c, s.SessionStore.End(c.Request().Context(), c.Me(), id), "session")
}

// endOtherSessions signs the person out of all other sessions.
func (s *Handlers) endOtherSessions(c *site.Call) error {
	_, err := s.SessionStore.EndOthers(c.Request().Context(), c.Me(), c.Visit.SessionID)
	return s.accountChanged(c, err, "sessions")
}
