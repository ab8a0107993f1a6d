package overview

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
)

// offers returns the rows of a ranking as answered: "a 10, b 5".
func offers(text string) []report.TopRow {
	var rows []report.TopRow
	for field := range strings.SplitSeq(text, ", ") {
		if id, revenue, ok := strings.Cut(field, " "); ok {
			rows = append(rows, report.TopRow{OfferID: id, Name: "Offer " + id, Placement: report.PostPurchase, Status: "active", Revenue: reporttest.Dec(revenue), Claims: reporttest.N64(1)})
		}
	}
	return rows
}

const (
	whole = true
	cut   = false
)

// ranking is both ends of the 30 days' ranking as answered: highest is in descending order, lowest
// ascending; "-" is a list that hasn't arrived.
func ranking(whole bool, highest, lowest string) report.Stored {
	in := reporttest.Three()
	w := reporttest.Span("2026-10-21", "2026-11-19")
	list := report.StoredTopList{Window: w, Direction: "highest", Whole: whole, ShopOfferCount: reporttest.N64(40), Currency: "USD", Source: "merchant", FetchedAt: reporttest.Pulled(w.End), Rows: offers(highest)}
	in.TopLists = []report.StoredTopList{list}
	if lowest != "-" {
		list.Direction, list.Whole, list.Rows, list.FetchedAt = "lowest", false, offers(lowest), reporttest.Pulled(w.End).Add(-time.Hour)
		in.TopLists = append(in.TopLists, list)
	}
	in.Counts = []report.StoredCount{{Total: 40}, {Placement: report.Coupon, Total: 2}, {Placement: report.PostPurchase, Total: 38}}
	return in
}

func ids(rows []report.TopRow) string {
	var out []string
	for _, r := range rows {
		out = append(out, fmt.Sprintf("%d%s", r.Rank, r.OfferID))
	}
	return strings.Join(out, " ")
}

func TestOnlyARankingProvenWholeCountsItsEarners_N16_N68(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		whole           bool
		highest, lowest string
		wantHighest     string
		wantLowest      string
		earned          int // -1: not known, the list is cut
	}{
		"one list":                    {whole, "a 9, b 5", "-", "1a 2b", "", 2},
		"both ends hold all":          {whole, "a 9, b 5", "b 5, a 9", "1a 2b", "", 2},
		"one earner":                  {whole, "a 9", "a 9", "1a", "", 1},
		"more than are shown":         {whole, "a 9, b 8, c 7, d 6, e 5, f 4, g 3", "-", "1a 2b 3c 4d 5e", "6f 7g", 7},
		"many more":                   {whole, "a 9, b 8, c 7, d 6, e 5, f 4, g 3, h 2, i 1", "-", "1a 2b 3c 4d 5e 6f", "7g 8h 9i", 9},
		"ends that overlap":           {whole, "a 9, b 5, c 4", "d 1, c 4, b 5", "1a 2b 3c 4d", "", 4},
		"ends that do not overlap":    {cut, "a 9, b 5", "d 1, c 4", "1a 2b", "0c 0d", -1},
		"the other end not there yet": {cut, "a 9, b 5", "-", "1a 2b", "", -1},
		"the other end is empty":      {cut, "a 9, b 5", "", "1a 2b", "", -1},
		"ends that touch in a tie":    {cut, "a 9, b 5", "c 1, b 5", "1a 2b", "0c", -1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			top := overview(t, ranking(c.whole, c.highest, c.lowest), "").Top
			reporttest.Equal(t, "highest", ids(top.Highest), c.wantHighest)
			reporttest.Equal(t, "lowest", ids(top.Lowest), c.wantLowest)
			reporttest.Equal(t, "cut", top.Provenance.Has(report.FlagCut), c.earned < 0)
			switch {
			case c.earned < 0 && (top.Earned != nil || top.Silent != nil):
				t.Errorf("of a cut list it is known that %d earned and %v did not", *top.Earned, top.Silent)
			case c.earned >= 0:
				reporttest.Equal(t, "earned", top.Earned, &c.earned)
				silent := 38 - c.earned
				reporttest.Equal(t, "could have earned and did not", top.Silent, &silent)
			}
		})
	}
}

