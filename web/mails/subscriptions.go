package mails

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/internal/report/weekly"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/mails"
	"github.com/storeglass/storeglass/web/site"
)

// Handlers serve weekly mails and links in mails.
type Handlers struct {
	*site.Site
	Subscriptions SubscriptionService
	// BounceSecret is empty if no mail server reports bounces.
	BounceSecret string
}

func New(at *site.Site, m SubscriptionService, bounceSecret string) *Handlers {
	return &Handlers{Site: at, Subscriptions: m, BounceSecret: bounceSecret}
}

// mailsBase is the base of the pages of weekly mails.
func (s *Handlers) mailsBase(c *site.Call, title string) components.Base {
	b := s.PageBase(c, title)
	for _, t := range []struct {
		right access.Right
		tab   components.Tab
	}{
		{access.See, components.Tab{Label: c.T("mails.tab.subscriptions"), Href: site.SnapshotsPath}},
		{access.Share, components.Tab{Label: c.T("mails.tab.sent"), Href: deliveriesPath}},
		{access.Manage, components.Tab{Label: c.T("mails.tab.suppressed"), Href: suppressedPath}},
	} {
		if c.May(t.right) {
			t.tab.Current = t.tab.Href == c.Path()
			b.Sub = append(b.Sub, t.tab)
		}
	}
	if len(b.Sub) == 1 {
		b.Sub = nil
	}
	return b
}

// snapshotsPage lists the reader's own subscriptions, and, for people who may manage them, the
// others of their stores.
func (s *Handlers) snapshotsPage(c *site.Call) error {
	return s.showSnapshots(c, http.StatusOK, c.Done("mails.done."), "")
}

func (s *Handlers) showSnapshots(c *site.Call, status int, notice, problem string) error {
	ctx, person := c.Request().Context(), c.Visit.Person.ID
	page := mails.ListPage{
		Base: s.mailsBase(c, c.T("mails.title")), NewHref: site.SnapshotsPath + "/new", Action: site.SnapshotsPath,
		Notice: notice, Problem: problem, Mails: s.Mail != nil, MayShare: c.May(access.Share),
	}
	own, err := s.DB.Subscriptions(ctx, c.Visit.Scope, person, true, "")
	if err != nil {
		return err
	}
	for _, r := range own {
		page.Own = append(page.Own, s.subscriptionRow(c, r))
	}
	page.Without = storesWithout(c.Visit.Stores, own)
	page.WithoutAll = len(c.Visit.Stores) > 1 && !slices.ContainsFunc(own, func(r sqlc.ListSubscriptionsRow) bool { return r.StoreID == nil })
	if page.MayShare {
		page.Slug = storeAsked(c)
		others, err := s.DB.Subscriptions(ctx, c.Visit.Scope, person, false, page.Slug)
		if err != nil {
			return err
		}
		for _, r := range others {
			page.Others = append(page.Others, s.subscriptionRow(c, r))
		}
		page.Stores, page.More = c.Visit.Stores, len(others) == db.MostSubscriptions
	}
	return c.PageWithStatus(status, mails.List(page))
}

// storeAsked is the store in the list's address; empty for all.
func storeAsked(c *site.Call) string {
	slug := c.QueryParam("store")
	if slices.ContainsFunc(c.Visit.Stores, func(s report.Store) bool { return s.Slug == slug }) {
		return slug
	}
	return ""
}

// storesWithout are the stores whose mail the person doesn't get.
func storesWithout(stores []report.Store, own []sqlc.ListSubscriptionsRow) (without []report.Store) {
	for _, s := range stores {
		if !slices.ContainsFunc(own, func(r sqlc.ListSubscriptionsRow) bool { return r.Slug == s.Slug }) {
			without = append(without, s)
		}
	}
	return without
}

func (s *Handlers) subscriptionRow(c *site.Call, r sqlc.ListSubscriptionsRow) mails.SubscriptionRow {
	language, _ := locale.Of(r.Language)
	row := mails.SubscriptionRow{
		Store: r.StoreName, Reader: r.Address, Name: r.PersonName, MadeBy: r.MadeBy, When: weekly.When(c.Locale(), int(r.Weekday), int(r.Hour)),
		Clock: c.Locale().Clock(r.Timezone), Language: language.Name(), PDF: r.Pdf,
	}
	if r.Slug != "" {
		row.PreviewHref = previewPath(r.Slug)
	}
	if r.PersonID == nil || *r.PersonID == c.Visit.Person.ID {
		row.EditHref = site.SubscriptionPath(r.ID)
	}
	loc, err := report.Zone(r.Timezone)
	if err != nil {
		loc = c.Now.Location()
	}
	switch {
	case r.Disabled:
		row.Sign, row.State = "off", c.T("mails.state.disabled")
	case r.ConfirmedAt == nil && r.ConfirmUntil != nil && r.ConfirmUntil.After(c.Now):
		row.Sign, row.State = "waiting", c.T("mails.state.asked", "day", c.Locale().DayYear(civil.DateOf(r.ConfirmUntil.In(loc))))
	case r.ConfirmedAt == nil:
		row.Sign, row.State = "expired", c.T("mails.state.silent")
		if r.ConfirmUntil == nil {
			row.State = c.T("mails.state.unasked")
		}
		row.AskAction = site.SubscriptionPath(r.ID) + "/ask"
	case r.LastSent.Unix() > 0:
		row.Sign, row.State = "active", c.T("mails.state.last", "day", c.Locale().DayYear(civil.DateOf(r.LastSent.In(loc))))
	default:
		row.Sign, row.State = "active", c.T("mails.state.none")
	}
	return row
}

