package stores

import (
	"slices"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/gift"
	"github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/internal/report/portfolio"
	"github.com/storeglass/storeglass/internal/report/reporttest"
)

func TestTheListsFileLeavesOutWhatIsNotKnownOrNotCompared_N1_N47_N74(t *testing.T) {
	t.Parallel()
	w := reporttest.Span("2026-11-17", "2026-11-19")
	before := w.Previous()
	summary := func(of report.Window, value string) overview.Summary {
		s := overview.Summary{Currency: "USD", TotalUpsoldValue: *reporttest.Dec(value), TotalUpsoldOrders: 3, TotalOrders: 9}
		s.Provenance = report.Provenance{Window: &of, Basis: report.Reported}
		return s
	}
	row := func(slug string, change func(*portfolio.Row)) portfolio.Row {
		r := portfolio.Row{Store: report.Store{Slug: slug, Currency: "USD"}, Summary: summary(w, "90")}
		r.Summary.Previous = reporttest.Ptr(summary(before, "60"))
		r.Gift = gift.Analytics{Currency: "USD", Revenue: report.GiftMetric{Value: reporttest.Dec("7")}}
		r.Gift.Provenance = report.Provenance{Window: &w, Basis: report.Reported}
		change(&r)
		return r
	}
	empty := &report.Empty{Cause: report.CauseNotKept, Title: "No data for these dates"}
	table := storesTable(portfolio.Portfolio{Sections: []portfolio.Section{{Rows: []portfolio.Row{
		row("whole", func(*portfolio.Row) {}),
		row("not-compared", func(r *portfolio.Row) { r.Uncompared = "1 day is missing" }),
		row("nothing-before", func(r *portfolio.Row) { r.Summary.Previous, r.Uncompared = nil, "the previous period is not stored" }),
		row("no-numbers", func(r *portfolio.Row) { r.Summary.Empty, r.Gift.Empty = empty, empty }),
		row("no-offers", func(r *portfolio.Row) {
			r.Summary = summary(w, "0")
			r.Summary.Empty = &report.Empty{Cause: report.CauseNoOffers, Title: "No offers yet"}
			r.Gift.Revenue.Value = nil
		}),
		row("no-gift-window", func(r *portfolio.Row) { r.Gift.Provenance.Window = nil }),
	}}}})
	var lines []string
	for _, cells := range table.Rows {
		var line []string
		for _, name := range []string{
			"store", "total_upsold_value", "no_numbers_because", "previous_window_start", "previous_total_upsold_value", "not_compared_because", "gift_revenue", "gift_window_end", "window_start",
		} {
			line = append(line, cells[slices.Index(table.Columns, name)].Value)
		}
		lines = append(lines, strings.Join(line, ","))
	}
	reporttest.Equal(t, "rows", strings.Join(lines, "\n"), `whole,90,,2026-11-14,60,,7,2026-11-19,2026-11-17
not-compared,90,,,,1 day is missing,7,2026-11-19,2026-11-17
nothing-before,90,,,,the previous period is not stored,7,2026-11-19,2026-11-17
no-numbers,,No data for these dates,,,,,,
no-offers,0,,,,,,,2026-11-17
no-gift-window,90,,2026-11-14,60,,,,2026-11-17`)
	for _, cells := range table.Rows {
		if len(cells) != len(table.Columns) {
			t.Errorf("%s has %d cells for %d columns", cells[0].Value, len(cells), len(table.Columns))
		}
	}
}