func TestADeletedOfferHasABadgeAndIsNotCountedAmongThoseThatExist_N17(t *testing.T) {
	t.Parallel()
	in := ranking(whole, "a 9, b 5", "b 5, a 9")
	for i := range in.TopLists {
		for j := range in.TopLists[i].Rows {
			if r := &in.TopLists[i].Rows[j]; r.OfferID == "a" {
				r.Deleted = true
			}
		}
	}
	top := overview(t, in, "").Top
	reporttest.Equal(t, "deleted", top.Highest[0].Deleted, true)
	reporttest.Equal(t, "earned", *top.Earned, 2)
	reporttest.Equal(t, "could have earned and did not", *top.Silent, 37)
	in.TopLists[0].Rows = append(in.TopLists[0].Rows, report.TopRow{OfferID: "c", Placement: report.Coupon})
	reporttest.Equal(t, "beside a coupon offer, which is not among those that could (N13)", *overview(t, in, "").Top.Silent, 37)
}

func TestTheCountOfSilentOffersIsLeftOutWhereItCantBeKnown(t *testing.T) {
	t.Parallel()
	for name, counts := range map[string][]report.StoredCount{
		"never counted":         nil,
		"coupons not counted":   {{Total: 40}},
		"counted before it all": {{Total: 1}, {Placement: report.Coupon, Total: 0}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := ranking(whole, "a 9, b 5", "b 5, a 9")
			in.Counts = counts
			if n := overview(t, in, "").Top.Silent; n != nil {
				t.Errorf("%d offers did not earn", *n)
			}
		})
	}
}

func TestRevenueOfTheWindowAndOfAllTimeStandApart_N12(t *testing.T) {
	t.Parallel()
	in := ranking(whole, "a 9", "a 9")
	for i := range in.TopLists {
		in.TopLists[i].Rows[0].RevenueAllTime = reporttest.Dec("912.34")
	}
	row := overview(t, in, "").Top.Highest[0]
	reporttest.Equal(t, "in the window", row.Revenue, reporttest.Dec("9"))
	reporttest.Equal(t, "of all time", row.RevenueAllTime, reporttest.Dec("912.34"))
}

func TestWhatAnOfferEarnedBeforeIsKnownWhereBothRankingsAreWhole_N13_N16_N34(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(now, before *TopOffers)
		want   string // of an offer that earned before, of one that didn't, of a coupon offer
	}{
		"both whole":       {func(_, _ *TopOffers) {}, "4 0 nil"},
		"one may lack any": {func(_, before *TopOffers) { before.Earned = nil }, "nil nil nil"},
		"today in it":      {func(now, _ *TopOffers) { now.Provenance = now.Provenance.With(report.FlagPartial) }, "nil nil nil"},
		"two currencies":   {func(_, before *TopOffers) { before.Currency = "EUR" }, "nil nil nil"},
		"nothing before": {func(_, before *TopOffers) {
			*before = TopOffers{Panel: report.Panel{Empty: &report.Empty{Cause: report.CauseNothing}}, Earned: new(0)}
		}, "0 0 nil"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now, before := overview(t, ranking(whole, "a 9, b 5", "-"), "").Top, overview(t, ranking(whole, "a 4", "-"), "").Top
			c.change(&now, &before)
			earlier := now.Earlier(&before)
			var got []string
			for _, of := range []*decimal.Decimal{earlier.Of("a", report.PostPurchase), earlier.Of("b", report.PostPurchase), earlier.Of("c", report.Coupon)} {
				if of == nil {
					got = append(got, "nil")
				} else {
					got = append(got, of.String())
				}
			}
			reporttest.Equal(t, "earlier", strings.Join(got, " "), c.want)
		})
	}
}

func TestTheAcceptanceRateIsShownAsReported_N19(t *testing.T) {
	t.Parallel()
	for _, rate := range []string{"0.0642", "6.42", "64.2"} {
		in := ranking(whole, "a 9", "a 9")
		for i := range in.TopLists {
			in.TopLists[i].Rows[0].AcceptanceRate = reporttest.Dec(rate)
		}
		reporttest.Equal(t, "acceptance rate", overview(t, in, "").Top.Highest[0].AcceptanceRate, reporttest.Dec(rate))
	}
	in := ranking(whole, "a 9", "a 9")
	if r := overview(t, in, "").Top.Highest[0].AcceptanceRate; r != nil {
		t.Errorf("a rate that was not reported is %s", r)
	}
}

