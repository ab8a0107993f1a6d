package admin

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/views/admin"
	"github.com/storeglass/storeglass/views/components/form"
	"github.com/storeglass/storeglass/web/site"
)

// ofPerson handles a form about the person in the address; the reader must have confirmed their own
// identity recently.
func ofPerson(handle func(*site.Call, int64) error) func(*site.Call) error {
	return site.ByID(func(c *site.Call, id int64) error {
		if err := c.Recently(site.PersonPath(id)); err != nil {
			return err
		}
		return handle(c, id)
	})
}

func (s *Handlers) personPage(c *site.Call, id int64) error {
	return s.showPerson(c, id, http.StatusOK, form.Wrong{})
}

func (s *Handlers) showPerson(c *site.Call, id int64, status int, wrong form.Wrong) error {
	ctx := c.Request().Context()
	m, err := s.Access.Member(ctx, id)
	if err != nil {
		return err
	}
	sessions, err := s.SessionStore.Of(ctx, id)
	if err != nil {
		return err
	}
	page := admin.PersonPage{
		Base: s.adminBase(c, m.Name), Name: m.Name, Email: m.Email, Role: string(m.Role), State: stateOf(c.Locale(), m),
		Oneself: id == c.Visit.Person.ID, Joined: m.Joined, Disabled: m.Disabled, SignedIn: m.SignedInAt, Created: m.CreatedAt,
		TwoFactor: m.TwoFactor(), Ways: waysOf(c.Locale(), m), SeesAll: m.Role == access.Admin, Every: m.AllStores,
		Roles: roleChoices(c.Locale()), Lives: lifeChoices(c.Locale(), invitationLives), Life: invitationLife, LinkLives: lifeChoices(c.Locale(), linkLives), AuditHref: "/audit?who=" + url.QueryEscape(m.Email),
		Notice: c.Done("person.done."), Wrong: wrong,
	}
	page.Base.Path = site.PersonPath(id)
	if wrong.Field == "store" {
		page.TypedStore = c.Form().Get("store")
	}
	if m.Password {
		page.Ways = append([]string{c.T("way.step.password")}, page.Ways...)
	}
	if page.Last, err = s.Access.IsLastAdmin(ctx, id); err != nil {
		return err
	}
	for _, o := range sessions {
		page.Sessions = append(page.Sessions, admin.PersonSession{Way: o.Way, Address: o.Address, Agent: o.Agent, Since: o.Since, Seen: o.Seen})
	}
	page.Grants = grantRows(c.Locale(), m)
	stores, groups, _, err := s.storeChoices(c)
	if err != nil {
		return err
	}
	page.Stores = slices.DeleteFunc(stores, func(o form.Choice) bool { return slices.Contains(m.Stores, o.Value) })
	page.Groups = slices.DeleteFunc(groups, func(o form.Choice) bool { return slices.Contains(m.Groups, o.Label) })
	return c.PageWithStatus(status, admin.Person(page))
}

// grantRows are a person's grants, the widest first.
func grantRows(l locale.Locale, m access.Member) []admin.GrantRow {
	var rows []admin.GrantRow
	if m.AllStores {
		rows = append(rows, admin.GrantRow{Words: l.T("person.every_store"), Note: l.T("person.also_later"), Field: "every", Value: "true"})
	}
	for i, name := range m.Groups {
		rows = append(rows, admin.GrantRow{Words: name, Note: l.T("person.of_group"), Field: "group", Value: strconv.FormatInt(m.GroupIDs[i], 10)})
	}
	for i, slug := range m.Stores {
		rows = append(rows, admin.GrantRow{Words: m.StoreNames[i], Note: slug, Field: "store", Value: slug})
	}
	return rows
}

// personChanged answers a form about a person: back to the page with a notice, or the page with
// the problem.
func (s *Handlers) personChanged(c *site.Call, id int64, done string, err error) error {
	if f, ok := fault.As(err); ok && !errors.Is(err, fault.Missing("person")) {
		return s.showPerson(c, id, f.Status(), c.Wrong(f))
	}
	return s.Then(c, err, site.PersonPath(id)+"?done="+done)
}

// aboutPerson handles a form about the person in the address, whose page then says what was
// done.
func (s *Handlers) aboutPerson(done string, do func(c *site.Call, id int64) error) func(*site.Call) error {
	return ofPerson(func(c *site.Call, id int64) error { return s.personChanged(c, id, done, do(c, id)) })
}

func (s *Handlers) setRole(c *site.Call, id int64) error {
	return s.Access.SetRole(c.Request().Context(), id, access.Role(c.Form().Get("role")))
}

func (s *Handlers) disablePerson(c *site.Call, id int64) error {
	return s.Access.DisablePerson(c.Request().Context(), id)
}

func (s *Handlers) enablePerson(c *site.Call, id int64) error {
	return s.Access.EnablePerson(c.Request().Context(), id)
}

