package overview

import (
	"testing"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"
)

func TestLifetimeHasNoWindow_N21(t *testing.T) {
	t.Parallel()
	in := reporttest.Three()
	in.Lifetime = &report.StoredLifetime{TotalRevenue: *reporttest.Dec("91234.56"), OfferViews: 40000, UpsoldOrders: 3000, Currency: "USD", FetchedAt: reporttest.Noon}
	o := overview(t, in, reporttest.ThreeDays)
	p := o.Lifetime.Provenance
	if p.Window != nil || p.Asked != nil || p.Source != "" {
		t.Errorf("all time has the window %v, asked %v, source %q", p.Window, p.Asked, p.Source)
	}
	reporttest.Equal(t, "comparable", p.Comparable(), false)
	reporttest.Equal(t, "value", o.Lifetime.TotalRevenue, *reporttest.Dec("91234.56"))
	reporttest.Nowhere(t, o, map[string]string{"all time less the window": "90934.26", "all time and the window": "91534.86", "orders before the window": "2970"})
}

func TestTheTwoFractionsHaveTheirOwnNamesAndParts_N18_N20(t *testing.T) {
	t.Parallel()
	in := reporttest.Three()
	in.Lifetime = &report.StoredLifetime{TotalRevenue: *reporttest.Dec("90000"), OfferViews: 40000, UpsoldOrders: 3000, Currency: "USD", FetchedAt: reporttest.Noon, Flags: []report.Flag{report.FlagRateDisagrees}}
	o := overview(t, in, reporttest.ThreeDays)
	reporttest.Equal(t, "upsold orders / all orders", o.Summary.UpsellSuccessRate, reporttest.Dec("0.2"))
	reporttest.Equal(t, "upsold orders / views", o.Lifetime.ConversionRate, reporttest.Dec("0.075"))
	reporttest.Equal(t, "revenue / views", o.Lifetime.RevenuePerVisit, reporttest.Dec("2.25"))
	reporttest.Equal(t, "disagreement with what was reported (N19)", o.Lifetime.Provenance.Has(report.FlagRateDisagrees), true)

	in.Lifetime.OfferViews = 0
	l := overview(t, in, reporttest.ThreeDays).Lifetime
	if l.ConversionRate != nil || l.RevenuePerVisit != nil {
		t.Errorf("without views the rates are %v and %v", l.ConversionRate, l.RevenuePerVisit)
	}
}

func TestCoverageTellsOffFromNeverCreated_N15(t *testing.T) {
	t.Parallel()
	in := reporttest.Three()
	for p, c := range map[report.Placement]report.StoredCover{
		report.PostPurchase: {HasActive: true, ActiveCount: 2, TotalCount: 5}, report.ThankYou: {TotalCount: 3},
		report.Coupon: {}, report.OrderStatus: {HasActive: true, TotalCount: 1},
	} {
		c.Placement, c.Currency, c.Window, c.Source, c.FetchedAt = p, "USD", reporttest.Span("2026-10-21", "2026-11-19"), "adjusted", reporttest.Noon
		in.Coverage = append(in.Coverage, c)
	}
	states := map[report.Placement]CoverState{}
	for _, r := range overview(t, in, reporttest.ThreeDays).Coverage.Rows {
		states[r.Placement] = r.State
	}
	reporttest.Equal(t, "states", states, map[report.Placement]CoverState{report.PostPurchase: Live, report.ThankYou: SwitchedOff, report.Coupon: NeverCreated, report.OrderStatus: Live})
}

func TestOnlyTheRevenueOfCoverageHasAWindow_N29(t *testing.T) {
	t.Parallel()
	in := reporttest.Three()
	w := reporttest.Span("2026-06-01", "2026-11-19") // longer than 90 days: coverage has no such limit
	in.Coverage = []report.StoredCover{
		{Placement: report.PostPurchase, HasActive: true, ActiveCount: 1, TotalCount: 1, RecentRevenue: reporttest.Dec("5"), Currency: "USD", Window: w, Source: "odd", FetchedAt: reporttest.Noon},
		{Placement: report.Coupon, TotalCount: 1, Currency: "USD", Window: w, Source: "odd", FetchedAt: reporttest.Noon},
		{Placement: "Checkout upsell", TotalCount: 1, Currency: "USD", Window: w, Source: "odd", FetchedAt: reporttest.Noon},
	}
	c := overview(t, in, reporttest.ThreeDays).Coverage
	reporttest.Equal(t, "window of the revenue", c.Provenance.Window, &w)
	reporttest.Equal(t, "asked by a reader: nothing", c.Provenance.Asked, (*report.Window)(nil))
	reporttest.Equal(t, "source (N24)", c.Provenance.Source, "odd")
	reporttest.Equal(t, "counts are of", c.Provenance.FetchedAt, reporttest.Noon)
	reporttest.Equal(t, "coupon revenue (N13)", c.Rows[1].RecentRevenue, reporttest.Dec(""))
	reporttest.Equal(t, "unknown placement (N31)", c.Provenance.Has(report.FlagUnknownValue), true)
}