func (s *Handlers) subscriptionPage(c *site.Call, r sqlc.VisibleSubscriptionRow) error {
	form := weekly.Form{Slug: r.Slug, Language: r.Language, Weekday: int(r.Weekday), Hour: int(r.Hour), Zone: r.Timezone, PDF: r.Pdf}
	return s.subscriptionForm(c, http.StatusOK, &r, mails.SubscriptionPage{Form: form})
}

// ofSubscription makes a handler of one for the subscription in the address, if the person may change it.
func (s *Handlers) ofSubscription(handle func(*site.Call, sqlc.VisibleSubscriptionRow) error) func(*site.Call) error {
	return site.ByID(func(c *site.Call, id int64) error {
		r, err := s.DB.Subscription(c.Request().Context(), c.Visit.Scope, c.Visit.Person.ID, c.May(access.Share), id)
		if err != nil {
			return err
		}
		return handle(c, r)
	})
}

func (s *Handlers) newSubscriptionPage(c *site.Call) error {
	form := weekly.NewForm()
	form.Slug = storeAsked(c)
	if form.Slug == "" && len(c.Visit.Stores) > 0 {
		form.Slug = c.Visit.Stores[0].Slug
	}
	return s.subscriptionForm(c, http.StatusOK, nil, mails.SubscriptionPage{Form: form, Other: c.QueryParam("for") == "other"})
}

// subscriptionForm shows the form; r is the one to change, nil for a new one.
func (s *Handlers) subscriptionForm(c *site.Call, status int, r *sqlc.VisibleSubscriptionRow, page mails.SubscriptionPage) error {
	page.Prints = s.Subscriptions != nil && s.Subscriptions.Prints()
	page.BackHref, page.Mails = site.SnapshotsPath, s.Mail != nil
	page.Stores, page.All = c.Visit.Stores, len(c.Visit.Stores) > 1
	page.Zones = stores.ZoneChoices(c.Locale(), c.Now, page.Form.Zone)
	title := c.T("mails.form.new")
	page.Action = site.SnapshotsPath
	if r != nil {
		title = c.T("mails.form.change")
		page.Action, page.EndAction = site.SubscriptionPath(r.ID), site.SubscriptionPath(r.ID)+"/end"
		page.Store, page.Address, page.Clock = r.StoreName, r.Address, c.Locale().Clock(r.Timezone)
		page.Own, page.Waiting = r.PersonID != nil, r.ConfirmedAt == nil
	}
	page.Base = s.PageBase(c, title)
	return c.PageWithStatus(status, mails.Subscription(page))
}

// mailForm reads the form. Text that isn't a number becomes an invalid day or hour.
func mailForm(c *site.Call) weekly.Form {
	f := c.Form()
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
	if f.Has("weekday") { // otherwise it's the single button, which only sends a store
		out.Weekday, out.Hour, out.Language = number("weekday"), number("hour"), text("language")
	}
	return out
}

func (s *Handlers) subscribe(c *site.Call) error {
	form := mailForm(c)
	_, err := s.Subscriptions.Subscribe(c.Request().Context(), c.Visit.Person.ID, form)
	if refused, ok := errors.AsType[*stores.Refusal](err); ok {
		return s.subscriptionForm(c, http.StatusUnprocessableEntity, nil, mails.SubscriptionPage{Form: form, Other: form.Address != "" || c.Form().Get("for") == "other", Wrong: refused.Reasons})
	}
	if form.Address != "" {
		return s.Then(c, err, site.SnapshotsPath+"?done=asked")
	}
	return s.Then(c, err, site.SnapshotsPath+"?done=subscribed")
}

func (s *Handlers) changeSubscription(c *site.Call, r sqlc.VisibleSubscriptionRow) error {
	form := mailForm(c)
	form.Slug = r.Slug
	err := s.Subscriptions.Change(c.Request().Context(), c.Visit.Person.ID, r.ID, form)
	if refused, ok := errors.AsType[*stores.Refusal](err); ok {
		return s.subscriptionForm(c, http.StatusUnprocessableEntity, &r, mails.SubscriptionPage{Form: form, Wrong: refused.Reasons})
	}
	return s.Then(c, err, site.SnapshotsPath+"?done=changed")
}

func (s *Handlers) endSubscription(c *site.Call, r sqlc.VisibleSubscriptionRow) error {
	err := s.Subscriptions.End(c.Request().Context(), c.Visit.Person.ID, r.ID)
	return s.Then(c, err, site.SnapshotsPath+"?done=ended")
}

func (s *Handlers) askAgain(c *site.Call, r sqlc.VisibleSubscriptionRow) error {
	err := s.Subscriptions.AskAgain(c.Request().Context(), c.Visit.Person.ID, r.ID)
	if refused, ok := errors.AsType[*stores.Refusal](err); ok {
		return s.showSnapshots(c, http.StatusUnprocessableEntity, "", refused.First())
	}
	return s.Then(c, err, site.SnapshotsPath+"?done=asked")
}
