package overview

import (
	"testing"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
)

// dayStat is one placement's row for a whole day; revenue "" is none.
func dayStat(day string, p report.Placement, impressions, claims int64, revenue string) report.StoredStat {
	d := reporttest.On(day)
	return report.StoredStat{
		Window: report.OneDay(d), Placement: p, Impressions: impressions, Claims: claims, Revenue: reporttest.Dec(revenue),
		Currency: "USD", Source: "merchant", FetchedAt: reporttest.Pulled(d),
	}
}

// fourAndFour are two days of the four placements, with numbers chosen so that no sum over placements
// equals a legitimate number.
func fourAndFour() report.Stored {
	in := reporttest.Three()
	in.StatDays = []report.StoredStat{
		dayStat("2026-11-17", report.PostPurchase, 1009, 101, "503.01"), dayStat("2026-11-17", report.ThankYou, 2003, 103, "211.02"),
		dayStat("2026-11-17", report.Coupon, 307, 107, ""), dayStat("2026-11-17", report.OrderStatus, 401, 109, "17.03"),
		dayStat("2026-11-18", report.PostPurchase, 1013, 113, "601.04"), dayStat("2026-11-18", report.ThankYou, 2011, 127, "223.05"),
		dayStat("2026-11-18", report.Coupon, 311, 131, ""), dayStat("2026-11-18", report.OrderStatus, 409, 137, "19.06"),
	}
	return in
}

const twoDays = "start=2026-11-17&end=2026-11-18&compare=none"

func TestPlacementsAreStitchedEachFromItsOwnDays_N14(t *testing.T) {
	t.Parallel()
	s := overview(t, fourAndFour(), twoDays).Placements
	reporttest.Equal(t, "basis", s.Provenance.Basis, report.Stitched)
	reporttest.Equal(t, "days behind it", s.Provenance.Replies, 2)
	for i, want := range []PlacementRow{
		{Placement: report.PostPurchase, Impressions: 2022, Claims: 214, Revenue: reporttest.Dec("1104.05")},
		{Placement: report.ThankYou, Impressions: 4014, Claims: 230, Revenue: reporttest.Dec("434.07")},
		{Placement: report.Coupon, Impressions: 618, Claims: 238},
		{Placement: report.OrderStatus, Impressions: 810, Claims: 246, Revenue: reporttest.Dec("36.09")},
	} {
		got := s.Rows[i]
		reporttest.Equal(t, "placement", got.Placement, want.Placement)
		reporttest.Equal(t, "impressions", got.Impressions, want.Impressions)
		reporttest.Equal(t, "claims", got.Claims, want.Claims)
		reporttest.Equal(t, "revenue", got.Revenue, want.Revenue)
	}
}

func TestNothingIsSummedOrDividedAcrossPlacements_N14(t *testing.T) {
	t.Parallel()
	o := overview(t, fourAndFour(), twoDays)
	reporttest.Nowhere(t, o, map[string]string{
		"all impressions": "7464", "all claims": "928", "all revenue": "1574.21",
		"impressions of a day": "3720", "claims of a day": "420", "revenue of a day": "731.06",
	})
	revenue := decimal.RequireFromString("1104.05")
	reporttest.Nowhere(t, o, map[string]string{
		"post-purchase revenue per claim":      revenue.DivRound(decimal.NewFromInt(214), 8).String(),
		"post-purchase revenue per impression": revenue.DivRound(decimal.NewFromInt(2022), 8).String(),
		"post-purchase claims per impression":  decimal.NewFromInt(214).DivRound(decimal.NewFromInt(2022), 8).String(),
	})
}

func TestCouponHasNoRevenueAndThatIsNoZero_N13(t *testing.T) {
	t.Parallel()
	in := fourAndFour()
	coupon := overview(t, in, twoDays).Placements.Rows[2]
	reporttest.Equal(t, "placement", coupon.Placement, report.Coupon)
	if coupon.Revenue != nil || coupon.Days[0].Revenue != nil {
		t.Errorf("coupon revenue is %v, %v on the first day; want none", coupon.Revenue, coupon.Days[0].Revenue)
	}
	reporttest.Equal(t, "stored though", coupon.Days[0].Stored, true)
	reporttest.Equal(t, "said to be without", coupon.Placement.ReportsRevenue(), false)

	in.StatWindows = in.StatDays[2:3]
	in.StatWindows[0].Window = reporttest.Span("2026-11-17", "2026-11-18")
	for _, r := range overview(t, in, twoDays).Placements.Rows {
		if r.Placement == report.Coupon && r.Revenue != nil {
			t.Errorf("reported coupon revenue is %s, want none", r.Revenue)
		}
	}
}

