package web

import (
	"errors"
	"net/http"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/views/account"
)

// confirmPage asks somebody who is signed in to show once more who they are.
func (s *accountHandlers) confirmPage(c *call) error {
	page, err := s.confirmView(c, localPath(c.QueryParam("next")))
	if err != nil {
		return err
	}
	return c.pageWithStatus(http.StatusOK, account.Confirm(page))
}

func (s *accountHandlers) confirmView(c *call, next string) (account.ConfirmPage, error) {
	f, err := s.access.FactorsOf(c.Request().Context(), c.visit.Person.ID)
	if err != nil {
		return account.ConfirmPage{}, err
	}
	page := account.ConfirmPage{
		Base: s.pageBase(c, "Confirm that it is you"), Email: c.visit.Person.Email, Next: next,
		Password: f.Password(), Passkeys: f.Passkeys > 0 && s.passkeys != nil,
	}
	if f.Identities > 0 {
		page.Provider, page.ProviderHref = s.providerHref("/account/confirm/sso", next)
	}
	return page, nil
}

// confirm takes the password of somebody who is signed in. It is a sign-in like
// any other: a second step follows where there is one, and the session gets a new id.
func (s *accountHandlers) confirm(c *call) error {
	form := c.form()
	next := localPath(form.Get("next"))
	err := s.access.ConfirmPassword(c.Request().Context(), c.me(), form.Get("password"))
	words, status := "That is not your password.", http.StatusUnprocessableEntity
	if many, limited := errors.AsType[*access.TooManyError](err); limited {
		words, status = s.limited(c, many)
	} else if err == nil {
		return s.firstStep(c, c.me(), "password", next)
	} else if !errors.Is(err, access.ErrWrong) {
		return err
	}
	page, err := s.confirmView(c, next)
	if err != nil {
		return err
	}
	page.Problem = words
	return c.pageWithStatus(status, account.Confirm(page))
}
