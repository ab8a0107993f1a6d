package upsell_test

import (
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

func TestSummaryIsReadInFull(t *testing.T) {
	t.Parallel()
	s := open(t, upstreamtest.OK(`{`+summary+`,"upsellSuccessRate":0.1,"averageUpsoldValue":30.8625,"offerViews":9001,"shopDomain":"acme.example"}`))
	got, err := s.Summary(t.Context(), week)
	must.NoError(t, err)
	must.Equal(t, "1234.5", got.Data.TotalUpsoldValue.String())
	must.Equal(t, int64(40), got.Data.TotalUpsoldOrders)
	must.Equal(t, int64(400), got.Data.TotalOrders)
	must.Equal(t, "0.1", got.Data.UpsellSuccessRate.String())
	must.Equal(t, "30.8625", got.Data.AverageUpsoldValue.String())
	must.Equal(t, int64(9001), *got.Data.OfferViews)
	must.Equal(t, upstream.Currency("USD"), got.Data.Currency)
	must.Equal(t, "acme.example", got.Data.ShopDomain)
	must.Equal(t, week, got.Data.AppliedWindow.Range())
	must.Equal(t, "/data/analytics/summary", got.Endpoint)
	must.Equal(t, 0, len(got.Flags))
	s.gate.Check(t, 1)
}

func TestSummaryWithoutWhatCanBeRecomputedIsRead(t *testing.T) {
	t.Parallel()
	got, err := open(t, upstreamtest.OK(`{`+summary+`,"averageUpsoldValue":null}`)).Summary(t.Context(), week)
	must.NoError(t, err)
	must.True(t, got.Data.UpsellSuccessRate == nil && got.Data.AverageUpsoldValue == nil && got.Data.OfferViews == nil)
}

func TestReplyWithoutARequiredFieldIsQuarantined(t *testing.T) {
	t.Parallel()
	bodies := map[string]struct {
		data string
		call func(shop) error
	}{
		"summary": {`{` + summary + `}`, func(s shop) error { _, err := s.Summary(t.Context(), week); return err }},
		"stats": {`{"placements":[{"placement":"Coupon offer","impressions":1,"claims":1}],` + top + `}`,
			func(s shop) error { _, err := s.Stats(t.Context(), week); return err }},
		"coverage": {`{"placements":[{"placement":"Coupon offer","hasActive":true,"activeCount":1,"totalCount":1}],"currency":"USD",` + window + `}`,
			func(s shop) error { _, err := s.Coverage(t.Context(), week); return err }},
		"lifetime": {`{"totalRevenue":1,"offerViews":2,"upsoldOrders":1,"currency":"USD"}`,
			func(s shop) error { _, err := s.Lifetime(t.Context()); return err }},
		"offers": {`{"offers":[{"id":"1","name":"a","status":"active","type":"Coupon offer","abTest":false}],"total":1,"hasMore":false,"currency":"USD"}`,
			func(s shop) error { _, err := s.Offers(t.Context(), upsell.OffersQuery{}); return err }},
		"count": {`{"total":1,"byType":[{"type":"Coupon offer","count":1,"byStatus":{"active":1,"expired":0,"scheduled":0}}]}`,
			func(s shop) error { _, err := s.Count(t.Context()); return err }},
	}
	for name, c := range bodies {
		must.NoError(t, c.call(open(t, upstreamtest.OK(c.data))), name)
		for key := range strings.SplitSeq(c.data, `"`) {
			if !strings.Contains(c.data, `"`+key+`":`) || key == "source" {
				continue
			}
			t.Run(name+" "+key, func(t *testing.T) {
				broken := strings.Replace(c.data, `"`+key+`":`, `"x`+key+`":`, 1)
				must.Equal(t, upstream.Quarantine, failure(t, c.call(open(t, upstreamtest.OK(broken)))).Kind)
			})
		}
	}
}

func TestN22_BothDatesAreAlwaysSent(t *testing.T) {
	t.Parallel()
	one := upsell.Range{Start: day("2026-11-19"), End: day("2026-11-19")}
	calls := map[string]func(shop, upsell.Range) error{
		"summary":  func(s shop, r upsell.Range) error { _, err := s.Summary(t.Context(), r); return err },
		"stats":    func(s shop, r upsell.Range) error { _, err := s.Stats(t.Context(), r); return err },
		"coverage": func(s shop, r upsell.Range) error { _, err := s.Coverage(t.Context(), r); return err },
		"top":      func(s shop, r upsell.Range) error { _, err := s.Top(t.Context(), r, upsell.Lowest, 7); return err },
	}
	for name, call := range calls {
		s := open(t, upstreamtest.Reply{Status: 404})
		_ = call(s, one)
		query := s.sent(t, "/data/analytics/"+name)
		must.Equal(t, "2026-11-19", query.Get("start"), name)
		must.Equal(t, "2026-11-19", query.Get("end"), name)
	}
}

func TestN22_AnotherWindowThanAskedIsFlagged(t *testing.T) {
	t.Parallel()
	got, err := open(t, upstreamtest.OK(`{`+summary+`}`)).Summary(t.Context(), days("2026-11-12", "2026-11-19"))
	must.NoError(t, err)
	must.True(t, got.Has(upstream.FlagWindowDiffers))
	must.Equal(t, week, got.Data.AppliedWindow.Range(), "what was applied is what is kept")
}

func TestN23_NinetyDaysAreStartToStartPlus89(t *testing.T) {
	t.Parallel()
	start := day("2026-01-01")
	exactly := upsell.Range{Start: start, End: start.AddDays(89)}
	must.Equal(t, upsell.MaxDays, exactly.Days())
	longer := upsell.Range{Start: start, End: start.AddDays(90)}
	reversed := days("2026-11-19", "2026-11-18")
	invalid := upsell.Range{End: start}

	calls := map[string]func(shop, upsell.Range) error{
		"summary": func(s shop, r upsell.Range) error { _, err := s.Summary(t.Context(), r); return err },
		"stats":   func(s shop, r upsell.Range) error { _, err := s.Stats(t.Context(), r); return err },
		"top":     func(s shop, r upsell.Range) error { _, err := s.Top(t.Context(), r, upsell.Highest, 1); return err },
	}
	for name, call := range calls {
		s := open(t, upstreamtest.Reply{Status: 404})
		for _, r := range []upsell.Range{longer, reversed, invalid} {
			f := failure(t, call(s, r))
			must.Equal(t, upstream.OurFault, f.Kind, name)
			must.Equal(t, 0, f.Attempts)
		}
		must.ErrorContains(t, call(s, longer), "pull "+name, "the range has 91 days, at most 90 can be asked for")
		must.Equal(t, 0, len(s.Requests()), name+": nothing was sent")
		_ = call(s, exactly)
		must.Equal(t, 1, len(s.Requests()))
	}
}

func TestN29_CoverageTakesAnyLength(t *testing.T) {
	t.Parallel()
	s := open(t, upstreamtest.OK(`{"placements":[{"placement":"Thank you page upsell","hasActive":false,"activeCount":0,"totalCount":4,"recentRevenue":12.00}],
		"currency":"USD","appliedWindow":{"start":"2025-01-01","end":"2026-11-19"}}`))
	got, err := s.Coverage(t.Context(), days("2025-01-01", "2026-11-19"))
	must.NoError(t, err)
	must.Equal(t, 0, len(got.Flags))
	must.Equal(t, int64(4), got.Data.Placements[0].TotalCount)
	must.Equal(t, upstream.Text(""), got.Data.AppliedWindow.Source)
	_, err = s.Coverage(t.Context(), days("2026-11-19", "2026-11-18"))
	must.ErrorContains(t, err, "ends before it starts")
}

func TestN13_ACouponRowHasNoRevenueWhichIsNotZero(t *testing.T) {
	t.Parallel()
	got, err := open(t, upstreamtest.OK(`{"placements":[
		{"placement":"Post-purchase upsell","impressions":10,"claims":2,"revenue":0},
		{"placement":"Coupon offer","impressions":5,"claims":1}],`+top+`}`)).Stats(t.Context(), week)
	must.NoError(t, err)
	must.True(t, got.Data.Placements[0].Revenue.IsZero())
	must.Nil(t, got.Data.Placements[1].Revenue)
	must.Equal(t, upsell.Coupon, got.Data.Placements[1].Placement)
	must.Equal(t, int64(3), got.Data.ShopOfferCount)

	coverage, err := open(t, upstreamtest.OK(`{"placements":[{"placement":"Coupon offer","hasActive":true,"activeCount":1,"totalCount":2}],
		"currency":"USD",`+window+`}`)).Coverage(t.Context(), week)
	must.NoError(t, err)
	must.Nil(t, coverage.Data.Placements[0].RecentRevenue)
}

func TestN31_AnUnknownPlacementOrStatusIsKeptAsItCame(t *testing.T) {
	t.Parallel()
	got, err := open(t, upstreamtest.OK(`{"placements":[{"placement":"Checkout upsell","impressions":1,"claims":0,"revenue":3}],`+top+`}`)).Stats(t.Context(), week)
	must.NoError(t, err)
	must.Equal(t, upsell.Placement("Checkout upsell"), got.Data.Placements[0].Placement)
	must.True(t, !got.Data.Placements[0].Placement.Known())

	ranked, err := open(t, upstreamtest.OK(`{"offers":[{"id":"1","name":"a","status":"paused","type":"Checkout upsell","abTest":false,
		"revenue":1,"claims":1}],`+top+`}`)).Top(t.Context(), week, upsell.Highest, 1)
	must.NoError(t, err)
	must.Equal(t, upsell.Status("paused"), ranked.Data.Offers[0].Status)
	must.True(t, !ranked.Data.Offers[0].Status.Known())
	for _, p := range upsell.Placements() {
		must.True(t, p.Known())
	}
}

func TestADocumentedPlacementIsRecognizedAsASlugOrInAnotherCase_N31(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]upsell.Placement{
		"post-purchase-upsell":     upsell.PostPurchase,
		"THANK_YOU_PAGE_UPSELL":    upsell.ThankYou,
		"coupon offer":             upsell.Coupon,
		"Order status page upsell": upsell.OrderStatus,
		"order-status-page":        "order-status-page",
		"Post-purchase  upsell":    "Post-purchase  upsell",
	} {
		row := `{"placements":[{"placement":"` + said + `","impressions":1,"claims":0,"revenue":3}],` + top + `}`
		got, err := open(t, upstreamtest.OK(row)).Stats(t.Context(), week)
		must.NoError(t, err)
		must.Equal(t, want, got.Data.Placements[0].Placement)
	}
}

