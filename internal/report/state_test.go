package report

import "testing"

func TestLifetimeHasNoWindow_N21(t *testing.T) {
	t.Parallel()
	in := three()
	in.Lifetime = &StoredLifetime{TotalRevenue: *dec("91234.56"), OfferViews: 40000, UpsoldOrders: 3000, Currency: "USD", FetchedAt: noon}
	o := overview(t, in, threeDays)
	p := o.Lifetime.Provenance
	if p.Window != nil || p.Asked != nil || p.Source != "" {
		t.Errorf("all time has the window %v, asked %v, source %q", p.Window, p.Asked, p.Source)
	}
	equal(t, "comparable", p.Comparable(), false)
	equal(t, "value", o.Lifetime.TotalRevenue, *dec("91234.56"))
	nowhere(t, o, map[string]string{"all time less the window": "90934.26", "all time and the window": "91534.86", "orders before the window": "2970"})
}

func TestTheTwoFractionsHaveTheirOwnNamesAndParts_N18_N20(t *testing.T) {
	t.Parallel()
	in := three()
	in.Lifetime = &StoredLifetime{TotalRevenue: *dec("90000"), OfferViews: 40000, UpsoldOrders: 3000, Currency: "USD", FetchedAt: noon, Flags: []Flag{FlagRateDisagrees}}
	o := overview(t, in, threeDays)
	equal(t, "upsold orders / all orders", o.Summary.UpsellSuccessRate, dec("0.2"))
	equal(t, "upsold orders / views", o.Lifetime.ConversionRate, dec("0.075"))
	equal(t, "revenue / views", o.Lifetime.RevenuePerVisit, dec("2.25"))
	equal(t, "disagreement with what was reported (N19)", o.Lifetime.Provenance.Has(FlagRateDisagrees), true)

	in.Lifetime.OfferViews = 0
	l := overview(t, in, threeDays).Lifetime
	if l.ConversionRate != nil || l.RevenuePerVisit != nil {
		t.Errorf("without views the rates are %v and %v", l.ConversionRate, l.RevenuePerVisit)
	}
}

func TestCoverageTellsOffFromNeverCreated_N15(t *testing.T) {
	t.Parallel()
	in := three()
	for p, c := range map[Placement]StoredCover{
		PostPurchase: {HasActive: true, ActiveCount: 2, TotalCount: 5}, ThankYou: {TotalCount: 3},
		Coupon: {}, OrderStatus: {HasActive: true, TotalCount: 1},
	} {
		c.Placement, c.Currency, c.Window, c.Source, c.FetchedAt = p, "USD", span("2026-10-21", "2026-11-19"), "adjusted", noon
		in.Coverage = append(in.Coverage, c)
	}
	states := map[Placement]CoverState{}
	for _, r := range overview(t, in, threeDays).Coverage.Rows {
		states[r.Placement] = r.State
	}
	equal(t, "states", states, map[Placement]CoverState{PostPurchase: Live, ThankYou: SwitchedOff, Coupon: NeverCreated, OrderStatus: Live})
}

func TestOnlyTheRevenueOfCoverageHasAWindow_N29(t *testing.T) {
	t.Parallel()
	in := three()
	w := span("2026-06-01", "2026-11-19") // longer than 90 days: coverage has no such limit
	in.Coverage = []StoredCover{
		{Placement: PostPurchase, HasActive: true, ActiveCount: 1, TotalCount: 1, RecentRevenue: dec("5"), Currency: "USD", Window: w, Source: "odd", FetchedAt: noon},
		{Placement: Coupon, TotalCount: 1, Currency: "USD", Window: w, Source: "odd", FetchedAt: noon},
		{Placement: "Checkout upsell", TotalCount: 1, Currency: "USD", Window: w, Source: "odd", FetchedAt: noon},
	}
	c := overview(t, in, threeDays).Coverage
	equal(t, "window of the revenue", c.Provenance.Window, &w)
	equal(t, "asked by a reader: nothing", c.Provenance.Asked, (*Window)(nil))
	equal(t, "source (N24)", c.Provenance.Source, "odd")
	equal(t, "counts are of", c.Provenance.FetchedAt, noon)
	equal(t, "coupon revenue (N13)", c.Rows[1].RecentRevenue, dec(""))
	equal(t, "unknown placement (N31)", c.Provenance.Has(FlagUnknownValue), true)
}
