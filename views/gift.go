package views

import (
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/components"
)

// noGifts reports whether no part of the gift section has anything to show: then
// one panel says why.
func (p OverviewPage) noGifts() bool {
	o := p.Overview
	return o.Gift.Empty != nil && (!o.GiftLinked || o.Campaigns.Empty != nil && o.Health.Empty != nil && o.Plan.Empty != nil)
}

// gift is the gift widget's results; nothing in it is added to upsells (N3).
func (p OverviewPage) gift() components.GiftPanel {
	g := p.Overview.Gift
	panel := components.GiftPanel{Empty: g.Empty, Campaigns: p.Overview.Campaigns, Dated: !p.TellsNow()}
	if g.Empty != nil {
		return panel
	}
	panel.KPIs = p.alone(giftKPIs(g, p.source))
	return panel
}

// giftKPIs are the five figures of a gift answer, each with its own name.
func giftKPIs(g report.GiftAnalytics, source func(id, key, label, field string, prov report.Provenance) components.Source) []components.KPI {
	kpi := func(id, label, field, note string, m report.GiftMetric, change func(report.GiftMetric) report.Delta, write func(decimal.Decimal) report.Figure) components.KPI {
		k := components.KPI{Source: source("gift-"+id, "gift", label, field, g.Provenance), Figure: report.NoFigure, Note: note, Tone: components.MoreIsGood, Stale: g.Trouble != nil}
		switch {
		case m.Withheld: // an unknown unit: the number is withheld (N48)
			k.Note, k.Delta = "unit “"+m.Unit+"” is not known, so not shown", report.Delta{Direction: report.NoNumber, Word: "–"}
		case m.Reason != "": // it can't be made from days
			k.Source.P.Basis = report.NotReported
			k.Note, k.Delta = m.Reason, report.Delta{Direction: report.NoNumber, Word: "–"}
		case m.Value == nil: // not sent is not zero (N47)
			k.Source.P.Basis = report.NotReported
			k.Note, k.Delta = "not reported", report.Delta{Direction: report.NoNumber, Word: "–"}
		case !g.Compared: // a partial window is compared with nothing (N45)
			k.Figure, k.Delta = write(*m.Value), report.Delta{Direction: report.NotCompared, Word: "not compared"}
		default:
			k.Figure, k.Delta = write(*m.Value), change(m)
		}
		if g.Compared && m.Value != nil && m.Previous != nil && !m.Withheld {
			k.Than = "was " + write(*m.Previous).String() + " in the window before"
		}
		k.Source.Value = k.Figure.String()
		return k
	}
	amount := func(m report.GiftMetric) report.Delta { return report.ReportedChange(m.ChangePercent) }
	count := func(m report.GiftMetric) report.Delta { return report.ReportedCountChange(m.ChangePercent) }
	money := func(v decimal.Decimal) report.Figure { return report.Money(v, g.Currency) }
	number := func(v decimal.Decimal) report.Figure { return report.Figure{Main: report.Decimal(v)} }
	percent := func(v decimal.Decimal) report.Figure { return report.Percent(&v) }
	return []components.KPI{
		kpi("orders", "Gift orders", "metrics.orders", "orders with a free gift", g.Orders, count, number),
		kpi("revenue", "Gift revenue", "metrics.revenue", "never added to upsold value", g.Revenue, amount, money),
		kpi("conversion", "Gift conversion", "metrics.conversionRate", "a percentage, as reported", g.ConversionRate, report.ReportedRateChange, percent),
		kpi("aov", "Order value with a gift", "metrics.aovByFG", "gift orders only", g.AOVByFG, amount, money),
		kpi("aov-store", "Order value, all orders", "metrics.aovStore", "every order", g.AOVStore, amount, money),
	}
}
