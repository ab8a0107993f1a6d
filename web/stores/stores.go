package stores

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/portfolio"
	"github.com/storeglass/storeglass/views/stores"
	"github.com/storeglass/storeglass/web/site"
)

// Handlers serve the list of stores and their settings.
type Handlers struct {
	*site.Site
	admin Admin
}

func New(at *site.Site, a Admin) *Handlers { return &Handlers{Site: at, admin: a} }

// home lists the stores that the person may see; with only one store it goes straight there.
func (s *Handlers) home(c *site.Call) error {
	if stores := c.Visit.Stores; len(stores) == 1 {
		return s.SeeOther(c, site.StorePath(stores[0].Slug))
	}
	page := stores.ListPage{Base: s.PageBase(c, c.Locale().T("stores.title"))}
	if len(c.Visit.Stores) == 0 {
		if s.admin != nil && c.May(access.Manage) && c.May(access.Connect) {
			page.Base.Title = page.T("stores.welcome.title", "name", page.Brand.Called())
			return c.Page(stores.Welcome(stores.WelcomePage{Base: page.Base, ConnectHref: site.NewStorePath, MadeUpAction: madeUpPath}))
		}
		page.Empty = s.noStores(c)
		return c.Page(stores.List(page))
	}
	asked, err := s.askedOfStores(c)
	if err != nil {
		return err
	}
	page.List, err = s.DB.Portfolio(c.Request().Context(), c.AlertPrincipal(), asked.query, c.Minute())
	if err != nil {
		return err
	}
	page.Error, page.Views, page.Plain = asked.wrong, asked.views, asked.plain
	page.Notice = c.Done("stores.done.")
	if page.List.Refused > 0 && s.MayKeep(c) {
		page.CheckAction = checkStoresPath
	}
	if page.MadeUp, err = s.madeUp(c); err != nil {
		return err
	}
	page.RemoveMadeUpAction = removeMadeUpPath
	page.SaveHref, page.ViewsHref, page.WallHref = "/views", "/views", asked.wall()
	page.ReplyHref = func(slug string, p report.Provenance) string { return site.ReplyHref(slug)(p) }
	switch {
	case asked.wrong != nil && !asked.saved:
		return c.PageWithStatus(http.StatusBadRequest, stores.List(page))
	case asked.query.Search != "":
		// The page contains the search term, so it isn't compressed.
		return c.PageWithStatus(http.StatusOK, stores.List(page))
	}
	return c.Page(stores.List(page))
}

const (
	checkStoresPath = "/stores/check"
	madeUpPath      = "/stores/made-up"
	// removeMadeUpPath removes all of them again.
	removeMadeUpPath = madeUpPath + "/remove"
)

// addMadeUp connects the made-up shops for people who want to look around first.
func (s *Handlers) addMadeUp(c *site.Call) error {
	return s.Then(c, s.admin.AddMadeUp(c.Request().Context(), c.Visit.Person.ID), "/?done=made_up")
}

// madeUp counts the made-up stores that the person may remove.
func (s *Handlers) madeUp(c *site.Call) (int, error) {
	if s.admin == nil || !c.May(access.Manage) || !slices.ContainsFunc(c.Visit.Stores, func(st report.Store) bool { return strings.HasPrefix(st.Slug, "made-up-") }) {
		return 0, nil
	}
	slugs, err := s.admin.MadeUpStores(c.Request().Context(), c.Visit.Person.ID)
	return len(slugs), err
}

// removeMadeUp removes the made-up stores once real ones are connected.
func (s *Handlers) removeMadeUp(c *site.Call) error {
	return s.Then(c, s.admin.RemoveMadeUp(c.Request().Context(), c.Visit.Person.ID), "/?done=made_up_removed")
}

// checkStores has all refused tokens of the person's stores checked now, even when asked on one
// store's page: services often refuse many at once.
func (s *Handlers) checkStores(c *site.Call) error {
	n, err := s.admin.CheckAll(c.Request().Context(), c.Visit.Person.ID)
	if err != nil {
		return err
	}
	from, asked := "/", c.Form().Get("store")
	if slices.ContainsFunc(c.Visit.Stores, func(st report.Store) bool { return st.Slug == asked }) {
		from = site.StorePath(asked) + "/sync" // it was asked on that store's page
	}
	if n == 0 {
		return s.SeeOther(c, from+"?done=checked")
	}
	return s.SeeOther(c, from+"?done=checking")
}