func TestRevenueThatOneDayDoesNotReportHasNoSum_N13(t *testing.T) {
	t.Parallel()
	for name, at := range map[string]int{"the first day": 1, "the last day": 5} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := fourAndFour()
			in.StatDays[at].Revenue = nil
			row := overview(t, in, twoDays).Placements.Rows[1]
			reporttest.Equal(t, "placement", row.Placement, report.ThankYou)
			if row.Revenue != nil {
				t.Errorf("revenue is %s though one day has none", row.Revenue)
			}
			reporttest.Equal(t, "claims", row.Claims, int64(230))
		})
	}
}

func TestAnUnknownPlacementIsKeptRawShownAndFlagged_N31(t *testing.T) {
	t.Parallel()
	const fifth = report.Placement("Checkout upsell")
	for name, reported := range map[string]bool{"stitched": false, "as reported": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := fourAndFour()
			in.StatDays = append(in.StatDays, dayStat("2026-11-18", fifth, 3, 2, "1"))
			if reported {
				in.StatWindows = []report.StoredStat{dayStat("2026-11-18", fifth, 3, 2, "1")}
				in.StatWindows[0].Window = reporttest.Span("2026-11-17", "2026-11-18")
			}
			s := overview(t, in, twoDays).Placements
			last := s.Rows[len(s.Rows)-1]
			if len(s.Rows) != 5 || last.Placement != fifth || last.Claims != 2 {
				t.Errorf("%d rows, the last is %+v", len(s.Rows), last)
			}
			reporttest.Equal(t, "key", last.Placement.Key(), "unknown")
			reporttest.Equal(t, "flag", s.Provenance.Has(report.FlagUnknownValue), true)
			reporttest.Equal(t, "caution", last.Caution, "The app’s documentation doesn’t name this placement, so it’s shown as sent.")
		})
	}
	if overview(t, fourAndFour(), twoDays).Placements.Provenance.Has(report.FlagUnknownValue) {
		t.Error("the four documented placements are flagged as unknown")
	}
}

func TestAPlacementTheServiceLeftOutIsAbsentNotZero(t *testing.T) {
	t.Parallel()
	in := fourAndFour()
	in.StatDays = in.StatDays[:1]
	s := overview(t, in, twoDays).Placements
	for i, p := range report.Placements {
		reporttest.Equal(t, "order", s.Rows[i].Placement, p)
		reporttest.Equal(t, "absent "+string(p), s.Rows[i].Absent, p != report.PostPurchase)
	}
	reporttest.Equal(t, "missing", s.Provenance.Missing, []civil.Date{reporttest.On("2026-11-18")})

	in.StatDays = append(in.StatDays, fourAndFour().StatDays[4:]...)
	for i, r := range overview(t, in, "start=2026-11-18&end=2026-11-18").Placements.Rows {
		reporttest.Equal(t, "compared with the day before", r.Previous != nil, report.Placements[i] == report.PostPurchase)
	}
}

func TestPlacementBarsLeaveGaps_N1(t *testing.T) {
	t.Parallel()
	in := fourAndFour()
	in.StatDays[4].Partial, in.StatDays[5].Partial, in.StatDays[6].Partial, in.StatDays[7].Partial = true, true, true, true
	s := overview(t, in, reporttest.ThreeDays).Placements
	reporttest.Equal(t, "days drawn", s.Drawn.Replies, 1)
	reporttest.Equal(t, "gaps", s.Drawn.Missing, []civil.Date{reporttest.On("2026-11-18"), reporttest.On("2026-11-19")})
	for i, stored := range []bool{true, false, false} {
		reporttest.Equal(t, "stored", s.Rows[0].Days[i].Stored, stored)
	}
	reporttest.Equal(t, "the sum's gaps", s.Provenance.Missing, s.Drawn.Missing)
	reporttest.Equal(t, "impressions", s.Rows[0].Impressions, int64(1009))
}

