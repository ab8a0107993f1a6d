package plan

import (
	"fmt"
	"slices"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/report"
)

// counted is an offer count: a placement's active, scheduled and expired offers.
func counted(placements map[upsell.Placement][3]int64) []sqlc.OfferCount {
	total, all := sqlc.OfferCount{}, upsell.Placements()
	var out []sqlc.OfferCount
	for p := range placements {
		if !p.Known() {
			all = append(all, p)
		}
	}
	for _, p := range all {
		n := placements[p]
		c := sqlc.OfferCount{Placement: report.Placement(p), Active: n[0], Scheduled: n[1], Expired: n[2], Total: n[0] + n[1] + n[2]}
		out = append(out, c)
		total.Total += c.Total
	}
	return append(out, total)
}

// lists describes slices: "Coupon offer, active, newest".
func lists(in []ListSlice) []string {
	var out []string
	for _, s := range in {
		words := s.Sort
		if s.ABTest {
			words = "under test, " + words
		}
		for _, filter := range []string{s.Status, s.Placement} {
			if filter != "" {
				words = filter + ", " + words
			}
		}
		out = append(out, words)
	}
	return out
}

func TestTheWalkBeginsWithTheFewestListsThatShowAll_N9(t *testing.T) {
	t.Parallel()
	const post, thanks, coupon, order = upsell.PostPurchase, upsell.ThankYou, upsell.Coupon, upsell.OrderStatus
	const cart upsell.Placement = "Cart drawer upsell"
	for name, c := range map[string]struct {
		counts []sqlc.OfferCount
		want   []string
	}{
		"no count":                            {nil, []string{"oldest"}},
		"no offers":                           {counted(nil), []string{"oldest"}},
		"1,000 in all":                        {counted(map[upsell.Placement][3]int64{post: {400, 100, 0}, order: {500, 0, 0}}), []string{"oldest"}},
		"1,001 in all":                        {counted(map[upsell.Placement][3]int64{post: {400, 101, 0}, order: {500, 0, 0}}), []string{string(post) + ", oldest", string(order) + ", oldest"}},
		"1,001 of one":                        {counted(map[upsell.Placement][3]int64{thanks: {1000, 0, 1}, coupon: {1, 0, 0}}), []string{string(thanks) + ", active, oldest", string(thanks) + ", expired, oldest", string(coupon) + ", oldest"}},
		"a placement that can't be asked for": {counted(map[upsell.Placement][3]int64{coupon: {600, 0, 100}, cart: {2, 0, 400}}), []string{"active, oldest", "expired, oldest"}},
		"1,001 of a status":                   {counted(map[upsell.Placement][3]int64{coupon: {0, 1001, 0}}), []string{string(coupon) + ", scheduled, oldest"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sameList(t, "lists", lists(FirstSlices(c.counts)), c.want...)
		})
	}
}

func TestWhatAListDoesNotShowIsWalkedByItsSlices_N9(t *testing.T) {
	t.Parallel()
	whole := ListSlice{Sort: "oldest"}
	placement := ListSlice{Placement: "Coupon offer", Sort: "oldest"}
	status := ListSlice{Placement: "Coupon offer", Status: "active", Sort: "oldest"}
	newest, tested := status, status
	newest.Sort, tested.ABTest = "newest", true
	testedNewest := tested
	testedNewest.Sort = "newest"
	shopActive := ListSlice{Status: "active", Sort: "newest"}
	secret := counted(map[upsell.Placement][3]int64{upsell.Coupon: {700, 0, 0}})
	secret[len(secret)-1].Total += 500
	some := counted(map[upsell.Placement][3]int64{upsell.Coupon: {700, 0, 700}})
	for name, c := range map[string]struct {
		slice  ListSlice
		short  bool
		counts []sqlc.OfferCount
		want   []string
	}{
		"all shown":                                {whole, false, nil, nil},
		"the shop, without a count":                {whole, true, nil, []string{"Post-purchase upsell, oldest", "Thank you page upsell, oldest", "Coupon offer, oldest", "Order status page upsell, oldest"}},
		"the shop, empty ones known":               {whole, true, some, []string{"Coupon offer, active, oldest", "Coupon offer, expired, oldest"}},
		"a placement":                              {placement, true, nil, []string{"Coupon offer, active, oldest", "Coupon offer, scheduled, oldest", "Coupon offer, expired, oldest"}},
		"a status: its other end":                  {status, true, nil, []string{"Coupon offer, active, newest"}},
		"both ends: what is tested":                {newest, true, nil, []string{"Coupon offer, active, under test, oldest"}},
		"what is tested":                           {tested, true, nil, []string{"Coupon offer, active, under test, newest"}},
		"the shop, some in none of the placements": {whole, true, secret, []string{"active, oldest", "scheduled, oldest", "expired, oldest"}},
		"a status of the shop, from both ends":     {shopActive, true, some, []string{"Coupon offer, active, oldest"}},
		"nothing is left to slice by":              {testedNewest, true, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sameList(t, "lists", lists(NextSlices(c.slice, c.short, c.counts)), c.want...)
		})
	}
}

