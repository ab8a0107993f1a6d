package upsell_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

// call is one call of the client and the address of a good reply to it.
type call struct {
	path string
	do   func(context.Context, *upsell.Client) (data any, err error)
}

func calling[T any](do func(context.Context, *upsell.Client) (upstream.Answer[T], error)) func(context.Context, *upsell.Client) (any, error) {
	return func(ctx context.Context, c *upsell.Client) (any, error) {
		got, err := do(ctx, c)
		return &got.Data, err
	}
}

// calls are all eleven endpoints, recommendations in each of its shapes.
func calls() []call {
	window := "start=2026-11-13&end=2026-11-19"
	all := []call{
		{"analytics/summary?" + window, calling(func(ctx context.Context, c *upsell.Client) (upstream.Answer[upsell.Summary], error) {
			return c.Summary(ctx, week)
		})},
		{"analytics/stats?" + window, calling(func(ctx context.Context, c *upsell.Client) (upstream.Answer[upsell.Stats], error) {
			return c.Stats(ctx, week)
		})},
		{"analytics/top?" + window, calling(func(ctx context.Context, c *upsell.Client) (upstream.Answer[upsell.Top], error) {
			return c.Top(ctx, week, upsell.Highest, 3)
		})},
		{"analytics/coverage?" + window, calling(func(ctx context.Context, c *upsell.Client) (upstream.Answer[upsell.Coverage], error) {
			return c.Coverage(ctx, week)
		})},
		{"analytics/lifetime", calling(func(ctx context.Context, c *upsell.Client) (upstream.Answer[upsell.Lifetime], error) {
			return c.Lifetime(ctx)
		})},
		{"offers?page=3", calling(func(ctx context.Context, c *upsell.Client) (upstream.Answer[upsell.Offers], error) {
			return c.Offers(ctx, upsell.OffersQuery{Page: 3})
		})},
		{"offers/by-priority?placement=Thank+you+page+upsell&page=2", calling(func(ctx context.Context, c *upsell.Client) (upstream.Answer[upsell.Offers], error) {
			return c.ByPriority(ctx, upsell.ThankYou, 2)
		})},
		{"offers/count", calling(func(ctx context.Context, c *upsell.Client) (upstream.Answer[upsell.Count], error) {
			return c.Count(ctx)
		})},
		{"offer/o1", calling(func(ctx context.Context, c *upsell.Client) (upstream.Answer[*upsell.OfferSetup], error) {
			return c.Offer(ctx, "o1")
		})},
		{"offer/o1/stages", calling(func(ctx context.Context, c *upsell.Client) (upstream.Answer[*upsell.Stages], error) {
			return c.Stages(ctx, "o1")
		})},
	}
	for _, q := range []upsell.RecommendationsQuery{{}, {OfferID: "o1"}, {OfferID: "o3"}, {OfferID: "o4"}, {ProductName: "hat"}} {
		query := url.Values{"offerId": {q.OfferID}, "productName": {q.ProductName}}
		all = append(all, call{"products/recommendations?" + query.Encode(), calling(func(ctx context.Context, c *upsell.Client) (upstream.Answer[upsell.Recommendations], error) {
			return c.Recommendations(ctx, q)
		})})
	}
	return all
}

func TestTenThousandMutatedRepliesAreAnswersOrFailures(t *testing.T) {
	t.Parallel()
	const total = 10_000
	all := calls()
	for n, one := range all {
		t.Run(one.path, func(t *testing.T) {
			t.Parallel()
			var body atomic.Pointer[[]byte]
			service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(*body.Load()) }))
			t.Cleanup(service.Close)
			base, err := url.Parse(service.URL)
			must.NoError(t, err)
			client := upsell.New(upstreamtest.Transport(t), base, upstream.NewSecret(upstreamtest.Token), &upstreamtest.Gate{})

			good := docBody(t, one.path)
			body.Store(&good)
			data, err := one.do(t.Context(), client)
			must.NoError(t, err)
			sound(t, reflect.ValueOf(data))

			random := rand.New(rand.NewPCG(2026, uint64(n)))
			answers, failures := 0, 0
			for range (total + len(all) - 1) / len(all) {
				mutated := upstreamtest.Mutate(random, good)
				body.Store(&mutated)
				data, err := one.do(t.Context(), client)
				if err == nil {
					answers++
					must.True(t, json.Valid(mutated) && bytes.Contains(mutated, []byte("true")), string(mutated))
					sound(t, reflect.ValueOf(data))
					continue
				}
				failures++
				f := failure(t, err)
				must.Equal(t, upstream.Quarantine, f.Kind, string(mutated))
				must.Equal(t, 1, f.Attempts)
				must.True(t, bytes.Equal(mutated, f.Raw), "what came is kept")
				must.True(t, reflect.ValueOf(data).Elem().IsZero(), "a broken reply gives no data")
			}
			must.True(t, answers > 20 && failures > 200, fmt.Sprint(answers, " answers, ", failures, " failures"))
		})
	}
}

// docBody is the second server's good reply.
func docBody(t testing.TB, path string) []byte {
	t.Helper()
	request := httptest.NewRequest(http.MethodGet, docPrefix+"/data/"+path, nil)
	request.Header.Set("Authorization", "Bearer "+upstreamtest.Token)
	recorder := httptest.NewRecorder()
	docServer().ServeHTTP(recorder, request)
	must.Equal(t, http.StatusOK, recorder.Code)
	return recorder.Body.Bytes()
}

// sound checks that nothing invalid got into the data, whatever its type.
func sound(t *testing.T, v reflect.Value) {
	t.Helper()
	if v.CanInterface() {
		switch data := v.Interface().(type) {
		case upstream.Raw:
			must.True(t, len(data) == 0 || json.Valid(data), "raw JSON")
			return
		case upsell.Recommendations:
			must.True(t, inWords(data) != "")
		case upsell.Stages:
			for at, parent := range data.Parents() {
				must.True(t, parent >= -1 && parent != at && parent < len(data.Stages))
			}
		}
	}
	switch v.Kind() {
	case reflect.String:
		must.True(t, utf8.ValidString(v.String()) && !strings.Contains(v.String(), "\x00"), "text")
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			sound(t, v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			sound(t, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				sound(t, v.Field(i))
			}
		}
	}
}