func TestRankingsOfTwoCurrenciesAreNotJoined_N34(t *testing.T) {
	t.Parallel()
	in := ranking(cut, "a 9, b 5", "d 1, c 4")
	in.TopLists[1].Currency = "EUR"
	top := overview(t, in, "").Top
	reporttest.Equal(t, "currency", top.Currency, "USD")
	reporttest.Equal(t, "highest", ids(top.Highest), "1a 2b")
	reporttest.Equal(t, "rows in euros", ids(top.Lowest), "")
	reporttest.Equal(t, "cut", top.Provenance.Has(report.FlagCut), true)
}

func TestALowestEndThatIsMuchOlderIsNotJoined_N27_N68(t *testing.T) {
	t.Parallel()
	in := ranking(cut, "a 9, b 5", "d 1, c 4")
	reporttest.Equal(t, "an hour older", ids(overview(t, in, "").Top.Lowest), "0c 0d")
	in.TopLists[1].FetchedAt = in.TopLists[1].FetchedAt.Add(-time.Second)
	reporttest.Equal(t, "older than that", ids(overview(t, in, "").Top.Lowest), "")
}

func TestARankingIsAsOldAsTheOlderOfItsEnds(t *testing.T) {
	t.Parallel()
	p := overview(t, ranking(whole, "a 9", "a 9"), "").Top.Provenance
	reporttest.Equal(t, "replies", p.Replies, 2)
	reporttest.Equal(t, "age", p.FetchedAt, reporttest.Pulled(reporttest.On("2026-11-19")).Add(-time.Hour))
	reporttest.Equal(t, "age of the newer", p.FetchedLast, reporttest.Pulled(reporttest.On("2026-11-19")))
}

func TestTheReplyBehindARankingIsThatOfItsWindow(t *testing.T) {
	t.Parallel()
	in := ranking(whole, "a 9", "-")
	w := in.TopLists[0].Window
	in.Ledger = []report.StoredPull{
		{Service: "upsell", Pull: "top.highest", Subject: "90", Applied: reporttest.Ptr(reporttest.Span("2026-08-22", "2026-11-19"))},
		{Service: "upsell", Pull: "top.range", Subject: "never answered"},
		{Service: "upsell", Pull: "summary.window", Subject: "30", Applied: &w},
		{Service: "upsell", Pull: "top.range", Subject: "30", Applied: &w},
	}
	p := overview(t, in, "").Top.Provenance
	reporttest.Equal(t, "reply", p.Pull+" "+p.Subject, "top.range 30")
	in.Ledger[3].Pull = "top.highest"
	p = overview(t, in, "").Top.Provenance
	reporttest.Equal(t, "reply", p.Pull+" "+p.Subject, "top.highest 30")
}

func TestAnEmptyRankingSaysItsCause_N15(t *testing.T) {
	t.Parallel()
	none := ranking(whole, "", "")
	for i := range none.TopLists {
		none.TopLists[i].ShopOfferCount = reporttest.N64(0)
	}
	other := ranking(whole, "a 9", "a 9")
	for i := range other.TopLists {
		other.TopLists[i].Window = reporttest.Span("2026-10-20", "2026-11-18") // the service answered for another window (N22)
	}
	filling := reporttest.Connected()
	for name, c := range map[string]struct {
		in    report.Stored
		cause report.Cause
		title string
	}{
		"no offers yet":              {none, report.CauseNoOffers, "No offers yet"},
		"nothing earned":             {ranking(whole, "", ""), report.CauseNothing, "No offer had sales in these dates"},
		"another window was ranked":  {other, report.CauseNotKept, "No ranking for these dates"},
		"its turn has not come":      {filling, report.CauseFilling, "The ranking is loading"},
		"the service is not there":   {report.Stored{Store: reporttest.Acme}, report.CauseNeverConnected, "Upsells aren’t connected"},
		"a window without a ranking": {reporttest.Three(), report.CauseNotKept, "No ranking for these dates"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := overview(t, c.in, "").Top.Empty
			if e == nil || e.Cause != c.cause || e.Title != c.title {
				t.Errorf("%+v, want %s, %q", e, c.cause, c.title)
			}
		})
	}
}

func TestAnUnknownPlacementInTheRankingIsFlagged_N31(t *testing.T) {
	t.Parallel()
	in := ranking(whole, "a 9", "a 9")
	in.TopLists[0].Rows[0].Placement = "Checkout upsell"
	top := overview(t, in, "").Top
	reporttest.Equal(t, "flag", top.Provenance.Has(report.FlagUnknownValue), true)
	reporttest.Equal(t, "raw", top.Highest[0].Placement, report.Placement("Checkout upsell"))
}

