package gift

import (
	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/components"
)

// KPIs are the five figures of a gift answer, each with its own name.
func KPIs(g report.GiftAnalytics, today civil.Date, source func(id, key, label, field string, prov report.Provenance) components.Source) []components.KPI {
	kpi := func(id, label, note string, f metric) components.KPI {
		m := f.value
		k := components.KPI{Source: source("gift-"+id, "gift", label, "metrics."+f.field, g.Provenance), Figure: locale.NoFigure, Note: note, Tone: components.MoreIsGood, Stale: g.Trouble != nil}
		switch {
		case m.Withheld: // an unknown unit: the number is withheld (N48)
			k.Note, k.Delta = "unit “"+m.Unit+"” is not known, so not shown", locale.Delta{Direction: locale.NoNumber, Word: "–"}
		case m.Reason != "": // it can't be made from days
			k.Source.P.Basis = report.NotReported
			k.Note, k.Delta = m.Reason, locale.Delta{Direction: locale.NoNumber, Word: "–"}
		case m.Value == nil: // not sent is not zero (N47)
			k.Source.P.Basis = report.NotReported
			k.Note, k.Delta = "not reported", locale.Delta{Direction: locale.NoNumber, Word: "–"}
		default:
			k.Figure = f.write(*m.Value)
			k.Delta, k.Than = changeOf(g, f, today)
		}
		k.Source.Value = k.Figure.String()
		return k
	}
	money := func(v decimal.Decimal) locale.Figure { return locale.English.Money(v, g.Currency) }
	number := func(v decimal.Decimal) locale.Figure { return locale.Figure{Main: locale.English.Decimal(v)} }
	percent := func(v decimal.Decimal) locale.Figure { return locale.English.Percent(&v) }
	points := g.ConversionRate // a rate changes in points, which a change in percent can't give
	points.Uncompared = points.Uncompared || points.Previous == nil
	rate := kpi("conversion", "Gift conversion", "a percentage, as reported", metric{"conversionRate", points, locale.English.ReportedChange, percent})
	if m := g.ConversionRate; rate.Than != "" && m.Previous != nil && m.ChangePercent != nil { // null: no baseline (N46)
		var was locale.Figure
		rate.Figure, was, rate.Delta = locale.English.ComparePercents(*m.Value, *m.Previous)
		rate.Source.Value, rate.Than = rate.Figure.String(), thanOf(g, rate.Delta, today, was.String())
	}
	return []components.KPI{
		kpi("orders", "Gift orders", "orders with a free gift", metric{"orders", g.Orders, locale.English.ReportedCountChange, number}),
		kpi("revenue", "Gift revenue", "never added to upsold value", metric{"revenue", g.Revenue, locale.English.ReportedChange, money}),
		rate,
		kpi("aov", "Order value with a gift", "gift orders only", metric{"aovByFG", g.AOVByFG, locale.English.ReportedChange, money}),
		kpi("aov-store", "Order value, all orders", "every order", metric{"aovStore", g.AOVStore, locale.English.ReportedChange, money}),
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

// changeOf is a metric's change and what it is against (N74). A null change of the
// service means that there is no baseline (N46).
func changeOf(g report.GiftAnalytics, f metric, today civil.Date) (d locale.Delta, than string) {
	m := f.value
	if g.Against == nil || m.Uncompared {
		return locale.Delta{Direction: locale.NotCompared, Word: "not compared"}, ""
	}
	d = f.change(m.ChangePercent)
	was := ""
	if m.Previous != nil {
		was = f.write(*m.Previous).String()
	}
	return d, thanOf(g, d, today, was)
}

// thanOf follows a change: "than 21 Sep – 20 Oct (312)".
func thanOf(g report.GiftAnalytics, d locale.Delta, today civil.Date, was string) string {
	than := components.Compared{Window: g.Against.Near(today)}.Follows(locale.English, d)
	if was != "" && (d.Direction == locale.Up || d.Direction == locale.Down) {
		than += " (" + was + ")"
	}
	return than
}
