package admin

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/views/admin"
	"github.com/storeglass/storeglass/views/components/form"
	"github.com/storeglass/storeglass/web/site"
)

// peopleNotices say on the list what was just done; the address names one of them.
var peopleNotices = map[string]string{
	"withdrawn": "The invitation is taken back. Its link works no more.",
	"sent":      "The invitation is sent.",
}

// peoplePage lists everybody.
func (s *Handlers) peoplePage(c *site.Call) error {
	roster, err := s.Access.Roster(c.Request().Context())
	if err != nil {
		return err
	}
	page := admin.PeoplePage{Base: s.adminBase(c, "People"), InviteHref: "/people/new", Notice: peopleNotices[c.QueryParam("done")]}
	for _, m := range roster {
		ways := "password only"
		if w := waysOf(m); len(w) > 0 {
			ways = strings.Join(w, ", ")
		} else if !m.Password {
			ways = "one-time links"
		}
		page.Rows = append(page.Rows, admin.PersonRow{
			Href: site.PersonPath(m.ID), Name: m.Name, Email: m.Email, Role: m.Role.Words(), Sees: seesWords(m),
			TwoFactor: m.TwoFactor(), Ways: ways, SignedIn: m.SignedInAt, State: stateOf(m),
		})
	}
	return c.PageWithStatus(http.StatusOK, admin.People(page))
}

// waysOf are the ways to sign in beside a password.
func waysOf(m access.Member) []string {
	var ways []string
	if m.TOTP {
		ways = append(ways, "code")
	}
	switch {
	case m.Passkeys == 1:
		ways = append(ways, "passkey")
	case m.Passkeys > 1:
		ways = append(ways, strconv.Itoa(m.Passkeys)+" passkeys")
	}
	if m.SingleSignOn > 0 {
		ways = append(ways, "single sign-on")
	}
	return ways
}

// seesWords are a person's stores in a line.
func seesWords(m access.Member) string {
	const shown = 3
	if m.Role == access.Admin || m.AllStores {
		return "every store"
	}
	var words []string
	for _, g := range m.Groups {
		words = append(words, "group "+g)
	}
	words = append(words, m.StoreNames...)
	switch n := len(words); {
	case n == 0:
		return "no store yet"
	case n > shown+1:
		return strings.Join(words[:shown], ", ") + " and " + strconv.Itoa(n-shown) + " more"
	}
	return strings.Join(words, ", ")
}

// stateOf says whether somebody can sign in.
func stateOf(m access.Member) admin.PersonState {
	switch {
	case m.Disabled:
		return admin.PersonState{Sign: "off", Words: "Disabled"}
	case m.Joined:
		return admin.PersonState{Sign: "active", Words: "Active"}
	case m.InvitedUntil.IsZero():
		return admin.PersonState{Sign: "waiting", Words: "Not come yet", Note: "no invitation works"}
	}
	return admin.PersonState{Sign: "scheduled", Words: "Invited", Note: "until " + m.InvitedUntil.UTC().Format("2 Jan, 15:04 MST")}
}

// roleChoices are the roles with what they may do.
var roleChoices = []admin.RoleChoice{
	{Value: string(access.Viewer), Label: "Viewer", May: "Reads the pages and files of their stores."},
	{Value: string(access.Agency), Label: "Agency member", May: "Also asks for pulls and shares pages by link."},
	{Value: string(access.Merchant), Label: "Merchant", May: "Also connects services, and pauses and removes their stores."},
	{Value: string(access.Admin), Label: "Admin", May: "Everything with every store; decides about people, groups and tokens."},
}

// How long an invitation and a one-time link may work.
var (
	invitationLives = []form.Choice{
		{Value: "30m", Label: "30 minutes"}, {Value: "4h", Label: "4 hours"}, {Value: "24h", Label: "1 day"}, {Value: "72h", Label: "3 days"}, {Value: "168h", Label: "7 days"},
	}
	linkLives = []form.Choice{{Value: "15m", Label: "15 minutes"}, {Value: "1h", Label: "1 hour"}, {Value: "24h", Label: "1 day"}}
)

// lifeOf is a chosen life; ok is false for one that is not among the choices.
func lifeOf(choices []form.Choice, value string) (life time.Duration, ok bool) {
	if !slices.ContainsFunc(choices, func(c form.Choice) bool { return c.Value == value }) {
		return 0, false
	}
	life, err := time.ParseDuration(value)
	return life, err == nil
}

// storesListed bounds the stores that a form lists.
const storesListed = 500

// storeChoices are the stores and groups that can be given.
func (s *Handlers) storeChoices(c *site.Call) (stores, groups []form.Choice, more bool, err error) {
	names, err := s.Access.StoreNames(c.Request().Context())
	if err != nil {
		return nil, nil, false, err
	}
	if more = len(names) > storesListed; more {
		names = names[:storesListed]
	}
	for _, n := range names {
		stores = append(stores, form.Choice{Value: n.Slug, Label: n.Name})
	}
	all, err := s.Access.Groups(c.Request().Context())
	if err != nil {
		return nil, nil, false, err
	}
	for _, g := range all {
		groups = append(groups, form.Choice{Value: strconv.FormatInt(g.ID, 10), Label: g.Name})
	}
	return stores, groups, more, nil
}

