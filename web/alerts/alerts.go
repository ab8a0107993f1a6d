package alerts

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	reportalerts "github.com/storeglass/storeglass/internal/report/alerts"
	"github.com/storeglass/storeglass/views/alerts"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
	"github.com/storeglass/storeglass/web/site"
)

// Handlers serve the inbox and the channels that alerts go to.
type Handlers struct {
	*site.Site
	alerts ChannelService
}

func New(at *site.Site, k ChannelService) *Handlers { return &Handlers{Site: at, alerts: k} }

const alertSettingsPath = "/alerts/settings"

const (
	alertPageSize = 50
	// pastShown is how many past alerts are shown below the open ones.
	pastShown = 5
	// alertFileSize is how many past alerts a file has.
	alertFileSize = 20_000
	// unwatchedAfter is how overdue the next check of a store may be before we warn.
	unwatchedAfter = 30 * time.Minute
)

// alertsBase is the base of the pages about notifications.
func (s *Handlers) alertsBase(c *site.Call, title string) components.Base {
	b := s.PageBase(c, title)
	b.Sub = []components.Tab{
		{Label: b.T("alerts.title"), Href: site.AlertsPath},
		{Label: b.T("alerts.notifications"), Href: alertSettingsPath, Current: strings.HasPrefix(c.Path(), alertSettingsPath)},
	}
	return b
}

// alertQuery reads the filter in the address; problem is for the reader.
func alertQuery(c *site.Call) (f alerts.Filter, a db.AlertPrincipal, problem string) {
	a = c.AlertPrincipal()
	f = alerts.Filter{Store: cmp.Or(c.Store.Slug, c.QueryParam("store")), Group: c.QueryParam("group"), State: c.QueryParam("state"), Query: strings.TrimSpace(c.QueryParam("q"))}
	switch {
	case f.Store != "" && !site.SlugForm.MatchString(f.Store):
		f.Store, problem = "", c.T("alerts.filter.no_store")
	case f.Group != "" && !slices.Contains(reportalerts.Groups, reportalerts.Group(f.Group)):
		f.Group, problem = "", c.T("alerts.filter.no_kind")
	case !slices.Contains([]string{"", alerts.Open, alerts.Resolved, alerts.Snoozed}, f.State):
		f.State, problem = "", c.T("alerts.filter.no_state")
	}
	a.Store = f.Store
	return f, a, problem
}

// address is the inbox's address with a filter; a store's own page has the store in its path.
func address(c *site.Call, path string, f alerts.Filter) string {
	return components.WithQuery(path, alertValues(c, f))
}

func alertValues(c *site.Call, f alerts.Filter) url.Values {
	v := components.Query("group", f.Group, "state", f.State, "q", f.Query)
	if f.Store != "" && c.Store.Slug == "" {
		v.Set("store", f.Store)
	}
	return v
}

// alertsPage is the inbox of all stores, or of the one in the address.
func (s *Handlers) alertsPage(c *site.Call) error {
	return s.showAlerts(c, http.StatusOK, c.Done("alerts.done."), "")
}

func (s *Handlers) showAlerts(c *site.Call, status int, notice, problem string) error {
	ctx := c.Request().Context()
	f, principal, wrong := alertQuery(c)
	page := alerts.Page{Base: s.PageBase(c, c.T("alerts.title")), Filter: f, Notice: notice, Problem: problem, SettingsHref: alertSettingsPath}
	if wrong != "" {
		page.Problem, status = wrong, http.StatusBadRequest
	}
	if c.Store.Slug == "" {
		page.Path, page.Stores = site.AlertsPath, storeChoices(c)
	}
	page.ThresholdsHref = thresholdsHref(c, f.Store)
	var behind audit.Record
	if after := c.QueryParam("after"); after != "" {
		var ok bool
		if behind, ok = site.ParseAfter(after); !ok {
			return s.SeeOther(c, address(c, page.Path, f))
		}
		page.NewestHref = address(c, page.Path, f)
	}
	next, err := s.DB.AlertsWatched(ctx, principal)
	if err != nil {
		return err
	}
	page.Unwatched = unwatched(c, next)
	if err := s.openRows(c, principal, f, &page); err != nil {
		return err
	}
	if f.State != alerts.Snoozed {
		if err := s.pastRows(c, principal, f, behind, &page); err != nil {
			return err
		}
	}
	if f.State == alerts.Snoozed {
		snoozes, err := s.DB.Snoozes(ctx, principal)
		if err != nil {
			return err
		}
		page.Snoozes = db.Each(snoozes, func(m sqlc.ShownSnoozesRow) alerts.SnoozeRow { return snoozeRow(c, m) })
	}
	v := alertValues(c, f)
	if f.Store != "" {
		v.Set("store", f.Store)
	}
	page.Exports = components.Exports{Path: site.AlertsPath, Query: v.Encode()}
	if status == http.StatusOK && f.Query == "" { // the page contains the search term, so it isn't compressed
		return c.Page(alerts.Show(page))
	}
	return c.PageWithStatus(status, alerts.Show(page))
}

