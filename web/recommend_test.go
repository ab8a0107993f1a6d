package web_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	reportoffers "github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/web/webtest"
)

func TestWhatGoesWithAProductIsAnsweredWithEvidenceApart_N36(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	k := &checker{}
	w.Server.Parts.Reports.Products = k
	b, csrf := w.SignedIn(), w.CSRF()
	post := func(product string) webtest.Response {
		return b.Do("POST", "/stores/acme/recommendations", url.Values{"csrf": {csrf}, "product": {product}}, nil)
	}
	price, both := decimal.RequireFromString("12.50"), int64(31)
	k.recommended.RecommendationsBody = reportoffers.RecommendationsBody{Shape: reportoffers.ShapeBoughtTogether, Currency: "EUR", Triggers: []reportoffers.RecommendationTrigger{{
		Title:    "Trail <i>socks</i>",
		Evidence: []reportoffers.RecommendedProduct{{ID: "1", Title: "Boot wax", CoPurchased: &both, PastRevenue: &price}},
		Padding:  []reportoffers.RecommendedProduct{{ID: "2", Title: "Laces", Price: &price}},
	}}}
	r := post(" Trail socks ")
	evidence, padding, apart := strings.Cut(r.Body, `class="padding"`)
	if r.Status != 200 || k.product != (reportoffers.ProductQuery{Name: "Trail socks"}) || !apart ||
		!strings.Contains(evidence, "What goes with Trail &lt;i&gt;socks") || !strings.Contains(evidence, "Boot wax") || strings.Contains(evidence, "Laces") || !strings.Contains(padding, "Laces") {
		t.Errorf("%d, asked %+v\n%s", r.Status, k.product, r.Body)
	}
	k.recommended.RecommendationsBody = reportoffers.RecommendationsBody{Shape: reportoffers.ShapeCandidates, Products: []reportoffers.RecommendedProduct{{ID: "gid://shop/Product/7", Title: "Mug"}, {ID: "gid://shop/Product/8", Title: "Mug"}}}
	if r := post("Mug"); r.Status != 200 || !strings.Contains(r.Body, `name="product" value="gid://shop/Product/8"`) {
		t.Errorf("%d\n%s", r.Status, r.Body)
	}
	k.recommended.RecommendationsBody = reportoffers.RecommendationsBody{Shape: reportoffers.ShapeBestSellers, Cause: "product_deleted", Products: []reportoffers.RecommendedProduct{{ID: "9", Title: "Hat"}}}
	if r := post("gid://shop/Product/8"); k.product != (reportoffers.ProductQuery{ID: "gid://shop/Product/8"}) || !strings.Contains(r.Body, "Nothing shows that they sell with this product.") {
		t.Errorf("%d, asked %+v\n%s", r.Status, k.product, r.Body)
	}
	if r := post("  "); r.Status != http.StatusSeeOther {
		t.Errorf("nothing named: %d", r.Status)
	}
	for bad, wrong := range map[string]string{"gid://shop/Collection/1": "product", strings.Repeat("a", 300): "product", "a\x00b": ""} {
		if r := post(bad); r.Status != http.StatusBadRequest || webtest.WrongField(r) != wrong {
			t.Errorf("%.20q: %d, wrong is %q", bad, r.Status, webtest.WrongField(r))
		}
	}
	k.refusal = &reportoffers.CallError{Said: locale.Sentences{locale.Text("The upsell token is refused.")}}
	if r := post("Mug"); r.Status != http.StatusServiceUnavailable || !strings.Contains(r.Body, "The upsell token is refused.") || !strings.Contains(r.Body, `value="Mug"`) {
		t.Errorf("%d", r.Status)
	}
	if r := b.Get("/stores/acme/offers"); !strings.Contains(r.Body, `href="/stores/acme/recommendations"`) {
		t.Error("the offers do not lead to it")
	}
}

// many are n handles.
func many(n int) string {
	var handles []string
	for i := range n {
		handles = append(handles, strconv.Itoa(i))
	}
	return strings.Join(handles, ",")
}

