package reports

import (
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/web/site"
)

// offersTable has every offer that matches the filter, not just one page, with its results in
// the window.
func offersTable(s *Handlers, c *site.Call, choice report.Choice, now time.Time) (site.Table, error) {
	f, err := OfferFilter(c, choice)
	if err != nil {
		return site.Table{}, err
	}
	f.Page = 0
	l, offers, err := s.Offers(c, f, choice, now)
	if err != nil {
		return site.Table{}, err
	}
	t := site.Table{
		Title: "Offers in the window; never to be summed over placements",
		Columns: slices.Concat([]string{
			"store", "offer_id", "offer", "placement", "status", "ab_test", "display_order", "created_at_as_sent", "currency",
			"revenue_in_window", "revenue_reported", "revenue_before", "change", "claims", "acceptance_rate_as_reported", "acceptance_unit", "event", "event_day",
			"revenue_all_time", "currency_all_time", "deleted", "unlisted", "first_seen_at", "last_listed_at", "url", "before_start", "before_end", "before_basis",
		}, site.ProvenanceColumns),
		About: append(site.AboutProvenance(c.Store.Store, offers.Provenance), [2]string{"Complete", l.Verified.Words}),
	}
	var before []site.Cell
	if p := offers.Compared; p != nil {
		before = site.ProvenanceCells(*p)[:3]
		t.About = append(t.About, [2]string{"Compared with", site.WindowWords(*p)})
	} else {
		before = make([]site.Cell, 3)
	}
	for _, r := range offers.Rows {
		t.Rows = append(t.Rows, slices.Concat([]site.Cell{
			site.TextCell(c.Store.Slug), site.TextCell(r.ID), site.TextCell(r.Name), site.TextCell(string(r.Placement)), site.TextCell(r.Status), site.YesCell(r.ABTest),
			site.OrNone(r.Priority, orderCell), site.TextCell(r.CreatedAt), site.TextCell(offers.Currency), site.MoneyOrNone(r.Revenue, offers.Currency), site.YesCell(r.Reports()),
			site.MoneyOrNone(r.Before, offers.Currency), site.NumberOrNone(r.Change()), site.CountOrNone(r.Claims), site.NumberOrNone(r.Rate), site.TextCell(string(offers.Unit)),
		}, eventCells(r.Event), []site.Cell{
			site.MoneyOrNone(r.RevenueAllTime, r.Currency), site.TextCell(r.Currency), site.YesCell(r.Deleted), site.YesCell(r.Unlisted), site.TimeCell(r.FirstSeen), site.TimeCell(r.LastListed), site.TextCell(r.URL),
		}, before, site.ProvenanceCells(offers.Provenance)))
	}
	if choice.Against == nil { // these would be empty, and an empty cell means something else
		t = t.Without("revenue_before", "change", "before_start", "before_end", "before_basis")
	}
	return t, nil
}

// eventCells are the last event of an offer in the window, and its time.
func eventCells(e *report.Event) []site.Cell {
	switch {
	case e == nil:
		return make([]site.Cell, 2)
	case e.Start:
		return []site.Cell{site.TextCell("start"), site.DayCell(e.Day)}
	}
	return []site.Cell{site.TextCell("end"), site.DayCell(e.Day)}
}

func orderCell(n int) site.Cell { return site.CountCell(int64(n)) }

// offerHistoryTable has one row per day of one offer.
func offerHistoryTable(s *Handlers, c *site.Call, choice report.Choice, now time.Time) (site.Table, error) {
	d, err := s.Offer(c, choice, now)
	if err != nil {
		return site.Table{}, err
	}
	h := d.History
	t := site.Table{
		Title:   "One offer by day",
		Columns: append([]string{"store", "offer_id", "offer", "placement", "day", "stored", "currency", "revenue", "claims"}, site.ProvenanceColumns...),
		About:   append(site.AboutProvenance(d.Store, h.Provenance), [2]string{"Offer", d.Offer.Name}),
	}
	if h.Empty != nil {
		t.About = append(t.About, [2]string{"No days", h.Empty.Title + ". " + h.Empty.Text})
	}
	for _, day := range h.Days {
		var revenue *decimal.Decimal
		if day.Stored {
			revenue = day.Revenue
		}
		t.Rows = append(t.Rows, append([]site.Cell{
			site.TextCell(d.Store.Slug), site.TextCell(d.Offer.ID), site.TextCell(d.Offer.Name), site.TextCell(string(d.Offer.Placement)), site.DayCell(day.Day), site.YesCell(day.Stored),
			site.TextCell(day.Currency), site.MoneyOrNone(revenue, day.Currency), site.CountOrNone(day.Claims),
		}, site.ProvenanceCells(h.Provenance)...))
	}
	return t, nil
}
