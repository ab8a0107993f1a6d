package sandbox

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestSixtyAMinuteSlideAndTheRestIsToldWhenToComeBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{Limit: 60})
	for i := range 60 {
		a := w.upsell("fernhollow", "/data/offers/count")
		same(t, http.StatusOK, a.status)
		same(t, "60", a.header.Get("X-RateLimit-Limit"))
		same(t, strconv.Itoa(59-i), a.header.Get("X-RateLimit-Remaining"))
		w.clock.forward(time.Second / 2)
	}
	over := w.upsell("fernhollow", "/data/offers/count") // 30 s after the first
	requireUpsellError(t, over, http.StatusTooManyRequests, "Rate limit exceeded")
	same(t, "0", over.header.Get("X-RateLimit-Remaining"))
	same(t, "31", over.header.Get("Retry-After"), "the first two must leave, since a refused request counts too")
	same(t, http.StatusOK, w.upsell("lumen", "/data/offers/count").status, "the limit is the token's")
	same(t, http.StatusOK, w.gift("fernhollow", "/plan").status, "the other service counts for itself")
	w.clock.forward(30 * time.Second)
	same(t, http.StatusTooManyRequests, w.upsell("fernhollow", "/data/offers/count").status, "59 and the refused one are still there")
	w.clock.forward(time.Second)
	same(t, http.StatusOK, w.upsell("fernhollow", "/data/offers/count").status)
}

func TestRequestsAreCountedBeforeTheTokenIsLookedAt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{Limit: 60})
	st := w.store("fernhollow")
	for range 60 {
		requireUpsellError(t, w.send("GET", st.UpsellPath+"/data/nothing", "Bearer nobody"), http.StatusUnauthorized, "Invalid token")
		requireGiftError(t, w.send("GET", st.GiftPath+"/nothing", "Bearer nobody"), http.StatusUnauthorized, codeInvalidKey)
	}
	requireUpsellError(t, w.send("GET", st.UpsellPath+"/data/nothing", "Bearer nobody"), http.StatusTooManyRequests, "Rate limit exceeded")
	requireGiftError(t, w.send("GET", st.GiftPath+"/nothing", "Bearer nobody"), http.StatusTooManyRequests, codeRateLimit)
}

func TestFailedAndRefusedRequestsCount(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{Limit: 60})
	st := w.store("fernhollow")
	for range 20 {
		w.send("POST", st.UpsellPath+"/data/offers", "Bearer "+st.UpsellToken)
		w.upsell("fernhollow", "/data/nothing")
		w.upsell("fernhollow", "/data/analytics/summary?start=x")
	}
	same(t, http.StatusTooManyRequests, w.upsell("fernhollow", "/data/offers/count").status)
	same(t, 61, len(w.Arrivals()))
}

func TestTwentyWritesAMinuteBesideTheSharedLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{Limit: 60})
	st := w.store("lumen")
	for _, key := range []string{st.GiftKey, st.GiftWriteKey} { // refused or not, a write counts, and only for its own key
		want := map[string]int{st.GiftKey: http.StatusForbidden, st.GiftWriteKey: http.StatusOK}[key]
		send := func(method, path string) answer {
			return w.sendBody(method, st.GiftPath+path, "Bearer "+key, `{"title":"Hello"}`)
		}
		for range 20 {
			same(t, want, send("PATCH", "/widgets/gift_popup").status)
		}
		requireGiftError(t, send("PATCH", "/widgets/gift_popup"), http.StatusTooManyRequests, codeWriteRateLimit)
		for range 39 {
			same(t, http.StatusOK, send("GET", "/plan").status, "reading still works")
		}
		requireGiftError(t, send("GET", "/plan"), http.StatusTooManyRequests, codeRateLimit)
		requireGiftError(t, send("PATCH", "/widgets/gift_popup"), http.StatusTooManyRequests, codeRateLimit)
	}
	w.clock.forward(61 * time.Second)
	same(t, http.StatusOK, w.sendBody("PATCH", st.GiftPath+"/widgets/gift_popup", "Bearer "+st.GiftWriteKey, "{}").status)
}

func TestWithoutALimitTheHeadersAreLarge(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	for range 70 {
		a := w.upsell("wattle", "/data/offers/count")
		same(t, http.StatusOK, a.status)
		remaining, err := strconv.Atoi(a.header.Get("X-RateLimit-Remaining"))
		hold(t, err == nil, err)
		hold(t, remaining > 1_000_000, remaining)
	}
}

func TestNeverMoreThanTheLimitIsLetInUnderAStorm(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{Limit: 60})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 25 {
				w.upsell("kumo", "/data/offers/count")
			}
		})
	}
	wg.Wait()
	let := 0
	for _, a := range w.Arrivals() {
		if a.Status == http.StatusOK {
			let++
		}
	}
	same(t, 60, let)
	same(t, 200, len(w.Arrivals()))
}

func TestEveryArrivalIsOneLineWithTheTailOfItsToken(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	w := newWorld(t, Config{Limit: 60, Log: &log})
	w.upsell("fernhollow", "/data/analytics/summary?start=2026-11-01&end=2026-11-02")
	w.gift("fernhollow", "/nowhere")
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	same(t, 2, len(lines))
	var got map[string]any
	hold(t, json.Unmarshal([]byte(lines[0]), &got) == nil, json.Unmarshal([]byte(lines[0]), &got))
	token := w.store("fernhollow").UpsellToken
	same(t, map[string]any{
		"time": "2026-11-20T20:00:00.000000000Z", "service": "upsell", "store": "fernhollow", "token": token[len(token)-4:],
		"method": "GET", "path": "/upsell/v1/data/analytics/summary?start=2026-11-01&end=2026-11-02", "status": float64(200),
	}, got)
	hold(t, !strings.Contains(log.String(), token))
	same(t, token, w.Arrivals()[0].Token)
}
