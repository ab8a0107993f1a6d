package account

import (
	"errors"
	"net/http"

	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/views/account"
	"github.com/storeglass/storeglass/views/components/form"
	"github.com/storeglass/storeglass/web/site"
)

const setUpPath = "/set-up"

// setUpPage asks for the set-up code and the first account. The link that the server prints
// includes the code.
func (s *Handlers) setUpPage(c *site.Call) error {
	page, status := account.SetUpPage{Code: c.Param("token")}, http.StatusOK
	if page.Code != "" {
		err := s.wrongLink(c, s.SignIn.CheckSetUp(c.Request().Context(), page.Code))
		if errors.Is(err, fault.NotFound) {
			page.Code, page.Wrong, status = "", wrongCode(c), http.StatusGone
		} else if err != nil {
			return err
		}
	}
	return s.setUp(c, page, status)
}

// setUp shows the form, or says that there is an account already.
func (s *Handlers) setUp(c *site.Call, page account.SetUpPage, status int) error {
	code, err := s.SignIn.SetUpCode(c.Request().Context())
	if err != nil {
		return err
	}
	if page.Over = code == ""; page.Over {
		status = http.StatusGone
	}
	page.Base = s.PageBase(c, c.T("account.set_up", "name", "Storeglass"))
	page.Base.Path = setUpPath // the code stays out of the page's own links
	return c.PageWithStatus(status, account.SetUp(page))
}

// makeFirstAccount makes the first account and signs it in.
func (s *Handlers) makeFirstAccount(c *site.Call) error {
	f := c.Form()
	page := account.SetUpPage{Code: f.Get("code"), Email: f.Get("email"), Name: f.Get("name")}
	person, err := s.SignIn.SetUp(c.Request().Context(), page.Code, page.Email, page.Name, f.Get("password"))
	err = s.wrongLink(c, err)
	wrong, _ := fault.As(err)
	switch {
	case err == nil:
		return s.firstStep(c, person, "set-up code", "")
	case errors.Is(err, fault.NotFound):
		page.Wrong = wrongCode(c)
	case wrong != nil && wrong.Field != "":
		page.Wrong = c.Wrong(wrong)
	default:
		return err
	}
	return s.setUp(c, page, http.StatusUnprocessableEntity)
}

func wrongCode(c *site.Call) form.Wrong {
	return form.Wrong{Field: "code", Problem: c.T("account.problem.set_up_code")}
}
