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
	reportoverview "github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/offers"
	"github.com/storeglass/storeglass/views/overview"
	"github.com/storeglass/storeglass/web/site"
)

// Handlers serve the pages and files about a store's numbers.
type Handlers struct {
	*site.Site
	Products ServiceCaller
	// Exporting holds one token for each whole export under way.
	Exporting chan struct{}
}

func New(at *site.Site, p ServiceCaller) *Handlers {
	return &Handlers{Site: at, Products: p, Exporting: make(chan struct{}, ExportsAtOnce)}
}

// Overview makes the value shown by the page, the files and the JSON API. If the services can
// answer the window and haven't, they are asked.
func (s *Handlers) Overview(c *site.Call, choice report.Choice, now time.Time, services ...string) (reportoverview.Overview, error) {
	o, _, err := s.overview(c, choice, now, services...)
	return o, err
}

// Explained is the overview with what happened in the window and why.
func (s *Handlers) Explained(c *site.Call, choice report.Choice, now time.Time, services ...string) (reportoverview.Overview, answers.Answer, error) {
	o, stored, err := s.overview(c, choice, now, services...)
	if err != nil {
		return o, answers.Answer{}, err
	}
	why, err := s.answer(c, o, stored, nil)
	return o, why, err
}

// overview is the store's overview with the data behind it. Readers of a share link see no
// goal.
func (s *Handlers) overview(c *site.Call, choice report.Choice, now time.Time, services ...string) (o reportoverview.Overview, stored report.Stored, err error) {
	shared := c.SharedView(choice)
	var inbox *db.AlertPrincipal
	if shared == nil {
		inbox = new(c.AlertPrincipal())
	}
	if stored, err = s.stored(c, choice, inbox, services...); err != nil {
		return o, stored, err
	}
	o = reportoverview.New(c.Locale(), stored, choice, now)
	if shared != nil {
		return shared.Overview(o), stored, nil
	}
	o.Trend.Goals = goal.Daily(stored.Goals, o.Choice.Window, o.Trend.Currency)
	return o, stored, nil
}

// answer says what happened and why. Readers of a share link see nothing about days outside the
// link's.
func (s *Handlers) answer(c *site.Call, o reportoverview.Overview, stored report.Stored, beside *db.Beside) (answers.Answer, error) {
	var within *report.Window
	if shared := c.SharedView(o.Choice); shared != nil {
		within = new(shared.Days())
	}
	return s.DB.Answer(c.Request().Context(), c.Store, o, stored, within, beside)
}

// stored reads the data for an overview. If the services can answer the window and haven't,
// they are asked.
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

// windowPage sends a store's page about the window in the address. If that window is invalid,
// it shows the default one, with the reason next to the picker.
func windowPage(c *site.Call, view windowView) error {
	choice, err := c.Choice(c.Minute())
	if wrong, ok := errors.AsType[*report.ChoiceError](err); ok {
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

// refreshFilling is after how many seconds a page reloads while its store's history fills in.
const refreshFilling = 15

// OverviewPage is a store's first page.
func (s *Handlers) OverviewPage(c *site.Call) error {
	return windowPage(c, func(b components.Base, choice report.Choice, wrong *report.ChoiceError) (templ.Component, error) {
		b.Title = b.T("tab.overview")
		page, err := s.overviewView(c, b, "", choice, wrong)
		return overview.Show(page), err
	})
}

// PlacementsPage shows the placements of the overview's window, larger.
func (s *Handlers) PlacementsPage(c *site.Call) error {
	return windowPage(c, func(b components.Base, choice report.Choice, wrong *report.ChoiceError) (templ.Component, error) {
		b.Title = b.T("tab.placements")
		page, err := s.overviewView(c, b, "/placements", choice, wrong)
		return overview.Placements(page), err
	})
}

// plannedDays is how many days ahead a report lists starts and ends.
const plannedDays = 31

func (s *Handlers) overviewView(c *site.Call, b components.Base, at string, choice report.Choice, wrong *report.ChoiceError) (overview.Page, error) {
	o, stored, err := s.overview(c, choice, c.Minute(), "upsell", "gift")
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
	if err != nil {
		return overview.Page{}, err
	}
	if o.Asking {
		b.Refresh = site.RefreshFirst
	}
	page, beside := overview.Page{Base: b, Overview: o, ChoiceError: wrong, SyncHref: c.SyncHref()}, db.Beside{}
	var rows []report.TopRow
	if at == "" {
		rows, beside.Drawn = offers.Shown(o.Top), reportoffers.Drawn(o.Choice.Window)
		for _, r := range rows {
			beside.Offers = append(beside.Offers, r.OfferID)
		}
	}
	if c.Link == nil {
		page.Goal = goal.New(o.Store, stored.Goal, choice.Today, false)
	} else if c.Link.Plans {
		first := o.Choice.Window.End.AddDays(1)
		beside.Ahead = &report.Window{Start: first, End: first.AddDays(plannedDays - 1)}
	}
	page.Answer, err = s.answer(c, o, stored, &beside)
	page.Next, page.NextNotes = beside.Planned, beside.Notes
	if len(rows) > 0 {
		page.Drawn, page.OfferDays = beside.Drawn, reportoffers.RankedRows(rows, o.Top.Currency, beside.Drawn, beside.Days)
	}
	return page, err
}
