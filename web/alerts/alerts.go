package alerts

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report"
	reportalerts "github.com/storeglass/storeglass/internal/report/alerts"
	"github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/views/alerts"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
	"github.com/storeglass/storeglass/web/site"
)

// Handlers answer what is about alerts and the channels that they go to.
type Handlers struct {
	*site.Site
	alerts ChannelService
}

// New makes the handlers of this part of the site.
func New(at *site.Site, k ChannelService) *Handlers { return &Handlers{Site: at, alerts: k} }

const (
	alertSettingsPath = "/alerts/settings"
)

const (
	alertPageSize = 50
	// alertFileSize is the past ones of a file.
	alertFileSize = 20_000
	// unwatchedAfter is for how long the next look at a store may be due.
	unwatchedAfter = 30 * time.Minute
)

// alertsBase is the basis of the pages about alerts of all stores.
func (s *Handlers) alertsBase(c *site.Call, title string) components.Base {
	b := s.PageBase(c, title)
	b.Sub = []components.Tab{
		{Label: b.T("alerts.title"), Href: site.AlertsPath, Current: c.Path() == site.AlertsPath || strings.HasPrefix(c.Path(), site.AlertsPath+"/mutes")},
		{Label: b.T("alerts.notifications"), Href: alertSettingsPath, Current: strings.HasPrefix(c.Path(), alertSettingsPath)},
	}
	return b
}

// alertQuery is the filter as the address has it; the problem is for its principal.
func alertQuery(c *site.Call) (f alerts.Filter, a db.AlertPrincipal, problem string) {
	a = c.AlertPrincipal()
	f = alerts.Filter{Store: c.QueryParam("store"), Rule: c.QueryParam("rule"), State: c.QueryParam("state")}
	if c.Store.Slug != "" {
		f.Store = c.Store.Slug
	}
	switch {
	case f.Store != "" && !site.SlugForm.MatchString(f.Store):
		f.Store, problem = "", c.T("alerts.filter.no_store")
	case f.Rule != "" && !knownRule(f.Rule):
		f.Rule, problem = "", c.T("alerts.filter.no_kind")
	case !slices.Contains([]string{"", alerts.Open, alerts.Recovered, alerts.Muted}, f.State):
		f.State, problem = "", c.T("alerts.filter.no_state")
	}
	a.Store = f.Store
	return f, a, problem
}

func knownRule(key string) bool {
	_, ok := reportalerts.RuleOf(key)
	return ok
}

// alertValues are the filter for an address; the store of a store's own page is in its path.
func alertValues(c *site.Call, f alerts.Filter) url.Values {
	v := url.Values{}
	for name, text := range map[string]string{"rule": f.Rule, "state": f.State} {
		if text != "" {
			v.Set(name, text)
		}
	}
	if f.Store != "" && c.Store.Slug == "" {
		v.Set("store", f.Store)
	}
	return v
}

// alertsPage lists alerts of all stores, or of the one in the address.
func (s *Handlers) alertsPage(c *site.Call) error {
	notice := ""
	switch done := c.QueryParam("done"); done {
	case "muted", "unmuted":
		notice = c.T("alerts.done." + done)
	}
	return s.showAlerts(c, http.StatusOK, notice, "")
}

