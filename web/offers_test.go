package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/access/sharing"
	"github.com/storeglass/storeglass/web/webtest"
)

func TestOfferPagesShowTheStoredOffers(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	for path, words := range map[string][]string{
		"/stores/acme/placements":          {"Post-purchase upsell", "Coverage", "Counts are current", "/stores/acme/offers?placement=coupon"},
		"/stores/acme/offers":              {"All 3 offers loaded", "Acme Foods bundle 2", "not reported", "/stores/acme/offers/acme-offer-1"},
		"/stores/acme/offers/acme-offer-1": {"HYPERLINK", "Results per variant: not reported", "Deleted", "from real orders", "3 of 30 days"},
		"/stores/acme/offers/acme-offer-2": {"Acme Foods bundle 2", "The setup is on its way"},
		"/stores/acme/offers/acme-offer-3": {"Coupon offer", "Value by day isn’t reported"},
		"/stores/acme":                     {"/stores/acme/offers/acme-offer-1", `href="/stores/acme/offers"`},
	} {
		r := b.Get(path)
		if r.Status != 200 {
			t.Errorf("%s: %d", path, r.Status)
		}
		for _, each := range words {
			if !strings.Contains(r.Body, each) {
				t.Errorf("%s does not say %q", path, each)
			}
		}
	}
}

func TestOfferPagesAreInTheReadersLanguageAndTheirFilesInEnglish(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	b.Header.Set("Accept-Language", "de")
	for path, words := range map[string]string{
		"/stores/acme/offers":              "Alle 3 Angebote geladen",
		"/stores/acme/offers?query=zzz":    "Kein Angebot passt",
		"/stores/acme/offers/acme-offer-2": "Die Einrichtung wird geladen",
		"/stores/acme/offers/acme-offer-3": "Umsatz pro Tag wird nicht gemeldet",
		"/stores/acme/recommendations":     "Was passt zu einem Produkt?",
	} {
		if r := b.Get(path); !strings.Contains(r.Body, words) {
			t.Errorf("%s does not say %q", path, words)
		}
	}
	book := []byte(b.Get("/stores/acme/offers.xlsx").Body)
	if about := part(t, book, "xl/sharedStrings.xml") + part(t, book, "xl/worksheets/sheet2.xml"); !strings.Contains(about, "All 3 offers loaded") {
		t.Error("the file is not in English")
	}
}

func TestOffersOfOtherStoresAndUnknownOnesAreNotFound(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	page, api := w.SignedIn(), w.APIClient(w.Token(webtest.Own))
	for _, id := range []string{webtest.Foreign + "-offer-1", "nothing", "%00", "%ff", "..", strings.Repeat("a", 201), "acme-offer-1%2F..", "acme-offer-1%20"} {
		for _, under := range []string{"", "/history.csv", "/history.xlsx"} {
			if r := page.Get("/stores/acme/offers/" + id + under); r.Status != http.StatusNotFound || webtest.Leaks(r) != "" {
				t.Errorf("%.20q%s: %d, shows %q", id, under, r.Status, webtest.Leaks(r))
			}
		}
		for _, under := range []string{"", "/stages", "/recommendations", "/history"} {
			if r := api.Get("/api/v1/stores/acme/offers/" + id + under); r.Status != http.StatusNotFound || webtest.Leaks(r) != "" {
				t.Errorf("API %.20q%s: %d, shows %q", id, under, r.Status, webtest.Leaks(r))
			}
		}
	}
}

func TestAnyIDTheServiceSendsHasAPage(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	for _, id := range []string{"a/b?c=<d>&e", "100%", "%41", "gid://shop/Offer/7", "x y", "ünïcödé", "a+b", "history.csv"} {
		w.Exec(`update offers set offer_id = $1 where offer_id like '%' and name like 'Acme Foods bundle 2'`, id)
		w.Exec(`update stores set revision = revision + 1`)
		path := "/stores/acme/offers/" + url.PathEscape(id)
		if r := b.Get(path); r.Status != 200 || !strings.Contains(r.Body, "Acme Foods bundle 2") {
			t.Errorf("%q: %d", id, r.Status)
		}
		if r := b.Get(path + "/history.csv"); r.Status != 200 {
			t.Errorf("%q, its file: %d", id, r.Status)
		}
		if r := b.Get("/stores/acme/offers"); !strings.Contains(strings.ReplaceAll(r.Body, "&amp;", "&"), `href="`+path+`"`) {
			t.Errorf("%q: the list does not lead to %s", id, path)
		}
	}
}