func TestPlacementsOfTwoCurrenciesAreNotStitched_N34(t *testing.T) {
	t.Parallel()
	in := fourAndFour()
	for i := 4; i < 8; i++ {
		in.StatDays[i].Currency = "EUR"
	}
	s := overview(t, in, twoDays).Placements
	if s.Empty == nil || s.Empty.Cause != report.CauseNotKept || len(s.Rows) != 0 {
		t.Errorf("dollars and euros are stitched: %+v", s.Rows)
	}
	// The answer for the whole window is in euros: each day keeps its own currency, and none is missing.
	in.StatWindows = []report.StoredStat{dayStat("2026-11-18", report.PostPurchase, 1, 1, "1")}
	in.StatWindows[0].Window, in.StatWindows[0].Currency = reporttest.Span("2026-11-17", "2026-11-18"), "EUR"
	s = overview(t, in, twoDays).Placements
	reporttest.Equal(t, "a day in dollars", s.Rows[0].Days[0].Stored && s.Rows[0].Days[0].Currency == "USD", true)
	reporttest.Equal(t, "a day in euros", s.Rows[0].Days[1].Stored && s.Rows[0].Days[1].Currency == "EUR", true)
	reporttest.Equal(t, "missing days", len(s.Drawn.Missing), 0)
}

func TestPlacementsAreComparedInOneCurrencyOnly_N34(t *testing.T) {
	t.Parallel()
	in := fourAndFour()
	query := "start=2026-11-18&end=2026-11-18"
	s := overview(t, in, query).Placements
	if s.Compared == nil || s.Rows[0].Previous == nil || s.Rows[0].Previous.Claims != 101 || len(s.Rows[0].Previous.Days) != 1 || s.Rows[0].Previous.Days[0].Claims != 101 {
		t.Fatalf("compared with %+v", s.Rows[0].Previous)
	}
	reporttest.Equal(t, "days drawn", s.Drawn.Replies, 1)
	for i := range 4 {
		in.StatDays[i].Currency = "EUR"
	}
	if s := overview(t, in, query).Placements; s.Compared != nil || s.Rows[0].Previous != nil {
		t.Error("dollars are compared with euros")
	}
}

func TestReportedPlacementsKeepTheRawSourceAndTheOfferCount_N15_N24(t *testing.T) {
	t.Parallel()
	in := fourAndFour()
	for _, p := range report.Placements {
		row := dayStat("2026-11-18", p, 0, 0, "0")
		row.Window, row.Source, row.ShopOfferCount = reporttest.Span("2026-11-17", "2026-11-18"), "who-knows", reporttest.N64(0)
		in.StatWindows = append(in.StatWindows, row)
	}
	s := overview(t, in, twoDays).Placements
	reporttest.Equal(t, "basis", s.Provenance.Basis, report.Reported)
	reporttest.Equal(t, "source", s.Provenance.Source, "who-knows")
	reporttest.Equal(t, "offers in any status", s.ShopOfferCount, reporttest.N64(0))
}

func TestEachPlacementSaysTheOneThingToKnow_N14(t *testing.T) {
	t.Parallel()
	off, on := &CoverRow{Placement: report.ThankYou, State: SwitchedOff}, &CoverRow{Placement: report.OrderStatus, State: Live}
	for want, row := range map[string]PlacementRow{
		"The app sent no row for this placement.":                                 {Placement: report.PostPurchase, Absent: true},
		"Views and claims cover the first upsell; value covers the whole funnel.": {Placement: report.PostPurchase},
		"Coupon revenue isn’t reported. Bars show claims.":                        {Placement: report.Coupon, Days: make([]PlacementDay, 2)},
		"": {Placement: report.Coupon, Days: make([]PlacementDay, 1)},
		"No offer is active now. Days without an active offer are zero, not missing.": {Placement: report.ThankYou, Cover: off},
		"Every offer here has exactly one stage.":                                     {Placement: report.OrderStatus, Cover: on},
		"The app’s documentation doesn’t name this placement, so it’s shown as sent.": {Placement: "Checkout upsell"},
	} {
		if got := Caution(locale.English, row); got != want {
			t.Errorf("%s: %q, want %q", row.Placement, got, want)
		}
	}
}
