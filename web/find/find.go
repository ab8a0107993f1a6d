// Package find finds a store, a page or an offer by name.
package find

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/find"
	"github.com/storeglass/storeglass/web/site"
)

// Handlers answer what someone looks for.
type Handlers struct{ *site.Site }

func New(at *site.Site) *Handlers { return &Handlers{at} }

func (s *Handlers) Routes() []site.Route {
	return []site.Route{
		site.Get(components.FindPath, site.AdmitPerson, access.See, s.find),
		site.Get("/stores/:slug"+components.FindPath, site.AdmitPerson, access.See, s.find),
	}
}

// most is the most results at once.
const most = 10

// finder collects what is found, best first.
type finder struct {
	*site.Call
	base   components.Base
	asked  []string
	stores []sqlc.StoreNamesRow
	found  []find.Result
}

// find searches by name in all the person's stores. Below a store's address, its own pages and
// offers come first; in=stores is the store switcher, which keeps the open page.
func (s *Handlers) find(c *site.Call) error {
	asked := c.QueryParam("q")
	if len(asked) > report.MaxQuery {
		asked = ""
	}
	names, err := s.DB.StoreNames(c.Request().Context(), c.Visit.Scope)
	if err != nil {
		return err
	}
	f := &finder{Call: c, base: s.PageBase(c, c.T("find.title")), asked: words(asked), stores: names}
	page := find.Page{Base: f.base, Query: asked, In: c.QueryParam("in"), At: c.QueryParam("at")}
	if page.In == "stores" {
		f.named(page.At)
	} else if err := f.anything(); err != nil {
		return err
	}
	page.Results = f.found[:min(len(f.found), most)]
	// The page contains the search term, so it isn't compressed.
	return c.PageWithStatus(http.StatusOK, find.Show(page))
}

// anything finds stores, pages and offers.
func (f *finder) anything() error {
	tabs := f.base.Tabs
	if f.Store.Slug == "" {
		f.named("")
		f.pages(tabs, "")
		return f.pagesOfOthers()
	}
	f.pages(tabs, f.Store.Name)
	if len(f.asked) == 0 {
		return nil
	}
	f.named("")
	if err := f.offers(); err != nil {
		return err
	}
	return f.pagesOfOthers()
}

// named finds stores; at is the page of the store that a result leads to. Names that begin with
// the search term come first.
func (f *finder) named(at string) {
	rank := func(s sqlc.StoreNamesRow) int {
		w := words(s.Name)
		if len(w) > 0 && len(f.asked) > 0 && strings.HasPrefix(w[0], f.asked[0]) {
			return 0
		}
		return 1
	}
	var named []sqlc.StoreNamesRow
	for _, s := range f.stores {
		if len(open(f.asked, words(s.Name+" "+s.Slug+" "+s.Domain))) == 0 {
			named = append(named, s)
		}
	}
	slices.SortStableFunc(named, func(a, b sqlc.StoreNamesRow) int { return rank(a) - rank(b) })
	for _, s := range named[:min(len(named), most)] {
		f.add(s.Name, s.Currency, site.StorePath(s.Slug)+f.tab(at))
	}
}

// tab is the part of the address at after the store's own address; empty if it isn't one of our
// pages.
func (f *finder) tab(at string) string {
	for _, t := range f.base.Tabs {
		if below, ok := strings.CutPrefix(t.Href, f.base.StoreHome()); ok && below == at {
			return below
		}
	}
	return ""
}

// pages finds pages among the tabs of a store, or of all stores. A store's name alone doesn't
// match its pages.
func (f *finder) pages(tabs []components.Tab, of string) {
	for _, t := range tabs {
		others := open(f.asked, words(t.Label))
		if len(f.asked) == 0 || len(others) < len(f.asked) && len(open(others, words(of))) == 0 {
			f.add(t.Label, of, t.Href)
		}
	}
}

// pagesOfOthers finds "gifts fern": some of the words name a store, and the others one of its
// pages.
func (f *finder) pagesOfOthers() error {
	if len(f.asked) < 2 {
		return nil
	}
	for _, s := range f.stores {
		left := open(f.asked, words(s.Name))
		if len(f.found) >= most || len(left) == 0 || len(left) == len(f.asked) || s.Slug == f.Store.Slug {
			continue
		}
		tabs, err := f.tabsOfStores()
		if err != nil {
			return err
		}
		for _, t := range tabs {
			if len(open(left, words(t.Label))) == 0 {
				f.add(t.Label, s.Name, site.StorePath(s.Slug)+t.Href)
			}
		}
	}
	return nil
}

// tabsOfStores are the pages that every store has for the person, below its address.
func (f *finder) tabsOfStores() ([]components.Tab, error) {
	if f.Store.Slug == "" && len(f.stores) > 0 {
		store, err := f.Site.DB.Store(f.Request().Context(), f.Visit.Scope, f.stores[0].Slug)
		if err != nil {
			return nil, err
		}
		f.Store = store
		defer func() { f.Store = db.ScopedStore{} }()
	}
	base := f.Site.PageBase(f.Call, "")
	var tabs []components.Tab
	for _, t := range base.Tabs {
		if below, ok := strings.CutPrefix(t.Href, base.StoreHome()); ok {
			tabs = append(tabs, components.Tab{Label: t.Label, Href: below})
		}
	}
	return tabs, nil
}

// offers finds offers of the open store.
func (f *finder) offers() error {
	names, err := f.Site.DB.OfferNames(f.Request().Context(), f.Store)
	if err != nil {
		return err
	}
	for _, o := range names {
		if len(f.found) < most && len(open(f.asked, words(o.Name))) == 0 {
			f.add(o.Name, f.T("find.offer"), site.StorePath(f.Store.Slug)+"/offers/"+url.PathEscape(o.OfferID))
		}
	}
	return nil
}

// add adds what leads to href with the open window of time.
func (f *finder) add(name, of, href string) {
	if window := f.base.Reader.Window; window != "" && strings.HasPrefix(href, "/stores/") {
		href += "?" + window
	}
	f.found = append(f.found, find.Result{Name: name, Of: of, Href: href})
}