func TestN24_AnUnknownSourceIsKeptAsItCame(t *testing.T) {
	t.Parallel()
	for sent, kept := range map[string]upstream.Text{`"plan-default"`: "plan-default", `true`: "true", `3`: "3", `null`: ""} {
		body := strings.Replace(`{`+summary+`}`, `"merchant"`, sent, 1)
		got, err := open(t, upstreamtest.OK(body)).Summary(t.Context(), week)
		must.NoError(t, err)
		must.Equal(t, kept, got.Data.AppliedWindow.Source)
	}
}

func TestAppliedWindowIsTwoPlainDatesInOrder(t *testing.T) {
	t.Parallel()
	cases := map[string]string{
		"time suffix": `{"start":"2026-11-13T00:00:00Z","end":"2026-11-19"}`,
		"reversed":    `{"start":"2026-11-19","end":"2026-11-13"}`,
		"no end":      `{"start":"2026-11-19"}`,
		"null":        `null`,
		"other form":  `{"start":"13/11/2026","end":"19/11/2026"}`,
	}
	for name, applied := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body := `{"totalUpsoldValue":1,"totalUpsoldOrders":1,"totalOrders":1,"currency":"USD","appliedWindow":` + applied + `}`
			_, err := open(t, upstreamtest.OK(body)).Summary(t.Context(), week)
			must.Equal(t, upstream.Quarantine, failure(t, err).Kind)
			must.ErrorContains(t, err, "/data/appliedWindow")
		})
	}
}

