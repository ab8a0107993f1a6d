package gift_test

import (
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

func refuse(status int, code string) upstreamtest.Reply {
	return upstreamtest.Reply{Status: status, Body: `{"success":false,"data":null,"error":{"code":"` + code + `","message":"some words"}}`}
}

func TestRefusalsOfTheDocumentHaveTheirKinds(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		status   int
		code     string
		kind     upstream.Kind
		attempts int
	}{
		"no header":           {401, gift.MissingKey, upstream.Pause, 1},
		"unknown key":         {401, gift.InvalidKey, upstream.Pause, 1},
		"key of the other":    {401, gift.WrongSurface, upstream.Pause, 1},
		"N40 no plan":         {403, gift.NoPlan, upstream.Pause, 1},
		"N41 uninstalled":     {403, gift.AppUninstalled, upstream.Pause, 1},
		"scope too low":       {403, gift.InsufficientScope, upstream.Pause, 1},
		"rate":                {429, gift.RateLimit, upstream.Wait, 1},
		"rate of writes":      {429, gift.WriteRateLimit, upstream.Wait, 1},
		"wrong parameter":     {400, gift.InvalidInput, upstream.OurFault, 1},
		"N60 wrong path":      {404, gift.NotFound, upstream.OurFault, 1},
		"server failure":      {500, gift.InternalError, upstream.Retry, 3},
		"code before status":  {500, gift.InvalidKey, upstream.Pause, 1},
		"code within a 200":   {200, gift.NoPlan, upstream.Pause, 1},
		"failure in a 200":    {200, gift.InternalError, upstream.Retry, 3},
		"unknown code, 200":   {200, "NEW", upstream.Quarantine, 1},
		"unknown code, 401":   {401, "NEW", upstream.Pause, 1},
		"unknown code, 403":   {403, "NEW", upstream.OurFault, 1},
		"unknown code, 409":   {409, "NEW", upstream.OurFault, 1},
		"unknown code, 429":   {429, "NEW", upstream.Wait, 1},
		"unknown code, 503":   {503, "NEW", upstream.Retry, 3},
		"code in other case":  {403, "no_plan", upstream.OurFault, 1},
		"code of another API": {403, "", upstream.OurFault, 1},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, refuse(c.status, c.code))
			_, err := s.Plan(t.Context())
			f := failure(t, err)
			must.Equal(t, c.kind, f.Kind)
			must.Equal(t, c.attempts, f.Attempts)
			must.Equal(t, c.status, f.Status)
			must.Equal(t, c.code, f.Code)
			must.Equal(t, "some words", f.Message)
			must.ErrorContains(t, err, "pull gift plan: answered ", c.code)
			s.gate.Check(t, c.attempts)
		})
	}
}

func TestARefusalWithoutAnEnvelopeIsSortedByItsStatus(t *testing.T) {
	t.Parallel()
	kinds := map[int]upstream.Kind{401: upstream.Pause, 403: upstream.OurFault, 404: upstream.OurFault, 429: upstream.Wait, 502: upstream.Retry}
	for _, body := range []string{"<html>", "", `{"error":"text"}`, `{"success":false,"error":null}`, `{"error":{"code":7}}`} {
		for status, kind := range kinds {
			if kind == upstream.OurFault && !strings.HasPrefix(body, "{") { // a proxy's
				kind = upstream.Quarantine
			}
			_, err := open(t, upstreamtest.Reply{Status: status, Body: body}).Plan(t.Context())
			must.Equal(t, kind, failure(t, err).Kind, body, status)
		}
	}
}

func TestN42_ItsTooManyRequestsWaitsAMinuteAndALittle(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		header string
		want   time.Duration
	}{
		"as documented":   {"", 61 * time.Second},
		"shorter":         {"5", 61 * time.Second},
		"longer is heard": {"120", 120 * time.Second},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, reply := range []upstreamtest.Reply{refuse(429, gift.RateLimit), {Status: 429, Body: "<html>"}} {
				reply.Header = map[string]string{"Retry-After": c.header}
				s := open(t, reply)
				_, err := s.SetupHealth(t.Context())
				f := failure(t, err)
				must.Equal(t, c.want, f.RetryAfter)
				must.Equal(t, upstreamtest.Start.Add(c.want), f.Until)
				must.Equal(t, c.want, s.gate.Seen()[0].RetryAfter)
			}
		})
	}
}

func TestN4_SuccessBesideAnErrorIsBroken(t *testing.T) {
	t.Parallel()
	body := `{"success":true,"data":` + plan + `,"error":{"code":"INTERNAL_ERROR","message":"x"}}`
	_, err := open(t, upstreamtest.Reply{Body: body}).Plan(t.Context())
	must.Equal(t, upstream.Quarantine, failure(t, err).Kind)
	_, err = open(t, upstreamtest.Reply{Body: `{"success":true,"data":` + plan + `}`}).Plan(t.Context())
	must.NoError(t, err, "an absent error is no error")
}

func TestTheClientOnlySendsGET(t *testing.T) {
	t.Parallel()
	s := open(t, refuse(400, gift.InvalidInput))
	_, _ = s.Analytics(t.Context(), 7, true)
	_, _ = s.Plan(t.Context())
	_, _ = s.SetupHealth(t.Context())
	_, _ = s.Campaigns(t.Context(), nil)
	must.Equal(t, 4, len(s.Requests()))
	for _, r := range s.Requests() {
		must.Equal(t, "GET", r.Method)
		must.Equal(t, "Bearer "+upstreamtest.Token, r.Header.Get("Authorization"))
	}
}
