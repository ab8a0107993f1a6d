package web

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/internal/report/weekly"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/mails"
)

// mailsHandlers answer what is about weekly mails, and links in mails.
type mailsHandlers struct {
	*Site
	mailroom Mailroom
	// bounceSecret is empty where no mail server tells what came back.
	bounceSecret string
}

func newMails(at *Site, m Mailroom, bounceSecret string) *mailsHandlers {
	return &mailsHandlers{Site: at, mailroom: m, bounceSecret: bounceSecret}
}

// subscriptionNotices say what was just done; the address names one of them.
var subscriptionNotices = map[string]string{
	"subscribed": "You get this mail from now on.",
	"asked":      "The address has been asked. Mails begin when it says yes.",
	"changed":    "It is changed, from the next mail on.",
	"ended":      "It has ended. No more mails are sent.",
}

// mailsBase is the basis of the pages of weekly mails.
func (s *mailsHandlers) mailsBase(c *call, title string) components.Base {
	b := s.pageBase(c, title)
	for _, t := range []struct {
		right access.Right
		tab   components.Tab
	}{
		{access.See, components.Tab{Label: "Subscriptions", Href: snapshotsPath}},
		{access.Share, components.Tab{Label: "Sent mails", Href: deliveriesPath}},
		{access.Manage, components.Tab{Label: "Suppressed", Href: suppressedPath}},
	} {
		if c.may(t.right) {
			t.tab.Current = t.tab.Href == c.Path()
			b.Sub = append(b.Sub, t.tab)
		}
	}
	if len(b.Sub) == 1 {
		b.Sub = nil
	}
	return b
}

// snapshotsPage lists the reader's own subscriptions, and those to their stores for who
// may look after them.
func (s *mailsHandlers) snapshotsPage(c *call) error {
	return s.showSnapshots(c, http.StatusOK, subscriptionNotices[c.QueryParam("done")], "")
}

func (s *mailsHandlers) showSnapshots(c *call, status int, notice, problem string) error {
	ctx, person := c.Request().Context(), c.visit.Person.ID
	page := mails.ListPage{
		Base: s.mailsBase(c, "Weekly mails"), NewHref: snapshotsPath + "/new", Action: snapshotsPath,
		Notice: notice, Problem: problem, Mails: s.mail != nil, MayShare: c.may(access.Share),
	}
	own, err := s.db.Subscriptions(ctx, c.visit.Scope, person, true, "")
	if err != nil {
		return err
	}
	for _, r := range own {
		page.Own = append(page.Own, s.subscriptionRow(c, r))
	}
	page.Without = storesWithout(c.visit.Stores, own)
	page.WithoutAll = len(c.visit.Stores) > 1 && !slices.ContainsFunc(own, func(r db.ListSubscriptionsRow) bool { return r.StoreID == nil })
	if page.MayShare {
		page.Slug = storeAsked(c)
		others, err := s.db.Subscriptions(ctx, c.visit.Scope, person, false, page.Slug)
		if err != nil {
			return err
		}
		for _, r := range others {
			page.Others = append(page.Others, s.subscriptionRow(c, r))
		}
		page.Stores, page.More = c.visit.Stores, len(others) == db.MostSubscriptions
	}
	return c.pageWithStatus(status, mails.List(page))
}

// storeAsked is the store that a list is about, as its address says; empty for all.
func storeAsked(c *call) string {
	slug := c.QueryParam("store")
	if slices.ContainsFunc(c.visit.Stores, func(s report.Store) bool { return s.Slug == slug }) {
		return slug
	}
	return ""
}

// storesWithout are the stores whose mail the person does not get.
func storesWithout(stores []report.Store, own []db.ListSubscriptionsRow) (without []report.Store) {
	for _, s := range stores {
		if !slices.ContainsFunc(own, func(r db.ListSubscriptionsRow) bool { return r.Slug == s.Slug }) {
			without = append(without, s)
		}
	}
	return without
}

func (s *mailsHandlers) subscriptionRow(c *call, r db.ListSubscriptionsRow) mails.SubscriptionRow {
	row := mails.SubscriptionRow{
		Store: r.StoreName, Reader: r.Address, Name: r.PersonName, MadeBy: r.MadeBy, When: weekly.When(int(r.Weekday), int(r.Hour)),
		Clock: locale.English.Clock(r.Timezone), Language: weekly.LanguageName(r.Language), PDF: r.Pdf,
	}
	if r.Slug != "" {
		row.PreviewHref = previewPath(r.Slug)
	}
	if r.PersonID == nil || *r.PersonID == c.visit.Person.ID {
		row.EditHref = subscriptionPath(r.ID)
	}
	loc, err := report.Zone(r.Timezone)
	if err != nil {
		loc = c.now.Location()
	}
	switch {
	case r.Disabled:
		row.Sign, row.State = "off", "Paused: the person is disabled"
	case r.ConfirmedAt == nil && r.ConfirmUntil != nil && r.ConfirmUntil.After(c.now):
		row.Sign, row.State = "waiting", "Asked, no yes yet; until "+locale.English.DayYear(civil.DateOf(r.ConfirmUntil.In(loc)))
	case r.ConfirmedAt == nil:
		row.Sign, row.State = "expired", "Asked, and did not answer"
		row.AskAction = subscriptionPath(r.ID) + "/ask"
	case r.LastSent.Unix() > 0:
		row.Sign, row.State = "active", "Last sent "+locale.English.DayYear(civil.DateOf(r.LastSent.In(loc)))
	default:
		row.Sign, row.State = "active", "None sent yet"
	}
	return row
}