func TestOfferListIsFilteredByItsAddress(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	for query, want := range map[string]string{
		"query=BUNDLE":                          "acme-offer-2 acme-offer-3",
		"query=BUNDLE&sort=newest":              "acme-offer-3 acme-offer-2",
		"query=BUNDLE&sort=value_reversed":      "acme-offer-3 acme-offer-2",
		"sort=name_reversed&window=last_7_days": "acme-offer-3 acme-offer-2 acme-offer-1",
		"query=HYPER":                           "acme-offer-1",
		"placement=coupon":                      "acme-offer-3",
		"placement=post_purchase&sort=oldest":   "acme-offer-1 acme-offer-2",
		"ab_test=true":                          "acme-offer-1",
		"status=expired":                        "",
		"sort=revenue":                          "acme-offer-2 acme-offer-1 acme-offer-3",
		"sort=revenue_low":                      "acme-offer-1 acme-offer-2 acme-offer-3",
		"placement=post_purchase&sort=priority": "acme-offer-1 acme-offer-2",
		"never_earned=true":                     "",
		"query=%25":                             "",
	} {
		r := b.Get("/stores/acme/offers?" + query)
		var got []string
		for part := range strings.SplitSeq(r.Body, `<a class="underlined" href="/stores/acme/offers/`) {
			if id, _, ok := strings.Cut(part, `"`); ok && strings.HasPrefix(id, "acme-offer-") {
				got = append(got, id)
			}
		}
		if r.Status != 200 || strings.Join(got, " ") != want {
			t.Errorf("%s: %d, %v, want %s", query, r.Status, got, want)
		}
	}
}

func TestOfferFilterThatCantBeAsked(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	page, api := w.SignedIn(), w.APIClient(w.Token(webtest.Own))
	for query, field := range map[string]string{"sort=priority": "sort", "status=x": "status", "page=0": "page"} {
		r := page.Get("/stores/acme/offers?" + query)
		if r.Status != http.StatusBadRequest || !strings.Contains(r.Body, `role="alert"`) || !strings.Contains(r.Body, "acme-offer-1") {
			t.Errorf("%s: %d", query, r.Status)
		}
		if r := api.Get("/api/v1/stores/acme/offers?" + query); r.Status != http.StatusBadRequest || !strings.Contains(r.Body, `"field":"`+field+`"`) {
			t.Errorf("API %s: %d %s", query, r.Status, r.Body)
		}
		if r := page.Get("/stores/acme/offers.csv?" + query); r.Status != http.StatusBadRequest {
			t.Errorf("file %s: %d", query, r.Status)
		}
	}
	if r := api.Get("/api/v1/stores/acme/offers?stauts=active"); r.Status != http.StatusBadRequest {
		t.Errorf("a mistyped filter: %d", r.Status)
	}
	if r := page.Get("/stores/acme/offers?query=" + url.QueryEscape(`"><script>alert(1)</script>`)); strings.Contains(r.Body, "<script>alert") || r.Header.Get("Content-Encoding") != "" {
		t.Error("a search is echoed as markup, or packed beside the form token")
	}
}

func TestWindowOfAnOfferOrPlacementsThatCantBeShownSaysWhy(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	for _, path := range []string{"/stores/acme/offers/acme-offer-1", "/stores/acme/placements"} {
		if r := b.Get(path + "?window=fortnight"); r.Status != http.StatusBadRequest || !strings.Contains(r.Body, "is not a window") {
			t.Errorf("%s: %d", path, r.Status)
		}
	}
}

func TestAPIOffersSayWhatIsNotReported_N13(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.APIClient(w.Token(webtest.Own))
	v := object(t, b.Get("/api/v1/stores/acme/offers?sort=oldest"))
	rows := v["offers"].([]any)
	if len(rows) != 3 || at(rows[0], "revenue_all_time") != "1000.5" || at(rows[2], "revenue_all_time") != nil {
		t.Errorf("%v", rows)
	}
	if at(v, "verified", "words") != "All 3 offers loaded" || at(v, "verified", "whole") != true || at(v, "provenance", "window") != nil {
		t.Errorf("%v, %v", v["verified"], v["provenance"])
	}
	empty := object(t, b.Get("/api/v1/stores/acme/offers?query=zzz"))
	if rows, ok := empty["offers"].([]any); !ok || len(rows) != 0 || empty["empty"] != nil {
		t.Errorf("nothing found is no answer: %v", empty)
	}
}

