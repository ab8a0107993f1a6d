package report

import (
	"testing"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
	"github.com/storeglass/storeglass/internal/locale"
)

// socks is an offer of which the 17th is ranked, the 18th's ranking is whole
// without it, and nothing is known of the 19th.
func socks() StoredOffer {
	return StoredOffer{
		Stored:     three(),
		Offer:      OfferListRow{ID: "s1", Name: "Socks", Placement: PostPurchase, Status: "active", RevenueAllTime: dec("900.5"), Currency: "USD", URL: "https://admin.example/s1", LastListed: noon},
		Days:       []StoredOfferDay{{Day: on("2026-11-17"), Revenue: dec("12.25"), Claims: n64(3), Currency: "USD", FetchedAt: pulled(on("2026-11-17"))}},
		RankedDays: []StoredRankedDay{{on("2026-11-17"), true, "USD", pulled(on("2026-11-17"))}, {on("2026-11-18"), true, "USD", pulled(on("2026-11-18"))}},
	}
}

func detail(t *testing.T, in StoredOffer, query string) OfferDetail {
	t.Helper()
	return NewOfferDetail(locale.English, in, choose(t, query), noon)
}

func TestADayIsZeroOnlyWhereItsRankingIsWhole_N1_N16(t *testing.T) {
	t.Parallel()
	h := detail(t, socks(), threeDays).History
	for i, want := range []OfferDay{{Stored: true, Revenue: dec("12.25"), Claims: n64(3)}, {Stored: true, Revenue: dec("0")}, {}} {
		got := h.Days[i]
		equal(t, got.Day.String()+" stored", got.Stored, want.Stored)
		equal(t, got.Day.String()+" revenue", got.Revenue, want.Revenue)
		equal(t, got.Day.String()+" claims", got.Claims, want.Claims)
	}
	equal(t, "missing", h.Provenance.Missing, []civil.Date{on("2026-11-19")})
	equal(t, "sum of the known days", h.Revenue, dec("12.25"))
	equal(t, "basis", h.Provenance.Basis, Stitched)
	equal(t, "days behind it", h.Provenance.Replies, 2)
}

// The whole rankings that leave the offer out are what says so: theirs is the age.
func TestDaysOfAnOfferThatIsInNoRankingAreAsOldAsTheRankings_N16(t *testing.T) {
	t.Parallel()
	in := socks()
	in.Days = nil
	h := detail(t, in, threeDays).History
	equal(t, "sum", h.Revenue, dec("0"))
	equal(t, "days behind it", h.Provenance.Replies, 2)
	equal(t, "oldest", h.Provenance.FetchedAt, pulled(on("2026-11-17")))
	equal(t, "newest", h.Provenance.FetchedLast, pulled(on("2026-11-18")))
}

func TestDaysOfWhichNothingIsKnownAreNoZeros_N16(t *testing.T) {
	t.Parallel()
	in := socks()
	in.Days, in.RankedDays = nil, nil
	h := detail(t, in, threeDays).History
	if h.Empty == nil || h.Empty.Cause != CauseNotKept || h.Revenue != nil || len(h.Days) != 0 {
		t.Errorf("%+v", h)
	}
}

func TestACouponOfferHasNoDaysAndNoValue_N13(t *testing.T) {
	t.Parallel()
	in := socks()
	in.Offer.Placement, in.Offer.RevenueAllTime, in.Days = Coupon, nil, nil
	d := detail(t, in, threeDays)
	if d.History.Empty == nil || d.History.Empty.Cause != CauseNotReported || d.History.Revenue != nil {
		t.Errorf("history %+v", d.History)
	}
	if d.Results.Revenue != nil || d.Results.Empty == nil || d.Results.Provenance.Basis != NotReported {
		t.Errorf("results %+v", d.Results)
	}
}

func TestADayWithoutRevenueLeavesNoSum_N13(t *testing.T) {
	t.Parallel()
	in := socks()
	in.Days[0].Revenue = nil
	d := detail(t, in, threeDays)
	if d.History.Revenue != nil || d.Results.Revenue != nil {
		t.Errorf("a sum of which a day is not reported: %v, %v", d.History.Revenue, d.Results.Revenue)
	}
}

