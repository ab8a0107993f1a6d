package account

import (
	"net/http"

	"github.com/storeglass/storeglass/views/account"
	"github.com/storeglass/storeglass/web/site"
)

// confirmPage asks a signed-in person to confirm their identity.
func (s *Handlers) confirmPage(c *site.Call) error {
	page, err := s.confirmView(c, site.LocalPath(c.QueryParam("next")))
	if err != nil {
		return err
	}
	return c.PageWithStatus(http.StatusOK, account.Confirm(page))
}

func (s *Handlers) confirmView(c *site.Call, next string) (account.ConfirmPage, error) {
	f, err := s.SignIn.FactorsOf(c.Request().Context(), c.Visit.Person.ID)
	if err != nil {
		return account.ConfirmPage{}, err
	}
	page := account.ConfirmPage{
		Base: s.PageBase(c, c.T("account.confirm_title")), Email: c.Visit.Person.Email, Next: next,
		Password: f.Password(), Passkeys: f.Passkeys > 0 && s.passkeys != nil,
	}
	if f.Identities > 0 {
		page.Provider, page.ProviderHref = s.providerHref("/account/confirm/sso", next)
	}
	return page, nil
}

// confirm takes a signed-in person's password. It works like any sign-in: a second step follows
// if there is one, and the session gets a new id.
func (s *Handlers) confirm(c *site.Call) error {
	next := site.LocalPath(c.Form().Get("next"))
	err := s.SignIn.ConfirmPassword(c.Request().Context(), c.Me(), c.Form().Get("password"))
	words, status := s.refused(c, err, c.T("account.problem.password"))
	switch {
	case err == nil:
		return s.firstStep(c, c.Me(), "password", next)
	case words == "":
		return err
	}
	page, err := s.confirmView(c, next)
	if err != nil {
		return err
	}
	page.Problem = words
	return c.PageWithStatus(status, account.Confirm(page))
}