func (s *Handlers) endSessions(c *site.Call, id int64) error {
	m, err := s.Access.Member(c.Request().Context(), id)
	if err != nil {
		return err
	}
	_, err = s.SessionStore.EndOthers(c.Request().Context(), m.Person, 0)
	return err
}

// takeSecondStepOff helps a person who has lost their app and passkeys; if there is nothing
// left to remove, that isn't an error.
func (s *Handlers) takeSecondStepOff(c *site.Call, id int64) error {
	ctx := c.Request().Context()
	m, err := s.Access.Member(ctx, id)
	if err != nil {
		return err
	}
	err = s.SignIn.ResetFactors(ctx, m.Person)
	if errors.Is(err, fault.NotFound) {
		return nil
	}
	if err == nil {
		s.NotifyOfAdmin(c, m.ID, locale.M("mail_account.changed.second_step_removed"))
	}
	return err
}

// giveGrant gives one store, one group or every store.
func (s *Handlers) giveGrant(c *site.Call, id int64) error {
	ctx := c.Request().Context()
	w, err := s.chosenGrant(c)
	switch {
	case err != nil:
		return err
	case w.group != 0:
		return s.Access.GrantPersonGroup(ctx, id, w.group)
	}
	return s.Access.GrantPerson(ctx, id, w.slug)
}

// takeGrant revokes a grant; if it is already gone, that isn't an error.
func (s *Handlers) takeGrant(c *site.Call, id int64) error {
	ctx := c.Request().Context()
	w, err := s.chosenGrant(c)
	switch {
	case err != nil:
		return err
	case w.group != 0:
		_, err = s.Access.RevokePersonGroup(ctx, id, w.group)
	default:
		_, err = s.Access.RevokePerson(ctx, id, w.slug)
	}
	return err
}

// wanted is what a grant is for: a group, one store by slug, or every store.
type wanted struct {
	group int64
	slug  string
}

// chosenGrant reads what a form's grant is for.
func (s *Handlers) chosenGrant(c *site.Call) (wanted, error) {
	form := c.Form()
	if form.Get("every") == "true" {
		return wanted{slug: access.AllStores}, nil
	}
	if text := form.Get("group"); text != "" {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil || id <= 0 {
			return wanted{}, fault.Missing("group")
		}
		return wanted{group: id}, nil
	}
	slug, err := s.typedStore(c)
	return wanted{slug: slug}, err
}

// makeLink makes a one-time sign-in link and shows it, once.
func (s *Handlers) makeLink(c *site.Call, id int64) error {
	ctx := c.Request().Context()
	life, ok := lifeOf(linkLives, c.Form().Get("life"))
	if !ok {
		return s.showPerson(c, id, http.StatusBadRequest, form.Wrong{Problem: c.T("invite.problem.life")})
	}
	m, err := s.Access.Member(ctx, id)
	if err != nil {
		return s.personChanged(c, id, "", err)
	}
	if !m.Joined {
		return s.showPerson(c, id, http.StatusConflict, form.Wrong{Problem: c.T("person.problem.not_joined")})
	}
	secret, until, err := s.SignIn.CreateLink(ctx, m.Person, life)
	if err != nil {
		return s.personChanged(c, id, "", err)
	}
	return c.PageWithStatus(http.StatusOK, admin.Secret(admin.SecretPage{
		Base: s.adminBase(c, c.T("invite.one_time_link")), Words: c.T("invite.sign_in_link", "name", locale.Name(m.Name)),
		Text:   c.T("invite.sign_in_link_text", "email", m.Email),
		Secret: site.SignInLink(s.Base, secret), Until: until, BackHref: site.PersonPath(id), BackWords: c.T("invite.to_person", "name", locale.Name(m.Name)),
	}))
}

// reinvite makes a new link for an invitation and shows it, once.
func (s *Handlers) reinvite(c *site.Call, id int64) error {
	ctx := c.Request().Context()
	life, ok := lifeOf(invitationLives, c.Form().Get("life"))
	if !ok {
		return s.showPerson(c, id, http.StatusBadRequest, form.Wrong{Problem: c.T("invite.problem.life")})
	}
	secret, until, err := s.SignIn.ReinvitePerson(ctx, id, life)
	if err != nil {
		return s.personChanged(c, id, "", err)
	}
	m, err := s.Access.Member(ctx, id)
	if err != nil {
		return err
	}
	return s.showInvitation(c, m.Person, secret, until)
}

// withdrawInvitation withdraws an invitation and removes the person from the list.
func (s *Handlers) withdrawInvitation(c *site.Call, id int64) error {
	if err := s.SignIn.RevokeInvitation(c.Request().Context(), id); err != nil {
		return s.personChanged(c, id, "", err)
	}
	return s.SeeOther(c, "/people?done=withdrawn")
}