func TestDaysOfTwoCurrenciesMakeNoChart_N34(t *testing.T) {
	t.Parallel()
	in := socks()
	in.Days = append(in.Days, StoredOfferDay{Day: on("2026-11-18"), Revenue: dec("1"), Currency: "EUR", FetchedAt: noon})
	h := detail(t, in, threeDays).History
	if h.Empty == nil || h.Empty.Cause != CauseNotKept || len(h.Days) != 0 || h.Revenue != nil {
		t.Errorf("%+v", h)
	}
}

// inRanking puts an exact ranking of the window before the days.
func inRanking(t *testing.T, in StoredOffer, rows ...TopRow) StoredOffer {
	t.Helper()
	w := choose(t, threeDays).Window
	for _, direction := range []string{"highest", "lowest"} {
		in.Stored.TopLists = append(in.Stored.TopLists, StoredTopList{Window: w, Direction: direction, Limit: 250, Whole: direction == "highest", Currency: "USD", Source: "merchant", FetchedAt: noon, Rows: rows})
	}
	return in
}

func TestFiguresOfTheWindowAreReportedWhereARankingKnowsThem_N12_N19(t *testing.T) {
	t.Parallel()
	row := TopRow{OfferID: "s1", Placement: PostPurchase, Revenue: dec("40.75"), RevenueAllTime: dec("900.5"), Claims: n64(9), AcceptanceRate: dec("0.214")}
	d := detail(t, inRanking(t, socks(), row), threeDays)
	equal(t, "basis", d.Results.Provenance.Basis, Reported)
	equal(t, "revenue in the window", d.Results.Revenue, dec("40.75"))
	equal(t, "revenue of all time", d.Offer.RevenueAllTime, dec("900.5"))
	equal(t, "rate as reported", d.Results.AcceptanceRate, dec("0.214"))
	if d.Listed().Window != nil {
		t.Error("all time has a window")
	}
}

func TestARateOfDaysIsNotMade_N2_N19(t *testing.T) {
	t.Parallel()
	in := socks()
	in.Setup = &StoredJSON{Body: []byte(`{"acceptance_rate":"0.5"}`), FetchedAt: noon}
	r := detail(t, in, threeDays).Results
	equal(t, "basis", r.Provenance.Basis, Stitched)
	equal(t, "revenue", r.Revenue, dec("12.25"))
	equal(t, "claims of the ranked days", r.Claims, n64(3))
	if r.AcceptanceRate != nil {
		t.Errorf("the rate of all time is shown for the window: %s", r.AcceptanceRate)
	}
}

func TestAbsentFromAWholeRankingIsZeroAndFromACutOneIsNot_N11_N16(t *testing.T) {
	t.Parallel()
	other := TopRow{OfferID: "x", Placement: ThankYou, Revenue: dec("5")}
	r := detail(t, inRanking(t, socks(), other), threeDays).Results
	equal(t, "whole, so", r.Revenue, dec("0"))
	equal(t, "basis", r.Provenance.Basis, Reported)
	if r.Claims != nil {
		t.Errorf("claims of an offer that is not ranked: %d", *r.Claims)
	}
	cut := inRanking(t, socks(), other)
	cut.Stored.TopLists = cut.Stored.TopLists[:1]
	cut.Stored.TopLists[0].Whole = false
	r = detail(t, cut, threeDays).Results
	equal(t, "cut, so from its days", r.Provenance.Basis, Stitched)
	equal(t, "revenue", r.Revenue, dec("12.25"))
}

func TestNothingIsMadeUpBesideTheReportedNumbers_N14_N20(t *testing.T) {
	t.Parallel()
	row := TopRow{OfferID: "s1", Placement: PostPurchase, Revenue: dec("40.75"), Claims: n64(9)}
	in := inRanking(t, socks(), row)
	nowhere(t, detail(t, in, threeDays), map[string]string{
		"revenue per claim":                   decimal.RequireFromString("40.75").DivRound(decimal.NewFromInt(9), 8).String(),
		"the window's and all time's revenue": "941.25",
		"all time less the window":            "859.75",
	})
}