func TestN16_TopSendsOrderAndLimit(t *testing.T) {
	t.Parallel()
	s := open(t, upstreamtest.OK(`{"offers":[],`+top+`}`))
	got, err := s.Top(t.Context(), week, upsell.Lowest, 50)
	must.NoError(t, err)
	must.Equal(t, 0, len(got.Data.Offers))
	query := s.sent(t, "/data/analytics/top")
	must.Equal(t, "lowest", query.Get("order"))
	must.Equal(t, "50", query.Get("limit"))

	_, err = s.Top(t.Context(), week, "best", 5)
	must.ErrorContains(t, err, `the order "best" is neither`)
	_, err = s.Top(t.Context(), week, upsell.Highest, 0)
	must.ErrorContains(t, err, "the limit 0 is below 1")
	must.Equal(t, 1, len(s.Requests()))
}

func TestN17_ADeletedOfferInTheRankingHasNoLink(t *testing.T) {
	t.Parallel()
	s := open(t, upstreamtest.OK(`{"offers":[
		{"id":"a","name":"Gone","abTest":false,"isDeleted":true,"revenue":10.10,"claims":3,"acceptanceRate":12.5},
		{"id":"b","name":"","status":"active","type":"Coupon offer","abTest":true,"url":"https://admin.example/b","revenue":9,"claims":1}],`+top+`}`))
	got, err := s.Top(t.Context(), week, upsell.Highest, 3)
	must.NoError(t, err)
	must.True(t, got.Data.Offers[0].IsDeleted)
	must.Equal(t, "", got.Data.Offers[0].URL)
	must.Equal(t, "12.5", got.Data.Offers[0].AcceptanceRate.String())
	must.True(t, !got.Data.Offers[1].IsDeleted)
}