func storeChoices(c *site.Call) (out []form.Choice) {
	for _, store := range c.Visit.Stores {
		out = append(out, form.Choice{Value: store.Slug, Label: store.Name})
	}
	return out
}

// unwatched says why the stores aren't being checked; empty while they are.
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

// openRows returns the rows of the selected state, with the counts of all states: tabs, chips
// and title count the same rows.
func (s *Handlers) openRows(c *site.Call, a db.AlertPrincipal, f alerts.Filter, page *alerts.Page) error {
	open, ended, err := s.DB.OpenAlerts(c.Request().Context(), a, site.AlertsOpen)
	if err != nil {
		return err
	}
	people := map[string][]form.Choice{}
	if c.May(access.Share) {
		if people, err = s.people(c, a, open); err != nil {
			return err
		}
	}
	all := f
	all.Group = ""
	counts, groups := map[string]int64{}, map[string]int64{}
	shown := cmp.Or(f.State, alerts.Open)
	var listed []db.ListedAlert
	stores := map[string]bool{}
	var oldest time.Time
	for _, l := range open {
		do, why := l.Open().ToDo(c.Locale())
		line, _ := l.Open().Say(c.Locale())
		group, state := string(reportalerts.GroupOf(l.Rule)), alerts.Open
		if l.Snooze != nil {
			state = alerts.Snoozed
		}
		if !all.Matches(group, do, why, line, l.Store) {
			continue
		}
		counts[state]++
		if state == shown {
			groups[group]++
			if f.Group == "" || f.Group == group {
				listed = append(listed, l)
			}
		}
		if state == alerts.Open {
			stores[l.Slug] = true
			if oldest.IsZero() || l.Since.Before(oldest) {
				oldest = l.Since
			}
		}
	}
	page.PastCount = ended
	page.States = []alerts.Choice{
		{Label: c.T("alerts.state.open"), Count: counts[alerts.Open]}, {Label: c.T("alerts.state.snoozed"), Count: counts[alerts.Snoozed]}, {Label: c.T("alerts.state.resolved"), Count: ended, Uncounted: f.Query != ""}, // the search isn't counted in the past
	}
	for i, state := range []string{"", alerts.Snoozed, alerts.Resolved} {
		to := all
		to.State = state
		page.States[i].Href, page.States[i].Current = address(c, page.Path, to), cmp.Or(state, alerts.Open) == shown
	}
	page.Groups = []alerts.Choice{{Label: c.T("alerts.group.all"), Href: address(c, page.Path, all), Count: counts[shown], Current: f.Group == ""}}
	for _, g := range reportalerts.Groups {
		to := all
		to.Group = string(g)
		page.Groups = append(page.Groups, alerts.Choice{Label: c.T("alerts.group." + string(g)), Href: address(c, page.Path, to), Count: groups[string(g)], Current: f.Group == string(g)})
	}
	page.About, page.Worst = about(c, page, counts[alerts.Open], len(stores), groups[string(reportalerts.Broken)], oldest)
	if f.State == alerts.Resolved {
		return nil
	}
	page.Open, err = s.byStore(c, a, listed, people)
	return err
}

// about fills in what needs to be done, and the worst of it.
func about(c *site.Call, page *alerts.Page, open int64, stores int, broken int64, oldest time.Time) (text, worst string) {
	switch {
	case open == 0 && page.Filter.Query != "": // other alerts may be open
		return "", ""
	case open == 0:
		return c.T("alerts.about.nothing"), ""
	case c.Store.Slug != "" || len(c.Visit.Stores) == 1:
		text = c.T("alerts.about.store", "n", open)
	default:
		text = c.T("alerts.about.stores", "n", open, "stores", c.T("alerts.about.of_stores", "some", stores, "n", len(c.Visit.Stores)))
	}
	longest := c.Locale().Days(max(1, int(c.Now.Sub(oldest).Hours()/24)))
	if broken > 0 && page.Filter.State != alerts.Snoozed {
		return text, c.T("alerts.about.broken", "n", broken, "longest", longest)
	}
	return text, c.T("alerts.about.longest", "longest", longest)
}

