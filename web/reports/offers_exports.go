package reports

import (
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/web/site"
)

// offersTable is every offer that the filter keeps, not one page of them.
func offersTable(s *Handlers, c *site.Call) (site.Table, error) {
	f, err := OfferFilter(c)
	if err != nil {
		return site.Table{}, err
	}
	t := site.Table{
		Title: "Offers as listed; all-time values, never to be summed over placements",
		Columns: append([]string{
			"store", "offer_id", "offer", "placement", "status", "ab_test", "display_order", "created_at_as_sent", "currency",
			"revenue_all_time", "revenue_reported", "deleted", "unlisted", "first_seen_at", "last_listed_at", "url",
		}, site.ProvenanceColumns...),
	}
	if c.Link != nil {
		t.Title = "Offers as listed"
	}
	now := c.Minute()
	for f.Page = 1; ; f.Page++ {
		l, err := s.Offers(c, f, now)
		if err != nil {
			return site.Table{}, err
		}
		t.About = append(site.AboutProvenance(c.Store.Store, l.Provenance), [2]string{"Complete", l.Verified.Words})
		for _, r := range l.Rows {
			t.Rows = append(t.Rows, append([]site.Cell{
				site.TextCell(c.Store.Slug), site.TextCell(r.ID), site.TextCell(r.Name), site.TextCell(string(r.Placement)), site.TextCell(r.Status), site.YesCell(r.ABTest),
				orderCell(r.Priority), site.TextCell(r.CreatedAt), site.TextCell(r.Currency), site.MoneyOrNone(r.RevenueAllTime, r.Currency), site.YesCell(r.RevenueAllTime != nil),
				site.YesCell(r.Deleted), site.YesCell(r.Unlisted), site.TimeCell(r.FirstSeen), site.TimeCell(r.LastListed), site.TextCell(r.URL),
			}, site.ProvenanceCells(l.Provenance)...))
		}
		if f.Page >= l.Pages || len(l.Rows) == 0 {
			return t, nil
		}
	}
}

func orderCell(n *int) site.Cell {
	if n == nil {
		return site.Cell{}
	}
	return site.CountCell(int64(*n))
}

// offerHistoryTable is one row a day of one offer.
func offerHistoryTable(s *Handlers, c *site.Call) (site.Table, error) {
	now := c.Minute()
	choice, err := c.Choice(now)
	if err != nil {
		return site.Table{}, err
	}
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
			site.TextCell(h.Currency), site.MoneyOrNone(revenue, h.Currency), site.CountOrNone(day.Claims),
		}, site.ProvenanceCells(h.Provenance)...))
	}
	return t, nil
}
