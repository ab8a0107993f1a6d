package gift

import (
	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	reportgift "github.com/storeglass/storeglass/internal/report/gift"
	"github.com/storeglass/storeglass/views/components"
)

// KPIs are the five figures of a gift answer, each with its own name.
func KPIs(l locale.Locale, g reportgift.Analytics, today civil.Date, source func(id, key, label, field string, prov report.Provenance) components.Source) []components.KPI {
	kpi := func(id, label, note string, f metric) components.KPI {
		m := f.value
		none := locale.Delta{Direction: locale.NoNumber, Word: locale.NoFigure.Main}
		k := components.KPI{Source: source("gift-"+id, "gift", label, "metrics."+f.field, g.Provenance), Figure: locale.NoFigure, Note: note, Tone: components.MoreIsGood, Stale: g.Trouble != nil}
		switch {
		case m.Withheld && m.Unit == "":
			k.Note, k.Delta = l.T("gift.unit_missing"), none
		case m.Withheld: // an unknown unit: the number is withheld (N48)
			k.Note, k.Delta = l.T("gift.unit_unknown", "unit", locale.Name(m.Unit)), none
		case m.Reason != "": // it can't be computed from days
			k.Source.P.Basis = report.NotReported
			k.Note, k.Delta = m.Reason, none
		case m.Value == nil: // not sent isn't zero (N47)
			k.Source.P.Basis = report.NotReported
			k.Note, k.Delta = l.T("basis.legend.not_reported"), none
		default:
			k.Figure = f.write(*m.Value)
			k.Delta, k.Than = changeOf(l, g, f, today)
		}
		k.Source.Value = k.Figure.String()
		return k
	}
	money := func(v decimal.Decimal) locale.Figure { return l.Money(v, g.Currency) }
	number := func(v decimal.Decimal) locale.Figure { return locale.Figure{Main: l.Decimal(v)} }
	percent := func(v decimal.Decimal) locale.Figure { return l.Percent(&v) }
	points := g.ConversionRate // a rate changes in points, which a change in percent can't give
	points.Uncompared = points.Uncompared || points.Previous == nil
	rate := kpi("conversion", l.T("figure.gift_conversion"), l.T("gift.note.conversion"), metric{"conversionRate", points, l.ReportedChange, percent})
	if m := g.ConversionRate; rate.Than != "" && m.Previous != nil && m.ChangePercent != nil { // null: no baseline (N46)
		var was locale.Figure
		rate.Figure, was, rate.Delta = l.ComparePercents(*m.Value, *m.Previous)
		rate.Source.Value, rate.Than = rate.Figure.String(), thanOf(l, g, rate.Delta, today, was.String())
	}
	return []components.KPI{
		kpi("orders", l.T("figure.gift_orders"), l.T("gift.note.orders"), metric{"orders", g.Orders, l.ReportedCountChange, number}),
		kpi("revenue", l.T("figure.gift_revenue"), l.T("gift.note.revenue"), metric{"revenue", g.Revenue, l.ReportedChange, money}),
		rate,
		kpi("aov", l.T("figure.value_with_gift"), l.T("gift.note.with_gift"), metric{"aovByFG", g.AOVByFG, l.ReportedChange, money}),
		kpi("aov-store", l.T("figure.value_all_orders"), l.T("gift.note.all_orders"), metric{"aovStore", g.AOVStore, l.ReportedChange, money}),
	}
}

// metric is one number of a gift answer: its name there, and how it and its change are
// written.
type metric struct {
	field  string
	value  report.GiftMetric
	change func(*decimal.Decimal) locale.Delta
	write  func(decimal.Decimal) locale.Figure
}

// changeOf is a metric's change and its comparison (N74). A null change of the service means
// that there is no baseline (N46); it's said to be zero only if the service sent that.
func changeOf(l locale.Locale, g reportgift.Analytics, f metric, today civil.Date) (d locale.Delta, than string) {
	m := f.value
	if g.Against == nil || m.Uncompared {
		return locale.Delta{Direction: locale.NotCompared, Word: l.T("change.not_compared")}, ""
	}
	d = f.change(m.ChangePercent)
	switch {
	case m.Previous != nil:
		than = thanOf(l, g, d, today, f.write(*m.Previous).String())
	case m.ChangePercent != nil:
		than = thanOf(l, g, d, today, "")
	}
	return d, than
}

// thanOf follows a change: "was 312", in the window that Compared names.
func thanOf(l locale.Locale, g reportgift.Analytics, d locale.Delta, today civil.Date, was string) string {
	if was != "" && (d.Direction == locale.Up || d.Direction == locale.Down) {
		return l.T("change.was", "amount", was)
	}
	return components.Compared{Window: l.DatesNear(g.Against.Start, g.Against.End, today)}.Follows(l, d)
}

// Compared names the window that a gift answer is compared with; empty if there is none.
func Compared(l locale.Locale, g reportgift.Analytics, today civil.Date) string {
	if g.Against == nil {
		return ""
	}
	return l.T("gift.compared", "dates", l.DatesNear(g.Against.Start, g.Against.End, today))
}
