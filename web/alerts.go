package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report"
	reportalerts "github.com/storeglass/storeglass/internal/report/alerts"
	"github.com/storeglass/storeglass/views/alerts"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
)

// alertsHandlers answer what is about alerts and the channels that they go to.
type alertsHandlers struct {
	*Site
	alerts AlertKeeper
}

func newAlerts(at *Site, k AlertKeeper) *alertsHandlers { return &alertsHandlers{Site: at, alerts: k} }

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
func (s *alertsHandlers) alertsBase(c *call, title string) components.Base {
	b := s.pageBase(c, title)
	b.Sub = []components.Tab{
		{Label: "Alerts", Href: alertsPath, Current: c.Path() == alertsPath || strings.HasPrefix(c.Path(), alertsPath+"/mutes")},
		{Label: "How you are told", Href: alertSettingsPath, Current: strings.HasPrefix(c.Path(), alertSettingsPath)},
	}
	return b
}

// alertQuery is the filter as the address has it; the problem is for its asker.
func alertQuery(c *call) (f alerts.Filter, a db.AlertAsker, problem string) {
	a = c.alertPrincipal()
	f = alerts.Filter{Store: c.QueryParam("store"), Rule: c.QueryParam("rule"), State: c.QueryParam("state")}
	if c.store.Slug != "" {
		f.Store = c.store.Slug
	}
	switch {
	case f.Store != "" && !slugForm.MatchString(f.Store):
		f.Store, problem = "", "There is no such store: choose from the list."
	case f.Rule != "" && !knownRule(f.Rule):
		f.Rule, problem = "", "There are no alerts of this kind: choose from the list."
	case !slices.Contains([]string{"", alerts.Open, alerts.Recovered, alerts.Muted}, f.State):
		f.State, problem = "", "Alerts are open, over, or muted: choose from the list."
	}
	a.Store = f.Store
	return f, a, problem
}

func knownRule(key string) bool {
	_, ok := reportalerts.RuleOf(key)
	return ok
}

// alertValues are the filter for an address; the store of a store's own page is in its path.
func alertValues(c *call, f alerts.Filter) url.Values {
	v := url.Values{}
	for name, text := range map[string]string{"rule": f.Rule, "state": f.State} {
		if text != "" {
			v.Set(name, text)
		}
	}
	if f.Store != "" && c.store.Slug == "" {
		v.Set("store", f.Store)
	}
	return v
}

var alertNotices = map[string]string{
	"muted":   "Muted. It stays on this page, and nothing is told of it until the mute ends.",
	"unmuted": "Unmuted. What is still wrong is told as before.",
}

// alertsPage lists alerts of all stores, or of the one in the address.
func (s *alertsHandlers) alertsPage(c *call) error {
	return s.showAlerts(c, http.StatusOK, alertNotices[c.QueryParam("done")], "")
}

func (s *alertsHandlers) showAlerts(c *call, status int, notice, problem string) error {
	ctx := c.Request().Context()
	f, asker, wrong := alertQuery(c)
	page := alerts.Page{Filter: f, Notice: notice, Problem: problem, SettingsHref: alertSettingsPath}
	if wrong != "" {
		page.Problem, status = wrong, http.StatusBadRequest
	}
	if c.store.Slug != "" {
		page.Base, page.NowHref = s.pageBase(c, "Alerts"), c.syncHref()
	} else {
		page.Base, page.NowHref = s.alertsBase(c, "Alerts"), needingHref(c.visit.Stores)
		page.Path = alertsPath
		for _, store := range c.visit.Stores {
			page.Stores = append(page.Stores, form.Choice{Value: store.Slug, Label: store.Name})
		}
	}
	for _, r := range reportalerts.Rules {
		page.Rules = append(page.Rules, form.Choice{Value: r.Key, Label: r.Title})
	}
	var behind db.ListedAlert
	if after := c.QueryParam("after"); after != "" {
		var ok bool
		if behind, ok = parseBehind(after); !ok {
			return s.seeOther(c, addressWith(page.Path, alertValues(c, f)))
		}
		page.NewestHref = addressWith(page.Path, alertValues(c, f))
	}
	next, err := s.db.AlertsWatched(ctx, asker)
	if err != nil {
		return err
	}
	page.Unwatched = unwatched(c, next)
	if f.State != alerts.Recovered && page.NewestHref == "" {
		if err := s.openAlertRows(c, asker, f, &page); err != nil {
			return err
		}
	}
	if f.State == "" || f.State == alerts.Recovered {
		if err := s.pastAlertRows(c, asker, f, behind, &page); err != nil {
			return err
		}
	}
	mutes, err := s.db.Mutes(ctx, asker)
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
	page.Exports = components.Exports{Path: alertsPath, Query: v.Encode()}
	return c.pageWithStatus(status, alerts.Show(page))
}

// needingHref leads to what needs attention now: the list of stores with those that
// need it, which who sees one store has not.
func needingHref(stores []report.Store) string {
	if len(stores) == 1 {
		return storePath(stores[0].Slug) + "/sync"
	}
	return "/?" + url.Values{"health": {string(report.HealthPerson)}}.Encode()
}

// unwatched says why nobody looks at the stores; empty while somebody does.
func unwatched(c *call, next time.Time) string {
	switch {
	case len(c.visit.Stores) == 0:
		return ""
	case next.IsZero():
		return "no store was looked at yet. The worker does that: is it running?"
	case c.now.Sub(next) > unwatchedAfter:
		return "the last look was to be at " + next.UTC().Format("15:04 MST on 2 Jan 2006") + ". The worker does that: is it running?"
	}
	return ""
}

func (s *alertsHandlers) openAlertRows(c *call, a db.AlertAsker, f alerts.Filter, page *alerts.Page) error {
	open, err := s.db.OpenAlerts(c.Request().Context(), a, f.Rule, alertsOpen)
	if err != nil {
		return err
	}
	var muted []alerts.Row
	for _, l := range open {
		switch {
		case l.Mute != nil:
			muted = append(muted, alertRow(c, l))
		case f.State != alerts.Muted:
			page.Open = append(page.Open, alertRow(c, l))
		}
	}
	page.Open = append(page.Open, muted...)
	return nil
}

func (s *alertsHandlers) pastAlertRows(c *call, a db.AlertAsker, f alerts.Filter, behind db.ListedAlert, page *alerts.Page) error {
	var from time.Time
	if behind.ClosedAt != nil {
		from = *behind.ClosedAt
	}
	past, err := s.db.PastAlerts(c.Request().Context(), a, f.Rule, from, behind.ID, alertPageSize+1)
	if err != nil {
		return err
	}
	if len(past) > alertPageSize {
		past = past[:alertPageSize]
		v := alertValues(c, f)
		v.Set("after", behindWords(past[alertPageSize-1]))
		page.OlderHref = addressWith(page.Path, v)
	}
	for _, l := range past {
		page.Past = append(page.Past, pastAlertRow(c, l))
	}
	return nil
}

// A page of history goes on behind an alert, as one of the audit log does behind a record.
func behindWords(l db.ListedAlert) string {
	return strconv.FormatInt(l.ClosedAt.UnixMicro(), 10) + "-" + strconv.FormatInt(l.ID, 10)
}

func parseBehind(text string) (l db.ListedAlert, ok bool) {
	r, ok := parseAfter(text)
	return db.ListedAlert{ID: r.ID, ClosedAt: &r.At}, ok
}
