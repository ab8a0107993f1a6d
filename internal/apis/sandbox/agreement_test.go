package sandbox

import (
	"fmt"
	"testing"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

var (
	firstDay = civil.Date{Year: 2026, Month: 10, Day: 21}
	lastDay  = civil.Date{Year: 2026, Month: 11, Day: 19}
)

func span(from, to civil.Date) string { return fmt.Sprintf("?start=%s&end=%s", from, to) }

func TestSummaryOfARangeIsTheSumOfItsDays(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	for _, slug := range sellers {
		whole := data[gotSummary](t, w.upsell(slug, "/data/analytics/summary"+span(firstDay, lastDay)))
		var sum gotSummary
		for d := firstDay; !d.After(lastDay); d = d.AddDays(1) {
			day := data[gotSummary](t, w.upsell(slug, "/data/analytics/summary"+span(d, d)))
			same(t, gotWindow{d.String(), d.String(), "merchant"}, day.AppliedWindow)
			sum.TotalUpsoldValue = sum.TotalUpsoldValue.Add(day.TotalUpsoldValue)
			sum.TotalUpsoldOrders += day.TotalUpsoldOrders
			sum.TotalOrders += day.TotalOrders
			sum.OfferViews += day.OfferViews
		}
		equalMoney(t, whole.TotalUpsoldValue, sum.TotalUpsoldValue, slug+" value")
		same(t, whole.TotalUpsoldOrders, sum.TotalUpsoldOrders)
		same(t, whole.TotalOrders, sum.TotalOrders)
		same(t, whole.OfferViews, sum.OfferViews)
		hold(t, whole.TotalOrders > 0)
		rate := decimal.Zero
		if whole.TotalOrders > 0 {
			rate = decimal.NewFromInt(whole.TotalUpsoldOrders).DivRound(decimal.NewFromInt(whole.TotalOrders), 6)
		}
		equalMoney(t, rate, whole.UpsellSuccessRate, slug+" rate")
	}
}

func TestEveryAnswerOfARangeComesFromTheSameOrders(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	for _, slug := range sellers {
		asked := span(firstDay, lastDay)
		sum := data[gotSummary](t, w.upsell(slug, "/data/analytics/summary"+asked))
		stats := data[gotStats](t, w.upsell(slug, "/data/analytics/stats"+asked))
		top := data[gotOffers](t, w.upsell(slug, "/data/analytics/top"+asked+"&limit=50"))
		cover := data[gotCoverage](t, w.upsell(slug, "/data/analytics/coverage"+asked))
		count := data[gotCount](t, w.upsell(slug, "/data/offers/count"))

		same(t, 4, len(stats.Placements))
		var views, claims int64
		revenue := decimal.Zero
		for i, row := range stats.Placements {
			views += row.Impressions
			if row.Placement == "Coupon offer" {
				hold(t, row.Revenue == nil, "a coupon row omits revenue")
				hold(t, cover.Placements[i].RecentRevenue == nil, "a coupon row omits recentRevenue")
				continue
			}
			claims += row.Claims
			revenue = revenue.Add(*row.Revenue)
			equalMoney(t, *row.Revenue, *cover.Placements[i].RecentRevenue, slug+" "+row.Placement)
			byOffer, claimed := decimal.Zero, int64(0)
			for _, o := range top.Offers {
				if o.Type == row.Placement {
					byOffer, claimed = byOffer.Add(*o.Revenue), claimed+*o.Claims
				}
			}
			equalMoney(t, *row.Revenue, byOffer, slug+" top of "+row.Placement)
			same(t, row.Claims, claimed)
			one := data[gotStats](t, w.upsell(slug, "/data/analytics/stats"+asked+"&type="+[]string{"post-purchase", "thank-you-page", "", "order-status-page"}[i]))
			same(t, row, one.Placements[0])
			same(t, 1, len(one.Placements))
		}
		equalMoney(t, sum.TotalUpsoldValue, revenue, slug+" value")
		same(t, sum.OfferViews, views)
		hold(t, sum.TotalUpsoldOrders <= claims, "one order may accept several offers")
		same(t, count.Total, stats.ShopOfferCount)
		same(t, count.Total, top.ShopOfferCount)
		for i, row := range cover.Placements {
			same(t, count.ByType[i].Count, row.TotalCount)
			same(t, count.ByType[i].ByStatus["active"], row.ActiveCount)
			same(t, row.ActiveCount > 0, row.HasActive)
		}
	}
}

func TestAnswersEqualOrdersCountedOneByOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	for _, sh := range w.shops {
		want := countOrders(sh, firstDay, lastDay)
		got := data[gotSummary](t, w.upsell(sh.Slug, "/data/analytics/summary"+span(firstDay, lastDay)))
		same(t, []int64{want.orders, want.upsold, want.views}, []int64{got.TotalOrders, got.TotalUpsoldOrders, got.OfferViews}, sh.Slug)
		equalMoney(t, decimal.New(want.earned, -int32(sh.Digits)), got.TotalUpsoldValue, sh.Slug)

		gift := data[gotAnalytics](t, w.gift(sh.Slug, "/analytics"))
		start, err := civil.ParseDate(gift.Period.Start)
		hold(t, err == nil, err)
		want = countOrders(sh, start, start.AddDays(29))
		same(t, want.gifts, gift.Metrics["orders"].Value.IntPart(), sh.Slug)
		equalMoney(t, decimal.New(want.given, -int32(sh.Digits)), *gift.Metrics["revenue"].Value, sh.Slug+" gift revenue")
	}
}