// noStores tells a person without stores what to do.
func (s *Handlers) noStores(c *site.Call) *report.Empty {
	l := c.Locale()
	e := &report.Empty{Cause: report.CauseNeverConnected, Title: l.T("stores.no_access.title"), Text: l.T("stores.no_access.text")}
	if !c.May(access.Connect) {
		return e
	}
	e.Title, e.Text = l.T("stores.none_yet.title"), l.T("stores.none_yet.text")
	if s.admin != nil {
		e.Action, e.Href = l.T("nav.add_store"), "/stores/new"
	} else {
		e.Text += " " + l.T("stores.none_yet.command")
	}
	if !c.May(access.Manage) {
		e.Text += " " + l.T("stores.none_yet.here_already")
	}
	return e
}

// askedOfStores is a request for the list of stores.
type askedOfStores struct {
	query portfolio.Query
	// wrong is why part of it is invalid; saved: it comes from the person's saved view and
	// isn't the reader's mistake.
	wrong *report.ChoiceError
	saved bool
	// views are the person's, and plain is the list's address without a query.
	views []stores.SavedView
	plain string
}

// everyStore names the plain list when a saved view opens by default.
const everyStore = "all"

// askedOfStores reads the address: parameters of the list, otherwise the saved view that it
// names, otherwise the person's default view.
func (s *Handlers) askedOfStores(c *site.Call) (askedOfStores, error) {
	a := askedOfStores{plain: "/"}
	saved, err := s.DB.SavedViews(c.Request().Context(), c.Visit.Person.ID)
	if err != nil {
		return a, err
	}
	params, named := c.QueryParams(), c.QueryParam("view")
	if slices.ContainsFunc(saved, func(v sqlc.SavedView) bool { return v.Opens }) {
		a.plain = "/?view=" + everyStore
	}
	if !slices.ContainsFunc(portfolio.PortfolioParams, func(name string) bool { return params.Get(name) != "" }) {
		view, err := openedView(saved, named)
		if err != nil {
			return a, err
		}
		if params = (url.Values{}); view != nil {
			a.saved = true
			params = savedQuery(view.Query)
		}
	}
	a.query, err = portfolio.ParseQuery(params, c.Minute())
	if err != nil && !errors.As(err, &a.wrong) {
		return a, err
	}
	shown := firstPage(a.query)
	for _, v := range saved {
		view := savedView(v, c)
		q, _ := portfolio.ParseQuery(savedQuery(v.Query), c.Minute()) // what is no longer valid is left out
		view.Current = firstPage(q) == shown
		a.views = append(a.views, view)
	}
	return a, nil
}

// openedView is the view that the address names, or the one that opens; nil for the plain list.
// Other people's views count as missing.
func openedView(saved []sqlc.SavedView, named string) (*sqlc.SavedView, error) {
	for i, v := range saved {
		if named == strconv.FormatInt(v.ID, 10) || named == "" && v.Opens {
			return &saved[i], nil
		}
	}
	if named != "" && named != everyStore {
		return nil, site.ErrNotFound
	}
	return nil, nil
}

// savedQuery reads the query of a view. We wrote it, but it is parsed like any other: stored
// input deserves no more trust than typed input.
func savedQuery(query string) url.Values {
	q, err := url.ParseQuery(query)
	if err != nil {
		return url.Values{}
	}
	return q
}

// firstPage is the address of a query's first page.
func firstPage(q portfolio.Query) string {
	q.Page, q.All = 1, false
	return q.Values().Encode()
}

// wall is the same list for a screen on a wall.
func (a askedOfStores) wall() string {
	for _, v := range a.views {
		if v.Current {
			return "/wall?view=" + strconv.FormatInt(v.ID, 10)
		}
	}
	if q := firstPage(a.query); q != "" {
		return "/wall?" + q
	}
	if a.plain != "/" {
		return "/wall?view=" + everyStore
	}
	return "/wall"
}
