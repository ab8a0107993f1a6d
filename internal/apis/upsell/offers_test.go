package upsell_test

import (
	"net/url"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

func list(rest string) upstreamtest.Reply {
	return upstreamtest.OK(`{"offers":[],"currency":"USD",` + rest + `}`)
}

func TestOfferRowIsReadInFull(t *testing.T) {
	t.Parallel()
	got, err := open(t, upstreamtest.OK(`{"offers":[{"id":"o_1","name":"Socks <b>","status":"scheduled","type":"Order status page upsell",
		"abTest":true,"url":"https://admin.example/o_1","revenue":1.5e3,"priority":1,"createdAt":"2026-03-08T02:30:00"}],
		"total":1,"hasMore":false,"currency":"EUR","appliedFilter":{"scope":"shop"},"shopDomain":"acme.example"}`)).
		Offers(t.Context(), upsell.OffersQuery{})
	must.NoError(t, err)
	offer := got.Data.Offers[0]
	must.Equal(t, "o_1", offer.ID)
	must.Equal(t, upsell.OrderStatus, offer.Type)
	must.Equal(t, upsell.Scheduled, offer.Status)
	must.Equal(t, "1500", offer.Revenue.String())
	must.Equal(t, int64(1), *offer.Priority)
	must.True(t, offer.Claims == nil && offer.AcceptanceRate == nil && !offer.IsDeleted && offer.ABTest)
	must.Equal(t, 0, len(got.Flags))
}

func TestN26_ATimestampWithoutZoneIsKeptAsItCame(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"2026-03-08T02:30:00", "2026-03-08T02:30:00.000Z", "2026-03-08T02:30:00+09:00", ""} {
		got, err := open(t, upstreamtest.OK(`{"offers":[{"id":"1","name":"a","status":"active","type":"Coupon offer","abTest":false,"createdAt":"`+at+`"}],
			"total":1,"hasMore":false,"currency":"EUR"}`)).Offers(t.Context(), upsell.OffersQuery{})
		must.NoError(t, err)
		must.Equal(t, at, got.Data.Offers[0].CreatedAt)
	}
}

func TestOffersSendsOnlyWhatWasChosen(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		query upsell.OffersQuery
		want  url.Values
	}{
		"nothing": {upsell.OffersQuery{}, url.Values{}},
		"all": {
			upsell.OffersQuery{Query: "a&b=c", Status: upsell.Expired, Type: upsell.ThankYou, Page: 50, Sort: upsell.RevenueLow, ABTest: true},
			url.Values{"query": {"a&b=c"}, "status": {"expired"}, "type": {"Thank you page upsell"}, "page": {"50"}, "sort": {"revenue_low"}, "abTest": {"true"}},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, list(`"total":0,"hasMore":false`))
			got, err := s.Offers(t.Context(), c.query)
			must.NoError(t, err)
			must.Equal(t, c.want, s.sent(t, "/data/offers"))
			must.Equal(t, c.want, got.Query)
		})
	}
}

func TestN9_NoPageBeyondTheLastIsAskedFor(t *testing.T) {
	t.Parallel()
	s := open(t, list(`"total":21,"hasMore":true`))
	for _, page := range []int{51, 1000, -1} {
		_, err := s.Offers(t.Context(), upsell.OffersQuery{Page: page})
		must.Equal(t, upstream.OurFault, failure(t, err).Kind)
	}
	must.Equal(t, 0, len(s.Requests()))
	got, err := s.Offers(t.Context(), upsell.OffersQuery{Page: 50})
	must.NoError(t, err)
	must.True(t, got.Data.HasMore && got.Has(upstream.FlagCut), "there is more behind the last page")
	got, err = s.Offers(t.Context(), upsell.OffersQuery{Page: 49})
	must.NoError(t, err)
	must.True(t, !got.Has(upstream.FlagCut))
}

func TestOffersRefusesWhatTheDocumentDoesNotName(t *testing.T) {
	t.Parallel()
	s := open(t, list(`"total":0,"hasMore":false`))
	for _, query := range []upsell.OffersQuery{{Status: "deleted"}, {Sort: "name"}} {
		_, err := s.Offers(t.Context(), query)
		must.Equal(t, upstream.OurFault, failure(t, err).Kind)
	}
	must.Equal(t, 0, len(s.Requests()))
}