func TestAnOfferTheServiceDoesNotKnowIsNeitherErrorNorDeleted_N32(t *testing.T) {
	t.Parallel()
	in := socks()
	in.Setup = &StoredJSON{Body: []byte("null"), FetchedAt: noon}
	d := detail(t, in, threeDays)
	if d.Setup.Empty == nil || d.Setup.Empty.Cause != CauseGone || d.Setup.Trouble != nil {
		t.Errorf("%+v", d.Setup.Panel)
	}
	equal(t, "deleted", d.Offer.Deleted, false)
	equal(t, "its address", d.Offer.URL, "https://admin.example/s1")
}

func TestAPartOfAnOfferFailsAlone(t *testing.T) {
	t.Parallel()
	in := socks()
	in.Stages = &StoredJSON{Body: []byte(`{"offer_name":"Socks","stages":[{"products":[{"title":"x"}]}]}`), FetchedAt: noon.Add(-48 * time.Hour)}
	in.Recommendations = &StoredJSON{Body: []byte(`{"shape":`), FetchedAt: noon}
	bad := badPull("offer.stages", "s1", "failed", "Server error (500)")
	bad.LastGoodAt = noon.Add(-48 * time.Hour)
	other := badPull("offer.setup", "another", "failed", "Not about this one")
	in.Stored.Ledger = append(in.Stored.Ledger, bad, other)
	d := detail(t, in, threeDays)
	if d.Stages.Empty != nil || d.Stages.Trouble == nil || !d.Stages.Provenance.Has(FlagStale) || len(d.Stages.Stages) != 1 {
		t.Errorf("stages: %+v", d.Stages)
	}
	if d.Setup.Empty == nil || d.Setup.Empty.Cause != CauseFilling {
		t.Errorf("another offer's failure is told: %+v", d.Setup.Empty)
	}
	if d.Recommendations.Empty == nil || d.Recommendations.Empty.Cause != CauseFailed {
		t.Errorf("a body that can't be read: %+v", d.Recommendations.Empty)
	}
	equal(t, "the days are as they were", d.History.Revenue, dec("12.25"))
}

func TestWhatChangedIsToldNewestFirst(t *testing.T) {
	t.Parallel()
	in := socks()
	in.Events = []OfferEvent{{At: noon.Add(-time.Hour), Kind: "first_seen"}, {At: noon, Kind: "renamed"}}
	d := detail(t, in, threeDays)
	equal(t, "newest", d.Events[0].Kind, "renamed")
	equal(t, "what was handed in", in.Events[0].Kind, "first_seen")
}

func TestPartOfTodayIsMarkedInAnOffersDays_N27(t *testing.T) {
	t.Parallel()
	in := socks()
	in.Days = []StoredOfferDay{{Day: on("2026-11-20"), Revenue: dec("1"), Currency: "USD", FetchedAt: noon}}
	h := detail(t, in, "window=today").History
	equal(t, "partial", h.Provenance.Has(FlagPartial), true)
}

// What a cut ranking lacks is other offers: a row that it has is as reported.
func TestAFigureThatARankingHasIsNotCut_N68(t *testing.T) {
	t.Parallel()
	in := inRanking(t, socks(), TopRow{OfferID: "s1", Placement: PostPurchase, Revenue: dec("40.75"), Claims: n64(9)})
	in.Stored.TopLists[0].Whole = false
	r := detail(t, in, threeDays).Results
	equal(t, "revenue", r.Revenue, dec("40.75"))
	equal(t, "cut", r.Provenance.Has(FlagCut), false)
}

func TestADayWhoseRankingMayLackTheOfferIsNamed_N68(t *testing.T) {
	t.Parallel()
	in := socks()
	in.RankedDays[1].Whole = false
	p := detail(t, in, threeDays).History.Provenance
	equal(t, "cut", p.Cut, []civil.Date{on("2026-11-18")})
	equal(t, "without a number", p.Missing, []civil.Date{on("2026-11-18"), on("2026-11-19")})
	equal(t, "flag", p.Has(FlagCut), true)
}
