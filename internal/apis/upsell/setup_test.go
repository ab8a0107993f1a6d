package upsell_test

import (
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

const setup = `"id":"o_1","name":"Socks","offerName":"Socks","status":"active","type":"Post-purchase upsell"`

func TestOfferSetupIsReadInFull(t *testing.T) {
	t.Parallel()
	s := open(t, upstreamtest.OK(`{`+setup+`,"startDate":"2026-01-02T03:04:05","endDate":"2026-12-31T23:59:59","triggerCriteria":"no-condition",
		"triggerConditions":[],"discountType":"percentage","discountValue":12.50,"revenue":1.5e3,"claims":12.0,"acceptanceRate":0.125,"priority":1,
		"createdAt":"2026-01-01T00:00:00","abTest":true,"currency":"EUR","url":"https://admin.example/o_1","shopDomain":"acme.example"}`))
	got, err := s.Offer(t.Context(), "o_1")
	must.NoError(t, err)
	s.sent(t, "/data/offer/o_1")
	offer := got.Data
	must.Equal(t, upsell.NoCondition, offer.TriggerCriteria)
	must.Equal(t, upsell.DiscountValue("12.5"), offer.DiscountValue)
	must.Equal(t, "1500", offer.Revenue.String())
	must.Equal(t, int64(12), *offer.Claims)
	must.Equal(t, "0.125", offer.AcceptanceRate.String())
	must.True(t, *offer.ABTest && *offer.Priority == 1)
	must.Equal(t, "2026-12-31T23:59:59", *offer.EndDate)
	must.Equal(t, "acme.example", offer.ShopDomain)
}

func TestN33_WhatASetupDoesNotSayIsNil(t *testing.T) {
	t.Parallel()
	for name, rest := range map[string]string{
		"absent": ``,
		"null": `,"endDate":null,"triggerConditions":null,"discountType":null,"discountValue":null,"revenue":null,"claims":null,"acceptanceRate":null,
			"priority":null,"abTest":null,"currency":null,"url":null`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := open(t, upstreamtest.OK(`{`+setup+rest+`}`)).Offer(t.Context(), "o_1")
			must.NoError(t, err)
			want := upsell.OfferSetup{ID: "o_1", Name: "Socks", Status: upsell.Active, Type: upsell.PostPurchase}
			must.Equal(t, want, *got.Data)
		})
	}
}

func TestN13_ACouponSetupWithoutRevenueHasNone(t *testing.T) {
	t.Parallel()
	got, err := open(t, upstreamtest.OK(`{"id":"o_1","name":"a","status":"active","type":"Coupon offer","claims":3,"currency":"EUR"}`)).Offer(t.Context(), "o_1")
	must.NoError(t, err)
	must.Nil(t, got.Data.Revenue)
}

func TestN31_UnknownWordsOfASetupAreKept(t *testing.T) {
	t.Parallel()
	got, err := open(t, upstreamtest.OK(`{"id":"o_1","name":"a","status":"paused","type":"Cart","triggerCriteria":"by-moonlight"}`)).Offer(t.Context(), "o_1")
	must.NoError(t, err)
	must.Equal(t, "paused Cart by-moonlight", strings.Join([]string{string(got.Data.Status), string(got.Data.Type), string(got.Data.TriggerCriteria)}, " "))
	must.True(t, !got.Data.Status.Known() && !got.Data.Type.Known() && !got.Data.TriggerCriteria.Known())
}

func TestN32_DataNullIsNoError(t *testing.T) {
	t.Parallel()
	for name, reply := range map[string]upstreamtest.Reply{"null": upstreamtest.OK(`null`), "no data": {Body: `{"success":true}`}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, reply)
			offer, err := s.Offer(t.Context(), "gone")
			must.NoError(t, err)
			must.Nil(t, offer.Data)
			must.Equal(t, reply.Body, string(offer.Raw))
			stages, err := s.Stages(t.Context(), "gone")
			must.NoError(t, err)
			must.Nil(t, stages.Data)
			_, err = s.Summary(t.Context(), week)
			must.Equal(t, upstream.Quarantine, failure(t, err).Kind, "elsewhere it is a failed pull")
			recommended, err := s.Recommendations(t.Context(), upsell.RecommendationsQuery{OfferID: "gone"})
			must.NoError(t, err)
			must.Nil(t, recommended.Data)
			_, err = s.Recommendations(t.Context(), upsell.RecommendationsQuery{ProductName: "hat"})
			must.Equal(t, upstream.Quarantine, failure(t, err).Kind, "only an offer can be unknown")
		})
	}
}

