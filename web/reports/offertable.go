package reports

import (
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/report"
	reportoffers "github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/offers"
	"github.com/storeglass/storeglass/web/site"
)

// OffersPage shows the store's offers with their results in a window; the address has all of
// the filter. If a filter or window is invalid, it shows what could be read, with the reason.
func (s *Handlers) OffersPage(c *site.Call) error {
	now := c.Minute()
	choice, err := c.Choice(now)
	unchosen := (*report.ChoiceError)(nil)
	if errors.As(err, &unchosen) {
		choice, err = report.ParseChoice(url.Values{}, now, c.Store.Location(), c.Store.FirstDay)
	}
	if err != nil {
		return err
	}
	filter, err := readFilter(c, choice)
	wrong := (*report.ChoiceError)(nil)
	if err != nil && !errors.As(err, &wrong) {
		return err
	}
	open := c.QueryParam("open")
	asked := filter.Values()
	for name, value := range choice.Query() {
		asked[name] = value
	}
	if open != "" {
		asked.Set("open", open)
	}
	view := func(b components.Base) (templ.Component, error) {
		b.Title = b.T("offers.title")
		if err := c.Refreshing(&b, "/offers", asked, choice); err != nil {
			return nil, err
		}
		list, table, err := s.offerTable(c, filter, choice, open, now)
		if table.Asking {
			b.Refresh = site.RefreshFirst
		}
		if list.Verified.At.IsZero() && c.Link == nil { // the list was never read completely
			var parts []report.Part
			if parts, err = c.Coming(err); err != nil {
				return nil, err
			}
			if list.Coming = report.PartOf(parts, report.PartOffers); list.Coming != nil {
				b.Refresh = refreshFilling
			}
		}
		return offers.List(offers.ListPage{
			Base: b, List: list, Table: table, FilterError: wrong, ChoiceError: unchosen, SyncHref: c.SyncHref(), RecommendHref: c.Home() + "/recommendations",
		}), err
	}
	status := http.StatusOK
	switch {
	case wrong != nil || unchosen != nil:
		status = http.StatusBadRequest
	case filter.Query != "" || !filter.Placement.Known() && filter.Placement != "":
		// The page contains the search term, so it isn't compressed.
	default:
		return c.StorePage(asked.Encode(), view)
	}
	page, err := view(s.PageBase(c, ""))
	if err != nil {
		return err
	}
	return c.PageWithStatus(status, page)
}

// offerTable is the table with the days of its rows. open is the id of the offer whose row
// shows what its events changed; empty for none.
func (s *Handlers) offerTable(c *site.Call, f report.OfferFilter, choice report.Choice, open string, now time.Time) (reportoffers.List, reportoffers.Table, error) {
	list, t, sum, err := s.offersOf(c, f, choice, now)
	if err != nil {
		return list, t, err
	}
	ids := make([]string, len(t.Rows))
	for i, r := range t.Rows {
		ids[i] = r.ID
	}
	days, err := s.DB.OfferDays(c.Request().Context(), c.Store, ids, t.Drawn)
	if err != nil {
		return list, t, err
	}
	t.Draw(days)
	return list, t, s.openRow(c, &t, sum, open)
}

// openRow draws the days of one offer of the table, and compares those around its starts and
// ends. Readers of a share link see only the days of the link.
func (s *Handlers) openRow(c *site.Call, t *reportoffers.Table, sum overview.Summary, open string) error {
	if t.Find(open) == nil {
		return nil
	}
	t.Open = open
	events := reportoffers.EventsOf(t.Events, open)
	w := t.OpenDays(events)
	if shared := c.SharedView(t.Choice); shared != nil {
		w = w.Within(shared.Days())
	}
	days, err := s.DB.OfferDays(c.Request().Context(), c.Store, []string{open}, w)
	if err != nil {
		return err
	}
	t.DrawOpen(days, w)
	if t.History.Notes, err = s.DB.Notes(c.Request().Context(), c.Store, w); err != nil {
		return err
	}
	t.Around, err = s.around(c, t.Choice, sum, events)
	return err
}
