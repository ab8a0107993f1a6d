package account

import (
	"errors"
	"net/http"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/views/account"
	"github.com/storeglass/storeglass/web/site"
)

// setUpPage asks for the first account.
func (s *Handlers) setUpPage(c *site.Call) error {
	return s.setUp(c, account.SetUpPage{Token: c.Param("token")}, http.StatusOK)
}

// setUp shows the form again, or that its link no longer works.
func (s *Handlers) setUp(c *site.Call, page account.SetUpPage, status int) error {
	page.Base = s.PageBase(c, c.T("account.set_up", "name", "Storeglass"))
	page.Base.Path = "/set-up" // the secret stays out of the page's own links
	err := s.wrongLink(c, s.Access.CheckSetUp(c.Request().Context(), page.Token))
	if errors.Is(err, access.ErrLink) {
		page.Token, status = "", http.StatusGone
	} else if err != nil {
		return err
	}
	return c.PageWithStatus(status, account.SetUp(page))
}

// makeFirstAccount makes the first account and signs it in.
func (s *Handlers) makeFirstAccount(c *site.Call) error {
	form := c.Form()
	page := account.SetUpPage{Token: form.Get("token"), Email: form.Get("email"), Name: form.Get("name")}
	person, err := s.Access.SetUp(c.Request().Context(), page.Token, page.Email, page.Name, form.Get("password"))
	badName, isName := errors.AsType[*access.NameError](err)
	badPassword, isPassword := errors.AsType[*access.PasswordError](err)
	switch {
	case err == nil:
		return s.firstStep(c, person, "set-up link", "")
	case errors.Is(err, access.ErrEmail):
		page.EmailProblem = c.T("account.problem.email")
	case isName:
		page.NameProblem = badName.Reason.In(c.Locale())
	case isPassword:
		page.PasswordProblem = badPassword.Reason.In(c.Locale())
	case !errors.Is(err, access.ErrLink): // which setUp answers
		return err
	}
	return s.setUp(c, page, http.StatusUnprocessableEntity)
}