func (s *Handlers) showAlerts(c *site.Call, status int, notice, problem string) error {
	ctx := c.Request().Context()
	f, principal, wrong := alertQuery(c)
	page := alerts.Page{Filter: f, Notice: notice, Problem: problem, SettingsHref: alertSettingsPath}
	if wrong != "" {
		page.Problem, status = wrong, http.StatusBadRequest
	}
	if c.Store.Slug != "" {
		page.Base, page.NowHref = s.PageBase(c, c.T("alerts.title")), c.SyncHref()
	} else {
		page.Base, page.NowHref = s.alertsBase(c, c.T("alerts.title")), needingHref(c.Visit.Stores)
		page.Path = site.AlertsPath
		for _, store := range c.Visit.Stores {
			page.Stores = append(page.Stores, form.Choice{Value: store.Slug, Label: store.Name})
		}
	}
	for _, r := range reportalerts.Rules {
		page.Rules = append(page.Rules, form.Choice{Value: r.Key, Label: r.Title(page.Locale)})
	}
	var behind db.ListedAlert
	if after := c.QueryParam("after"); after != "" {
		var ok bool
		if behind, ok = parseBehind(after); !ok {
			return s.SeeOther(c, site.AddressWith(page.Path, alertValues(c, f)))
		}
		page.NewestHref = site.AddressWith(page.Path, alertValues(c, f))
	}
	next, err := s.DB.AlertsWatched(ctx, principal)
	if err != nil {
		return err
	}
	page.Unwatched = unwatched(c, next)
	if f.State != alerts.Recovered && page.NewestHref == "" {
		if err := s.openAlertRows(c, principal, f, &page); err != nil {
			return err
		}
	}
	if f.State == "" || f.State == alerts.Recovered {
		if err := s.pastAlertRows(c, principal, f, behind, &page); err != nil {
			return err
		}
	}
	mutes, err := s.DB.Mutes(ctx, principal)
	if err != nil {
		return err
	}
	for _, m := range mutes {
		page.Mutes = append(page.Mutes, muteRow(c, m))
	}
	page.Known = len(page.Open) > 0 || len(page.Past) > 0 || f.Any(page.Base)
	v := alertValues(c, f)
	if f.Store != "" {
		v.Set("store", f.Store)
	}
	page.Exports = components.Exports{Path: site.AlertsPath, Query: v.Encode()}
	return c.PageWithStatus(status, alerts.Show(page))
}

// needingHref leads to what needs attention now: the list of stores with those that
// need it, which who sees one store has not.
func needingHref(held []report.Store) string {
	if len(held) == 1 {
		return site.StorePath(held[0].Slug) + "/sync"
	}
	return "/?" + url.Values{"health": {string(stores.HealthPerson)}}.Encode()
}

// unwatched says why nobody looks at the stores; empty while somebody does.
func unwatched(c *site.Call, next time.Time) string {
	switch {
	case len(c.Visit.Stores) == 0:
		return ""
	case next.IsZero():
		return c.T("alerts.unwatched.never")
	case c.Now.Sub(next) > unwatchedAfter:
		return c.T("alerts.unwatched.since", "day", c.Locale().DayYear(civil.DateOf(next.UTC())), "time", c.Locale().Time(next.UTC()))
	}
	return ""
}

func (s *Handlers) openAlertRows(c *site.Call, a db.AlertPrincipal, f alerts.Filter, page *alerts.Page) error {
	open, _, err := s.DB.OpenAlerts(c.Request().Context(), a, site.AlertsOpen)
	if err != nil {
		return err
	}
	var muted []alerts.Row
	for _, l := range open {
		switch {
		case f.Rule != "" && f.Rule != l.Rule:
		case l.Mute != nil:
			muted = append(muted, alertRow(c, l))
		case f.State != alerts.Muted:
			page.Open = append(page.Open, alertRow(c, l))
		}
	}
	page.Open = append(page.Open, muted...)
	return nil
}

// rulesOf are the rules that the filter keeps; none for all.
func rulesOf(f alerts.Filter) []string {
	if f.Rule == "" {
		return nil
	}
	return []string{f.Rule}
}

func (s *Handlers) pastAlertRows(c *site.Call, a db.AlertPrincipal, f alerts.Filter, behind db.ListedAlert, page *alerts.Page) error {
	var from time.Time
	if behind.EndedAt != nil {
		from = *behind.EndedAt
	}
	past, err := s.DB.PastAlerts(c.Request().Context(), a, rulesOf(f), from, behind.ID, alertPageSize+1)
	if err != nil {
		return err
	}
	if len(past) > alertPageSize {
		past = past[:alertPageSize]
		v := alertValues(c, f)
		v.Set("after", behindWords(past[alertPageSize-1]))
		page.OlderHref = site.AddressWith(page.Path, v)
	}
	for _, l := range past {
		page.Past = append(page.Past, pastAlertRow(c, l))
	}
	return nil
}

// A page of history goes on behind an alert, as one of the audit log does behind a record.
func behindWords(l db.ListedAlert) string {
	return strconv.FormatInt(l.EndedAt.UnixMicro(), 10) + "-" + strconv.FormatInt(l.ID, 10)
}

func parseBehind(text string) (l db.ListedAlert, ok bool) {
	r, ok := site.ParseAfter(text)
	return db.ListedAlert{ID: r.ID, EndedAt: &r.At}, ok
}
