package admin

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/views/admin"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
	"github.com/storeglass/storeglass/web/site"
)

func (s *Handlers) peoplePage(c *site.Call) error {
	roster, err := s.Access.Roster(c.Request().Context())
	if err != nil {
		return err
	}
	page := admin.PeoplePage{Base: s.adminBase(c, c.T("people.tab.people")), InviteHref: "/people/new", Notice: c.Done("people.done.")}
	for _, m := range roster {
		ways := c.T("people.password_only")
		if w := waysOf(c.Locale(), m); len(w) > 0 {
			ways = strings.Join(w, ", ")
		} else if !m.Password {
			ways = c.T("people.links_only")
		}
		page.Rows = append(page.Rows, admin.PersonRow{
			Href: site.PersonPath(m.ID), Name: m.Name, Email: m.Email, Role: string(m.Role), Sees: seesWords(c.Locale(), m),
			TwoFactor: m.TwoFactor(), Ways: ways, SignedIn: m.SignedInAt, State: stateOf(c.Locale(), m),
		})
	}
	return c.PageWithStatus(http.StatusOK, admin.People(page))
}

// waysOf are the ways to sign in besides a password.
func waysOf(l locale.Locale, m access.Member) []string {
	var ways []string
	if m.TOTP {
		ways = append(ways, l.T("way.step.code"))
	}
	switch {
	case m.Passkeys == 1:
		ways = append(ways, l.T("way.step.passkey"))
	case m.Passkeys > 1:
		ways = append(ways, l.T("people.passkeys", "n", m.Passkeys))
	}
	if m.SingleSignOn > 0 {
		ways = append(ways, l.T("way.step.sso"))
	}
	return ways
}

// seesWords are a person's stores in a line.
func seesWords(l locale.Locale, m access.Member) string {
	const shown = 3
	if m.Role == access.Admin || m.AllStores {
		return l.T("people.every_store")
	}
	var words []string
	for _, g := range m.Groups {
		words = append(words, l.T("people.group_named", "name", g))
	}
	words = append(words, m.StoreNames...)
	switch n := len(words); {
	case n == 0:
		return l.T("people.no_store")
	case n > shown+1:
		return l.T("people.and_more", "named", strings.Join(words[:shown], ", "), "n", n-shown)
	}
	return strings.Join(words, ", ")
}

// stateOf says whether a person can sign in, and whether our mails reach them.
func stateOf(l locale.Locale, m access.Member) (s admin.PersonState) {
	switch {
	case m.Disabled:
		s = admin.PersonState{Sign: "off", Words: l.T("people.state_of.disabled")}
	case m.Joined:
		s = admin.PersonState{Sign: "active", Words: l.T("people.state_of.active")}
	case m.InvitedUntil.IsZero():
		s = admin.PersonState{Sign: "waiting", Words: l.T("people.state_of.waiting"), Note: l.T("people.state_of.no_invitation")}
	default:
		s = admin.PersonState{Sign: "scheduled", Words: l.T("people.state_of.invited"), Note: l.T("people.state_of.until", "at", components.UTCMoment(l, m.InvitedUntil))}
	}
	if reason, ok := m.MailProblem.Said(l); ok {
		s.MailProblem = l.T("people.state_of.mail_problem", "reason", reason)
	}
	return s
}

// roleChoices are the roles with what they may do.
func roleChoices(l locale.Locale) (out []form.Choice) {
	for _, r := range access.Roles {
		out = append(out, form.Choice{Value: string(r), Label: l.T("people.role." + string(r)), Note: l.T("people.may." + string(r))})
	}
	return out
}

// How long an invitation and a one-time link may last.
var (
	invitationLives = []string{"30m", "4h", "24h", "72h", "168h"}
	linkLives       = []string{"15m", "1h", "24h"}
)

// invitationLife is what a form suggests.
const invitationLife = "72h"

// lifeChoices are durations for a form, in words.
func lifeChoices(l locale.Locale, lives []string) (out []form.Choice) {
	for _, value := range lives {
		var label string
		switch life, _ := time.ParseDuration(value); {
		case life < time.Hour:
			label = l.T("life.minutes", "n", int(life/time.Minute))
		case life < 24*time.Hour:
			label = l.T("life.hours", "n", int(life/time.Hour))
		default:
			label = l.Days(int(life / (24 * time.Hour)))
		}
		out = append(out, form.Choice{Value: value, Label: label})
	}
	return out
}

// lifeOf is the chosen duration; ok is false if it isn't one of the choices.
func lifeOf(choices []string, value string) (life time.Duration, ok bool) {
	life, err := time.ParseDuration(value)
	return life, err == nil && slices.Contains(choices, value)
}

// storesListed limits how many stores a form lists.
const storesListed = 500

// storeChoices are the stores and groups that access can be granted to.
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

// typedStore is the short name of the store that a form names by that, by its shop domain, or by
// the name that people see.
func (s *Handlers) typedStore(c *site.Call) (string, error) {
	typed := strings.TrimSpace(c.Form().Get("store"))
	names, err := s.Access.StoreNames(c.Request().Context())
	if err != nil {
		return "", err
	}
	var named []string
	for _, n := range names {
		if strings.EqualFold(n.Slug, typed) {
			return n.Slug, nil
		}
		if strings.EqualFold(n.Name, typed) || n.Domain != "" && strings.EqualFold(n.Domain, typed) {
			named = append(named, n.Slug)
		}
	}
	switch len(named) {
	case 0:
		return "", fault.New(fault.NotFound, "store", "person.no_store")
	case 1:
		return named[0], nil
	}
	return "", fault.New(fault.Invalid, "store", "person.several_stores")
}

