package upstream_test

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

func client(t *upstream.Transport, base *url.URL, gate upstream.Gate) *upstream.Client {
	return &upstream.Client{Transport: t, Base: base, Token: upstream.NewSecret(upstreamtest.Token), Gate: gate}
}

type result struct {
	upstream.Answer[row]
	failure *upstream.Failure
	err     error
	gate    *upstreamtest.Gate
	clock   *upstreamtest.Clock
	service *upstreamtest.Service
}

// pull makes one call to a service that answers from a script.
func pull(t *testing.T, change func(*upstream.Options, *upstream.Client), replies ...upstreamtest.Reply) result {
	t.Helper()
	out := result{gate: &upstreamtest.Gate{}, service: upstreamtest.Serve(t, replies...)}
	options := upstreamtest.Options(t)
	out.clock = options.Clock.(*upstreamtest.Clock)
	c := client(nil, out.service.Base(t), out.gate)
	if change != nil {
		change(&options, c)
	}
	c.Transport = upstream.NewTransport(options)
	t.Cleanup(c.Transport.Close)
	out.Answer, out.err = upstream.Get[row](t.Context(), c, "pull rows", "/rows", url.Values{"a": {"b c"}})
	out.failure, _ = errors.AsType[*upstream.Failure](out.err)
	return out
}

var good = upstreamtest.OK(`{"n":7}`)

func status(code int) upstreamtest.Reply {
	return upstreamtest.Reply{Status: code, Body: `{"success":false,"message":"no"}`}
}

func TestAGoodReplyCarriesItsProof(t *testing.T) {
	t.Parallel()
	clock := upstreamtest.NewClock()
	slow := upstreamtest.Reply{Do: func(w http.ResponseWriter, r *http.Request) {
		_ = clock.Wait(r.Context(), 3*time.Second)
		_, _ = w.Write([]byte(good.Body))
	}}
	got := pull(t, func(o *upstream.Options, _ *upstream.Client) { o.Clock = clock }, slow)
	must.NoError(t, got.err)
	must.Equal(t, int64(7), got.Data.N)
	must.Equal(t, good.Body, string(got.Raw))
	must.Equal(t, "/rows", got.Endpoint)
	must.Equal(t, url.Values{"a": {"b c"}}, got.Query)
	must.Equal(t, upstreamtest.Start.Add(3*time.Second), got.FetchedAt)
	must.Equal(t, 3*time.Second, got.Took)
	must.Equal(t, 1, got.Attempts)
	must.Equal(t, 0, len(got.Flags))

	request := got.service.Last(t)
	must.Equal(t, http.MethodGet, request.Method)
	must.Equal(t, "/rows?a=b+c", request.RequestURI)
	must.Equal(t, "Bearer "+upstreamtest.Token, request.Header.Get("Authorization"))
	must.Contains(t, request.UserAgent(), "storeglass")
	must.Equal(t, "application/json", request.Header.Get("Accept"))
	must.Equal(t, "", request.Header.Get("Content-Type"))
	must.Equal(t, int64(0), request.ContentLength)
	must.Equal(t, 0, len(request.TransferEncoding))
}

func TestBaseAddressMayHaveAnyPrefix(t *testing.T) {
	t.Parallel()
	cases := map[string]string{"": "/rows", "/": "/rows", "/api/v1": "/api/v1/rows", "/api/v1/": "/api/v1/rows", "/a%2Fb/c": "/a%2Fb/c/rows"}
	for prefix, want := range cases {
		t.Run(prefix, func(t *testing.T) {
			t.Parallel()
			service := upstreamtest.Serve(t, good)
			gate := &upstreamtest.Gate{}
			_, err := upstream.Get[row](t.Context(), client(upstreamtest.Transport(t), service.Base(t, prefix), gate), "pull rows", "/rows", nil)
			must.NoError(t, err)
			must.Equal(t, want, service.Last(t).RequestURI)
		})
	}
}

