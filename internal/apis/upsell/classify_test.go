package upsell_test

import (
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

func refuse(status int, message string) upstreamtest.Reply {
	return upstreamtest.Reply{Status: status, Body: `{"success":false,"message":"` + message + `"}`}
}

func TestRefusalsOfTheDocumentHaveTheirKinds(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reply    upstreamtest.Reply
		kind     upstream.Kind
		attempts int
		says     string
	}{
		"N37 missing credentials": {refuse(401, "Missing credentials"), upstream.Pause, 2, "answered 401: Missing credentials (2 attempts)"},
		"N37 invalid token":       {refuse(401, "Invalid token"), upstream.Pause, 2, "Invalid token"},
		"N37 reworded":            {refuse(401, "Nope"), upstream.Pause, 2, "Nope"},
		"N39 wrong shop":          {refuse(403, "Token is not authorized for this shop"), upstream.Pause, 1, "answered 403: Token is not"},
		"N39 internal route":      {refuse(403, "This endpoint requires an internal API key"), upstream.Pause, 1, "answered 403: This endpoint requires"},
		"N39 without words":       {upstreamtest.Reply{Status: 403, Body: "<html>"}, upstream.Pause, 1, "answered 403"},
		"missing shop domain":     {refuse(400, "Missing shop domain"), upstream.OurFault, 1, "answered 400: Missing shop domain"},
		"N60 wrong path":          {refuse(404, "Not found"), upstream.OurFault, 1, "answered 404: Not found"},
		"404 of a proxy":          {upstreamtest.Reply{Status: 404, Body: "<html>"}, upstream.Quarantine, 1, "answered 404"},
		"N39 unprocessable":       {refuse(422, "placement is required"), upstream.OurFault, 1, "placement is required"},
		"server failure":          {refuse(500, "oops"), upstream.Retry, 3, "answered 500: oops (3 attempts)"},
		"gateway":                 {upstreamtest.Reply{Status: 502, Body: "<html>"}, upstream.Retry, 3, "answered 502"},
		"rate":                    {refuse(429, "Rate limit exceeded"), upstream.Wait, 1, "Rate limit exceeded"},
		"message of another type": {upstreamtest.Reply{Status: 400, Body: `{"success":false,"message":{"a":1}}`}, upstream.OurFault, 1, `{"a":1}`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, c.reply)
			_, err := s.Summary(t.Context(), week)
			f := failure(t, err)
			must.Equal(t, c.kind, f.Kind)
			must.Equal(t, c.attempts, f.Attempts)
			must.ErrorContains(t, err, "pull summary 2026-11-13 to 2026-11-19: ", c.says)
			must.Equal(t, c.reply.Body, string(f.Raw))
			must.Equal(t, "", f.Code)
			s.gate.Check(t, c.attempts)
		})
	}
}

func TestN37_A401IsTriedOnceMore(t *testing.T) {
	t.Parallel()
	good := upstreamtest.OK(`{` + summary + `}`)
	cases := map[string]struct {
		replies  []upstreamtest.Reply
		attempts int
		kind     upstream.Kind
	}{
		"good then":                   {[]upstreamtest.Reply{refuse(401, "Unauthorized"), good}, 2, 0},
		"after a failure of theirs":   {[]upstreamtest.Reply{refuse(500, "x"), refuse(401, "Unauthorized"), good}, 3, 0},
		"a failure between":           {[]upstreamtest.Reply{refuse(401, "x"), refuse(500, "x"), refuse(401, "x"), good}, 3, upstream.Pause},
		"not more than once":          {[]upstreamtest.Reply{refuse(401, "x"), refuse(401, "x"), good}, 2, upstream.Pause},
		"a failure after it":          {[]upstreamtest.Reply{refuse(401, "x"), refuse(500, "x"), good}, 3, 0},
		"another meaning after it":    {[]upstreamtest.Reply{refuse(401, "x"), refuse(403, "x"), good}, 2, upstream.Pause},
		"told to wait after the 401s": {[]upstreamtest.Reply{refuse(401, "x"), refuse(429, "x"), good}, 2, upstream.Wait},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, c.replies...)
			_, err := s.Summary(t.Context(), week)
			must.Equal(t, c.kind, upstreamtest.KindOf(err))
			s.gate.Check(t, c.attempts)
		})
	}
}

func TestRetryAfterOfA429IsTheWait(t *testing.T) {
	t.Parallel()
	s := open(t, upstreamtest.Reply{Status: 429, Header: map[string]string{"retry-AFTER": "42"}})
	_, err := s.Lifetime(t.Context())
	f := failure(t, err)
	must.Equal(t, 42*time.Second, f.RetryAfter)
	must.Equal(t, upstreamtest.Start.Add(42*time.Second), f.Until)
}

func TestTheClientOnlySendsGET(t *testing.T) {
	t.Parallel()
	s := open(t, refuse(400, "x"))
	_, _ = s.Summary(t.Context(), week)
	_, _ = s.Stats(t.Context(), week)
	_, _ = s.Top(t.Context(), week, upsell.Highest, 3)
	_, _ = s.Coverage(t.Context(), week)
	_, _ = s.Lifetime(t.Context())
	_, _ = s.Offers(t.Context(), upsell.OffersQuery{})
	_, _ = s.Count(t.Context())
	_, _ = s.ByPriority(t.Context(), upsell.Coupon, 1)
	_, _ = s.Offer(t.Context(), "o_1")
	_, _ = s.Stages(t.Context(), "o_1")
	_, _ = s.Recommendations(t.Context(), upsell.RecommendationsQuery{})
	must.Equal(t, 11, len(s.Requests()))
	for _, r := range s.Requests() {
		must.Equal(t, "GET", r.Method)
		must.Equal(t, "Bearer "+upstreamtest.Token, r.Header.Get("Authorization"))
		must.True(t, r.URL.Query().Get("ianaTimezone") == "")
	}
}
