package gift

import (
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/report"
)

// compare adds the current comparison to a gift answer. The change the service sends is against the
// window right before its own, so it's used for that comparison only; all others are made from stored
// data (N74). An older answer's comparison is also made from stored data: the days before it may have
// been corrected since (N61).
func (b Builder) compare(g *Analytics) {
	against := b.Choice.Against
	if against == nil || !g.Compared {
		g.uncompare()
		return
	}
	if g.Provenance.Basis == report.Reported && *against == b.Choice.Window.Previous() && b.IsToday(g.Provenance.FetchedAt) {
		before := g.Provenance.Window.Previous() // the service's days can end differently than ours
		g.Against = &before
		for _, m := range g.metrics() { // no change from zero is no baseline, but from another number the service only left it out
			m.Uncompared = m.ChangePercent == nil && m.Previous != nil && !m.Previous.IsZero()
		}
		return
	}
	g.uncompare()
	before, whole := b.before(*against)
	if !whole || before.Currency != g.Currency {
		return
	}
	g.Compared, g.Against = true, against
	was := before.metrics()
	for i, m := range g.metrics() {
		compareMetric(m, was[i].Value)
	}
}

// uncompare drops the service's own comparison.
func (g *Analytics) uncompare() {
	g.Compared, g.Against = false, nil
	for _, m := range g.metrics() {
		m.Previous, m.ChangePercent = nil, nil
	}
}

// before is what is stored for a comparison window: the service's answer for exactly that window,
// or else the sum of its days. whole is false if neither is complete.
func (b Builder) before(w report.Window) (g Analytics, whole bool) {
	for _, s := range b.In.GiftAgainst {
		if s.Window == w && !s.IncludesToday && !s.Derived() {
			g = Analytics{
				Currency: s.Currency, Orders: s.Orders, Revenue: s.Revenue,
				ConversionRate: s.ConversionRate, AOVByFG: s.AOVByFG, AOVStore: s.AOVStore,
			}
			if !knownPercentage(s.ConversionRate.Unit) {
				g.ConversionRate = report.GiftMetric{}
			}
			return g, true
		}
	}
	sum := b.sum(w)
	g = Analytics{Currency: sum.currency, Orders: report.GiftMetric{Value: sum.orders}, Revenue: report.GiftMetric{Value: sum.revenue}}
	return g, sum.p.Replies > 0 && sum.p.Comparable() && sum.mixed == nil
}

// compareMetric compares a metric with the value of another window; there is no percent change from zero (N46).
func compareMetric(m *report.GiftMetric, before *decimal.Decimal) {
	if m.Previous, m.Uncompared = before, before == nil; before == nil || m.Value == nil || m.Withheld {
		return
	}
	if !before.IsZero() {
		m.ChangePercent = new(m.Value.Sub(*before).Shift(2).DivRound(before.Abs(), 2))
	}
}
