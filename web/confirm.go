package web

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/views/account"
)

// provedFor is how long a sign-in is fresh enough for what changes who gets in.
const provedFor = time.Hour

// confirmFirst is the answer to somebody who should show once more who they are:
// it leads to the page that asks for it, and from there back.
type confirmFirst struct{ back string }

func (e *confirmFirst) Error() string { return "asked to confirm who they are" }

func (e *confirmFirst) address() string { return "/account/confirm?next=" + url.QueryEscape(e.back) }

// recently lets through who proved within the last hour who they are. For
// everybody else it is an error that leads to the page which asks for it; back is
// where they go on from there. Handlers of what changes who gets in begin with it,
// those that show such a form too: what was typed does not survive the way.
func (c *call) recently(back string) error {
	at, err := strconv.ParseInt(c.server.sessions.GetString(c.Request().Context(), sessionProved), 10, 64)
	if err == nil && c.now.Sub(time.Unix(at, 0)) < provedFor {
		return nil
	}
	return &confirmFirst{back}
}

// proved has a handler begin with [call.recently]. In back, the page with the form, stand the
// route's names for the store, the service and the id.
func proved(back string, handle func(*call) error) func(*call) error {
	return func(c *call) error {
		if err := c.recently(strings.NewReplacer(":slug", c.slug(), ":service", c.Param("service"), ":id", c.Param("id")).Replace(back)); err != nil {
			return err
		}
		return handle(c)
	}
}

// me is the person who is signed in.
func (c *call) me() access.Person {
	p := c.visit.Person
	return access.Person{ID: p.ID, Email: p.Email, Name: p.Name, Role: access.Role(p.Role), Joined: true}
}

// confirmPage asks somebody who is signed in to show once more who they are.
func (s *Server) confirmPage(c *call) error {
	page, err := s.confirmView(c, localPath(c.QueryParam("next")))
	if err != nil {
		return err
	}
	return c.pageWithStatus(http.StatusOK, account.Confirm(page))
}

func (s *Server) confirmView(c *call, next string) (account.ConfirmPage, error) {
	f, err := s.access.FactorsOf(c.Request().Context(), c.visit.Person.ID)
	if err != nil {
		return account.ConfirmPage{}, err
	}
	page := account.ConfirmPage{
		Base: s.basis(c, "Confirm that it is you"), Email: c.visit.Person.Email, Next: next,
		Password: f.Password(), Passkeys: f.Passkeys > 0 && s.passkeys != nil,
	}
	if f.Identities > 0 {
		page.Provider, page.ProviderHref = s.providerHref("/account/confirm/sso", next)
	}
	return page, nil
}

// confirmed takes the password of somebody who is signed in. It is a sign-in like
// any other: a second step follows where there is one, and the session gets a new id.
func (s *Server) confirmed(c *call) error {
	form, err := c.form()
	if err != nil {
		return err
	}
	next := localPath(form.Get("next"))
	err = s.access.ConfirmPassword(c.Request().Context(), c.me(), form.Get("password"))
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
