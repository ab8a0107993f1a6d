package report

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
)

// offers returns the rows of a ranking as answered: "a 10, b 5".
func offers(text string) []TopRow {
	var rows []TopRow
	for field := range strings.SplitSeq(text, ", ") {
		if id, revenue, ok := strings.Cut(field, " "); ok {
			rows = append(rows, TopRow{OfferID: id, Name: "Offer " + id, Placement: PostPurchase, Status: "active", Revenue: dec(revenue), Claims: n64(1)})
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
func ranking(whole bool, highest, lowest string) Stored {
	in := three()
	w := span("2026-10-21", "2026-11-19")
	list := StoredTopList{Window: w, Direction: "highest", Whole: whole, ShopOfferCount: n64(40), Currency: "USD", Source: "merchant", FetchedAt: pulled(w.End), Rows: offers(highest)}
	in.TopLists = []StoredTopList{list}
	if lowest != "-" {
		list.Direction, list.Whole, list.Rows, list.FetchedAt = "lowest", false, offers(lowest), pulled(w.End).Add(-time.Hour)
		in.TopLists = append(in.TopLists, list)
	}
	in.Counts = []StoredCount{{Total: 40}, {Placement: Coupon, Total: 2}, {Placement: PostPurchase, Total: 38}}
	return in
}

func ids(rows []TopRow) string {
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
			equal(t, "highest", ids(top.Highest), c.wantHighest)
			equal(t, "lowest", ids(top.Lowest), c.wantLowest)
			equal(t, "cut", top.Provenance.Has(FlagCut), c.earned < 0)
			switch {
			case c.earned < 0 && (top.Earned != nil || top.Silent != nil):
				t.Errorf("of a cut list it is known that %d earned and %v did not", *top.Earned, top.Silent)
			case c.earned >= 0:
				equal(t, "earned", top.Earned, &c.earned)
				silent := 38 - c.earned
				equal(t, "could have earned and did not", top.Silent, &silent)
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
	equal(t, "deleted", top.Highest[0].Deleted, true)
	equal(t, "earned", *top.Earned, 2)
	equal(t, "could have earned and did not", *top.Silent, 37)
}

func TestTheCountOfSilentOffersIsLeftOutWhereItCantBeKnown(t *testing.T) {
	t.Parallel()
	for name, counts := range map[string][]StoredCount{
		"never counted":         nil,
		"coupons not counted":   {{Total: 40}},
		"counted before it all": {{Total: 1}, {Placement: Coupon, Total: 0}},
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
		in.TopLists[i].Rows[0].RevenueAllTime = dec("912.34")
	}
	row := overview(t, in, "").Top.Highest[0]
	equal(t, "in the window", row.Revenue, dec("9"))
	equal(t, "of all time", row.RevenueAllTime, dec("912.34"))
}

func TestWhatAnOfferEarnedBeforeIsKnownWhereBothRankingsAreWhole_N13_N16_N34(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(now, before *TopOffers)
		want   string // of an offer that earned before, of one that didn't, of a coupon offer
	}{
		"both whole":       {func(_, _ *TopOffers) {}, "4 0 nil"},
		"one may lack any": {func(_, before *TopOffers) { before.Earned = nil }, "nil nil nil"},
		"today in it":      {func(now, _ *TopOffers) { now.Provenance = now.Provenance.With(FlagPartial) }, "nil nil nil"},
		"two currencies":   {func(_, before *TopOffers) { before.Currency = "EUR" }, "nil nil nil"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now, before := overview(t, ranking(whole, "a 9, b 5", "-"), "").Top, overview(t, ranking(whole, "a 4", "-"), "").Top
			c.change(&now, &before)
			earlier := now.Earlier(&before)
			var got []string
			for _, of := range []*decimal.Decimal{earlier.Of("a", PostPurchase), earlier.Of("b", PostPurchase), earlier.Of("c", Coupon)} {
				if of == nil {
					got = append(got, "nil")
				} else {
					got = append(got, of.String())
				}
			}
			equal(t, "earlier", strings.Join(got, " "), c.want)
		})
	}
}

func TestTheAcceptanceRateIsShownAsReported_N19(t *testing.T) {
	t.Parallel()
	for _, rate := range []string{"0.0642", "6.42", "64.2"} {
		in := ranking(whole, "a 9", "a 9")
		for i := range in.TopLists {
			in.TopLists[i].Rows[0].AcceptanceRate = dec(rate)
		}
		equal(t, "acceptance rate", overview(t, in, "").Top.Highest[0].AcceptanceRate, dec(rate))
	}
	in := ranking(whole, "a 9", "a 9")
	if r := overview(t, in, "").Top.Highest[0].AcceptanceRate; r != nil {
		t.Errorf("a rate that was not reported is %s", r)
	}
}

func TestRankingsOfTwoCurrenciesAreNotJoined_N34(t *testing.T) {
	t.Parallel()
	in := ranking(cut, "a 9, b 5", "b 5, a 9")
	in.TopLists[1].Currency = "EUR"
	top := overview(t, in, "").Top
	equal(t, "currency", top.Currency, "USD")
	equal(t, "highest", ids(top.Highest), "1a 2b")
	equal(t, "rows in euros", ids(top.Lowest), "")
	equal(t, "cut", top.Provenance.Has(FlagCut), true)
}

func TestARankingIsAsOldAsTheOlderOfItsEnds(t *testing.T) {
	t.Parallel()
	p := overview(t, ranking(whole, "a 9", "a 9"), "").Top.Provenance
	equal(t, "replies", p.Replies, 2)
	equal(t, "age", p.FetchedAt, pulled(on("2026-11-19")).Add(-time.Hour))
	equal(t, "age of the newer", p.FetchedLast, pulled(on("2026-11-19")))
}

func TestAnEmptyRankingSaysItsCause_N15(t *testing.T) {
	t.Parallel()
	none := ranking(whole, "", "")
	for i := range none.TopLists {
		none.TopLists[i].ShopOfferCount = n64(0)
	}
	other := ranking(whole, "a 9", "a 9")
	for i := range other.TopLists {
		other.TopLists[i].Window = span("2026-10-20", "2026-11-18") // the service answered for another window (N22)
	}
	filling := connected()
	for name, c := range map[string]struct {
		in    Stored
		cause Cause
		title string
	}{
		"no offers yet":              {none, CauseNoOffers, "No offers yet"},
		"nothing earned":             {ranking(whole, "", ""), CauseNothing, "No offer had sales in these dates"},
		"another window was ranked":  {other, CauseNotKept, "No ranking for these dates"},
		"its turn has not come":      {filling, CauseFilling, "The ranking is loading"},
		"the service is not there":   {Stored{Store: acme}, CauseNeverConnected, "Upsells aren’t connected"},
		"a window without a ranking": {three(), CauseNotKept, "No ranking for these dates"},
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
	equal(t, "flag", top.Provenance.Has(FlagUnknownValue), true)
	equal(t, "raw", top.Highest[0].Placement, Placement("Checkout upsell"))
}

// rankedDays are three days with rankings, the last possibly cut, and their sum.
func rankedDays(lastWhole bool) Stored {
	in := three()
	for _, day := range []string{"2026-11-17", "2026-11-18", "2026-11-19"} {
		in.RankedDays = append(in.RankedDays, StoredRankedDay{Day: on(day), Whole: day != "2026-11-19" || lastWhole, Currency: "USD", FetchedAt: pulled(on(day))})
	}
	if lastWhole {
		in.TopOfDays = offers("a 9, b 5")
	}
	in.Counts = []StoredCount{{Total: 40}, {Placement: Coupon, Total: 2}}
	return in
}

func TestAWindowIsRankedFromItsDaysWhereEveryOneIsWhole_N16_N68(t *testing.T) {
	t.Parallel()
	top := overview(t, rankedDays(true), threeDays).Top
	equal(t, "highest", ids(top.Highest), "1a 2b")
	equal(t, "earned", *top.Earned, 2)
	equal(t, "earned nothing", *top.Silent, 36)
	p := top.Provenance
	equal(t, "basis", p.Basis, Stitched)
	equal(t, "replies", p.Replies, 3)
	equal(t, "oldest", p.FetchedAt, pulled(on("2026-11-17")))
	equal(t, "newest", p.FetchedLast, pulled(on("2026-11-19")))
	equal(t, "cut", p.Has(FlagCut), false)

	none := rankedDays(true)
	none.TopOfDays = nil
	top = overview(t, none, threeDays).Top
	if top.Empty == nil || top.Empty.Cause != CauseNothing || *top.Earned != 0 {
		t.Errorf("three whole days without earners: %+v", top.Panel)
	}
}

func TestADayThatMayLackOffersIsNamed_N16_N68(t *testing.T) {
	t.Parallel()
	in := rankedDays(false)
	equal(t, "a day of three that may be cut", overview(t, in, threeDays).Top.Provenance.Cut, []civil.Date{on("2026-11-19")})
	in.RankedDays = in.RankedDays[1:]
	top := overview(t, in, threeDays).Top
	equal(t, "cut", top.Provenance.Cut, []civil.Date{on("2026-11-19")})
	equal(t, "without a number", top.Provenance.Missing, []civil.Date{on("2026-11-17"), on("2026-11-19")})
	equal(t, "flag", top.Provenance.Has(FlagCut), true)
	if top.Empty == nil || !strings.Contains(top.Empty.Text, "17 Nov and 19 Nov") {
		t.Errorf("%+v", top.Empty)
	}
	in.TopLists = ranking(cut, "c 7", "-").TopLists
	in.TopLists[0].Window = span("2026-11-17", "2026-11-19")
	top = overview(t, in, threeDays).Top
	equal(t, "the window's own list, as it came", ids(top.Highest), "1c")
	equal(t, "basis", top.Provenance.Basis, Reported)
	in.RankedDays, in.TopOfDays = rankedDays(true).RankedDays, offers("a 9, b 5")
	equal(t, "whole days before a list that may be cut", ids(overview(t, in, threeDays).Top.Highest), "1a 2b")
}

func TestRankedDaysOfTwoCurrenciesMakeNoRanking_N34(t *testing.T) {
	t.Parallel()
	in := rankedDays(true)
	in.RankedDays[1].Currency = "EUR"
	top := overview(t, in, threeDays).Top
	if top.Empty == nil || top.Empty.Cause != CauseNotKept || len(top.Highest) > 0 {
		t.Errorf("%+v", top)
	}
}