// typedReach is what a form chooses.
func typedReach(c *site.Call) admin.ReachChoice {
	f := c.Form()
	return admin.ReachChoice{Every: f.Get("every") == "true", Groups: f["group"], Stores: f["store"]}
}

// reachChoices adds the stores and groups that can be chosen.
func (s *Handlers) reachChoices(c *site.Call, r admin.ReachChoice) (admin.ReachChoice, error) {
	var err error
	r.StoreChoices, r.GroupChoices, r.MoreStores, err = s.storeChoices(c)
	return r, err
}

// chosenReach reads what was chosen. An invalid slug counts as an unknown store.
func chosenReach(r admin.ReachChoice) (slugs []string, groups []int64, wrong *fault.Error) {
	if r.Every {
		return []string{access.AllStores}, nil, nil
	}
	for _, g := range r.Groups {
		id, err := strconv.ParseInt(g, 10, 64)
		if err != nil {
			return nil, nil, fault.Missing("group")
		}
		groups = append(groups, id)
	}
	if slices.ContainsFunc(r.Stores, func(slug string) bool { return !site.SlugForm.MatchString(slug) }) {
		return nil, nil, fault.Missing("store")
	}
	return r.Stores, groups, nil
}

func (s *Handlers) invitePage(c *site.Call) error {
	return s.inviteForm(c, http.StatusOK, admin.InvitePage{Role: string(access.Viewer), Life: invitationLife})
}

// inviteForm fills in the page's other values and shows it.
func (s *Handlers) inviteForm(c *site.Call, status int, page admin.InvitePage) (err error) {
	page.Base, page.ByMail = s.adminBase(c, c.T("people.invite")), s.Mail != nil
	page.Roles, page.Lives = roleChoices(c.Locale()), lifeChoices(c.Locale(), invitationLives)
	if page.Reach, err = s.reachChoices(c, page.Reach); err != nil {
		return err
	}
	return c.PageWithStatus(status, admin.Invite(page))
}

// invite makes the invitation and shows its link, once.
func (s *Handlers) invite(c *site.Call) error {
	f := c.Form()
	page := admin.InvitePage{
		Email: strings.TrimSpace(f.Get("email")), Name: strings.TrimSpace(f.Get("name")), Role: f.Get("role"), Life: f.Get("life"), Reach: typedReach(c),
	}
	var invite signin.Invite
	if invite, page.Wrong = s.readInvite(c, page); page.Problem != "" {
		return s.inviteForm(c, http.StatusBadRequest, page)
	}
	p, secret, until, err := s.SignIn.InvitePerson(c.Request().Context(), invite)
	if f, ok := fault.As(err); ok {
		page.Wrong = c.Wrong(f)
		return s.inviteForm(c, f.Status(), page)
	}
	if err != nil {
		return err
	}
	return s.showInvitation(c, p, secret, until)
}

// readInvite checks what was typed.
func (s *Handlers) readInvite(c *site.Call, page admin.InvitePage) (signin.Invite, form.Wrong) {
	life, known := lifeOf(invitationLives, page.Life)
	stores, groups, missing := chosenReach(page.Reach)
	switch {
	case !site.Showable(page.Email):
		return signin.Invite{}, form.Wrong{Field: "email", Problem: c.T("invite.problem.letters")}
	case !site.Showable(page.Name):
		return signin.Invite{}, form.Wrong{Field: "name", Problem: c.T("invite.problem.letters")}
	case len([]rune(page.Name)) > 100:
		return signin.Invite{}, form.Wrong{Field: "name", Problem: c.T("invite.problem.long_name")}
	case !slices.Contains(access.Roles, access.Role(page.Role)):
		return signin.Invite{}, form.Wrong{Problem: c.T("invite.problem.role")}
	case !known:
		return signin.Invite{}, form.Wrong{Problem: c.T("invite.problem.life")}
	case missing != nil:
		return signin.Invite{}, c.Wrong(missing)
	}
	return signin.Invite{Email: page.Email, Name: page.Name, Role: access.Role(page.Role), For: life, Stores: stores, Groups: groups}, form.Wrong{}
}

// showInvitation shows the link of an invitation, which can't be shown again.
func (s *Handlers) showInvitation(c *site.Call, p access.Person, secret string, until time.Time) error {
	text := c.T("invite.pass_on", "email", p.Email)
	if s.Mail != nil {
		text = c.T("invite.mailed", "email", p.Email)
		m := site.InvitationMail(c.Locale(), s.Base, s.BrandFor(c).View.Called(), p, c.Visit.Person.Name, secret, until)
		s.Later(c, "mail an invitation", func(ctx context.Context) error { return s.Mail.Send(ctx, m) })
	}
	return c.PageWithStatus(http.StatusOK, admin.Secret(admin.SecretPage{
		Base: s.adminBase(c, c.T("invite.form")), Words: c.T("invite.for_name", "name", locale.Name(p.Name)),
		Text:   text,
		Secret: site.InvitationLink(s.Base, secret), Until: until, BackHref: site.PersonPath(p.ID), BackWords: c.T("invite.to_person", "name", locale.Name(p.Name)),
	}))
}
