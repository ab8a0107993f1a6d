package offers

import (
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
)

// socks is an offer: ranked on the 17th, absent from the complete ranking of the 18th, and unknown on the 19th.
func socks() StoredDetail {
	return StoredDetail{
		Stored:     reporttest.Three(),
		Offer:      Row{ID: "s1", Name: "Socks", Placement: report.PostPurchase, Status: "active", RevenueAllTime: reporttest.Dec("900.5"), Currency: "USD", URL: "https://admin.example/s1", LastListed: reporttest.Noon},
		Days:       []StoredDay{{Day: reporttest.On("2026-11-17"), Revenue: reporttest.Dec("12.25"), Claims: reporttest.N64(3), Currency: "USD", FetchedAt: reporttest.Pulled(reporttest.On("2026-11-17"))}},
		RankedDays: []report.StoredRankedDay{{Day: reporttest.On("2026-11-17"), Whole: true, Currency: "USD", FetchedAt: reporttest.Pulled(reporttest.On("2026-11-17"))}, {Day: reporttest.On("2026-11-18"), Whole: true, Currency: "USD", FetchedAt: reporttest.Pulled(reporttest.On("2026-11-18"))}},
	}
}

func detail(t *testing.T, in StoredDetail, query string) Detail {
	t.Helper()
	return NewDetail(locale.English, in, reporttest.Choose(t, query), reporttest.Noon)
}

func TestADayIsZeroOnlyWhereItsRankingIsWhole_N1_N16(t *testing.T) {
	t.Parallel()
	h := detail(t, socks(), reporttest.ThreeDays).History
	for i, want := range []Day{{Stored: true, Revenue: reporttest.Dec("12.25"), Claims: reporttest.N64(3)}, {Stored: true, Revenue: reporttest.Dec("0")}, {}} {
		got := h.Days[i]
		reporttest.Equal(t, got.Day.String()+" stored", got.Stored, want.Stored)
		reporttest.Equal(t, got.Day.String()+" revenue", got.Revenue, want.Revenue)
		reporttest.Equal(t, got.Day.String()+" claims", got.Claims, want.Claims)
	}
	reporttest.Equal(t, "missing", h.Provenance.Missing, []civil.Date{reporttest.On("2026-11-19")})
	reporttest.Equal(t, "sum of the known days", h.Revenue, reporttest.Dec("12.25"))
	reporttest.Equal(t, "basis", h.Provenance.Basis, report.Stitched)
	reporttest.Equal(t, "days behind it", h.Provenance.Replies, 2)
}

// The complete rankings without the offer are the source, so theirs is the age.
func TestDaysOfAnOfferThatIsInNoRankingAreAsOldAsTheRankings_N16(t *testing.T) {
	t.Parallel()
	in := socks()
	in.Days = nil
	h := detail(t, in, reporttest.ThreeDays).History
	reporttest.Equal(t, "sum", h.Revenue, reporttest.Dec("0"))
	reporttest.Equal(t, "days behind it", h.Provenance.Replies, 2)
	reporttest.Equal(t, "oldest", h.Provenance.FetchedAt, reporttest.Pulled(reporttest.On("2026-11-17")))
	reporttest.Equal(t, "newest", h.Provenance.FetchedLast, reporttest.Pulled(reporttest.On("2026-11-18")))
}

func TestDaysOfWhichNothingIsKnownAreNoZeros_N16(t *testing.T) {
	t.Parallel()
	in := socks()
	in.Days, in.RankedDays = nil, nil
	h := detail(t, in, reporttest.ThreeDays).History
	if h.Empty == nil || h.Empty.Cause != report.CauseNotKept || h.Revenue != nil || len(h.Days) != 0 {
		t.Errorf("%+v", h)
	}
	in.Stored.Ledger = []report.StoredPull{reporttest.BadPull("top.day", "2026-11-18", fact.PullQuarantined, "")}
	if h := detail(t, in, reporttest.ThreeDays).History; h.Empty == nil || h.Empty.Cause != report.CauseFailed {
		t.Errorf("a ranking was quarantined: %+v", h.Empty)
	}
}

