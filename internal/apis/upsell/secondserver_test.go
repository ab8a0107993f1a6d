package upsell_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

func TestSecondServer_AnalyticsInOtherForms(t *testing.T) {
	t.Parallel()
	c := docClient(t)
	summary, err := c.Summary(t.Context(), week)
	must.NoError(t, err)
	must.Equal(t, "1234.5", summary.Data.TotalUpsoldValue.String())
	must.Equal(t, int64(400), summary.Data.TotalOrders)
	must.True(t, summary.Data.UpsellSuccessRate == nil && summary.Data.AverageUpsoldValue == nil && summary.Data.OfferViews == nil)
	must.Equal(t, upstream.Text("app-default"), summary.Data.AppliedWindow.Source) // N24
	must.Equal(t, 0, len(summary.Flags))

	stats, err := c.Stats(t.Context(), week)
	must.NoError(t, err)
	must.Equal(t, int64(45), stats.Data.ShopOfferCount)
	must.True(t, stats.Data.Placements[0].Revenue.IsZero(), "0 is reported")
	must.True(t, stats.Data.Placements[1].Revenue == nil, "N13: absent is not 0")
	must.Equal(t, int64(12), stats.Data.Placements[1].Claims)
	must.True(t, !stats.Data.Placements[2].Placement.Known(), "N31: kept as it came")

	top, err := c.Top(t.Context(), week, upsell.Lowest, 1)
	must.NoError(t, err)
	must.Equal(t, "t2", top.Data.Offers[0].ID)
	top, err = c.Top(t.Context(), week, upsell.Highest, 100)
	must.NoError(t, err)
	must.True(t, top.Data.Offers[0].IsDeleted && top.Data.Offers[0].URL == "" && top.Data.Offers[0].Type == "", "N17")

	coverage, err := c.Coverage(t.Context(), days("2025-01-01", "2026-11-19"))
	must.NoError(t, err)
	must.Equal(t, int64(3), coverage.Data.Placements[0].TotalCount)
	must.True(t, coverage.Data.Placements[0].RecentRevenue == nil, "N13")

	lifetime, err := c.Lifetime(t.Context())
	must.NoError(t, err)
	must.Equal(t, "9007199254740993.25", lifetime.Data.TotalRevenue.String())
	must.Equal(t, int64(20000), lifetime.Data.OfferViews)
}

func TestSecondServer_N8_EveryOfferIsFoundByHasMore(t *testing.T) {
	t.Parallel()
	c := docClient(t)
	var ids []string
	var totals []int64
	for page := 1; ; page++ {
		got, err := c.Offers(t.Context(), upsell.OffersQuery{Page: page, Sort: upsell.Oldest})
		must.NoError(t, err)
		must.Equal(t, 0, len(got.Flags))
		totals = append(totals, got.Data.Total)
		for _, offer := range got.Data.Offers {
			ids = append(ids, offer.ID)
		}
		if !got.Data.HasMore {
			break
		}
	}
	count, err := c.Count(t.Context())
	must.NoError(t, err)
	must.Equal(t, int(count.Data.Total), len(slices.Compact(slices.Sorted(slices.Values(ids)))))
	must.Equal(t, []int64{45, 25, 5}, totals)
}

func TestSecondServer_N30_FiltersAreConfirmed(t *testing.T) {
	t.Parallel()
	c := docClient(t)
	for _, q := range []upsell.OffersQuery{
		{Status: upsell.Active},
		{Type: upsell.Coupon, ABTest: true},
		{Query: "OFFER 1", Status: upsell.Active, Type: upsell.ThankYou},
		{Query: "nothing has this name"},
	} {
		got, err := c.Offers(t.Context(), q)
		must.NoError(t, err)
		must.Equal(t, 0, len(got.Flags), q)
		must.True(t, q.ConfirmedBy(got.Data))
		must.True(t, !upsell.OffersQuery{Status: upsell.Expired, ABTest: true}.ConfirmedBy(got.Data), q)
	}
}

