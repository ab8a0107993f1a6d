package overview

import (
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	reportoverview "github.com/storeglass/storeglass/internal/report/overview"
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
		src := p.source(id, "stats", p.T("placement.value", "placement", row.Placement.Name()), "revenue", s.Provenance)
		panel := PlacementPanel{Row: row, Stale: s.Trouble != nil}
		panel.State, panel.StateText = coverWords(p.Locale, row.Cover)
		switch {
		case !row.Placement.ReportsRevenue() || row.Revenue == nil && !row.Absent:
			src.P.Basis = report.NotReported
			panel.Delta = locale.Delta{Direction: locale.NoNumber, Word: "–"}
		default:
			panel.Figure = p.Locale.MoneyOrDash(row.Revenue, s.Currency)
			src.Value, src.Code = panel.Figure.String(), s.Currency
			var before *decimal.Decimal
			if comparable && row.Previous != nil {
				before = row.Previous.Revenue
			}
			panel.Delta = p.Locale.Change(row.Revenue, before)
			if before != nil && p.Overview.Choice.Against != nil {
				panel.Than = components.Compared{Window: p.Locale.DatesNear(p.Overview.Choice.Against.Start, p.Overview.Choice.Against.End, p.Overview.Choice.Today)}.Follows(p.Locale, panel.Delta)
			}
		}
		if p.uncompared() {
			panel.Delta = locale.Delta{}
		}
		panel.Source = src
		p.draw(&panel, "bars-"+strconv.Itoa(i))
		out = append(out, panel)
	}
	return out
}

// coverWords is a placement's state now: sign and words.
func coverWords(l locale.Locale, c *reportoverview.CoverRow) (state, text string) {
	if c == nil {
		return "", ""
	}
	switch c.State {
	case reportoverview.SwitchedOff:
		return "off", l.T("placement.off_now", "active", c.ActiveCount, "n", c.TotalCount)
	case reportoverview.NeverCreated:
		return "none", l.T("coverage.state." + string(reportoverview.NeverCreated))
	}
	return "active", l.T("placement.active_now", "active", c.ActiveCount, "n", c.TotalCount)
}

// draw adds the bars: value a day, or claims a day if no value is reported.
func (p Page) draw(panel *PlacementPanel, id string) {
	days, code, other := panel.Row.Days, p.Overview.Placements.Currency, false
	if len(days) < 2 {
		return
	}
	claims := !panel.Row.Placement.ReportsRevenue()
	view := chart.View{Key: "days", Tip: func(at int) chart.Tip { return p.dayTip(panel.Row, at) }}
	for _, d := range days {
		v, stored := d.Revenue, d.Stored
		if claims {
			v = new(decimal.NewFromInt(d.Claims))
		} else if d.Currency != code { // one axis can't show both (N34)
			stored, other = false, true
		}
		view.Bar(p.Locale.Day(d.Day), v, stored)
	}
	highest := view.Highest()
	view.Max = report.RoundTop(highest)
	l, w := p.Locale, report.Window{Start: days[0].Day, End: days[len(days)-1].Day}
	switch {
	case view.Blank() && other:
		panel.AxisName = l.T("state.two_currencies")
	case view.Blank():
		panel.AxisName = l.T("chart.missing")
	case highest.IsZero() && claims:
		panel.AxisName = l.T("placement.axis_no_claims")
	case highest.IsZero():
		panel.AxisName = l.T("placement.axis_nothing")
	case claims:
		panel.AxisName = l.T("placement.axis_claims", "n", view.Max)
	default:
		panel.AxisName = l.T("placement.axis_value", "amount", l.RoundMoney(view.Max, code))
	}
	panel.First, panel.Last = l.Day(w.Start), l.Day(w.End)
	if w.Start.Year != w.End.Year {
		panel.First, panel.Last = l.DayYear(w.Start), l.DayYear(w.End)
	}
	placement, dates := panel.Row.Placement.Name(), l.Dates(w.Start, w.End)
	var label string
	switch {
	case highest.IsZero():
		label = l.T("placement.bars", "placement", placement, "axis", panel.AxisName)
	case claims:
		label = l.T("placement.bars_claims", "placement", placement, "dates", dates, "axis", panel.AxisName)
	default:
		label = l.T("placement.bars_value", "placement", placement, "dates", dates, "axis", panel.AxisName)
	}
	class := "p-" + panel.Row.Placement.Key()
	if panel.Stale {
		class = "stale"
	}
	panel.Days = chart.Chart{ID: id, Label: label, Views: []chart.View{view}, Class: "short " + class}.Component()
}

// dayTip is the tooltip of a placement's day, with the compared day: the value, or the claims
// if no value is reported.
func (p Page) dayTip(r reportoverview.PlacementRow, i int) chart.Tip {
	l, d := p.Locale, r.Days[i]
	tip := chart.Tip{Title: l.DayLong(d.Day)}
	if !d.Stored {
		tip.Rows = []chart.TipRow{{Name: r.Placement.Name().In(l), Value: l.T("chart.missing")}}
		return tip
	}
	claims := !r.Placement.ReportsRevenue()
	of := func(d reportoverview.PlacementDay) *decimal.Decimal {
		switch {
		case !d.Stored:
			return nil
		case claims:
			return chart.Counted(&d.Claims)
		}
		return d.Revenue
	}
	words := func(d reportoverview.PlacementDay) func(decimal.Decimal) string {
		return func(v decimal.Decimal) string { return l.Money(v, d.Currency).String() }
	}
	signed := func(v decimal.Decimal) string { return l.SignedMoney(v, d.Currency) }
	name := r.Placement.Name().In(l)
	if claims {
		words = func(reportoverview.PlacementDay) func(decimal.Decimal) string { return l.Decimal }
		signed = func(v decimal.Decimal) string { return chart.SignedCount(l, v) }
		name = l.T("placement.claims")
	}
	value := l.T("provenance.basis.not_reported")
	if v := of(d); v != nil {
		value = words(d)(*v)
	}
	tip.Rows = []chart.TipRow{{Name: name, Value: value}}
	if was := r.Previous; was != nil && i < len(was.Days) {
		now, then := of(d), was.Days[i]
		if !claims && then.Currency != d.Currency {
			now = nil
		}
		tip.Rows = append(tip.Rows, chart.CompareTip(l, l.T("chart.tip.then", "day", l.Weekday(then.Day)), now, of(then), words(then), signed)...)
		tip.Notes = chart.WeekdayTip(l, d.Day, then.Day)
	}
	tip.Rows = append(tip.Rows, chart.TipRow{Name: l.T("placement.views"), Value: l.Count(d.Impressions)})
	if !claims {
		tip.Rows = append(tip.Rows, chart.TipRow{Name: l.T("placement.claims"), Value: l.Count(d.Claims)})
	}
	tip.Notes = append(tip.Notes, l.T("chart.tip.reported"))
	return tip
}
