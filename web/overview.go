package web

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/overview"
)

// reportsHandlers answer the pages and files about a store's numbers.
type reportsHandlers struct {
	*Site
	products ServiceCaller
	// exporting holds one token for each whole export under way.
	exporting chan struct{}
}

func newReports(at *Site, p ServiceCaller) *reportsHandlers {
	return &reportsHandlers{Site: at, products: p, exporting: make(chan struct{}, exportsAtOnce)}
}

// overview makes the one value that the page, the files and the JSON API show.
func (s *reportsHandlers) overview(c *call, choice report.Choice, now time.Time) (report.Overview, error) {
	stored, err := s.db.Stored(c.Request().Context(), c.store, choice, now)
	if err != nil {
		return report.Overview{}, err
	}
	o := report.NewOverview(stored, choice, now)
	if told := c.told(choice); told != nil {
		return told.Overview(o), nil
	}
	return o, s.addAlerts(c, &o)
}

// addAlerts puts the open alerts of the store before what else there is to do: those
// that the tab counts and the page of alerts lists.
func (s *reportsHandlers) addAlerts(c *call, o *report.Overview) error {
	open, err := s.db.OpenAlerts(c.Request().Context(), c.alertPrincipal(), "", alertsOpen)
	if err != nil {
		return err
	}
	var titles []string
	for _, a := range open {
		if a.Mute == nil {
			titles = append(titles, a.Title)
		}
	}
	if todo := report.AlertTodo(titles, storePath(c.store.Slug)+alertsPath); todo != nil {
		o.Todos = slices.Insert(o.Todos, 0, *todo)
	}
	return nil
}

// windowView makes a page about a window; wrong, if any, says why it isn't the one asked for.
type windowView func(b components.Base, choice report.Choice, wrong *report.ChoiceError) (templ.Component, error)

// windowPage sends a store's page about the window in the address. A window that
// can't be shown is answered with the usual one in its place, and the reason
// beside the picker.
func windowPage(c *call, view windowView) error {
	choice, err := c.choice(c.minute())
	if wrong := (*report.ChoiceError)(nil); errors.As(err, &wrong) {
		if choice, err = report.ParseChoice(url.Values{}, c.minute(), c.store.Location(), c.store.FirstDay); err != nil {
			return err
		}
		page, err := view(c.site.pageBase(c, ""), choice, wrong)
		if err != nil {
			return err
		}
		return c.pageWithStatus(http.StatusBadRequest, page)
	}
	if err != nil {
		return err
	}
	return c.storePage(choice.Query().Encode(), func(b components.Base) (templ.Component, error) { return view(b, choice, nil) })
}

// How soon a page is worth loading again, in seconds, while its store fills in.
const (
	refreshFirst   = 2
	refreshFilling = 15
)

// overviewPage is a store's first page.
func (s *reportsHandlers) overviewPage(c *call) error {
	return windowPage(c, func(b components.Base, choice report.Choice, wrong *report.ChoiceError) (templ.Component, error) {
		b.Title = "Overview"
		page, err := s.overviewView(c, b, choice, wrong)
		return overview.Show(page), err
	})
}

// placementsPage shows the placements of the overview's window, larger.
func (s *reportsHandlers) placementsPage(c *call) error {
	return windowPage(c, func(b components.Base, choice report.Choice, wrong *report.ChoiceError) (templ.Component, error) {
		b.Title = "Placements"
		page, err := s.overviewView(c, b, choice, wrong)
		return overview.Placements(overview.PlacementsPage{Page: page}), err
	})
}

func (s *reportsHandlers) overviewView(c *call, b components.Base, choice report.Choice, wrong *report.ChoiceError) (overview.Page, error) {
	o, err := s.overview(c, choice, c.minute())
	if f := o.Filling; f != nil {
		if f.Parts, err = c.coming(err); err != nil {
			return overview.Page{}, err
		}
		b.Refresh = refreshFilling
		if f.First() {
			b.Refresh = refreshFirst
		}
	}
	return overview.Page{Base: b, Overview: o, ChoiceError: wrong, SyncHref: c.syncHref()}, err
}
