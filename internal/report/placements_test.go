package report

import (
	"testing"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
	"github.com/storeglass/storeglass/internal/locale"
)

// dayStat is one placement's row for a whole day; revenue "" is none.
func dayStat(day string, p Placement, impressions, claims int64, revenue string) StoredStat {
	d := on(day)
	return StoredStat{
		Window: OneDay(d), Placement: p, Impressions: impressions, Claims: claims, Revenue: dec(revenue),
		Currency: "USD", Source: "merchant", FetchedAt: pulled(d),
	}
}

// fourAndFour are two days of the four placements, with numbers chosen so that no sum over placements
// equals a legitimate number.
func fourAndFour() Stored {
	in := three()
	in.StatDays = []StoredStat{
		dayStat("2026-11-17", PostPurchase, 1009, 101, "503.01"), dayStat("2026-11-17", ThankYou, 2003, 103, "211.02"),
		dayStat("2026-11-17", Coupon, 307, 107, ""), dayStat("2026-11-17", OrderStatus, 401, 109, "17.03"),
		dayStat("2026-11-18", PostPurchase, 1013, 113, "601.04"), dayStat("2026-11-18", ThankYou, 2011, 127, "223.05"),
		dayStat("2026-11-18", Coupon, 311, 131, ""), dayStat("2026-11-18", OrderStatus, 409, 137, "19.06"),
	}
	return in
}

const twoDays = "start=2026-11-17&end=2026-11-18&compare=none"

func TestPlacementsAreStitchedEachFromItsOwnDays_N14(t *testing.T) {
	t.Parallel()
	s := overview(t, fourAndFour(), twoDays).Placements
	equal(t, "basis", s.Provenance.Basis, Stitched)
	equal(t, "days behind it", s.Provenance.Replies, 2)
	for i, want := range []PlacementRow{
		{Placement: PostPurchase, Impressions: 2022, Claims: 214, Revenue: dec("1104.05")},
		{Placement: ThankYou, Impressions: 4014, Claims: 230, Revenue: dec("434.07")},
		{Placement: Coupon, Impressions: 618, Claims: 238},
		{Placement: OrderStatus, Impressions: 810, Claims: 246, Revenue: dec("36.09")},
	} {
		got := s.Rows[i]
		equal(t, "placement", got.Placement, want.Placement)
		equal(t, "impressions", got.Impressions, want.Impressions)
		equal(t, "claims", got.Claims, want.Claims)
		equal(t, "revenue", got.Revenue, want.Revenue)
	}
}

func TestNothingIsSummedOrDividedAcrossPlacements_N14(t *testing.T) {
	t.Parallel()
	o := overview(t, fourAndFour(), twoDays)
	nowhere(t, o, map[string]string{
		"all impressions": "7464", "all claims": "928", "all revenue": "1574.21",
		"impressions of a day": "3720", "claims of a day": "420", "revenue of a day": "731.06",
	})
	revenue := decimal.RequireFromString("1104.05")
	nowhere(t, o, map[string]string{
		"post-purchase revenue per claim":      revenue.DivRound(decimal.NewFromInt(214), 8).String(),
		"post-purchase revenue per impression": revenue.DivRound(decimal.NewFromInt(2022), 8).String(),
		"post-purchase claims per impression":  decimal.NewFromInt(214).DivRound(decimal.NewFromInt(2022), 8).String(),
	})
}

func TestCouponHasNoRevenueAndThatIsNoZero_N13(t *testing.T) {
	t.Parallel()
	in := fourAndFour()
	coupon := overview(t, in, twoDays).Placements.Rows[2]
	equal(t, "placement", coupon.Placement, Coupon)
	if coupon.Revenue != nil || coupon.Days[0].Revenue != nil {
		t.Errorf("coupon revenue is %v, %v on the first day; want none", coupon.Revenue, coupon.Days[0].Revenue)
	}
	equal(t, "stored though", coupon.Days[0].Stored, true)
	equal(t, "said to be without", coupon.Placement.ReportsRevenue(), false)

	in.StatWindows = in.StatDays[2:3]
	in.StatWindows[0].Window = span("2026-11-17", "2026-11-18")
	for _, r := range overview(t, in, twoDays).Placements.Rows {
		if r.Placement == Coupon && r.Revenue != nil {
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
			equal(t, "placement", row.Placement, ThankYou)
			if row.Revenue != nil {
				t.Errorf("revenue is %s though one day has none", row.Revenue)
			}
			equal(t, "claims", row.Claims, int64(230))
		})
	}
}

