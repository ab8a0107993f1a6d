package stores

import (
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/gift"
	"github.com/storeglass/storeglass/internal/report/goal"
	"github.com/storeglass/storeglass/internal/report/portfolio"
	"github.com/storeglass/storeglass/web/site"
)

// storesFile is the list of stores as a file: the same filter, window and order as the page,
// but all of it, each store once.
func (s *Handlers) storesFile(c *site.Call) (site.Table, error) {
	asked, err := s.askedOfStores(c)
	if err != nil {
		return site.Table{}, err
	}
	if asked.wrong != nil {
		return site.Table{}, site.BadRequest(asked.wrong.Field, "For "+asked.wrong.Field+", "+asked.wrong.Reason.In(locale.English)+".")
	}
	asked.query.All = true
	list, err := s.DB.Portfolio(locale.With(c.Request().Context(), locale.English), c.AlertPrincipal(), asked.query, c.Minute())
	if err != nil {
		return site.Table{}, err
	}
	return storesTable(list), nil
}

// storesTable has one row per store. It has no total row, and no column that adds up two
// numbers.
func storesTable(p portfolio.Portfolio) site.Table {
	t := site.Table{
		Title: "Stores, each in its own currency and on its own days",
		Columns: slices.Concat([]string{
			"store", "name", "domain", "clock", "health", "health_words", "also", "to_do", "more_to_do", "groups", "tags",
			"data_to", "pulled_at", "days_stored_words", "last_good_numbers",
			"currency", "total_upsold_value", "total_upsold_orders", "total_orders", "upsell_success_rate", "no_numbers_because",
			"previous_window_start", "previous_window_end", "previous_basis", "previous_total_upsold_value", "previous_total_upsold_orders", "previous_upsell_success_rate", "not_compared_because",
			"gift_currency", "gift_revenue", "gift_window_start", "gift_window_end", "gift_basis", "gift_fetched_at", "gift_flags",
			"goal_month", "goal_counts", "goal_currency", "goal", "goal_sold", "goal_counted_days", "goal_days_left", "goal_state",
			"goal_estimate", "goal_estimate_low", "goal_estimate_high", "goal_no_estimate_because",
		}, site.ProvenanceColumns),
		About: aboutStores(p),
	}
	seen := map[string]bool{}
	for _, section := range p.Sections {
		for _, r := range section.Rows {
			if !seen[r.Store.Slug] {
				seen[r.Store.Slug] = true
				t.Rows = append(t.Rows, storeCells(r))
			}
		}
	}
	return t
}

func storeCells(r portfolio.Row) []site.Cell {
	s := r.Summary
	names := make([]string, len(r.Groups))
	for i, g := range r.Groups {
		names[i] = g.Name
	}
	row := []site.Cell{
		site.TextCell(r.Store.Slug), site.TextCell(r.Store.Name), site.TextCell(r.Store.Domain), site.TextCell(r.Store.Timezone),
		site.TextCell(string(r.Health.Group)), site.TextCell(r.Health.Words), site.TextCell(r.Health.Note), site.TextCell(r.Health.ToDo), site.CountCell(int64(r.Health.More)),
		site.TextCell(strings.Join(names, "; ")), site.TextCell(strings.Join(r.Tags, "; ")),
		site.OrNone(r.Freshness.DataTo, site.DayCell), site.TimeOrNone(r.Freshness.PulledAt), site.TextCell(r.Freshness.Words), site.YesCell(r.Stale),
	}
	if !r.HasNumbers() {
		row = append(row, site.TextCell(r.Store.Currency), site.Cell{}, site.Cell{}, site.Cell{}, site.Cell{}, site.TextCell(s.Empty.Title), site.Cell{}, site.Cell{}, site.Cell{}, site.Cell{}, site.Cell{}, site.Cell{}, site.Cell{})
	} else {
		row = append(row, site.TextCell(s.Currency), site.MoneyOrNone(&s.TotalUpsoldValue, s.Currency), site.CountCell(s.TotalUpsoldOrders), site.CountCell(s.TotalOrders), site.NumberOrNone(s.UpsellSuccessRate), site.Cell{})
		if before := s.Previous; before != nil && r.Uncompared == "" {
			row = append(row, site.DayCell(before.Provenance.Window.Start), site.DayCell(before.Provenance.Window.End), site.TextCell(string(before.Provenance.Basis)),
				site.MoneyOrNone(&before.TotalUpsoldValue, s.Currency), site.CountCell(before.TotalUpsoldOrders), site.NumberOrNone(before.UpsellSuccessRate), site.Cell{})
		} else {
			row = append(row, site.Cell{}, site.Cell{}, site.Cell{}, site.Cell{}, site.Cell{}, site.Cell{}, site.TextCell(r.Uncompared))
		}
	}
	row = append(row, giftCells(r.Gift)...)
	row = append(row, goalCells(r.Goal)...)
	p := s.Provenance
	if r.Window() == nil { // without a number there is no window
		p.Window = nil
	}
	return append(row, site.ProvenanceCells(p)...)
}

func giftCells(g gift.Analytics) []site.Cell {
	p := g.Provenance
	if g.Empty != nil || g.Revenue.Value == nil || p.Window == nil {
		return make([]site.Cell, 7)
	}
	of := site.ProvenanceCells(p)
	return []site.Cell{site.TextCell(g.Currency), site.MoneyOrNone(g.Revenue.Value, g.Currency), of[0], of[1], of[2], of[5], of[6]}
}

func goalCells(p *goal.Progress) []site.Cell {
	if p == nil {
		return make([]site.Cell, 12)
	}
	amount := func(d *decimal.Decimal) site.Cell {
		if p.Kind == fact.GoalOrders {
			return site.NumberOrNone(d)
		}
		return site.MoneyOrNone(d, p.Currency)
	}
	cells := []site.Cell{
		site.DayCell(p.Month.Start), site.TextCell(string(p.Kind)), site.TextCell(p.Currency), amount(&p.Amount), amount(p.Sold),
		site.CountCell(int64(p.Counted)), site.CountCell(int64(p.Left)), site.TextCell(string(p.State)),
	}
	if p.Pace == nil {
		return append(cells, site.Cell{}, site.Cell{}, site.Cell{}, site.TextCell(p.Reason.In(locale.English)))
	}
	return append(cells, amount(&p.Pace.Expected), amount(&p.Pace.Low), amount(&p.Pace.High), site.Cell{})
}

// aboutStores says what the file contains and what in it is added up.
func aboutStores(p portfolio.Portfolio) [][2]string {
	lines := [][2]string{
		{"Stores", strconv.Itoa(p.Matched) + " of " + strconv.Itoa(p.Known)},
		{"Asked", p.Query.Words(locale.English)},
		{"Days", "each store’s own: its clock, and the window of its row"},
		{"Goals", "of each store’s current month, whatever the window; estimates are from the last 12 weeks, by weekday"},
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
