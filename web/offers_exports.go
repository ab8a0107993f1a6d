package web

import "github.com/shopspring/decimal"

// offersTable is every offer that the filter keeps, not one page of them.
func offersTable(s *reportsHandlers, c *call) (table, error) {
	f, err := offerFilter(c)
	if err != nil {
		return table{}, err
	}
	t := table{
		title: "Offers as listed; all-time values, never to be summed over placements",
		columns: append([]string{
			"store", "offer_id", "offer", "placement", "status", "ab_test", "display_order", "created_at_as_sent", "currency",
			"revenue_all_time", "revenue_reported", "deleted", "unlisted", "first_seen_at", "last_listed_at", "url",
		}, provenanceColumns...),
	}
	if c.link != nil {
		t.title = "Offers as listed"
	}
	now := c.minute()
	for f.Page = 1; ; f.Page++ {
		l, err := s.offers(c, f, now)
		if err != nil {
			return table{}, err
		}
		t.about = append(aboutProvenance(c.store.Store, l.Provenance), [2]string{"Complete", l.Verified.Words})
		for _, r := range l.Rows {
			t.rows = append(t.rows, append([]cell{
				textCell(c.store.Slug), textCell(r.ID), textCell(r.Name), textCell(string(r.Placement)), textCell(r.Status), yesCell(r.ABTest),
				orderCell(r.Priority), textCell(r.CreatedAt), textCell(r.Currency), moneyOrNone(r.RevenueAllTime, r.Currency), yesCell(r.RevenueAllTime != nil),
				yesCell(r.Deleted), yesCell(r.Unlisted), timeCell(r.FirstSeen), timeCell(r.LastListed), textCell(r.URL),
			}, provenanceCells(l.Provenance)...))
		}
		if f.Page >= l.Pages || len(l.Rows) == 0 {
			return t, nil
		}
	}
}

func orderCell(n *int) cell {
	if n == nil {
		return cell{}
	}
	return countCell(int64(*n))
}

// offerHistoryTable is one row a day of one offer.
func offerHistoryTable(s *reportsHandlers, c *call) (table, error) {
	now := c.minute()
	choice, err := c.choice(now)
	if err != nil {
		return table{}, err
	}
	d, err := s.offer(c, choice, now)
	if err != nil {
		return table{}, err
	}
	h := d.History
	t := table{
		title:   "One offer by day",
		columns: append([]string{"store", "offer_id", "offer", "placement", "day", "stored", "currency", "revenue", "claims"}, provenanceColumns...),
		about:   append(aboutProvenance(d.Store, h.Provenance), [2]string{"Offer", d.Offer.Name}),
	}
	if h.Empty != nil {
		t.about = append(t.about, [2]string{"No days", h.Empty.Title + ". " + h.Empty.Text})
	}
	for _, day := range h.Days {
		var revenue *decimal.Decimal
		if day.Stored {
			revenue = day.Revenue
		}
		t.rows = append(t.rows, append([]cell{
			textCell(d.Store.Slug), textCell(d.Offer.ID), textCell(d.Offer.Name), textCell(string(d.Offer.Placement)), dayCell(day.Day), yesCell(day.Stored),
			textCell(h.Currency), moneyOrNone(revenue, h.Currency), countOrNone(day.Claims),
		}, provenanceCells(h.Provenance)...))
	}
	return t, nil
}