func TestN5_EveryAttemptPassesTheGateAndLeavesIt(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		replies  []upstreamtest.Reply
		attempts int
		kind     upstream.Kind // 0 means success in the end
	}{
		"good at once":             {[]upstreamtest.Reply{good}, 1, 0},
		"good at the second":       {[]upstreamtest.Reply{status(500), good}, 2, 0},
		"good at the third":        {[]upstreamtest.Reply{status(503), status(500), good}, 3, 0},
		"three tries at most":      {[]upstreamtest.Reply{status(500)}, 3, upstream.Retry},
		"a timeout of theirs":      {[]upstreamtest.Reply{status(408), good}, 2, 0},
		"too many: not repeated":   {[]upstreamtest.Reply{status(429)}, 1, upstream.Wait},
		"failed, then too many":    {[]upstreamtest.Reply{status(500), status(429)}, 2, upstream.Wait},
		"401 by status alone":      {[]upstreamtest.Reply{status(401)}, 1, upstream.Pause},
		"400":                      {[]upstreamtest.Reply{status(400)}, 1, upstream.OurFault},
		"403":                      {[]upstreamtest.Reply{status(403)}, 1, upstream.OurFault},
		"404":                      {[]upstreamtest.Reply{status(404)}, 1, upstream.OurFault},
		"422":                      {[]upstreamtest.Reply{status(422)}, 1, upstream.OurFault},
		"501":                      {[]upstreamtest.Reply{status(501)}, 1, upstream.OurFault},
		"404 of a proxy":           {[]upstreamtest.Reply{{Status: 404, Body: "404 page not found"}}, 1, upstream.Quarantine},
		"400 of a proxy":           {[]upstreamtest.Reply{{Status: 400, Body: "<html>"}}, 1, upstream.Quarantine},
		"empty 404":                {[]upstreamtest.Reply{{Status: 404}}, 1, upstream.Quarantine},
		"status without a meaning": {[]upstreamtest.Reply{status(799)}, 1, upstream.Quarantine},
		"broken reply":             {[]upstreamtest.Reply{{Body: "<html>"}}, 1, upstream.Quarantine},
		"empty 204":                {[]upstreamtest.Reply{{Status: 204}}, 1, upstream.Quarantine},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := pull(t, nil, c.replies...)
			must.Equal(t, c.attempts, len(got.service.Requests()))
			got.gate.Check(t, c.attempts)
			must.Equal(t, c.kind, upstreamtest.KindOf(got.err))
			if got.failure != nil {
				must.Equal(t, c.attempts, got.failure.Attempts)
			}
			must.Equal(t, c.attempts, got.Attempts)
		})
	}
}

func TestN5_AKeptConnectionThatDiesPassesTheGateAgain(t *testing.T) {
	t.Parallel()
	die := upstreamtest.Reply{Do: func(w http.ResponseWriter, _ *http.Request) {
		connection, _, _ := w.(http.Hijacker).Hijack()
		_ = connection.Close()
	}}
	service := upstreamtest.Serve(t, good, die, good)
	gate := &upstreamtest.Gate{}
	c := client(upstreamtest.Transport(t), service.Base(t), gate)
	for range 2 { // the second call uses the kept-alive connection, on which the service dies
		_, err := upstream.Get[row](t.Context(), c, "pull rows", "/rows", nil)
		must.NoError(t, err)
	}
	must.Equal(t, 3, len(service.Requests()))
	gate.Check(t, 3)
}

func TestConnectionsAreKept(t *testing.T) {
	t.Parallel()
	service := upstreamtest.Serve(t, good, status(500), good, status(429), status(404), upstreamtest.Reply{Body: "<html>"}, good)
	c := client(upstreamtest.Transport(t), service.Base(t), &upstreamtest.Gate{})
	for range 6 {
		_, _ = upstream.Get[row](t.Context(), c, "pull rows", "/rows", nil)
	}
	remotes := map[string]bool{}
	for _, r := range service.Requests() {
		remotes[r.RemoteAddr] = true
	}
	must.Equal(t, 1, len(remotes))
}