// Each offer has its own night of the week, whenever it was last asked for.
func TestDetailsTakeTheirTurnOnceAWeek(t *testing.T) {
	t.Parallel()
	loc := zone(t, "America/New_York")
	nights := map[int]int{}
	for i := range 700 {
		id := fmt.Sprintf("offer %d", i)
		today := on("2026-11-20")
		first := nightsUntilTurn(id, today)
		nights[first]++
		for after := range 14 {
			n := nightsUntilTurn(id, today.AddDays(after))
			if n < 1 || n > 7 || (after+n-first)%7 != 0 {
				t.Fatalf("%s waits %d nights on the first day and %d on day %d", id, first, n, after)
			}
		}
		due := DueAgain(Pull{Kind: OfferStages, Subject: id}, noon, loc)
		if want := MidnightAfter(today.AddDays(first-1), loc).Add(AfterMidnight); !due.Equal(want) {
			t.Fatalf("%s is due %s, want %s", id, due, want)
		}
	}
	for n := 1; n <= 7; n++ {
		if nights[n] < 70 || nights[n] > 130 {
			t.Errorf("%d of 700 offers have night %d, want about a seventh", nights[n], n)
		}
	}
}

func TestWhatHasJustChangedGoesBeforeWhoseTurnItIs(t *testing.T) {
	t.Parallel()
	loc := zone(t, "America/New_York")
	ledger := settle(nil, Due(Upsell, nil, 9, noon, loc, 1000), noon, loc)
	for _, kind := range []Kind{OfferSetup, OfferStages, OfferRecommendations} {
		ledger[Key{kind, "changed"}] = sqlc.Ledger{DueAt: new(noon.Add(-1))}
		for _, id := range []string{"b", "a"} {
			ledger[Key{kind, id}] = sqlc.Ledger{DueAt: new(noon.Add(-12 * 3600e9))}
		}
		ledger[Key{kind, "gone"}] = sqlc.Ledger{}
	}
	ledger[Key{TopDayLowest, "2026-11-01"}] = sqlc.Ledger{DueAt: new(noon)}
	ledger[Key{LifetimeNow, ""}] = sqlc.Ledger{DueAt: new(noon)}
	sameList(t, "plan", names(Due(Upsell, ledger, 9, noon, loc, 1000)),
		"lifetime", "top.day.lowest 2026-11-01",
		"offer.setup changed", "offer.stages changed", "offer.recommendations changed",
		"offer.setup a", "offer.stages a", "offer.recommendations a", "offer.setup b", "offer.stages b", "offer.recommendations b")

	// The offers that pages show come first in their order, and the other active ones before older days.
	ledger[Key{TopDayLowest, "2026-08-01"}] = sqlc.Ledger{DueAt: new(noon)}
	shown := append([]string{"b", "changed"}, make([]string, detailsFirst-2)...)
	sameList(t, "with offers shown", names(Due(Upsell, ledger, 9, noon, loc, 1000, append(shown, "a")...)),
		"lifetime",
		"offer.setup b", "offer.stages b", "offer.recommendations b", "offer.setup changed", "offer.stages changed", "offer.recommendations changed",
		"top.day.lowest 2026-11-01",
		"offer.setup a", "offer.stages a", "offer.recommendations a",
		"top.day.lowest 2026-08-01")
}

func TestARowThatNamesNoWindowIsNotPulled(t *testing.T) {
	t.Parallel()
	loc := zone(t, "America/New_York")
	for service, rows := range map[string]map[Key]bool{
		Upsell: {
			{SummaryRange, "2026-11-01..2026-11-18"}: true, {SummaryRange, "2026-11-01"}: false, {SummaryRange, "2026-11-01.."}: false,
			{SummaryRange, "..2026-11-18"}: false, {TopDayLowest, "2026-11-01"}: true, {TopDayLowest, "yesterday"}: false,
		},
		// Its windows all end yesterday.
		Gift: {{GiftRange, "2026-11-01..2026-11-19"}: true, {GiftRange, "2026-11-01..2026-11-18"}: false, {GiftRange, "2026-11-19"}: false},
	} {
		ledger := settle(nil, Due(service, nil, 9, noon, loc, 1000), noon, loc)
		var want []string
		for key, pulled := range rows {
			ledger[key] = sqlc.Ledger{DueAt: new(noon)}
			if pulled {
				want = append(want, string(key.Kind)+" "+key.Subject)
			}
		}
		got := names(Due(service, ledger, 9, noon, loc, 1000))
		slices.Sort(got)
		slices.Sort(want)
		sameList(t, service, got, want...)
	}
}