func TestACouponOfferHasNoDaysAndNoValue_N13_N68(t *testing.T) {
	t.Parallel()
	in := socks()
	in.Offer.Placement, in.Offer.RevenueAllTime, in.Days = report.Coupon, nil, nil
	d := detail(t, in, reporttest.ThreeDays)
	if d.History.Empty == nil || d.History.Empty.Cause != CauseNotReported || d.History.Revenue != nil {
		t.Errorf("history %+v", d.History)
	}
	if d.Results.Revenue != nil || d.Results.Empty == nil || d.Results.Provenance.Basis != report.NotReported {
		t.Errorf("results %+v", d.Results)
	}
	if r := detail(t, inRanking(t, in), reporttest.ThreeDays).Results; r.Revenue != nil || r.Provenance.Basis != report.NotReported {
		t.Errorf("a coupon offer that a whole ranking leaves out: %+v", r)
	}

	in.Days = socks().Days
	in.Days[0].Revenue = nil
	h := detail(t, in, reporttest.ThreeDays).History
	if !h.Days[0].Stored || *h.Days[0].Claims != 3 || h.Days[0].Revenue != nil || h.Days[1].Stored || h.Revenue != nil {
		t.Errorf("days of a coupon offer in one of two rankings: %+v", h.Days)
	}
	reporttest.Equal(t, "days called cut, though both rankings are whole", len(h.Provenance.Cut), 0)
}

func TestADayWithoutRevenueLeavesNoSum_N13(t *testing.T) {
	t.Parallel()
	in := socks()
	in.Days[0].Revenue = nil
	d := detail(t, in, reporttest.ThreeDays)
	if d.History.Revenue != nil || d.Results.Revenue != nil {
		t.Errorf("a sum without one of its days: %v, %v", d.History.Revenue, d.Results.Revenue)
	}
}

func TestDaysOfTwoCurrenciesHaveNoSum_N34(t *testing.T) {
	t.Parallel()
	in := socks()
	in.Days = append(in.Days, StoredDay{Day: reporttest.On("2026-11-18"), Revenue: reporttest.Dec("1"), Currency: "EUR", FetchedAt: reporttest.Noon})
	d := detail(t, in, reporttest.ThreeDays)
	h := d.History
	if h.Empty != nil || h.Revenue != nil || h.Currency != "EUR" || h.Days[0].Currency != "USD" || h.Days[1].Currency != "EUR" || h.Days[2].Stored {
		t.Errorf("%+v", h)
	}
	reporttest.Equal(t, "why there is no sum", d.Results.Empty.Text, "The store changed from USD to EUR on 18 Nov 2026. Choose dates before or after that day; two currencies aren’t added up.")
	reporttest.Equal(t, "claims", d.Results.Claims, reporttest.N64(3))

	in.Days, in.RankedDays[1].Currency = in.Days[:1], "EUR"
	h = detail(t, in, reporttest.ThreeDays).History
	if h.Revenue != nil || h.Currency != "EUR" || !h.Days[1].Revenue.IsZero() || h.Days[1].Currency != "EUR" {
		t.Errorf("a day without the offer has its ranking's currency: %+v", h)
	}
	in.RankedDays[1].Currency = "USD"
	in.Days = append(in.Days, StoredDay{Day: reporttest.On("2026-11-18"), Revenue: reporttest.Dec("1"), FetchedAt: reporttest.Noon})

	in.Offer.Currency, in.Days[1].Currency, in.Days[1].Claims = "EUR", "USD", reporttest.N64(4) // only its revenue of all time is in euros
	d = detail(t, in, reporttest.ThreeDays)
	reporttest.Equal(t, "currency", d.History.Currency, "USD")
	reporttest.Equal(t, "currency of a day", d.History.Days[0].Currency, "USD")
	reporttest.Equal(t, "sum", d.History.Revenue, reporttest.Dec("13.25"))
	reporttest.Equal(t, "claims", d.Results.Claims, reporttest.N64(7))

	for i := range in.Days { // claims have no currency
		in.Days[i].Revenue = nil
	}
	in.Offer.Placement, in.Days[0].Currency = report.Coupon, "EUR"
	if h := detail(t, in, reporttest.ThreeDays).History; h.Empty != nil || !h.Days[0].Stored || *h.Days[0].Claims != 3 {
		t.Errorf("a coupon's claims in two currencies: %+v", h)
	}
}