func TestSecondServer_ByPriorityPagesInDisplayOrder(t *testing.T) {
	t.Parallel()
	c := docClient(t)
	last := int64(0)
	for page := 1; page <= 2; page++ {
		got, err := c.ByPriority(t.Context(), upsell.ThankYou, page)
		must.NoError(t, err)
		must.Equal(t, 0, len(got.Flags))
		must.Equal(t, page == 1, got.Data.HasMore)
		for _, offer := range got.Data.Offers {
			must.True(t, *offer.Priority > last)
			last = *offer.Priority
		}
	}
	got, err := c.ByPriority(t.Context(), upsell.OrderStatus, 0)
	must.NoError(t, err)
	must.True(t, got.Data.Offers != nil && len(got.Data.Offers) == 0)
}

func TestSecondServer_SetupOfAnotherInnerShape(t *testing.T) {
	t.Parallel()
	c := docClient(t)
	got, err := c.Offer(t.Context(), "o1")
	must.NoError(t, err)
	offer := *got.Data
	must.True(t, !offer.Status.Known() && !offer.Type.Known() && offer.TriggerCriteria.Known(), "N31")
	must.True(t, offer.EndDate == nil && offer.DiscountValue == "" && offer.Revenue == nil && offer.ABTest == nil, "N33")
	conditions := offer.TriggerConditions
	must.Equal(t, 6, len(conditions))
	must.Equal(t, []upsell.Resource{
		{Kind: upsell.Product, ID: "gid://p/Product/1", Title: "Socks", Deleted: true},
		{Kind: upsell.Product, ID: "22"},
	}, conditions[0].Resources)
	must.Equal(t, []upsell.Resource{{Kind: upsell.Collection, ID: "7", Title: "Winter", Deleted: true}}, conditions[1].Resources)
	must.Equal(t, []upsell.Resource{{Kind: upsell.Tag, Title: "vip"}, {Kind: upsell.Tag, Title: "gone", Deleted: true}}, conditions[2].Resources)
	must.Equal(t, "cart_total", conditions[3].Kind)
	must.Equal(t, `[1,2]`, string(conditions[5].Raw))

	got, err = c.Offer(t.Context(), "o/2 é%")
	must.NoError(t, err)
	must.Equal(t, upsell.DiscountValue("15"), got.Data.DiscountValue)
	must.Equal(t, "2026-04-01T00:00:00", *got.Data.EndDate)
	must.Equal(t, int64(10), *got.Data.Claims)
	must.True(t, !got.Data.TriggerCriteria.Known())
}

func TestSecondServer_N32_NoDataIsNeitherErrorNorDeletion(t *testing.T) {
	t.Parallel()
	c := docClient(t)
	offer, err := c.Offer(t.Context(), "unknown")
	must.NoError(t, err)
	must.Nil(t, offer.Data)
	for _, id := range []string{"unknown", "o9"} {
		stages, err := c.Stages(t.Context(), id)
		must.NoError(t, err)
		must.Nil(t, stages.Data)
	}
}