func TestAnUnknownPlacementIsKeptRawShownAndFlagged_N31(t *testing.T) {
	t.Parallel()
	const fifth = Placement("Checkout upsell")
	for name, reported := range map[string]bool{"stitched": false, "as reported": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := fourAndFour()
			in.StatDays = append(in.StatDays, dayStat("2026-11-18", fifth, 3, 2, "1"))
			if reported {
				in.StatWindows = []StoredStat{dayStat("2026-11-18", fifth, 3, 2, "1")}
				in.StatWindows[0].Window = span("2026-11-17", "2026-11-18")
			}
			s := overview(t, in, twoDays).Placements
			last := s.Rows[len(s.Rows)-1]
			if len(s.Rows) != 5 || last.Placement != fifth || last.Claims != 2 {
				t.Errorf("%d rows, the last is %+v", len(s.Rows), last)
			}
			equal(t, "key", last.Placement.Key(), "unknown")
			equal(t, "flag", s.Provenance.Has(FlagUnknownValue), true)
			equal(t, "caution", last.Caution, "The app’s documentation doesn’t name this placement, so it’s shown as sent.")
		})
	}
	if overview(t, fourAndFour(), twoDays).Placements.Provenance.Has(FlagUnknownValue) {
		t.Error("the four documented placements are flagged as unknown")
	}
}

func TestAPlacementTheServiceLeftOutIsAbsentNotZero(t *testing.T) {
	t.Parallel()
	in := fourAndFour()
	in.StatDays = in.StatDays[:1]
	s := overview(t, in, twoDays).Placements
	for i, p := range Placements {
		equal(t, "order", s.Rows[i].Placement, p)
		equal(t, "absent "+string(p), s.Rows[i].Absent, p != PostPurchase)
	}
	equal(t, "missing", s.Provenance.Missing, []civil.Date{on("2026-11-18")})
}

func TestPlacementBarsLeaveGaps_N1(t *testing.T) {
	t.Parallel()
	in := fourAndFour()
	in.StatDays[4].Partial, in.StatDays[5].Partial, in.StatDays[6].Partial, in.StatDays[7].Partial = true, true, true, true
	s := overview(t, in, threeDays).Placements
	equal(t, "days drawn", s.Drawn.Replies, 1)
	equal(t, "gaps", s.Drawn.Missing, []civil.Date{on("2026-11-18"), on("2026-11-19")})
	for i, stored := range []bool{true, false, false} {
		equal(t, "stored", s.Rows[0].Days[i].Stored, stored)
	}
	equal(t, "the sum's gaps", s.Provenance.Missing, s.Drawn.Missing)
	equal(t, "impressions", s.Rows[0].Impressions, int64(1009))
}

func TestPlacementsOfTwoCurrenciesAreNotStitched_N34(t *testing.T) {
	t.Parallel()
	in := fourAndFour()
	for i := 4; i < 8; i++ {
		in.StatDays[i].Currency = "EUR"
	}
	s := overview(t, in, twoDays).Placements
	if s.Empty == nil || s.Empty.Cause != CauseNotKept || len(s.Rows) != 0 {
		t.Errorf("dollars and euros are stitched: %+v", s.Rows)
	}
	// If the answer for the whole window is in euros, only the days in euros are drawn.
	in.StatWindows = []StoredStat{dayStat("2026-11-18", PostPurchase, 1, 1, "1")}
	in.StatWindows[0].Window, in.StatWindows[0].Currency = span("2026-11-17", "2026-11-18"), "EUR"
	s = overview(t, in, twoDays).Placements
	equal(t, "a day in dollars", s.Rows[0].Days[0].Stored, false)
	equal(t, "a day in euros", s.Rows[0].Days[1].Stored, true)
}

func TestPlacementsAreComparedInOneCurrencyOnly_N34(t *testing.T) {
	t.Parallel()
	in := fourAndFour()
	query := "start=2026-11-18&end=2026-11-18"
	s := overview(t, in, query).Placements
	if s.Compared == nil || s.Rows[0].Previous == nil || s.Rows[0].Previous.Claims != 101 || len(s.Rows[0].Previous.Days) != 1 || s.Rows[0].Previous.Days[0].Claims != 101 {
		t.Fatalf("compared with %+v", s.Rows[0].Previous)
	}
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
	for _, p := range Placements {
		row := dayStat("2026-11-18", p, 0, 0, "0")
		row.Window, row.Source, row.ShopOfferCount = span("2026-11-17", "2026-11-18"), "who-knows", n64(0)
		in.StatWindows = append(in.StatWindows, row)
	}
	s := overview(t, in, twoDays).Placements
	equal(t, "basis", s.Provenance.Basis, Reported)
	equal(t, "source", s.Provenance.Source, "who-knows")
	equal(t, "offers in any status", s.ShopOfferCount, n64(0))
}

func TestEachPlacementSaysTheOneThingToKnow_N14(t *testing.T) {
	t.Parallel()
	off := &CoverRow{Placement: ThankYou, State: SwitchedOff}
	for want, row := range map[string]PlacementRow{
		"The app sent no row for this placement.":                                     {Placement: PostPurchase, Absent: true},
		"Views and claims cover the first upsell; value covers the whole funnel.":     {Placement: PostPurchase},
		"Coupon revenue isn’t reported. Bars show claims.":                            {Placement: Coupon},
		"No offer is active now. Days without an active offer are zero, not missing.": {Placement: ThankYou, Cover: off},
		"Every offer here has exactly one stage.":                                     {Placement: OrderStatus},
		"The app’s documentation doesn’t name this placement, so it’s shown as sent.": {Placement: "Checkout upsell"},
	} {
		if got := Caution(locale.English, row); got != want {
			t.Errorf("%s: %q, want %q", row.Placement, got, want)
		}
	}
}
