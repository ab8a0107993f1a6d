package overview

import (
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/chart"
)

// placements are the panels side by side, each on its own axis.
func (p Page) placements() []PlacementPanel {
	s := p.Overview.Placements
	out := make([]PlacementPanel, 0, len(s.Rows))
	comparable := s.Compared != nil && s.Compared.Comparable() && s.Provenance.Comparable()
	for i, row := range s.Rows {
		id := "placement-" + strconv.Itoa(i)
		src := p.source(id, "stats", string(row.Placement)+" value", "revenue", s.Provenance)
		panel := PlacementPanel{Row: row, Stale: s.Trouble != nil}
		panel.State, panel.StateText = coverWords(row.Cover)
		switch {
		case !row.Placement.ReportsRevenue() || row.Revenue == nil && !row.Absent:
			src.P.Basis = report.NotReported
			panel.Delta = locale.Delta{Direction: locale.NoNumber, Word: "–"}
		default:
			panel.Figure = locale.English.MoneyOrDash(row.Revenue, s.Currency)
			src.Value, src.Code = panel.Figure.String(), s.Currency
			var before *decimal.Decimal
			if comparable && row.Previous != nil {
				before = row.Previous.Revenue
			}
			panel.Delta = locale.English.Change(row.Revenue, before)
			if before != nil && p.Overview.Choice.Against != nil {
				panel.Than = components.Compared{Window: p.Overview.Choice.Against.Near(p.Overview.Choice.Today)}.Follows(p.Locale, panel.Delta)
			}
		}
		if p.Shared != nil {
			panel.Delta = locale.Delta{}
		}
		panel.Source = src
		p.draw(&panel, "bars-"+strconv.Itoa(i))
		out = append(out, panel)
	}
	return out
}

// coverWords is a placement's state now: sign and words.
func coverWords(c *report.CoverRow) (state, text string) {
	if c == nil {
		return "", ""
	}
	of := locale.English.Count(c.ActiveCount) + " of " + locale.English.Count(c.TotalCount)
	switch c.State {
	case report.SwitchedOff:
		return "off", "Switched off: " + of + " active now"
	case report.NeverCreated:
		return "none", "Never created"
	}
	if c.TotalCount == 1 {
		return "active", of + " offer active now"
	}
	return "active", of + " offers active now"
}

// draw adds the bars: value a day, or claims a day where no value is reported.
func (p Page) draw(panel *PlacementPanel, id string) {
	days := panel.Row.Days
	if len(days) < 2 {
		return
	}
	claims := !panel.Row.Placement.ReportsRevenue()
	bars := make([]chart.BarDay, len(days))
	highest := decimal.Zero
	for i, d := range days {
		v := d.Revenue
		if claims {
			n := decimal.NewFromInt(d.Claims)
			v = &n
		}
		bars[i] = chart.BarDay{Stored: d.Stored, Value: v}
		if d.Stored && v != nil && v.GreaterThan(highest) {
			highest = *v
		}
	}
	top := report.RoundTop(highest)
	unit := ""
	switch {
	case highest.IsZero() && claims:
		panel.AxisName = "no claims on any stored day"
	case highest.IsZero():
		panel.AxisName = "nothing sold on any stored day"
	case claims:
		panel.AxisName, unit = locale.English.Decimal(top)+" claims a day", "Claims"
	default:
		panel.AxisName, unit = locale.English.RoundMoney(top, p.Overview.Placements.Currency)+" a day", "Value"
	}
	w := report.Window{Start: days[0].Day, End: days[len(days)-1].Day}
	panel.First, panel.Last = locale.English.Day(w.Start), locale.English.Day(w.End)
	if w.Start.Year != w.End.Year {
		panel.First, panel.Last = locale.English.DayYear(w.Start), locale.English.DayYear(w.End)
	}
	label := string(panel.Row.Placement) + ": " + panel.AxisName
	if unit != "" {
		label = string(panel.Row.Placement) + ": " + unit + " by day, " + w.Label() + ", on an axis up to " + panel.AxisName
	}
	class := "p-" + panel.Row.Placement.Key()
	if panel.Stale {
		class = "stale"
	}
	panel.Days = chart.Bars(id, bars, top, class, label)
}

// PlacementsPage are the placements of the overview's window side by side, larger,
// with what each lacks.
type PlacementsPage struct{ Page }