// byStore puts rows under their stores, the worst store first: one whose numbers stopped, then
// one with the most problems.
func (s *Handlers) byStore(c *site.Call, a db.AlertPrincipal, listed []db.ListedAlert, people map[string][]form.Choice) ([]alerts.Store, error) {
	known, err := s.DB.StoresKnown(c.Request().Context(), a, db.Each(listed, func(l db.ListedAlert) string { return l.Slug }))
	if err != nil {
		return nil, err
	}
	keys, stopping := reportalerts.Order()
	var out []alerts.Store
	worst := map[string][3]int{}
	for _, l := range listed {
		i := slices.IndexFunc(out, func(s alerts.Store) bool { return s.Slug == l.Slug })
		if i < 0 {
			i = len(out)
			store := alerts.Store{Slug: l.Slug, Name: l.Store, Href: site.StorePath(l.Slug), Clock: c.Locale().Clock(l.Timezone)}
			if k, ok := known[l.Slug]; ok {
				store.Freshness = k.Freshness(c.Locale(), c.Minute())
				if k.Store.Currency != "" {
					store.Clock += ", " + k.Store.Currency
				}
			}
			out = append(out, store)
		}
		out[i].Rows = append(out[i].Rows, s.row(c, l, people[l.Slug]))
		w := worst[l.Slug]
		if at := slices.Index(keys, l.Rule); at >= 0 && at < stopping {
			w[0]++
		}
		if reportalerts.GroupOf(l.Rule) == reportalerts.Broken {
			w[1]++
		}
		w[2]++
		worst[l.Slug] = w
	}
	slices.SortStableFunc(out, func(x, y alerts.Store) int {
		wx, wy := worst[x.Slug], worst[y.Slug]
		return slices.Compare(wy[:], wx[:])
	})
	return out, nil
}

// people are who may be assigned the alerts of each store.
func (s *Handlers) people(c *site.Call, a db.AlertPrincipal, listed []db.ListedAlert) (map[string][]form.Choice, error) {
	rows, err := s.DB.PeopleOfStores(c.Request().Context(), a, db.Each(listed, func(l db.ListedAlert) string { return l.Slug }))
	if err != nil {
		return nil, err
	}
	out := map[string][]form.Choice{}
	for _, r := range rows {
		out[r.Slug] = append(out[r.Slug], form.Choice{Value: strconv.FormatInt(r.ID, 10), Label: r.Name})
	}
	return out, nil
}

func (s *Handlers) pastRows(c *site.Call, a db.AlertPrincipal, f alerts.Filter, behind audit.Record, page *alerts.Page) error {
	most := alertPageSize
	if f.State != alerts.Resolved {
		most = pastShown
	}
	past, err := s.DB.PastAlerts(c.Request().Context(), a, rulesOf(f), behind.At, behind.ID, most+1)
	if err != nil {
		return err
	}
	all := f
	all.State = alerts.Resolved
	if len(past) > most {
		past = past[:most]
		if f.State == alerts.Resolved {
			v := alertValues(c, all)
			v.Set("after", site.After(*past[most-1].EndedAt, past[most-1].ID))
			page.OlderHref = components.WithQuery(page.Path, v)
		}
	}
	if f.State != alerts.Resolved {
		page.PastHref = address(c, page.Path, all)
	}
	for _, l := range past {
		r := pastAlertRow(c, l)
		if f.Matches("", r.Title, r.Rule, l.Store) || f.Group != "" && (alerts.Filter{Query: f.Query}).Matches("", r.Title, r.Rule, l.Store) {
			page.Past = append(page.Past, r)
		}
	}
	return nil
}

// rulesOf are the rules that the filter keeps; none means all.
func rulesOf(f alerts.Filter) (keys []string) {
	for _, r := range reportalerts.Rules {
		if f.Group == string(r.Group) {
			keys = append(keys, r.Key)
		}
	}
	return keys
}
