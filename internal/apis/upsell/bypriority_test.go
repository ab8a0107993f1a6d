package upsell_test

import (
	"net/url"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

const couponRow = `{"id":"1","name":"a","status":"active","type":"Coupon offer","abTest":false,"priority":1}`

func rows(rows, rest string) upstreamtest.Reply {
	return upstreamtest.OK(`{"offers":[` + rows + `],"total":1,"hasMore":false,"currency":"EUR"` + rest + `}`)
}

func TestByPriorityIsNotSentWithoutAPlacement(t *testing.T) {
	t.Parallel()
	s := open(t, rows(``, ``))
	for _, placement := range []upsell.Placement{"", "  "} {
		_, err := s.ByPriority(t.Context(), placement, 1)
		must.Equal(t, upstream.OurFault, failure(t, err).Kind)
	}
	must.Equal(t, 0, len(s.Requests()))
}

func TestN39_A422OfByPriorityIsNotRetriedUnchanged(t *testing.T) {
	t.Parallel()
	s := open(t, refuse(422, "placement is required"))
	_, err := s.ByPriority(t.Context(), upsell.Coupon, 1)
	must.Equal(t, upstream.OurFault, failure(t, err).Kind)
	s.gate.Check(t, 1)
}

func TestByPrioritySendsPlacementAndPage(t *testing.T) {
	t.Parallel()
	s := open(t, rows(couponRow, `,"appliedFilter":{"scope":"shop"}`))
	for page, want := range map[int]url.Values{
		0:  {"placement": {"Coupon offer"}},
		50: {"placement": {"Coupon offer"}, "page": {"50"}},
	} {
		got, err := s.ByPriority(t.Context(), upsell.Coupon, page)
		must.NoError(t, err)
		must.Equal(t, want, s.sent(t, "/data/offers/by-priority"))
		must.Equal(t, int64(1), *got.Data.Offers[0].Priority)
		must.Equal(t, "/data/offers/by-priority", got.Endpoint)
		must.True(t, len(got.Raw) > 0 && !got.FetchedAt.IsZero() && got.Attempts == 1)
	}
}

func TestByPriorityWithoutAPlaceInTheOrderIsBroken(t *testing.T) {
	t.Parallel()
	for place, says := range map[string]string{``: "no priority", `,"priority":0`: "below 1", `,"priority":-1`: "below zero"} {
		_, err := open(t, rows(`{"id":"1","name":"a","status":"active","type":"Coupon offer","abTest":false`+place+`}`, ``)).
			ByPriority(t.Context(), upsell.Coupon, 1)
		must.Equal(t, upstream.Quarantine, failure(t, err).Kind)
		must.ErrorContains(t, err, "pull by-priority Coupon offer page 1: ", says)
	}
}

func TestN9_ByPriorityStopsAtTheLastPage(t *testing.T) {
	t.Parallel()
	s := open(t, upstreamtest.OK(`{"offers":[],"total":21,"hasMore":true,"currency":"EUR"}`))
	for _, page := range []int{51, -1} {
		_, err := s.ByPriority(t.Context(), upsell.Coupon, page)
		must.Equal(t, upstream.OurFault, failure(t, err).Kind)
	}
	must.Equal(t, 0, len(s.Requests()))
	for page, cut := range map[int]bool{49: false, 50: true} {
		got, err := s.ByPriority(t.Context(), upsell.Coupon, page)
		must.NoError(t, err)
		must.Equal(t, cut, got.Has(upstream.FlagCut))
	}
}

func TestN30_APlacementThatTheReplyContradictsIsFlagged(t *testing.T) {
	t.Parallel()
	const deleted = `{"id":"2","name":"b","abTest":false,"isDeleted":true,"priority":2}`
	const other = `{"id":"3","name":"c","status":"active","type":"Thank you page upsell","abTest":false,"priority":1}`
	cases := map[string]struct {
		reply   upstreamtest.Reply
		differs bool
	}{
		"rows of it":                  {rows(couponRow, ``), false},
		"echoed":                      {rows(couponRow, `,"appliedFilter":{"scope":"filtered","placement":"coupon OFFER"}`), false},
		"no row":                      {rows(``, ``), false},
		"N17 a deleted row of no one": {rows(deleted, ``), false},
		"a row of another":            {rows(couponRow+","+other, `,"appliedFilter":{"scope":"filtered","placement":"Coupon offer"}`), true},
		"another echoed":              {rows(``, `,"appliedFilter":{"scope":"filtered","placement":"Thank you page upsell"}`), true},
		"a status echoed":             {rows(couponRow, `,"appliedFilter":{"scope":"filtered","status":"active"}`), true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := open(t, c.reply).ByPriority(t.Context(), upsell.Coupon, 1)
			must.NoError(t, err)
			must.Equal(t, c.differs, got.Has(upstream.FlagFilterDiffers))
		})
	}
}

func TestN30_RowsThatContradictAnEchoedFilterAreFlagged(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		query   upsell.OffersQuery
		echo    string
		differs bool
	}{
		"fits":              {upsell.OffersQuery{Type: upsell.Coupon, Status: upsell.Active}, `"placement":"Coupon offer","status":"active"`, false},
		"another placement": {upsell.OffersQuery{Type: upsell.ThankYou}, `"placement":"Thank you page upsell"`, true},
		"another status":    {upsell.OffersQuery{Status: upsell.Expired}, `"status":"expired"`, true},
		"not under test":    {upsell.OffersQuery{ABTest: true}, `"abTest":true`, true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := open(t, rows(couponRow, `,"appliedFilter":{"scope":"filtered",`+c.echo+`}`)).Offers(t.Context(), c.query)
			must.NoError(t, err)
			must.Equal(t, c.differs, got.Has(upstream.FlagFilterDiffers))
			must.Equal(t, !c.differs, c.query.ConfirmedBy(got.Data))
		})
	}
}
