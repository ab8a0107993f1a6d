package sandbox

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestAFaultHitsSoManyRequestsOfOneEndpoint(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	w.Break(Upsell, "fernhollow", Fault{Path: "/data/analytics", Times: 2, Cause: Internal})
	same(t, http.StatusOK, w.upsell("fernhollow", "/data/offers/count").status)
	same(t, http.StatusOK, w.upsell("lumen", "/data/analytics/stats").status)
	for range 2 {
		requireUpsellError(t, w.upsell("fernhollow", "/data/analytics/stats"), http.StatusInternalServerError, "")
	}
	same(t, http.StatusOK, w.upsell("fernhollow", "/data/analytics/stats").status)
	w.Break(Gift, "fernhollow", Fault{Cause: Internal})
	requireGiftError(t, w.gift("fernhollow", "/plan"), http.StatusInternalServerError, codeInternalError)
	requireGiftError(t, w.gift("fernhollow", "/plan"), http.StatusInternalServerError, codeInternalError)
	w.Clear(Gift, "fernhollow")
	same(t, http.StatusOK, w.gift("fernhollow", "/plan").status)
}

func TestCausesAnswerAsTheDocumentsSay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	for cause, message := range map[Cause]string{Revoked: "Invalid token", Uninstalled: "Invalid token", Unchecked: "Unauthorized"} {
		w.Break(Upsell, "kumo", Fault{Times: 1, Cause: cause})
		requireUpsellError(t, w.upsell("kumo", "/data/offers/count"), http.StatusUnauthorized, message)
	}
	w.Break(Upsell, "kumo", Fault{Times: 1, Cause: CountFailed})
	same(t, `{"success":false,"data":{"total":0}}`, w.upsell("kumo", "/data/offers/count").body)

	w.Break(Upsell, "kumo", Fault{Times: 1, Cause: Limited})
	limited := w.upsell("kumo", "/data/offers/count")
	requireUpsellError(t, limited, http.StatusTooManyRequests, "Rate limit exceeded")
	same(t, "30", limited.header.Get("Retry-After"))
	w.Break(Gift, "kumo", Fault{Times: 1, Cause: Limited})
	requireGiftError(t, w.gift("kumo", "/plan"), http.StatusTooManyRequests, codeRateLimit)

	w.Break(Gift, "kumo", Fault{Times: 1, Cause: Uninstalled})
	requireGiftError(t, w.gift("kumo", "/plan"), http.StatusForbidden, codeAppUninstalled)
	w.Break(Gift, "kumo", Fault{Times: 1, Cause: BadInput})
	requireGiftError(t, w.gift("kumo", "/plan"), http.StatusBadRequest, codeInvalidInput)
	w.Break(Gift, "kumo", Fault{Times: 1, Cause: ThemeAway})
	away := data[gotHealth](t, w.gift("kumo", "/setup-health"))
	hold(t, len(away.Errors) > 0)
	hold(t, away.Theme == nil)
	hold(t, away.Campaigns.Total > 0, "the counts still come")
}

func TestWithoutAPlanTheFirstRequestRevokesTheKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	w.Break(Gift, "lumen", Fault{Cause: NoPlan})
	requireGiftError(t, w.gift("lumen", "/plan"), http.StatusForbidden, codeNoPlan)
	for range 3 {
		requireGiftError(t, w.gift("lumen", "/plan"), http.StatusUnauthorized, codeInvalidKey)
	}
	same(t, http.StatusOK, w.upsell("lumen", "/data/offers/count").status)
	w.Clear(Gift, "lumen")
	same(t, http.StatusOK, w.gift("lumen", "/plan").status)
}

func TestAnswersCanBeSpoilt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	whole := w.upsell("lumen", "/data/offers").body

	w.Break(Upsell, "lumen", Fault{Times: 1, Body: "<html>Sorry</html>", ContentType: "text/html"})
	html := w.upsell("lumen", "/data/offers")
	same(t, []any{http.StatusOK, "text/html", "<html>Sorry</html>"}, []any{html.status, html.header.Get("Content-Type"), html.body})

	w.Break(Upsell, "lumen", Fault{Times: 1, Status: http.StatusBadGateway, Body: "bad gateway"})
	same(t, http.StatusBadGateway, w.upsell("lumen", "/data/offers").status)

	w.Break(Upsell, "lumen", Fault{Times: 1, Edit: func(b []byte) []byte {
		return bytes.ReplaceAll(b, []byte("lumen-optik.example"), []byte("other.example"))
	}})
	hold(t, strings.Contains(w.upsell("lumen", "/data/offers").body, `"shopDomain":"other.example"`), w.upsell("lumen", "/data/offers").body)

	st := w.store("lumen")
	req, err := http.NewRequest("GET", w.url+st.UpsellPath+"/data/offers", nil)
	hold(t, err == nil, err)
	req.Header.Set("Authorization", "Bearer "+st.UpsellToken)

	w.Break(Upsell, "lumen", Fault{Times: 1, Cut: 100})
	res, err := http.DefaultClient.Do(req)
	hold(t, err == nil, err)
	defer res.Body.Close()
	part, err := io.ReadAll(res.Body)
	hold(t, errors.Is(err, io.ErrUnexpectedEOF), err)
	same(t, whole[:100], string(part))

	w.Break(Upsell, "lumen", Fault{Cause: "", Drop: true})
	_, err = http.DefaultClient.Do(req) //nolint:bodyclose // there is no answer
	hold(t, err != nil)
	w.Clear(Upsell, "lumen")
	same(t, whole, w.upsell("lumen", "/data/offers").body)
}

func TestASlowAnswerEndsWithItsCaller(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	w := newWorld(t, Config{Log: onWrite(cancel)}) // the caller leaves as soon as the request has arrived
	w.Break(Upsell, "lumen", Fault{Delay: time.Hour})
	st := w.store("lumen")
	req, err := http.NewRequestWithContext(ctx, "GET", w.url+st.UpsellPath+"/data/offers", nil)
	hold(t, err == nil, err)
	req.Header.Set("Authorization", "Bearer "+st.UpsellToken)
	_, err = http.DefaultClient.Do(req) //nolint:bodyclose // there is no answer
	hold(t, errors.Is(err, context.Canceled), err)
	same(t, 1, len(w.Arrivals()))
}

type onWrite func()

func (f onWrite) Write(b []byte) (int, error) {
	f()
	return len(b), nil
}