func TestASetupThatCantBeTheOneAskedForIsBroken(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ body, says string }{
		"another offer's":   {`{"id":"o_2","name":"a","status":"active","type":"Coupon offer"}`, "at /data/id: it is another offer's"},
		"no id":             {`{"name":"a","status":"active","type":"Coupon offer"}`, `"id" is missing`},
		"no status":         {`{"id":"o_1","name":"a","type":"Coupon offer"}`, `"status" is missing`},
		"empty type":        {`{"id":"o_1","name":"a","status":"active","type":""}`, "no status or no type"},
		"money in nothing":  {`{` + setup + `,"revenue":12}`, "money without a currency"},
		"conditions a text": {`{` + setup + `,"triggerConditions":"all"}`, "expected an array"},
		"claims below zero": {`{` + setup + `,"claims":-1}`, "below zero"},
		"before the first":  {`{` + setup + `,"priority":0}`, "below 1"},
		"NUL in a part":     {`{` + setup + `,"triggerConditions":[{"a":{"b":"\u0000"}}]}`, "at /data/triggerConditions/0: the string holds a NUL"},
		"NUL in a key":      {`{` + setup + `,"triggerConditions":[{"\u0000":1}]}`, "NUL"},
		"a flood of values": {`{` + setup + `,"triggerConditions":[[` + strings.Repeat("0,", 100_000) + `0]]}`, "too many values"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := open(t, upstreamtest.OK(c.body)).Offer(t.Context(), "o_1")
			f := failure(t, err)
			must.Equal(t, upstream.Quarantine, f.Kind)
			must.Equal(t, 200, f.Status)
			must.Equal(t, 1, f.Attempts)
			must.Contains(t, string(f.Raw), c.body[:20])
			must.ErrorContains(t, err, "pull offer o_1: answered 200: ", c.says)
			must.Nil(t, got.Data)
		})
	}
}

func TestAnOffersIDIsOneSegmentOfThePath(t *testing.T) {
	t.Parallel()
	for id, escaped := range map[string]string{
		"64f0c0ffee":          "64f0c0ffee",
		"a/b":                 "a%2Fb",
		"../../count":         "..%2F..%2Fcount",
		"a?page=1#x":          "a%3Fpage=1%23x",
		"100% é 😀":            "100%25%20%C3%A9%20%F0%9F%98%80",
		"%2e%2e":              "%252e%252e",
		"...":                 "...",
		"gid://p/Offer/1":     "gid:%2F%2Fp%2FOffer%2F1",
		"line\nfeed\u202eabc": "line%0Afeed%E2%80%AEabc",
	} {
		t.Run(escaped, func(t *testing.T) {
			t.Parallel()
			s := open(t, upstreamtest.OK(`null`))
			_, err := s.Offer(t.Context(), id)
			must.NoError(t, err)
			must.Equal(t, "/api/v1/data/offer/"+escaped, s.Last(t).URL.EscapedPath())
			got, err := s.Stages(t.Context(), id)
			must.NoError(t, err)
			must.Equal(t, "/api/v1/data/offer/"+escaped+"/stages", s.Last(t).URL.EscapedPath())
			must.Equal(t, "/data/offer/"+escaped+"/stages", got.Endpoint)
			must.Equal(t, "", s.Last(t).URL.RawQuery)
		})
	}
	s := open(t, upstreamtest.OK(`null`))
	for _, id := range []string{"", " ", ".", ".."} {
		_, err := s.Offer(t.Context(), id)
		must.Equal(t, upstream.OurFault, failure(t, err).Kind)
		_, err = s.Stages(t.Context(), id)
		must.Equal(t, upstream.OurFault, failure(t, err).Kind)
	}
	must.Equal(t, 0, len(s.Requests()))
}