func TestWaitsBetweenTriesAreJitteredBelowADoublingCeiling(t *testing.T) {
	t.Parallel()
	got := pull(t, nil, status(500))
	must.Equal(t, []time.Duration{time.Second, 2 * time.Second}, got.clock.Waited())
}

func TestAGateThatRefusesIsAWaitAndNothingIsSent(t *testing.T) {
	t.Parallel()
	until := upstreamtest.Start.Add(time.Minute)
	refused := &upstreamtest.Gate{Refuse: []error{&upstream.NoSlot{Until: until}}}
	got := pull(t, func(_ *upstream.Options, c *upstream.Client) { c.Gate = refused }, good)
	must.Equal(t, upstream.Wait, got.failure.Kind)
	must.Equal(t, until, got.failure.Until)
	must.Equal(t, 0, got.failure.Attempts)
	must.Equal(t, 0, len(got.service.Requests()))
	none, ok := errors.AsType[*upstream.NoSlot](got.err)
	must.True(t, ok && none.Until.Equal(until))
	must.ErrorContains(t, got.err, "pull rows: ", "budget is spent until 2026-11-20T12:01:00Z")
}

func TestAGateThatRefusesARetryIsAWaitAfterOneAttempt(t *testing.T) {
	t.Parallel()
	gate := &upstreamtest.Gate{Refuse: []error{nil, &upstream.NoSlot{Until: upstreamtest.Start}}}
	got := pull(t, func(_ *upstream.Options, c *upstream.Client) { c.Gate = gate }, status(500))
	must.Equal(t, upstream.Wait, got.failure.Kind)
	must.Equal(t, 1, got.failure.Attempts)
	must.Equal(t, 1, len(got.service.Requests()))
	gate.Check(t, 1)
}

func TestAGateThatFailsSendsNothing(t *testing.T) {
	t.Parallel()
	broken := errors.New("no database")
	got := pull(t, func(_ *upstream.Options, c *upstream.Client) {
		c.Gate = &upstreamtest.Gate{Refuse: []error{broken}}
	}, good)
	must.True(t, errors.Is(got.err, broken))
	must.Equal(t, upstream.Retry, got.failure.Kind)
	must.Equal(t, 0, len(got.service.Requests()))
}

func TestASlotIsLeftWhenTheCallPanics(t *testing.T) {
	t.Parallel()
	gate := &upstreamtest.Gate{}
	service := upstreamtest.Serve(t, status(500))
	c := client(upstreamtest.Transport(t), service.Base(t), gate)
	c.Classify = func(upstream.Reply) upstream.Verdict { panic("classify") }
	func() {
		defer func() { must.Equal(t, any("classify"), recover()) }()
		_, _ = upstream.Get[row](t.Context(), c, "pull rows", "/rows", nil)
	}()
	gate.Check(t, 1)
	must.Equal(t, 500, gate.Seen()[0].Status)
}

func TestTheGateLearnsWhatTheReplyShowed(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reply upstreamtest.Reply
		check func(*testing.T, upstream.Observed)
	}{
		"a header in any case": {
			upstreamtest.Reply{Header: map[string]string{"X-RATELIMIT-remaining": " 41 "}, Body: good.Body},
			func(t *testing.T, o upstream.Observed) {
				must.Equal(t, 41, *o.Remaining)
				must.Equal(t, 200, o.Status)
			},
		},
		"a header that counts nothing": {
			upstreamtest.Reply{Header: map[string]string{"X-RateLimit-Remaining": "-1"}, Body: good.Body},
			func(t *testing.T, o upstream.Observed) { must.True(t, o.Remaining == nil) },
		},
		"too many": {
			upstreamtest.Reply{Status: 429, Header: map[string]string{"retry-after": "17", "X-RateLimit-Remaining": "0"}},
			func(t *testing.T, o upstream.Observed) {
				must.Equal(t, 17*time.Second, o.RetryAfter)
				must.Equal(t, 0, *o.Remaining)
			},
		},
		"fails, and names a time": {
			upstreamtest.Reply{Status: 503, Header: map[string]string{"Retry-After": "17"}},
			func(t *testing.T, o upstream.Observed) {
				must.Equal(t, time.Duration(0), o.RetryAfter)
				must.True(t, o.Remaining == nil)
			},
		},
		"no reply": {
			upstreamtest.Reply{Do: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
			func(t *testing.T, o upstream.Observed) {
				must.Equal(t, 0, o.Status)
				must.True(t, !o.Replied.IsZero())
			},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := pull(t, nil, c.reply)
			c.check(t, got.gate.Seen()[0])
		})
	}
}