func TestTheAPISaysWhyAServiceGaveNoAnswer(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	k := &checker{refusal: &reportoffers.CallError{Said: locale.Sentences{locale.Text("This minute's calls are spent.")}}}
	w.Server.Parts.Reports.Products = k
	b := w.APIClient(w.Token(webtest.Own))
	for address, want := range map[string]string{
		"recommendations?product_name=x":                              `503 "title":"The app didn’t answer"`,
		"gift/products?handles=a":                                     `503 This minute's calls are spent.`,
		"gift/products":                                               `400 "field":"handles"`,
		"gift/products?handles=,":                                     `400 "field":"handles"`,
		"gift/products?handles=a&window=all":                          `400 "field":"window"`,
		"gift/products?handles=" + strings.Repeat("a", 300):           `400 "field":"handles"`,
		"gift/products?handles=" + many(201):                          `400 "field":"handles"`,
		"gift/products?handles=" + many(200) + ",1":                   `503`,
		"recommendations?product_id=7":                                `400`,
		"recommendations?product_id=a/Product/1":                      `400`,
		"recommendations?product_id=gid:///Product/1":                 `400`,
		"recommendations?product_id=gid://a/Product/":                 `400`,
		"recommendations?product_id=gid://a/b/Product/1":              `400`,
		"recommendations?product_id=gid://a/Product/1&product_name=":  `503`,
		"recommendations?product_name=%20":                            `503`,
		"recommendations?product_id=gid://a/Product/1&product_name=x": `400 not by both`,
		"recommendations?product_name=" + strings.Repeat("a", 300):    `400 "field":"product_name"`,
		"recommendations?product=x":                                   `400 "field":"product"`,
	} {
		status, text, _ := strings.Cut(want, " ")
		r := b.Get("/api/v1/stores/acme/" + address)
		if strconv.Itoa(r.Status) != status || !strings.Contains(r.Body, text) {
			t.Errorf("%s: %d, want %s\n%s", address, r.Status, status, r.Body)
		}
	}
	w.Server.Parts.Reports.Products = nil // without the key to the tokens
	for _, address := range []string{"gift/products?handles=a", "recommendations?product_name=x"} {
		if r := b.Get("/api/v1/stores/acme/" + address); r.Status != 503 {
			t.Errorf("%s without a key: %d", address, r.Status)
		}
	}
	w.Server.Parts.Reports.Products = k
	if r := b.Get("/api/v1/stores/acme/gift/products?handles=a"); r.Header.Get("Retry-After") != "60" {
		t.Errorf("Retry-After %q", r.Header.Get("Retry-After"))
	}
}

func TestTheAPIGivesWidgetsSettingsAndWordingAsTheyCame_N54_N59(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.APIClient(w.Token(webtest.Own))
	for path, parts := range map[string][]string{
		"widgets":      {`"types":[{"type":"`, `"locked":`, `"settings":{"found":true,"body":{`, `"fetched_at":"2026`},
		"settings":     {`"found":false,"body":{`, `"provenance":{"endpoint":"GET /settings"`},
		"translations": {`"languages":[{"locale":"`, `"widgets":[`, `"translations":{`, `"customised":`},
	} {
		r := b.Get("/api/v1/stores/acme/gift/" + path)
		for _, part := range parts {
			if r.Status != 200 || !strings.Contains(r.Body, part) {
				t.Errorf("%s: %d, %q is not in\n%s", path, r.Status, part, r.Body)
			}
		}
	}
}

func TestTheAPISaysNothingOfGiftStateThatWasNotPulledN1(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Exec(`delete from gift_widget_settings`)
	w.Exec(`update gift_translations set active_languages = array_append(active_languages, 'sv')`)
	b := w.APIClient(w.Token(webtest.Own))
	types := object(t, b.Get("/api/v1/stores/acme/gift/widgets"))["types"].([]any)
	for _, each := range types {
		if at(each, "settings") != nil {
			t.Errorf("a type without settings: %v", each)
		}
	}
	unpulled := 0
	for _, l := range object(t, b.Get("/api/v1/stores/acme/gift/translations"))["languages"].([]any) {
		if at(l, "pulled") == false {
			unpulled++
		}
		if (at(l, "fetched_at") != nil) != (at(l, "pulled") == true) {
			t.Errorf("a language: %v", l)
		}
	}
	if len(types) == 0 || unpulled == 0 {
		t.Errorf("%d types, %d languages that were not pulled: the test shows nothing", len(types), unpulled)
	}
}