// rankedDays are three days with rankings, the last possibly cut, and their sum.
func rankedDays(lastWhole bool) report.Stored {
	in := reporttest.Three()
	for _, day := range []string{"2026-11-17", "2026-11-18", "2026-11-19"} {
		in.RankedDays = append(in.RankedDays, report.StoredRankedDay{Day: reporttest.On(day), Whole: day != "2026-11-19" || lastWhole, Currency: "USD", FetchedAt: reporttest.Pulled(reporttest.On(day))})
	}
	if lastWhole {
		in.TopOfDays = offers("a 9, b 5")
	}
	in.Counts = []report.StoredCount{{Total: 40}, {Placement: report.Coupon, Total: 2}}
	return in
}

func TestAWindowIsRankedFromItsDaysWhereEveryOneIsWhole_N16_N68(t *testing.T) {
	t.Parallel()
	top := overview(t, rankedDays(true), reporttest.ThreeDays).Top
	reporttest.Equal(t, "highest", ids(top.Highest), "1a 2b")
	reporttest.Equal(t, "earned", *top.Earned, 2)
	reporttest.Equal(t, "earned nothing", *top.Silent, 36)
	p := top.Provenance
	reporttest.Equal(t, "basis", p.Basis, report.Stitched)
	reporttest.Equal(t, "replies", p.Replies, 3)
	reporttest.Equal(t, "oldest", p.FetchedAt, reporttest.Pulled(reporttest.On("2026-11-17")))
	reporttest.Equal(t, "newest", p.FetchedLast, reporttest.Pulled(reporttest.On("2026-11-19")))
	reporttest.Equal(t, "cut", p.Has(report.FlagCut), false)

	none := rankedDays(true)
	none.TopOfDays = nil
	top = overview(t, none, reporttest.ThreeDays).Top
	if top.Empty == nil || top.Empty.Cause != report.CauseNothing || *top.Earned != 0 {
		t.Errorf("three whole days without earners: %+v", top.Panel)
	}
	none.Counts[0].Total = 0
	reporttest.Equal(t, "of a store without offers (N15)", overview(t, none, reporttest.ThreeDays).Top.Empty.Cause, report.CauseNoOffers)
}

func TestADayThatMayLackOffersIsNamed_N16_N68(t *testing.T) {
	t.Parallel()
	in := rankedDays(false)
	reporttest.Equal(t, "a day of three that may be cut", overview(t, in, reporttest.ThreeDays).Top.Provenance.Cut, []civil.Date{reporttest.On("2026-11-19")})
	in.RankedDays = in.RankedDays[1:]
	top := overview(t, in, reporttest.ThreeDays).Top
	reporttest.Equal(t, "cut", top.Provenance.Cut, []civil.Date{reporttest.On("2026-11-19")})
	reporttest.Equal(t, "without a number", top.Provenance.Missing, []civil.Date{reporttest.On("2026-11-17"), reporttest.On("2026-11-19")})
	reporttest.Equal(t, "flag", top.Provenance.Has(report.FlagCut), true)
	if top.Empty == nil || !strings.Contains(top.Empty.Text, "17 Nov and 19 Nov") {
		t.Errorf("%+v", top.Empty)
	}
	in.TopLists = ranking(cut, "c 7", "-").TopLists
	in.TopLists[0].Window = reporttest.Span("2026-11-17", "2026-11-19")
	top = overview(t, in, reporttest.ThreeDays).Top
	reporttest.Equal(t, "the window's own list, as it came", ids(top.Highest), "1c")
	reporttest.Equal(t, "basis", top.Provenance.Basis, report.Reported)
	in.RankedDays, in.TopOfDays = rankedDays(true).RankedDays, offers("a 9, b 5")
	reporttest.Equal(t, "whole days before a list that may be cut", ids(overview(t, in, reporttest.ThreeDays).Top.Highest), "1a 2b")
}

func TestRankedDaysOfTwoCurrenciesMakeNoRanking_N34(t *testing.T) {
	t.Parallel()
	in := rankedDays(true)
	in.RankedDays[1].Currency = "EUR"
	top := overview(t, in, reporttest.ThreeDays).Top
	if top.Empty == nil || top.Empty.Title != "Two currencies in these dates" || len(top.Highest) > 0 {
		t.Errorf("%+v", top)
	}
}