func TestAReplyThatTakesTooLongIsGivenUp(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]func(http.ResponseWriter){
		"before its header": func(http.ResponseWriter) {},
		"within its body": func(w http.ResponseWriter) {
			_, _ = w.Write([]byte(`{"success":`))
			w.(http.Flusher).Flush()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := pull(t, func(o *upstream.Options, _ *upstream.Client) { o.Timeout = 500 * time.Millisecond },
				upstreamtest.Reply{Do: func(w http.ResponseWriter, r *http.Request) { begin(w); <-r.Context().Done() }})
			must.Equal(t, upstream.Retry, got.failure.Kind)
			must.Equal(t, 3, got.failure.Attempts)
			must.ErrorContains(t, got.err, "pull rows: ", "no full reply within the deadline", "(3 attempts)")
			got.gate.Check(t, 3)
			must.Equal(t, name == "before its header", got.gate.Seen()[0].Status == 0)
		})
	}
}

func TestACallerWhoLeavesIsNotRetried(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	service := upstreamtest.Serve(t, upstreamtest.Reply{Do: func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}})
	gate := &upstreamtest.Gate{}
	_, err := upstream.Get[row](ctx, client(upstreamtest.Transport(t), service.Base(t), gate), "pull rows", "/rows", nil)
	must.True(t, errors.Is(err, context.Canceled))
	must.Equal(t, 1, len(service.Requests()))
	gate.Check(t, 1)
}

func TestAReplyIsBoundedAfterDecompression(t *testing.T) {
	t.Parallel()
	long := `{"success":true,"data":{"n":7,"x":"` + strings.Repeat("a", upstream.DefaultBytes) + `"}}`
	for name, reply := range map[string]upstreamtest.Reply{
		"plain": {Body: long},
		"gzip": {Do: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = z.Write([]byte(long))
			_ = z.Close()
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := pull(t, nil, reply)
			must.Equal(t, upstream.Quarantine, got.failure.Kind)
			must.ErrorContains(t, got.err, "longer than 8388608 bytes")
			must.Equal(t, upstream.DefaultBytes, len(got.failure.Raw))
			must.Equal(t, 1, got.failure.Attempts)
			got.gate.Check(t, 1)
		})
	}
	exact := `{"success":true,"data":{"n":7},"x":"` + strings.Repeat("a", 100) + `"}`
	bounded := func(o *upstream.Options, _ *upstream.Client) { o.MaxBytes = int64(len(exact)) }
	got := pull(t, bounded, upstreamtest.Reply{Body: exact})
	must.NoError(t, got.err)
	for code, want := range map[int]upstream.Kind{299: upstream.Quarantine, 300: upstream.OurFault, 401: upstream.Pause, 500: upstream.Retry} {
		got := pull(t, bounded, upstreamtest.Reply{Status: code, Body: exact + " "})
		must.Equal(t, want, got.failure.Kind, "longer, with the status", code)
		must.ErrorContains(t, got.err, "longer than")
	}
}

func TestACompressedReplyIsRead(t *testing.T) {
	t.Parallel()
	got := pull(t, nil, upstreamtest.Reply{Do: func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = z.Write([]byte(good.Body))
		_ = z.Close()
	}})
	must.NoError(t, got.err)
	must.Equal(t, good.Body, string(got.Raw))
}

