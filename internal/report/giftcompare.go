package report

import "github.com/shopspring/decimal"

// compareGift adds the current comparison to a gift answer. The change the service sends is against the
// window right before its own, so it's used for that comparison only; all others are made from stored
// data (N74). An older answer's comparison is also made from stored data: the days before it may have
// been corrected since (N61).
func (b Builder) compareGift(g *GiftAnalytics) {
	against := b.Choice.Against
	if against == nil || !g.Compared {
		g.uncompare()
		return
	}
	if g.Provenance.Basis == Reported && *against == b.Choice.Window.Previous() && b.IsToday(g.Provenance.FetchedAt) {
		before := g.Provenance.Window.Previous() // the service's days can end differently than ours
		g.Against = &before
		return
	}
	g.uncompare()
	before, whole := b.giftBefore(*against)
	if !whole || before.Currency != g.Currency {
		return
	}
	g.Compared, g.Against = true, against
	was := before.metrics()
	for i, m := range g.metrics() {
		m.against(was[i].Value)
	}
}

// uncompare drops the service's own comparison.
func (g *GiftAnalytics) uncompare() {
	g.Compared, g.Against = false, nil
	for _, m := range g.metrics() {
		m.Previous, m.ChangePercent = nil, nil
	}
}

// giftBefore is what is stored for a comparison window: the service's answer for exactly that window,
// or else the sum of its days. whole is false if neither is complete.
func (b Builder) giftBefore(w Window) (g GiftAnalytics, whole bool) {
	for _, s := range b.In.GiftAgainst {
		if s.Window == w && !s.IncludesToday && !s.Derived() {
			g = GiftAnalytics{
				Currency: s.Currency, Orders: s.Orders, Revenue: s.Revenue,
				ConversionRate: s.ConversionRate, AOVByFG: s.AOVByFG, AOVStore: s.AOVStore,
			}
			if !knownPercentage(s.ConversionRate.Unit) {
				g.ConversionRate = GiftMetric{}
			}
			return g, true
		}
	}
	sum := b.giftSum(w)
	g = GiftAnalytics{Currency: sum.currency, Orders: GiftMetric{Value: sum.orders}, Revenue: GiftMetric{Value: sum.revenue}}
	return g, sum.p.Replies > 0 && sum.p.Comparable() && sum.mixed == nil
}

// against compares with the value of another window; there is no percent change from zero (N46).
func (m *GiftMetric) against(before *decimal.Decimal) {
	if m.Previous, m.Uncompared = before, before == nil; before == nil || m.Value == nil || m.Withheld {
		return
	}
	if !before.IsZero() {
		change := m.Value.Sub(*before).Shift(2).DivRound(before.Abs(), 2)
		m.ChangePercent = &change
	}
}