func TestAPIOfferHistoryTellsZeroFromUnknown_N1_N16(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.APIClient(w.Token(webtest.Own))
	v := object(t, b.Get("/api/v1/stores/acme/offers/acme-offer-1/history?start=2026-11-16&end=2026-11-19"))
	for i, want := range []struct{ stored, revenue, claims any }{{false, nil, nil}, {true, "12.25", 3.0}, {true, "0", nil}, {true, "0", nil}} {
		day := v["days"].([]any)[i]
		if at(day, "stored") != want.stored || at(day, "revenue") != want.revenue || at(day, "claims") != want.claims {
			t.Errorf("%v, want %v", day, want)
		}
	}
	if v["revenue"] != "12.25" || at(v, "provenance", "basis") != "stitched" {
		t.Errorf("%v %v", v["revenue"], v["provenance"])
	}
	coupon := object(t, b.Get("/api/v1/stores/acme/offers/acme-offer-3/history"))
	if at(coupon, "empty", "cause") != "not_reported" || coupon["days"] != nil {
		t.Errorf("a coupon's days: %v", coupon)
	}
}

func TestAPIOfferHasItsPartsWithTheirOwnProvenance(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.APIClient(w.Token(webtest.Own))
	v := object(t, b.Get("/api/v1/stores/acme/offers/acme-offer-1"))
	for path, want := range map[string]any{
		"provenance.endpoint": "GET /data/offers", "results.provenance.endpoint": "GET /data/analytics/top", "setup.provenance.endpoint": "GET /data/offer/{id}",
		"results.revenue": "299", "offer.revenue_all_time": "1000.5", "setup.words.schedule": "started 4 Mar 2026, no end date",
		"setup.words.trigger": "An order that meets both. Product: Acme Foods boots (deleted) · Order value",
	} {
		if got := at(v, strings.Split(path, ".")...); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	if _, ok := at(v, "setup").(map[string]any)["discount_type"]; ok {
		t.Error("a discount that was not sent is there (N33)")
	}
	for under, endpoint := range map[string]string{"stages": "GET /data/offer/{id}/stages", "recommendations": "GET /data/products/recommendations", "history": "GET /data/analytics/top"} {
		if got := at(object(t, b.Get("/api/v1/stores/acme/offers/acme-offer-1/"+under)), "provenance", "endpoint"); got != endpoint {
			t.Errorf("%s is from %v", under, got)
		}
	}
	if v := object(t, b.Get("/api/v1/stores/acme/offers/acme-offer-2/stages")); at(v, "empty", "cause") != "filling" {
		t.Errorf("stages that were never pulled: %v", v)
	}
	if r := b.Get("/api/v1/stores/acme/offers/acme-offer-1/stages?window=today"); r.Status != http.StatusBadRequest {
		t.Errorf("stages of a window: %d", r.Status)
	}
}

func TestAPIRecommendationsKeepEvidenceApart_N36(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	v := object(t, w.APIClient(w.Token(webtest.Own)).Get("/api/v1/stores/acme/offers/acme-offer-1/recommendations"))
	triggers := v["triggers"].([]any)
	evidence, padding := at(triggers[0], "bought_together").([]any), at(triggers[0], "same_category_picks").([]any)
	if at(evidence[0], "co_purchased_orders") != 7.0 || at(padding[0], "co_purchased_orders") != nil {
		t.Errorf("%v, %v", evidence, padding)
	}
	if none, ok := at(triggers[1], "bought_together").([]any); !ok || len(none) != 0 {
		t.Errorf("no history is %v", at(triggers[1], "bought_together"))
	}
}

func TestOfferFilesHaveEveryRowAndNoTotal_N13_N14(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	w.Exec(`insert into offers (store_id, offer_id, name, status, placement, ab_test, revenue, currency, first_seen_at, last_listed_at, last_walk)
		select store_id, 'more-' || n, 'More ' || n, 'active', placement, false, n, currency, first_seen_at, last_listed_at, 1
		from offers, generate_series(1, 120) n where offer_id = 'acme-offer-1'`)
	rows := webtest.File(t, b.Get("/stores/acme/offers.csv"))
	if len(rows) != 123 {
		t.Errorf("%d rows, want all 123", len(rows))
	}
	seen := map[string]bool{}
	for _, row := range rows {
		if seen[row["offer_id"]] {
			t.Errorf("%s is there twice", row["offer_id"])
		}
		seen[row["offer_id"]] = true
		if coupon := row["placement"] == "Coupon offer"; coupon != (row["revenue_all_time"] == "") || coupon != (row["revenue_reported"] == "no") {
			t.Errorf("%v", row)
		}
		if row["offer_id"] == "acme-offer-1" && row["offer"] != "'"+webtest.Formula {
			t.Errorf("the name is %q", row["offer"])
		}
		if row["window_start"] != "2026-10-21" || row["endpoint"] != "GET /data/analytics/top" || row["before_end"] != "2026-10-20" {
			t.Errorf("the days are not named: %v", row)
		}
	}
	if rows := webtest.File(t, b.Get("/stores/acme/offers.csv?query=more&page=2")); len(rows) != 120 {
		t.Errorf("%d rows of a filter, want all 120", len(rows))
	}
	r := b.Get("/stores/acme/offers/acme-offer-1/history.csv?start=2026-11-16&end=2026-11-19")
	if got := r.Header.Get("Content-Disposition"); got != `attachment; filename="acme-offer-history.csv"` {
		t.Error(got)
	}
	days := webtest.File(t, r)
	if len(days) != 4 || days[0]["revenue"] != "" || days[0]["stored"] != "no" || days[1]["revenue"] != "12.25" || days[2]["revenue"] != "0" || days[0]["offer"] != "'"+webtest.Formula {
		t.Errorf("%v", days)
	}
}

func TestPageFilesAndTheAPIListTheSameOffersInTheSameOrder(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b, api, link := w.SignedIn(), w.APIClient(w.Token(webtest.Own)), w.Share(func(n *sharing.Draft) { n.Compares = true })
	for _, query := range []string{"", "sort=claims_reversed", "sort=name&placement=post_purchase", "sort=change&window=last_7_days", "sort=event", "query=bundle&compare=none"} {
		v := object(t, api.Get("/api/v1/stores/acme/offers?"+query))
		rows, listed := webtest.File(t, b.Get("/stores/acme/offers.csv?"+query)), v["offers"].([]any)
		if len(rows) != len(listed) || len(rows) == 0 {
			t.Fatalf("%s: %d rows and %d offers", query, len(rows), len(listed))
		}
		page := b.Get("/stores/acme/offers?" + query).Body
		for i, row := range rows {
			revenue, _ := at(listed[i], "revenue").(string)
			if at(listed[i], "id") != row["offer_id"] || revenue != row["revenue_in_window"] || at(v, "ranking", "provenance", "window", "start") != row["window_start"] {
				t.Errorf("%s: %v and %v", query, listed[i], row)
			}
			_, rest, found := strings.Cut(page, `href="/stores/acme/offers/`+row["offer_id"]+`"`)
			if page = rest; !found {
				t.Errorf("%s: the page does not list %s there", query, row["offer_id"])
			}
		}
		if _, compares := rows[0]["revenue_before"]; compares == strings.Contains(query, "compare=none") || compares != (v["compared"] != nil) {
			t.Errorf("%s: compared %v", query, compares)
		}
	}
	for sort, status := range map[string]int{"change": 200, "value_reversed": 200, "revenue": 400} {
		if r := b.Get(link + "/offers.json?sort=" + sort); r.Status != status {
			t.Errorf("a link that compares, by %s: %d", sort, r.Status)
		}
	}
}

func TestOfferPagesHoldNoInlineCode(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	for _, path := range []string{"/stores/acme/placements", "/stores/acme/offers", "/stores/acme/offers/acme-offer-1", "/gallery/offer-hostile", "/gallery/offers-hostile", "/gallery/offer", "/gallery/placements"} {
		for _, found := range inline.FindAllString(b.Get(path).Body, -1) {
			if !strings.HasPrefix(found, "<script") || !strings.Contains(found, ` src=`) && !strings.Contains(found, `type="application/json"`) {
				t.Errorf("%s: %.200s", path, found)
			}
		}
	}
}

func TestPagesAndTheAPIAgreeOnAnOffer(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	v := object(t, w.APIClient(w.Token(webtest.Own)).Get("/api/v1/stores/acme/offers/acme-offer-1/history?window=last_7_days"))
	rows := webtest.File(t, w.SignedIn().Get("/stores/acme/offers/acme-offer-1/history.csv?window=last_7_days"))
	days := v["days"].([]any)
	if len(days) != 7 || len(rows) != 7 {
		t.Fatalf("%d and %d days", len(days), len(rows))
	}
	for i, row := range rows {
		value, _ := at(days[i], "revenue").(string)
		if at(days[i], "day") != row["day"] || value != row["revenue"] {
			t.Errorf("%v and %v", days[i], row)
		}
	}
}
