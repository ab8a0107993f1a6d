package sandbox

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

// requireUpsellError checks status and envelope; an empty message matches any.
func requireUpsellError(t *testing.T, a answer, status int, message string) {
	t.Helper()
	same(t, status, a.status, a.body)
	var got map[string]any
	hold(t, json.Unmarshal([]byte(a.body), &got) == nil, json.Unmarshal([]byte(a.body), &got))
	same(t, 2, len(got), a.body)
	same(t, false, got["success"])
	hold(t, got["message"] != "")
	if message != "" {
		same(t, message, got["message"])
	}
	hold(t, len(a.header.Get("X-RateLimit-Limit")) > 0)
	hold(t, len(a.header.Get("X-RateLimit-Remaining")) > 0)
}

func requireGiftError(t *testing.T, a answer, status int, code giftCode) {
	t.Helper()
	same(t, status, a.status, a.body)
	var got struct {
		Success bool
		Data    any
		Error   struct {
			Code    giftCode
			Message string
		}
	}
	hold(t, json.Unmarshal([]byte(a.body), &got) == nil, json.Unmarshal([]byte(a.body), &got))
	hold(t, !got.Success)
	hold(t, got.Data == nil)
	same(t, code, got.Error.Code)
	hold(t, len(got.Error.Message) > 0)
	same(t, 0, len(a.header.Get("Retry-After")))
}

func TestUpsellRefusesAsTheDocumentSays(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{Limit: 60})
	st := w.store("fernhollow")
	own := "Bearer " + st.UpsellToken
	count := st.UpsellPath + "/data/offers/count"
	cases := map[string]struct {
		method, path, auth string
		status             int
		message            string
	}{
		"no header":                     {"GET", count, "", 401, "Missing credentials"},
		"another scheme":                {"GET", count, "Basic " + st.UpsellToken, 401, "Invalid token"},
		"unknown token":                 {"GET", count, "Bearer nobody", 401, "Invalid token"},
		"the gift key":                  {"GET", count, "Bearer " + st.GiftKey, 401, "Invalid token"},
		"post":                          {"POST", count, own, 403, "This token is read-only"},
		"post to no route":              {"POST", st.UpsellPath + "/nowhere", own, 403, "This token is read-only"},
		"delete":                        {"DELETE", st.UpsellPath, own, 403, "This token is read-only"},
		"another store's domain":        {"GET", st.UpsellPath + "/shop/lumen-optik.example/data/offers/count", own, 403, "Token is not authorized for this shop"},
		"another store's, before v1":    {"GET", "/upsell/shop/lumen-optik.example/v1/data/offers", own, 403, "Token is not authorized for this shop"},
		"the prefix":                    {"GET", st.UpsellPath, own, 400, "Missing shop domain"},
		"internal route":                {"GET", st.UpsellPath + "/internal/shops", own, 403, "This endpoint requires an internal API key"},
		"no route":                      {"GET", st.UpsellPath + "/data/nothing", own, 404, ""},
		"a shop and no endpoint":        {"GET", st.UpsellPath + "/shop/fernhollow.example", own, 404, ""},
		"no route below a shop segment": {"GET", st.UpsellPath + "/shop/fernhollow.example/data/nothing", own, 404, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			requireUpsellError(t, w.send(c.method, c.path, c.auth), c.status, c.message)
		})
	}
}

func TestAShopSegmentMayConfirmTheStoreInAnyCase(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{Prefix: "/deep/er"})
	st := w.store("fernhollow")
	same(t, "/deep/er/upsell/v1", st.UpsellPath)
	plain := w.upsell("fernhollow", "/data/offers/count")
	for _, path := range []string{
		"/deep/er/upsell/v1/shop/fernhollow.example/data/offers/count",
		"/deep/er/upsell/v1/shop/FernHollow.Example/data/offers/count",
		"/deep/er/upsell/shop/fernhollow.example/v1/data/offers/count",
	} {
		same(t, plain.body, w.send("GET", path, "bearer "+st.UpsellToken).body, path)
	}
	for _, path := range []string{"/upsell/v1/data/offers/count", "/deep/er/upsell/v2/data/offers/count", "/deep/er/upsell/v11"} {
		same(t, http.StatusNotFound, w.send("GET", path, "Bearer "+st.UpsellToken).status, path)
	}
}

func TestGiftRefusesAsTheDocumentSays(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{Limit: 60})
	st := w.store("lumen")
	own := "Bearer " + st.GiftKey
	cases := map[string]struct {
		method, path, auth string
		status             int
		code               giftCode
	}{
		"no header":        {"GET", "/plan", "", 401, codeMissingKey},
		"no bearer":        {"GET", "/plan", st.GiftKey, 401, codeMissingKey},
		"unknown key":      {"GET", "/plan", "Bearer nobody", 401, codeInvalidKey},
		"the upsell token": {"GET", "/plan", "Bearer " + st.UpsellToken, 401, codeInvalidKey},
		"an mcp key":       {"GET", "/plan", "Bearer " + mcpPrefix + "abc", 401, codeWrongSurface},
		"a write":          {"POST", "/campaigns/preview", own, 403, codeInsufficientScope},
		"a write nowhere":  {"PUT", "/nowhere", own, 403, codeInsufficientScope},
		"no such path":     {"GET", "/nowhere", own, 404, codeNotFound},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			requireGiftError(t, w.send(c.method, st.GiftPath+c.path, c.auth), c.status, c.code)
		})
	}
}

func TestMoneyIsExactDecimal(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"49975.83": string(world.Amount(4997583, 2)), "49975.8": string(world.Amount(4997580, 2)), "1480": string(world.Amount(1480, 0)), "0": string(world.Amount(0, 2)),
		"0.05": string(world.Amount(5, 2)), "-1.5": string(world.Amount(-150, 2)), "0.142596": string(world.Quotient(1327, 9306, 0, 6)),
		"37.66": string(world.Quotient(4997583, 1327, 2, 0)), "90071992547409.93": string(world.Amount(9007199254740993, 2)),
	} {
		same(t, want, got)
	}
}
