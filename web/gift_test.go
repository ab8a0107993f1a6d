package web_test

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/web/webtest"
)

func TestGiftPagesShowWhatIsStored(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	for path, want := range map[string][]string{
		"/stores/acme/gift": {"$900", "Acme Foods gift", "no longer listed since 18 Nov", "Not configured", "1 of 84", "2 campaigns in the app’s list", "not loaded yet"},
		"/stores/acme/gift?start=2026-11-02&end=2026-11-04": {"$53", "stitched", locale.English.T("state.no_gift_rate"), "2 days filled in later"},
		"/stores/acme/gift/campaigns/acme-campaign-1":       {"Min order total", "&lt;script&gt;alert(1)&lt;/script&gt;", "Gift products"},
		"/stores/acme/gift/campaigns/acme-campaign-2":       {"The app doesn’t have this campaign", "may belong to another store or have been deleted"},
		"/stores/acme/gift/campaigns/acme-campaign-3":       {"No longer listed since 18 Nov 2026", locale.English.T("state.on_the_way.gift_campaign")},
		"/stores/acme": {`href="/stores/acme/gift"`},
	} {
		r := b.Get(path)
		if r.Status != 200 {
			t.Fatalf("%s: %d", path, r.Status)
		}
		for _, text := range want {
			if !strings.Contains(r.Body, text) {
				t.Errorf("%s does not say %q", path, text)
			}
		}
	}
	if r := b.Get("/stores/acme/gift/campaigns/birch-campaign-1"); r.Status != http.StatusNotFound {
		t.Errorf("another store's campaign: %d", r.Status)
	}
}

func TestGiftFilesSayWhatEachDayWasDerivedFrom(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	rows := webtest.File(t, w.SignedIn().Get("/stores/acme/gift/history.csv?start=2026-11-02&end=2026-11-04"))
	got := ""
	for _, r := range rows {
		got += r["day"] + " " + r["day_basis"] + " " + r["derived_from"] + " " + r["gift_revenue"] + "\n"
	}
	if want := "2026-11-02 derived difference 41.25\n2026-11-03   \n2026-11-04 derived previous 12\n"; got != want {
		t.Errorf("%q", got)
	}
}

// checker answers for the gift service.
type checker struct {
	asked       []string
	product     offers.ProductQuery
	recommended offers.ProductRecommendations
	refusal     error
}

func (k *checker) CheckProducts(_ context.Context, _ string, handles []string) (offers.ProductCheck, error) {
	k.asked = handles
	yes, no, zero := true, false, int64(0)
	return offers.ProductCheck{
		Provenance: report.Provenance{Endpoint: "GET /products", Basis: report.Reported, FetchedAt: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)},
		Requested:  handles, NotFound: []string{"nothing"},
		Products: []offers.CheckedProduct{
			{Handle: "mug", Title: "<b>Mug</b>", CanBeGifted: &yes, TracksInventory: &no, Variants: []offers.CheckedVariant{{Title: "Green", Giftable: &yes, StockStatus: "not_tracked"}}},
			{Handle: "sock", CanBeGifted: &no, Issues: []string{"It is a draft."}, Variants: []offers.CheckedVariant{{Title: "One", Giftable: &no, StockStatus: "out_of_stock", Quantity: &zero}}},
		},
	}, k.refusal
}

func (k *checker) Recommend(_ context.Context, _ string, of offers.ProductQuery) (offers.ProductRecommendations, error) {
	k.product = of
	r := k.recommended
	r.Of, r.Shape = of, cmp.Or(r.Shape, offers.ShapeBestSellers)
	r.Provenance = report.Provenance{Endpoint: "GET /data/products/recommendations", Basis: report.Reported, FetchedAt: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}
	return r, k.refusal
}

func TestProductCheckAnswersInWords_N56_N57(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	k := &checker{}
	w.Server.Parts.Reports.Products = k
	b, csrf := w.SignedIn(), w.CSRF()
	post := func(handles string) webtest.Response {
		return b.Do("POST", "/stores/acme/gift/products", url.Values{"csrf": {csrf}, "handles": {handles}}, nil)
	}
	r := post("mug, sock\nnothing\nmug")
	if r.Status != 200 || strings.Join(k.asked, " ") != "mug sock nothing" {
		t.Fatalf("%d, asked for %q", r.Status, k.asked)
	}
	for _, text := range []string{"1 of 3 products can be given", "1 handle isn’t a product of this store", "always available", "out of stock, 0 counted", "It is a draft.", "&lt;b&gt;Mug"} {
		if !strings.Contains(r.Body, text) {
			t.Errorf("the answer does not say %q", text)
		}
	}
	if strings.Contains(strings.Split(r.Body, "sock")[1], "0 in stock") {
		t.Error("an uncounted stock is shown as 0")
	}
	if r := post(" ,\n, "); r.Status != http.StatusSeeOther {
		t.Errorf("no handle: %d", r.Status)
	}
	if r := post(strings.Repeat("a", 300)); r.Status != http.StatusBadRequest || webtest.WrongField(r) != "handles" {
		t.Errorf("no handle at all: %d, wrong is %q", r.Status, webtest.WrongField(r))
	}
	k.refusal = &offers.CallError{Said: locale.Sentences{locale.Text("The gift key is refused.")}}
	if r := post("mug"); r.Status != http.StatusServiceUnavailable || !strings.Contains(r.Body, "The gift key is refused.") || !strings.Contains(r.Body, ">mug<") {
		t.Errorf("%d", r.Status)
	}
	if r := b.Do("POST", "/stores/acme/gift/products", url.Values{"handles": {"mug"}}, nil); r.Status != http.StatusForbidden {
		t.Errorf("without the form's token: %d", r.Status)
	}
	k.refusal = &offers.CallError{Said: locale.Sentences{locale.M("call.slow.gift")}}
	b.Header.Set("Accept-Language", "de")
	if r := post("mug"); !strings.Contains(r.Body, locale.German.T("call.slow.gift")) {
		t.Error("the reason is not in the reader's language")
	}
}

func TestGiftPagesAreInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	b.Header.Set("Accept-Language", "de")
	rate := locale.German.T("state.no_gift_rate") // computed where the numbers are, not on the page
	const days = "?start=2026-11-02&end=2026-11-04"
	if r := b.Get("/stores/acme/gift" + days); !strings.Contains(r.Body, rate) || !strings.Contains(r.Body, locale.German.T("gift.campaigns.title")) {
		t.Error("the page is not in German")
	}
}