type counted struct{ orders, upsold, views, earned, gifts, given int64 }

// countOrders goes through a range order by order, without the running totals that the service reads.
func countOrders(sh *world.Shop, from, to civil.Date) (c counted) {
	for d := from; !d.After(to); d = d.AddDays(1) {
		day := d.DaysSince(sh.Since)
		for _, o := range sh.Orders(day, sh.Offers(day)) {
			c.orders++
			took := false
			for p := range world.Placements {
				if o.Shown[p] != world.None {
					c.views++
				}
				c.earned += o.Earned[p]
				took = took || o.Took[p] && p != world.Coupon
			}
			if took {
				c.upsold++
			}
			if o.Gift {
				c.gifts++
				c.given += o.Total
			}
		}
	}
	return c
}

func TestLifetimeIsEveryDaySoFarAndListRevenueIsAllTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	for _, sh := range w.shops {
		life := data[gotLifetime](t, w.upsell(sh.Slug, "/data/analytics/lifetime"))
		value, views, upsold := decimal.Zero, int64(0), int64(0)
		today := sh.Date(sh.Moment(w.clock.now()).Day)
		for from := sh.Since; !from.After(today); from = from.AddDays(90) {
			to := from.AddDays(89)
			if to.After(today) {
				to = today
			}
			part := data[gotSummary](t, w.upsell(sh.Slug, "/data/analytics/summary"+span(from, to)))
			value, views, upsold = value.Add(part.TotalUpsoldValue), views+part.OfferViews, upsold+part.TotalUpsoldOrders
		}
		equalMoney(t, value, life.TotalRevenue, sh.Slug)
		same(t, []int64{views, upsold}, []int64{life.OfferViews, life.UpsoldOrders})

		all := data[gotCoverage](t, w.upsell(sh.Slug, "/data/analytics/coverage"+span(sh.Since, today)))
		covered := decimal.Zero
		for _, row := range all.Placements {
			if row.RecentRevenue != nil {
				covered = covered.Add(*row.RecentRevenue)
			}
		}
		equalMoney(t, value, covered, sh.Slug+" coverage over every day")

		b := sh.Book(w.clock.now())
		listed := decimal.Zero
		for _, o := range walk(t, w, sh.Slug, "/data/offers?sort=oldest") {
			if o.Revenue != nil {
				listed = listed.Add(*o.Revenue)
			}
		}
		for i := range b.Offers {
			if b.Offers[i].Deleted(b.Now) {
				listed = listed.Add(decimal.New(b.Offer(i, 0, b.Now.Day).Revenue, -int32(sh.Digits)))
			}
		}
		equalMoney(t, value, listed, sh.Slug+" lists and deleted offers")
	}
}

func TestFernhollowHasEveryKindOfOffer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	count := data[gotCount](t, w.upsell("fernhollow", "/data/offers/count"))
	same(t, 22, count.Total)
	for _, status := range []string{"active", "scheduled", "expired"} {
		hold(t, count.ByStatus[status] > 0, status)
	}
	same(t, 2, count.ByType[2].Count, "coupon offers")
	cover := data[gotCoverage](t, w.upsell("fernhollow", "/data/analytics/coverage"))
	same(t, 3, cover.Placements[3].TotalCount)
	hold(t, cover.Placements[3].ActiveCount == 0, "the order status page is switched off")
	hold(t, cover.Placements[3].RecentRevenue.IsPositive(), "it sold until two weeks ago")

	sum := data[gotSummary](t, w.upsell("fernhollow", "/data/analytics/summary"+span(firstDay, lastDay)))
	near(t, 50_000, sum.TotalUpsoldValue.InexactFloat64(), 5_000)
	near(t, 1_300, float64(sum.TotalUpsoldOrders), 120)
	near(t, 9_300, float64(sum.TotalOrders), 500)

	kumo := data[gotSummary](t, w.upsell("kumo", "/data/analytics/summary"+span(firstDay, lastDay)))
	hold(t, kumo.TotalUpsoldValue.IsInteger(), "a yen has no parts")
	plain := data[gotStats](t, w.upsell("wattle", "/data/analytics/stats"))
	hold(t, plain.ShopOfferCount == 0)
}
