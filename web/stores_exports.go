package web

import (
	"slices"
	"strconv"
	"strings"

	"github.com/storeglass/storeglass/internal/report"
)

// storesFile answers the list of stores as a file: the same filter, window and order as
// the page, all of it, each store once.
func (s *storesHandlers) storesFile(ending, contentType string, write func(table) ([]byte, error)) func(*call) error {
	return func(c *call) error {
		asked, err := s.askedOfStores(c)
		if err != nil {
			return err
		}
		if asked.wrong != nil {
			return badRequest(asked.wrong.Field, "For "+asked.wrong.Field+", "+asked.wrong.Reason+".")
		}
		asked.query.All = true
		list, err := s.db.Portfolio(c.Request().Context(), c.visit.Scope, asked.query, c.minute())
		if err != nil {
			return err
		}
		body, err := write(storesTable(list))
		if err != nil {
			return err
		}
		return s.sendFile(c, "stores"+ending, newDocument(contentType, body))
	}
}

// storesTable has one row a store. It has no total row, and no column that adds one
// number to another.
func storesTable(p report.Portfolio) table {
	t := table{
		title: "Stores, each in its own currency and on its own days",
		columns: slices.Concat([]string{
			"store", "name", "domain", "clock", "health", "health_words", "also", "groups", "tags",
			"data_to", "pulled_at", "days_stored_words", "last_good_numbers",
			"currency", "total_upsold_value", "total_upsold_orders", "total_orders", "upsell_success_rate", "no_numbers_because",
			"previous_window_start", "previous_window_end", "previous_basis", "previous_total_upsold_value", "previous_total_upsold_orders", "previous_upsell_success_rate", "not_compared_because",
			"gift_currency", "gift_revenue", "gift_window_start", "gift_window_end", "gift_basis", "gift_fetched_at", "gift_flags",
		}, provenanceColumns),
		about: aboutStores(p),
	}
	seen := map[string]bool{}
	for _, section := range p.Sections {
		for _, r := range section.Rows {
			if !seen[r.Store.Slug] {
				seen[r.Store.Slug] = true
				t.rows = append(t.rows, storeCells(r))
			}
		}
	}
	return t
}

func storeCells(r report.PortfolioRow) []cell {
	s := r.Summary
	names := make([]string, len(r.Groups))
	for i, g := range r.Groups {
		names[i] = g.Name
	}
	dataTo := cell{}
	if d := r.Freshness.DataTo; d != nil {
		dataTo = dayCell(*d)
	}
	row := []cell{
		textCell(r.Store.Slug), textCell(r.Store.Name), textCell(r.Store.Domain), textCell(r.Store.Timezone),
		textCell(string(r.Health.Group)), textCell(r.Health.Words), textCell(strings.Join(r.Health.Also, "; ")),
		textCell(strings.Join(names, "; ")), textCell(strings.Join(r.Tags, "; ")),
		dataTo, timeOrNone(r.Freshness.PulledAt), textCell(r.Freshness.Words), yesCell(r.Stale),
	}
	if !r.HasNumbers() {
		row = append(row, textCell(r.Store.Currency), cell{}, cell{}, cell{}, cell{}, textCell(s.Empty.Title), cell{}, cell{}, cell{}, cell{}, cell{}, cell{}, cell{})
	} else {
		row = append(row, textCell(s.Currency), moneyOrNone(&s.TotalUpsoldValue, s.Currency), countCell(s.TotalUpsoldOrders), countCell(s.TotalOrders), numberOrNone(s.UpsellSuccessRate), cell{})
		if before := s.Previous; before != nil && r.Uncompared == "" {
			row = append(row, dayCell(before.Provenance.Window.Start), dayCell(before.Provenance.Window.End), textCell(string(before.Provenance.Basis)),
				moneyOrNone(&before.TotalUpsoldValue, s.Currency), countCell(before.TotalUpsoldOrders), numberOrNone(before.UpsellSuccessRate), cell{})
		} else {
			row = append(row, cell{}, cell{}, cell{}, cell{}, cell{}, cell{}, textCell(r.Uncompared))
		}
	}
	row = append(row, giftCells(r.Gift)...)
	p := s.Provenance
	if r.Window() == nil { // the window of no number is no window
		p.Window = nil
	}
	return append(row, provenanceCells(p)...)
}

func giftCells(g report.GiftAnalytics) []cell {
	p := g.Provenance
	if g.Empty != nil || g.Revenue.Value == nil || p.Window == nil {
		return make([]cell, 7)
	}
	of := provenanceCells(p)
	return []cell{textCell(g.Currency), moneyOrNone(g.Revenue.Value, g.Currency), of[0], of[1], of[2], of[5], of[6]}
}

// aboutStores says what the file is of, and what is added up of it.
func aboutStores(p report.Portfolio) [][2]string {
	lines := [][2]string{
		{"Stores", strconv.Itoa(p.Matched) + " of " + strconv.Itoa(p.Known)},
		{"Asked", p.Query.Words()},
		{"Days", "each store’s own: its clock, and the window of its row"},
		{"Never added up", "amounts of several currencies, rates, placements; gift revenue, which can be of the same orders"},
	}
	if t := p.Total; t != nil && t.Stores > 0 {
		lines = append(lines, [2]string{"Upsold in " + t.Currency, t.Value.String() + " in " + strconv.FormatInt(t.Orders, 10) + " orders of " + strconv.Itoa(t.Stores) + " stores"})
		for _, l := range t.Left {
			lines = append(lines, [2]string{"Left out", l.Name + ": " + l.Why})
		}
	}
	return lines
}