func TestARankedOfferHasWhatItIsRankedBy(t *testing.T) {
	t.Parallel()
	_, err := open(t, upstreamtest.OK(`{"offers":[{"id":"b","name":"b","status":"active","type":"Coupon offer","abTest":true,"claims":1}],`+top+`}`)).
		Top(t.Context(), week, upsell.Highest, 3)
	must.Equal(t, upstream.Quarantine, failure(t, err).Kind)
}

func TestLifetimeHasNoWindowAndSendsNoDates(t *testing.T) {
	t.Parallel()
	s := open(t, upstreamtest.OK(`{"totalRevenue":99999.99,"offerViews":12.0,"upsoldOrders":1.2e1,"conversionRate":1,"revenuePerVisit":8333.3325,"currency":"JPY"}`))
	got, err := s.Lifetime(t.Context())
	must.NoError(t, err)
	must.Equal(t, int64(12), got.Data.OfferViews)
	must.Equal(t, int64(12), got.Data.UpsoldOrders)
	must.Equal(t, "99999.99", got.Data.TotalRevenue.String())
	must.Equal(t, 0, len(s.sent(t, "/data/analytics/lifetime")))
}

func TestACountBelowZeroIsBroken(t *testing.T) {
	t.Parallel()
	_, err := open(t, upstreamtest.OK(strings.Replace(`{`+summary+`}`, ":400", ":-400", 1))).Summary(t.Context(), week)
	must.Equal(t, upstream.Quarantine, failure(t, err).Kind)
	must.ErrorContains(t, err, "a count is below zero")
}