func TestSecondServer_StagesOfAnotherInnerShape(t *testing.T) {
	t.Parallel()
	c := docClient(t)
	got, err := c.Stages(t.Context(), "o1")
	must.NoError(t, err)
	stages := got.Data.Stages
	must.Equal(t, []int{-1, 0, 0, -1}, got.Data.Parents())
	var outcomes []string
	for _, stage := range stages {
		outcomes = append(outcomes, stage.Label.Name+" "+string(stage.Label.Outcome))
	}
	must.Equal(t, []string{"First upsell ", "Second declined", "Third accepted", "Fourth "}, outcomes)
	first := stages[0].Products[0]
	must.Equal(t, "gid://p/Product/1 Socks PERCENT 10", strings.Join([]string{first.ID, first.Title, first.DiscountType, string(first.Discount)}, " "))
	must.Equal(t, upsell.DiscountValue(""), stages[0].Products[1].Discount, "N33: not said")
	bundle := stages[1].BundleDeal
	must.Equal(t, int64(2), *bundle.Tiers[0].Quantity)
	must.Equal(t, upsell.DiscountValue("10"), bundle.Tiers[0].Discount)
	must.Equal(t, upsell.DiscountValue("15%"), bundle.Tiers[1].Discount)
	arms := stages[2].ABTest.Arms
	must.Equal(t, []string{"control", "b"}, []string{arms[0].Name, arms[1].Name})
	must.Equal(t, upsell.DiscountValue("0"), arms[0].Products[0].Discount)
	must.Equal(t, "fixed 0.5", arms[1].BundleDeal.Type+" "+arms[1].Share)
	must.Contains(t, string(stages[3].Raw), "mystery")

	got, err = c.Stages(t.Context(), "t2")
	must.NoError(t, err)
	must.True(t, got.Data.Stages[0].ABTest == nil && got.Data.Stages[0].Label == nil && got.Data.Stages[0].Products != nil)
}

func TestSecondServer_N36_FourShapesAndFiveCauses(t *testing.T) {
	t.Parallel()
	c := docClient(t)
	cases := map[string]struct {
		query upsell.RecommendationsQuery
		want  string
	}{
		"nothing named":      {upsell.RecommendationsQuery{}, "best sellers: nothing named, 2"},
		"bought together":    {upsell.RecommendationsQuery{OfferID: "o1"}, "together: 2 triggers, omitted 2, deleted 2"},
		"no product trigger": {upsell.RecommendationsQuery{OfferID: "o2"}, "best sellers: no product trigger, 2"},
		"triggers deleted":   {upsell.RecommendationsQuery{OfferID: "o3"}, "best sellers: triggers deleted, 2"},
		"no slot":            {upsell.RecommendationsQuery{OfferID: "o4"}, "no slot: true"},
		"product deleted":    {upsell.RecommendationsQuery{ProductID: "gid://p/Product/404"}, "best sellers: product deleted, 2"},
		"no match":           {upsell.RecommendationsQuery{ProductName: "nothing such"}, "best sellers: no match, 2"},
		"ambiguous":          {upsell.RecommendationsQuery{ProductName: "hat"}, "candidates: 2"},
		"unknown cause":      {upsell.RecommendationsQuery{ProductName: "odd"}, "best sellers: unknown, 2"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := c.Recommendations(t.Context(), tc.query)
			must.NoError(t, err)
			must.Equal(t, tc.want, inWords(got.Data))
			must.Equal(t, 0, len(got.Flags))
		})
	}
	_, err := c.Recommendations(t.Context(), upsell.RecommendationsQuery{OfferID: "a fifth shape"})
	must.Equal(t, upstream.Quarantine, failure(t, err).Kind)
}

// inWords describes an answer in a few words.
func inWords(r upsell.Recommendations) string {
	switch r := r.(type) {
	case upsell.BoughtTogether:
		said := "together: " + strconv.Itoa(len(r.Triggers)) + " triggers"
		if r.OmittedTriggers != nil {
			said += ", omitted " + count(r.OmittedTriggers.Count)
		}
		if r.DeletedTriggers != nil {
			said += ", deleted " + count(r.DeletedTriggers.Count)
		}
		return said
	case upsell.BestSellers:
		return "best sellers: " + r.Cause.String() + ", " + strconv.Itoa(len(r.Products))
	case upsell.Candidates:
		return "candidates: " + strconv.Itoa(len(r.Products))
	case upsell.NoProductSlot:
		return "no slot: " + strconv.FormatBool(r.CouponOffer)
	}
	return "none"
}

func count(n *int64) string {
	if n == nil {
		return "?"
	}
	return strconv.FormatInt(*n, 10)
}