// inRanking adds a ranking for exactly the window to the days.
func inRanking(t *testing.T, in StoredDetail, rows ...report.TopRow) StoredDetail {
	t.Helper()
	w := reporttest.Choose(t, reporttest.ThreeDays).Window
	for _, direction := range []fact.RankingEnd{fact.Highest, fact.Lowest} {
		in.Stored.TopLists = append(in.Stored.TopLists, report.StoredTopList{Window: w, Direction: direction, Whole: direction == fact.Highest, Currency: "USD", Source: "merchant", FetchedAt: reporttest.Noon, Rows: rows})
	}
	return in
}

func TestFiguresOfTheWindowAreReportedWhereARankingKnowsThem_N12_N19(t *testing.T) {
	t.Parallel()
	row := report.TopRow{OfferID: "s1", Placement: report.PostPurchase, Revenue: reporttest.Dec("40.75"), RevenueAllTime: reporttest.Dec("900.5"), Claims: reporttest.N64(9), AcceptanceRate: reporttest.Dec("0.214")}
	d := detail(t, inRanking(t, socks(), row), reporttest.ThreeDays)
	reporttest.Equal(t, "basis", d.Results.Provenance.Basis, report.Reported)
	reporttest.Equal(t, "revenue in the window", d.Results.Revenue, reporttest.Dec("40.75"))
	reporttest.Equal(t, "revenue of all time", d.Offer.RevenueAllTime, reporttest.Dec("900.5"))
	reporttest.Equal(t, "rate as reported", d.Results.AcceptanceRate, reporttest.Dec("0.214"))
	if d.Listed().Window != nil {
		t.Error("all time has a window")
	}
}

func TestARateOfDaysIsNotMade_N2_N19(t *testing.T) {
	t.Parallel()
	in := socks()
	in.Setup = &report.StoredJSON{Body: []byte(`{"acceptance_rate":"0.5"}`), FetchedAt: reporttest.Noon}
	r := detail(t, in, reporttest.ThreeDays).Results
	reporttest.Equal(t, "basis", r.Provenance.Basis, report.Stitched)
	reporttest.Equal(t, "revenue", r.Revenue, reporttest.Dec("12.25"))
	reporttest.Equal(t, "claims of the ranked days", r.Claims, reporttest.N64(3))
	if r.AcceptanceRate != nil {
		t.Errorf("the rate of all time is shown for the window: %s", r.AcceptanceRate)
	}
}

func TestAbsentFromAWholeRankingIsZeroAndFromACutOneIsNot_N11_N16(t *testing.T) {
	t.Parallel()
	other := report.TopRow{OfferID: "x", Placement: report.ThankYou, Revenue: reporttest.Dec("5")}
	r := detail(t, inRanking(t, socks(), other), reporttest.ThreeDays).Results
	reporttest.Equal(t, "whole, so", r.Revenue, reporttest.Dec("0"))
	reporttest.Equal(t, "basis", r.Provenance.Basis, report.Reported)
	if r.Claims != nil {
		t.Errorf("claims of an offer that is not ranked: %d", *r.Claims)
	}
	cut := inRanking(t, socks(), other)
	cut.Stored.TopLists = cut.Stored.TopLists[:1]
	cut.Stored.TopLists[0].Whole = false
	r = detail(t, cut, reporttest.ThreeDays).Results
	reporttest.Equal(t, "cut, so from its days", r.Provenance.Basis, report.Stitched)
	reporttest.Equal(t, "revenue", r.Revenue, reporttest.Dec("12.25"))
}

func TestNothingIsMadeUpBesideTheReportedNumbers_N14_N20(t *testing.T) {
	t.Parallel()
	row := report.TopRow{OfferID: "s1", Placement: report.PostPurchase, Revenue: reporttest.Dec("40.75"), Claims: reporttest.N64(9)}
	in := inRanking(t, socks(), row)
	reporttest.Nowhere(t, detail(t, in, reporttest.ThreeDays), map[string]string{
		"revenue per claim":                   decimal.RequireFromString("40.75").DivRound(decimal.NewFromInt(9), 8).String(),
		"the window's and all time's revenue": "941.25",
		"all time less the window":            "859.75",
	})
}