// invitePage is the form of an invitation.
func (s *Handlers) invitePage(c *site.Call) error {
	if err := c.Recently("/people/new"); err != nil {
		return err
	}
	return s.inviteForm(c, http.StatusOK, admin.InviteForm{Role: string(access.Viewer), Life: "72h"}, "", "")
}

func (s *Handlers) inviteForm(c *site.Call, status int, form admin.InviteForm, field, problem string) error {
	page := admin.InvitePage{
		Base: s.adminBase(c, "Invite somebody"), Form: form, Roles: roleChoices, Lives: invitationLives, ByMail: s.Mail != nil, Field: field, Problem: problem,
	}
	var err error
	if page.Stores, page.Groups, page.MoreStores, err = s.storeChoices(c); err != nil {
		return err
	}
	return c.PageWithStatus(status, admin.Invite(page))
}

// invite makes the invitation and shows its link, this once.
func (s *Handlers) invite(c *site.Call) error {
	if err := c.Recently("/people/new"); err != nil {
		return err
	}
	f := c.Form()
	form := admin.InviteForm{
		Email: strings.TrimSpace(f.Get("email")), Name: strings.TrimSpace(f.Get("name")), Role: f.Get("role"), Life: f.Get("life"),
		Every: f.Get("every") == "true", Groups: f["group"], Stores: f["store"],
	}
	invite, field, problem := s.readInvite(c, form)
	if problem != "" {
		return s.inviteForm(c, http.StatusBadRequest, form, field, problem)
	}
	p, secret, until, err := s.Access.InvitePerson(c.Request().Context(), invite)
	if field, problem := inviteProblem(err); problem != "" {
		return s.inviteForm(c, http.StatusConflict, form, field, problem)
	}
	if err != nil {
		return err
	}
	return s.showInvitation(c, p, secret, until)
}

// readInvite checks what was typed; the problem is in words for who typed it.
func (s *Handlers) readInvite(c *site.Call, form admin.InviteForm) (i access.Invite, field, problem string) {
	for _, text := range []string{form.Email, form.Name} {
		if !site.Showable(text) {
			return i, "name", "Name and address can hold letters and signs only, and no line breaks."
		}
	}
	if len([]rune(form.Name)) > 100 {
		return i, "name", "The name is too long: write at most 100 characters."
	}
	if !slices.Contains(access.Roles, access.Role(form.Role)) {
		return i, "role", "Choose a role."
	}
	life, ok := lifeOf(invitationLives, form.Life)
	if !ok {
		return i, "life", "Choose how long the link works."
	}
	i = access.Invite{By: c.Visit.Person.ID, Email: form.Email, Name: form.Name, Role: access.Role(form.Role), For: life, Stores: form.Stores}
	if form.Every {
		i.Stores = []string{access.AllStores}
	} else if slices.Contains(i.Stores, access.AllStores) {
		return i, "store", "One of these stores is not there any more. Nobody was invited."
	}
	for _, g := range form.Groups {
		id, err := strconv.ParseInt(g, 10, 64)
		if err != nil {
			return i, "group", "One of these groups is not there any more. Nobody was invited."
		}
		i.Groups = append(i.Groups, id)
	}
	return i, "", ""
}

func inviteProblem(err error) (field, problem string) {
	switch {
	case errors.Is(err, access.ErrTaken):
		return "email", "Somebody with this address is listed already. Open their page to invite them again or to change what they see."
	case errors.Is(err, access.ErrEmail):
		return "email", "This is not a mail address. Write it as ida@example.com."
	case errors.Is(err, access.ErrNoStore):
		return "store", "One of these stores is not there any more. Nobody was invited."
	case errors.Is(err, access.ErrNoGroup):
		return "group", "One of these groups is not there any more. Nobody was invited."
	}
	return "", ""
}

// showInvitation shows the link of an invitation, which can't be shown again.
func (s *Handlers) showInvitation(c *site.Call, p access.Person, secret string, until time.Time) error {
	text := "Pass this link on to " + p.Email + ". Whoever opens it first becomes this person, so send it to nobody else."
	if s.Mail != nil {
		text = "It is on its way to " + p.Email + " by mail. If none arrives, pass this link on yourself: whoever opens it first becomes this person."
		m := site.InvitationMail(c.Locale(), s.Base, s.BrandFor(c).View.Called(), p, c.Visit.Person.Name, secret, until)
		s.Later(c, "mail an invitation", func(ctx context.Context) error { return s.Mail.Send(ctx, m) })
	}
	return c.PageWithStatus(http.StatusOK, admin.Secret(admin.SecretPage{
		Base: s.adminBase(c, "Invitation"), Words: "An invitation for " + p.Name,
		Text:   text,
		Secret: site.InvitationLink(s.Base, secret), Until: until, BackHref: site.PersonPath(p.ID), BackWords: "To " + p.Name,
	}))
}