// subscriptionPage is the form of a subscription that is there.
func (s *mailsHandlers) subscriptionPage(c *call) error {
	r, err := s.subscription(c)
	if err != nil {
		return err
	}
	form := weekly.Form{Slug: r.Slug, Language: r.Language, Weekday: int(r.Weekday), Hour: int(r.Hour), Zone: r.Timezone, PDF: r.Pdf}
	return s.subscriptionForm(c, http.StatusOK, &r, mails.SubscriptionPage{Form: form})
}

// subscription is the one in the address, if the person may change it.
func (s *mailsHandlers) subscription(c *call) (db.VisibleSubscriptionRow, error) {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil {
		return db.VisibleSubscriptionRow{}, errNotFound
	}
	return s.db.Subscription(c.Request().Context(), c.visit.Scope, c.visit.Person.ID, c.may(access.Share), id)
}

// newSubscriptionPage is the form of a new one.
func (s *mailsHandlers) newSubscriptionPage(c *call) error {
	form := weekly.NewForm()
	form.Slug = storeAsked(c)
	if form.Slug == "" && len(c.visit.Stores) > 0 {
		form.Slug = c.visit.Stores[0].Slug
	}
	return s.subscriptionForm(c, http.StatusOK, nil, mails.SubscriptionPage{Form: form, Other: c.QueryParam("for") == "other"})
}

// subscriptionForm shows the form; r is the one that is changed, nil for a new one.
func (s *mailsHandlers) subscriptionForm(c *call, status int, r *db.VisibleSubscriptionRow, page mails.SubscriptionPage) error {
	page.Prints = s.mailroom != nil && s.mailroom.Prints()
	page.BackHref, page.Mails, page.MayShare = snapshotsPath, s.mail != nil, c.may(access.Share)
	page.Stores, page.All = c.visit.Stores, len(c.visit.Stores) > 1
	page.Zones = stores.ZoneChoices(c.now, page.Form.Zone)
	title := "Subscribe to a weekly mail"
	page.Action = snapshotsPath
	if r != nil {
		title = "Change a weekly mail"
		page.Action, page.EndAction = subscriptionPath(r.ID), subscriptionPath(r.ID)+"/end"
		page.Store, page.Address, page.Clock = r.StoreName, r.Address, locale.English.Clock(r.Timezone)
		page.Own, page.Waiting = r.PersonID != nil, r.ConfirmedAt == nil
	}
	page.Base = s.pageBase(c, title)
	return c.pageWithStatus(status, mails.Subscription(page))
}

// mailForm reads the form. What is no number is a day or an hour that there is not.
func mailForm(c *call) weekly.Form {
	f := c.form()
	number := func(name string) int {
		n, err := strconv.Atoi(f.Get(name))
		if err != nil {
			return -1
		}
		return n
	}
	text := func(name string) string { return strings.ToValidUTF8(strings.TrimSpace(f.Get(name)), "\uFFFD") }
	out := weekly.NewForm()
	out.Slug, out.Address, out.Zone, out.PDF = text("store"), text("address"), text("zone"), f.Get("pdf") == "true"
	if out.Slug == mails.AllStoresChoice {
		out.Slug = ""
	}
	if f.Has("weekday") { // else the one button, which sends a store and nothing more
		out.Weekday, out.Hour, out.Language = number("weekday"), number("hour"), text("language")
	}
	return out
}

// subscribe makes a subscription.
func (s *mailsHandlers) subscribe(c *call) error {
	form := mailForm(c)
	_, err := s.mailroom.Subscribe(c.Request().Context(), c.visit.Person.ID, form)
	if refused := (*stores.Refusal)(nil); errors.As(err, &refused) {
		return s.subscriptionForm(c, http.StatusUnprocessableEntity, nil, mails.SubscriptionPage{Form: form, Other: form.Address != "" || c.form().Get("for") == "other", Wrong: refused.Reasons})
	}
	if err != nil {
		return err
	}
	if form.Address != "" {
		return s.seeOther(c, snapshotsPath+"?done=asked")
	}
	return s.seeOther(c, snapshotsPath+"?done=subscribed")
}

// changeSubscription changes one.
func (s *mailsHandlers) changeSubscription(c *call) error {
	r, err := s.subscription(c)
	if err != nil {
		return err
	}
	form := mailForm(c)
	form.Slug = r.Slug
	err = s.mailroom.Change(c.Request().Context(), c.visit.Person.ID, r.ID, form)
	if refused := (*stores.Refusal)(nil); errors.As(err, &refused) {
		return s.subscriptionForm(c, http.StatusUnprocessableEntity, &r, mails.SubscriptionPage{Form: form, Wrong: refused.Reasons})
	}
	if err != nil {
		return err
	}
	return s.seeOther(c, snapshotsPath+"?done=changed")
}

// endSubscription ends one.
func (s *mailsHandlers) endSubscription(c *call) error {
	r, err := s.subscription(c)
	if err != nil {
		return err
	}
	if err := s.mailroom.End(c.Request().Context(), c.visit.Person.ID, r.ID); err != nil {
		return err
	}
	return s.seeOther(c, snapshotsPath+"?done=ended")
}

// askAgain asks an address again.
func (s *mailsHandlers) askAgain(c *call) error {
	r, err := s.subscription(c)
	if err != nil {
		return err
	}
	err = s.mailroom.AskAgain(c.Request().Context(), c.visit.Person.ID, r.ID)
	if refused := (*stores.Refusal)(nil); errors.As(err, &refused) {
		return s.showSnapshots(c, http.StatusUnprocessableEntity, "", refused.First())
	}
	if err != nil {
		return err
	}
	return s.seeOther(c, snapshotsPath+"?done=asked")
}
