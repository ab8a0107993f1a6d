package account

import (
	"errors"
	"net/http"

	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/views/account"
	"github.com/storeglass/storeglass/web/site"
)

// invitationPage asks the invited person for their name and password. It doesn't use up the
// link, because mail scanners open links.
func (s *Handlers) invitationPage(c *site.Call) error {
	page, err := s.invitationView(c, c.Param("token"))
	if err != nil {
		return err
	}
	return c.PageWithStatus(stillThere(page.Token), account.Invitation(page))
}

// invitationView is the page for an invitation, without a token if it no longer works.
func (s *Handlers) invitationView(c *site.Call, secret string) (account.InvitationPage, error) {
	page := account.InvitationPage{Base: s.PageBase(c, c.T("account.invitation"))}
	page.Base.Path = "/invitation" // the secret stays out of the page's own links
	i, err := s.SignIn.CheckInvitation(c.Request().Context(), secret)
	err = s.wrongLink(c, err)
	if errors.Is(err, fault.NotFound) {
		page.Problem = c.T("account.invitation_spent")
		return page, nil
	}
	if err != nil {
		return page, err
	}
	page.Provider, page.ProviderHref = s.providerHref(SSOStart, "")
	page.Token, page.Email, page.Name, page.By, page.Until = secret, i.Person.Email, i.Person.Name, i.By, i.Expires
	return page, nil
}

// acceptInvitation uses up the invitation and signs its person in.
func (s *Handlers) acceptInvitation(c *site.Call) error {
	form := c.Form()
	secret, name := form.Get("token"), form.Get("name")
	page, err := s.invitationView(c, secret)
	if err != nil {
		return err
	}
	if page.Token == "" {
		return c.PageWithStatus(http.StatusGone, account.Invitation(page))
	}
	person, err := s.SignIn.AcceptInvitation(c.Request().Context(), secret, name, form.Get("password"))
	page.Name = name
	switch {
	case err == nil:
		return s.firstStep(c, person, "invitation", "")
	case errors.Is(err, fault.Invalid):
		wrong, _ := fault.As(err)
		page.Wrong = c.Wrong(wrong)
		return c.PageWithStatus(http.StatusUnprocessableEntity, account.Invitation(page))
	case errors.Is(err, fault.NotFound): // used meanwhile
		page.Token, page.Problem = "", c.T("account.invitation_spent")
		return c.PageWithStatus(http.StatusGone, account.Invitation(page))
	}
	return err
}
