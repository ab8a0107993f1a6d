package reports

import (
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
	"github.com/storeglass/storeglass/internal/report/goal"
	reportoffers "github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/offers"
	"github.com/storeglass/storeglass/views/overview"
	"github.com/storeglass/storeglass/web/site"
)

// Handlers answer the pages and files about a store's numbers.
type Handlers struct {
	*site.Site
	Products ServiceCaller
	// Exporting holds one token for each whole export under way.
	Exporting chan struct{}
}

// New makes the handlers of this part of the site.
func New(at *site.Site, p ServiceCaller) *Handlers {
	return &Handlers{Site: at, Products: p, Exporting: make(chan struct{}, ExportsAtOnce)}
}

// Overview makes the one value that the page, the files and the JSON API show. The services
// are asked about the window where they can answer it and haven't.
func (s *Handlers) Overview(c *site.Call, choice report.Choice, now time.Time, services ...string) (report.Overview, error) {
	o, _, err := s.Explained(c, choice, now, services...)
	return o, err
}

// Explained is the overview with what happened in the window and why.
func (s *Handlers) Explained(c *site.Call, choice report.Choice, now time.Time, services ...string) (report.Overview, answers.Answer, error) {
	o, why, _, err := s.overview(c, choice, now, services...)
	return o, why, err
}

// overview is the store's overview, with what happened in the window and why, and how far the
// store is with its goal. readers of a share link are shown nothing of other days than the
// link's, and no goal.
func (s *Handlers) overview(c *site.Call, choice report.Choice, now time.Time, services ...string) (o report.Overview, why answers.Answer, g *goal.Progress, err error) {
	shared := c.SharedView(choice)
	var inbox *db.AlertPrincipal
	if shared == nil {
		inbox = new(c.AlertPrincipal())
	}
	stored, err := s.stored(c, choice, inbox, services...)
	if err != nil {
		return o, why, nil, err
	}
	o = report.NewOverview(c.Locale(), stored, choice, now)
	var within *report.Window
	if shared != nil {
		o, within = shared.Overview(o), new(shared.Days())
	}
	if why, err = s.DB.Answer(c.Request().Context(), c.Store, o, stored.Days, within); shared != nil {
		return o, why, nil, err
	}
	o.Trend.Goals = goal.Daily(stored.Goals, o.Choice.Window, o.Trend.Currency)
	return o, why, goal.New(o.Store, stored.Goal, choice.Today, false), err
}

// stored reads what an overview is made of. The services are asked about the window where
// they can answer it and haven't.
func (s *Handlers) stored(c *site.Call, choice report.Choice, inbox *db.AlertPrincipal, services ...string) (report.Stored, error) {
	stored, err := s.DB.Stored(c.Request().Context(), c.Store, choice, inbox)
	if err != nil {
		return stored, err
	}
	stored.Asking, err = c.Ask(stored, choice, services...)
	return stored, err
}

// windowView makes a page about a window; wrong, if any, says why it isn't the one asked for.
type windowView func(b components.Base, choice report.Choice, wrong *report.ChoiceError) (templ.Component, error)

// windowPage sends a store's page about the window in the address. A window that
// can't be shown is answered with the usual one in its place, and the reason
// beside the picker.
func windowPage(c *site.Call, view windowView) error {
	choice, err := c.Choice(c.Minute())
	if wrong := (*report.ChoiceError)(nil); errors.As(err, &wrong) {
		if choice, err = report.ParseChoice(url.Values{}, c.Minute(), c.Store.Location(), c.Store.FirstDay); err != nil {
			return err
		}
		page, err := view(c.Site.PageBase(c, ""), choice, wrong)
		if err != nil {
			return err
		}
		return c.PageWithStatus(http.StatusBadRequest, page)
	}
	if err != nil {
		return err
	}
	return c.StorePage(choice.Query().Encode(), func(b components.Base) (templ.Component, error) { return view(b, choice, nil) })
}

// refreshFilling is how soon a page is worth loading again, in seconds, while its store's
// past fills in.
const refreshFilling = 15

// OverviewPage is a store's first page.
func (s *Handlers) OverviewPage(c *site.Call) error {
	return windowPage(c, func(b components.Base, choice report.Choice, wrong *report.ChoiceError) (templ.Component, error) {
		b.Title = b.T("tab.overview")
		page, err := s.overviewView(c, b, "", choice, wrong)
		if err == nil {
			err = s.drawOffers(c, &page)
		}
		return overview.Show(page), err
	})
}

// drawOffers gives the offers of the page's ranking their days.
func (s *Handlers) drawOffers(c *site.Call, page *overview.Page) error {
	top := page.Overview.Top
	rows := offers.Shown(top)
	if len(rows) == 0 {
		return nil
	}
	page.Drawn = reportoffers.Drawn(page.Overview.Choice.Window)
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.OfferID
	}
	days, err := s.DB.OfferDays(c.Request().Context(), c.Store, ids, page.Drawn)
	page.OfferDays = reportoffers.RankedRows(rows, top.Currency, page.Drawn, days)
	return err
}

// PlacementsPage shows the placements of the overview's window, larger.
func (s *Handlers) PlacementsPage(c *site.Call) error {
	return windowPage(c, func(b components.Base, choice report.Choice, wrong *report.ChoiceError) (templ.Component, error) {
		b.Title = b.T("tab.placements")
		page, err := s.overviewView(c, b, "/placements", choice, wrong)
		return overview.Placements(overview.PlacementsPage{Page: page}), err
	})
}

// plannedDays are how many days after a report's own it says what begins and ends.
const plannedDays = 31

func (s *Handlers) overviewView(c *site.Call, b components.Base, at string, choice report.Choice, wrong *report.ChoiceError) (overview.Page, error) {
	o, why, g, err := s.overview(c, choice, c.Minute(), "upsell", "gift")
	if err == nil {
		err = c.Refreshing(&b, at, choice.Query(), choice)
	}
	if f := o.Filling; f != nil {
		if f.Parts, err = c.Coming(err); err != nil {
			return overview.Page{}, err
		}
		b.Refresh = refreshFilling
		if f.First() {
			b.Refresh = site.RefreshFirst
		}
	}
	if o.Asking {
		b.Refresh = site.RefreshFirst
	}
	page := overview.Page{Base: b, Overview: o, Answer: why, Goal: g, ChoiceError: wrong, SyncHref: c.SyncHref()}
	if err == nil && c.Link != nil && c.Link.Plans {
		first := o.Choice.Window.End.AddDays(1)
		page.Next, page.NextNotes, err = s.DB.Planned(c.Request().Context(), c.Store, report.Window{Start: first, End: first.AddDays(plannedDays - 1)})
	}
	return page, err
}