func TestAnOfferTheServiceDoesNotKnowIsNeitherErrorNorDeleted_N32(t *testing.T) {
	t.Parallel()
	in := socks()
	in.Setup = &report.StoredJSON{Body: []byte("null"), FetchedAt: reporttest.Noon}
	d := detail(t, in, reporttest.ThreeDays)
	if d.Setup.Empty == nil || d.Setup.Empty.Cause != CauseGone || d.Setup.Trouble != nil {
		t.Errorf("%+v", d.Setup.Panel)
	}
	reporttest.Equal(t, "deleted", d.Offer.Deleted, false)
	reporttest.Equal(t, "its address", d.Offer.URL, "https://admin.example/s1")
}

func TestAPartOfAnOfferFailsAlone(t *testing.T) {
	t.Parallel()
	in := socks()
	in.Stages = &report.StoredJSON{Body: []byte(`{"offer_name":"Socks","stages":[{"products":[{"title":"x"}]}]}`), FetchedAt: reporttest.Noon.Add(-48 * time.Hour)}
	in.Recommendations = &report.StoredJSON{Body: []byte(`{"shape":`), FetchedAt: reporttest.Noon}
	bad := reporttest.BadPull("offer.stages", "s1", "failed", "Server error (500)")
	bad.LastGoodAt = reporttest.Noon.Add(-48 * time.Hour)
	other := reporttest.BadPull("offer.setup", "another", "failed", "Not about this one")
	in.Stored.Ledger = append(in.Stored.Ledger, bad, other)
	d := detail(t, in, reporttest.ThreeDays)
	if d.Stages.Empty != nil || d.Stages.Trouble == nil || !d.Stages.Provenance.Has(report.FlagStale) || len(d.Stages.Stages) != 1 {
		t.Errorf("stages: %+v", d.Stages)
	}
	if d.Setup.Empty == nil || d.Setup.Empty.Cause != report.CauseFilling {
		t.Errorf("another offer's failure is told: %+v", d.Setup.Empty)
	}
	if d.Recommendations.Empty == nil || d.Recommendations.Empty.Cause != report.CauseFailed {
		t.Errorf("a body that can't be read: %+v", d.Recommendations.Empty)
	}
	reporttest.Equal(t, "the days are as they were", d.History.Revenue, reporttest.Dec("12.25"))
}

func TestWhatChangedIsToldNewestFirst(t *testing.T) {
	t.Parallel()
	in := socks()
	in.Events = []Event{{At: reporttest.Noon.Add(-time.Hour), Kind: "first_seen"}, {At: reporttest.Noon, Kind: "renamed"}}
	d := detail(t, in, reporttest.ThreeDays)
	reporttest.Equal(t, "newest", d.Events[0].Kind, "renamed")
	reporttest.Equal(t, "what was handed in", in.Events[0].Kind, "first_seen")
}

func TestPartOfTodayIsMarkedInAnOffersDays_N27(t *testing.T) {
	t.Parallel()
	in := socks()
	in.Days = []StoredDay{{Day: reporttest.On("2026-11-20"), Revenue: reporttest.Dec("1"), Currency: "USD", FetchedAt: reporttest.Noon}}
	h := detail(t, in, "window=today").History
	reporttest.Equal(t, "partial", h.Provenance.Has(report.FlagPartial), true)
}

// A cut ranking lacks only other offers: the rows it has are as reported.
func TestAFigureThatARankingHasIsNotCut_N68(t *testing.T) {
	t.Parallel()
	in := inRanking(t, socks(), report.TopRow{OfferID: "s1", Placement: report.PostPurchase, Revenue: reporttest.Dec("40.75"), Claims: reporttest.N64(9)})
	in.Stored.TopLists[0].Whole = false
	r := detail(t, in, reporttest.ThreeDays).Results
	reporttest.Equal(t, "revenue", r.Revenue, reporttest.Dec("40.75"))
	reporttest.Equal(t, "cut", r.Provenance.Has(report.FlagCut), false)
}

func TestADayWhoseRankingMayLackTheOfferIsNamed_N68(t *testing.T) {
	t.Parallel()
	in := socks()
	in.RankedDays[1].Whole = false
	p := detail(t, in, reporttest.ThreeDays).History.Provenance
	reporttest.Equal(t, "cut", p.Cut, []civil.Date{reporttest.On("2026-11-18")})
	reporttest.Equal(t, "without a number", p.Missing, []civil.Date{reporttest.On("2026-11-18"), reporttest.On("2026-11-19")})
	reporttest.Equal(t, "flag", p.Has(report.FlagCut), true)
}
