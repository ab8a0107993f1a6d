package upstream_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

func TestAChangeIsSentWithItsBodyAndAnsweredLikeAnyCall(t *testing.T) {
	t.Parallel()
	var body []byte
	service := upstreamtest.Serve(t, upstreamtest.Reply{Do: func(w http.ResponseWriter, r *http.Request) {
		body, _ = io.ReadAll(r.Body)
		_, _ = w.Write([]byte(upstreamtest.OK(`"done"`).Body))
	}}, upstreamtest.OK(`null`), upstreamtest.Reply{Body: `{"success":true}`})
	gate := &upstreamtest.Gate{}
	w := upstream.NewWriter(upstream.Client{
		Transport: upstreamtest.Transport(t), Base: service.Base(t, "/v1"), Token: upstream.NewSecret(upstreamtest.Token), Gate: gate,
	})
	change := upstream.Change{Method: http.MethodPatch, Endpoint: "/things/1", Body: []byte(`{"a":1}`)}
	got, err := upstream.Send[string](t.Context(), w, "change thing", change)
	must.NoError(t, err)
	must.Equal(t, "done", *got.Data)
	sent := service.Last(t)
	must.Equal(t, "PATCH /v1/things/1", sent.Method+" "+sent.URL.Path)
	must.Equal(t, `{"a":1}`, string(body))
	must.Equal(t, "application/json", sent.Header.Get("Content-Type"))
	must.Equal(t, int64(7), sent.ContentLength)
	must.Equal(t, "Bearer "+upstreamtest.Token, sent.Header.Get("Authorization"))
	for range 2 { // null and absent
		got, err = upstream.Send[string](t.Context(), w, "change thing", change)
		must.NoError(t, err)
		must.Nil(t, got.Data)
	}
	gate.Check(t, 3)
}

func TestAChangeThatMayHaveArrivedIsNotSentAgain(t *testing.T) {
	t.Parallel()
	broken := upstreamtest.Reply{Do: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }}
	for repeatable, attempts := range map[bool]int{false: 1, true: 3} {
		for _, reply := range []upstreamtest.Reply{broken, {Status: 500}, {Status: 503}} {
			// The first reply leaves a kept connection, on which net/http might retry.
			service := upstreamtest.Serve(t, upstreamtest.OK(`null`), reply)
			w := upstream.NewWriter(upstream.Client{
				Transport: upstreamtest.Transport(t), Base: service.Base(t), Token: upstream.NewSecret(upstreamtest.Token), Gate: &upstreamtest.Gate{},
			})
			change := upstream.Change{Method: http.MethodPut, Endpoint: "/x", Body: []byte(`{}`), Repeatable: repeatable}
			_, err := upstream.Send[string](t.Context(), w, "change", change)
			must.NoError(t, err)
			_, err = upstream.Send[string](t.Context(), w, "change", change)
			must.Equal(t, upstream.Retry, upstreamtest.KindOf(err))
			must.Equal(t, 1+attempts, len(service.Requests()))
		}
	}
}