func TestARedirectIsNeverFollowed(t *testing.T) {
	t.Parallel()
	elsewhere := upstreamtest.Serve(t, good)
	for _, code := range []int{301, 302, 303, 307, 308, 304} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			t.Parallel()
			got := pull(t, nil, upstreamtest.Reply{Status: code, Header: map[string]string{"Location": elsewhere.URL + "/rows?token=1"}})
			must.Equal(t, upstream.Quarantine, got.failure.Kind)
			must.ErrorContains(t, got.err, "redirects to "+elsewhere.URL+"/rows, redirects are never followed: check the base address")
			must.NotContains(t, got.err.Error(), "token=1")
			must.Equal(t, 1, len(got.service.Requests()))
		})
	}
	t.Cleanup(func() { must.Equal(t, 0, len(elsewhere.Requests())) })
	got := pull(t, nil, upstreamtest.Reply{Status: 302})
	must.Equal(t, "redirects are never followed: check the base address", got.failure.Message)
	for _, before := range []int{112, 118, 124} { // the address is cut off within the token
		got := pull(t, nil, upstreamtest.Reply{Status: 302, Header: map[string]string{"Location": "https://shop.example/" + strings.Repeat("x", before) + upstreamtest.Token}})
		must.NotContains(t, got.failure.Message, upstreamtest.Token[:8])
	}
}

func TestATruncatedReplyIsRetried(t *testing.T) {
	t.Parallel()
	cut := upstreamtest.Reply{Do: func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		_, _ = w.Write([]byte(`{"success":true,`))
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}}
	got := pull(t, nil, cut, good)
	must.NoError(t, got.err)
	must.Equal(t, 2, got.Attempts)
	got.gate.Check(t, 2)
	must.Equal(t, 200, got.gate.Seen()[0].Status, "its header came")
}

func TestAFailureSaysWhatWasTriedAndWhatCame(t *testing.T) {
	t.Parallel()
	cut := errors.New("cut")
	for _, c := range []struct {
		failure     upstream.Failure
		error, said string
	}{
		{upstream.Failure{Kind: upstream.Retry}, "retry", ""},
		{upstream.Failure{Kind: upstream.Wait, Op: "pull x"}, "pull x: wait", ""},
		{upstream.Failure{Op: "pull x", Status: 403, Code: "NO_PLAN"}, "pull x: answered 403 NO_PLAN", "403 NO_PLAN"},
		{upstream.Failure{Op: "pull x", Status: 403, Code: "NO_PLAN", Message: "no"}, "pull x: answered 403 NO_PLAN: no", "403 NO_PLAN: no"},
		{upstream.Failure{Op: "pull x", Status: 500, Err: cut, Attempts: 3}, "pull x: answered 500: cut (3 attempts)", "500: cut"},
		{upstream.Failure{Op: "pull x", Err: cut, Attempts: 1}, "pull x: cut", "cut"},
	} {
		must.Equal(t, c.error, c.failure.Error())
		must.Equal(t, c.said, c.failure.Said())
	}
}

func TestAFailureDoesNotNameTheResolver(t *testing.T) {
	t.Parallel()
	dns := &net.DNSError{Err: "no such host", Name: "shop.invalid", Server: "10.0.0.53:53", IsNotFound: true}
	f := &upstream.Failure{Kind: upstream.Retry, Err: &net.OpError{Op: "dial", Net: "tcp", Err: dns}}
	must.Equal(t, "no such host", f.Said())
}

func TestAServiceThatIsDownIsARetry(t *testing.T) {
	t.Parallel()
	service := upstreamtest.Serve(t, good)
	base := service.Base(t)
	service.Close()
	gate := &upstreamtest.Gate{}
	_, err := upstream.Get[row](t.Context(), client(upstreamtest.Transport(t), base, gate), "pull rows", "/rows", nil)
	must.Equal(t, upstream.Retry, upstreamtest.KindOf(err))
	must.ErrorContains(t, err, "pull rows: ", "connection refused", "(3 attempts)")
	gate.Check(t, 3)
}