func TestN30_AFilterThatTheReplyDoesNotConfirmIsFlagged(t *testing.T) {
	t.Parallel()
	all := upsell.OffersQuery{Query: "Socks", Status: upsell.Active, Type: upsell.Coupon, ABTest: true}
	cases := map[string]struct {
		query   upsell.OffersQuery
		applied string
		differs bool
	}{
		"none asked, none said":      {upsell.OffersQuery{}, ``, false},
		"none asked, shop":           {upsell.OffersQuery{Page: 2, Sort: upsell.Oldest}, `,"appliedFilter":{"scope":"shop"}`, false},
		"none asked, filtered":       {upsell.OffersQuery{}, `,"appliedFilter":{"scope":"filtered","status":"active"}`, true},
		"all asked, all said":        {all, `,"appliedFilter":{"scope":"filtered","name":"socks","status":"active","placement":"Coupon offer","abTest":true}`, false},
		"echoed as text":             {all, `,"appliedFilter":{"scope":"filtered","name":"Socks","status":"active","placement":"Coupon offer","abTest":"true"}`, false},
		"one ignored":                {all, `,"appliedFilter":{"scope":"filtered","name":"Socks","status":"active","abTest":true}`, true},
		"another value":              {upsell.OffersQuery{Status: upsell.Active}, `,"appliedFilter":{"scope":"filtered","status":"expired"}`, true},
		"one more than asked":        {upsell.OffersQuery{Status: upsell.Active}, `,"appliedFilter":{"scope":"filtered","status":"active","placement":"Coupon offer"}`, true},
		"said to be the whole store": {upsell.OffersQuery{Status: upsell.Active}, `,"appliedFilter":{"scope":"shop"}`, true},
		"not said at all":            {upsell.OffersQuery{ABTest: true}, ``, true},
		"off and said to be off":     {upsell.OffersQuery{Status: upsell.Active}, `,"appliedFilter":{"scope":"filtered","status":"active","abTest":false,"name":null}`, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := open(t, list(`"total":0,"hasMore":false`+c.applied)).Offers(t.Context(), c.query)
			must.NoError(t, err)
			must.Equal(t, c.differs, got.Has(upstream.FlagFilterDiffers))
		})
	}
}

func TestAnOfferThatCantBeToldFromOthersIsBroken(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]string{
		"empty id":     `{"id":"","name":"a","status":"active","type":"Coupon offer","abTest":false}`,
		"number as id": `{"id":12,"name":"a","status":"active","type":"Coupon offer","abTest":false}`,
		"no status":    `{"id":"1","name":"a","type":"Coupon offer","abTest":false}`,
		"no abTest":    `{"id":"1","name":"a","status":"active","type":"Coupon offer"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := open(t, upstreamtest.OK(`{"offers":[`+row+`],"total":1,"hasMore":false,"currency":"EUR"}`)).Offers(t.Context(), upsell.OffersQuery{})
			must.Equal(t, upstream.Quarantine, failure(t, err).Kind)
		})
	}
}

func TestCountIsReadByPlacementAndStatus(t *testing.T) {
	t.Parallel()
	s := open(t, upstreamtest.OK(`{"total":12,"byType":[{"type":"Post-purchase upsell","count":12,"byStatus":{"active":3,"expired":8,"scheduled":1}}],"shopDomain":"acme.example"}`))
	got, err := s.Count(t.Context())
	must.NoError(t, err)
	must.Equal(t, int64(12), got.Data.Total)
	must.Equal(t, upsell.PlacementCount{Type: upsell.PostPurchase, Count: 12, ByStatus: upsell.StatusCounts{Active: 3, Expired: 8, Scheduled: 1}}, got.Data.ByType[0])
	must.Equal(t, 0, len(s.sent(t, "/data/offers/count")))
}

func TestN7_CountLooksAtSuccessBeforeItsTotal(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"as documented":     `{"success":false,"data":{"total":0}}`,
		"with whole data":   `{"success":false,"message":"try later","data":{"total":0,"byType":[]}}`,
		"data before it":    `{"data":{"total":0,"byType":[]},"success":false}`,
		"with a good total": `{"data":{"total":7,"byType":[]},"success":false}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, upstreamtest.Reply{Body: body})
			got, err := s.Count(t.Context())
			f := failure(t, err)
			must.Equal(t, upstream.Quarantine, f.Kind)
			must.Equal(t, body, string(f.Raw))
			must.Equal(t, upsell.Count{}, got.Data)
			s.gate.Check(t, 1)
		})
	}
}
