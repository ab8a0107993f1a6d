package pulls_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/report/offers"
)

func TestWhatGoesWithAProductIsAskedAtOnceAndNothingIsStored_N36(t *testing.T) {
	t.Parallel()
	w := synced(t, options{rateLimit: 60})
	tables := append([]string{"ledger", "replies", "credentials"}, numberTables...)
	before, from := w.dump(tables), w.mark()
	best, err := w.syncer.Recommend(context.Background(), shop, offers.ProductQuery{})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "nothing named", best.Shape+" "+best.Cause, "best_sellers nothing_named")
	one := best.Products[0]
	for _, of := range []offers.ProductQuery{{ID: one.ID}, {Name: one.Title}} {
		got, err := w.syncer.Recommend(context.Background(), shop, of)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "shape", got.Shape, offers.ShapeBoughtTogether)
		equal(t, "trigger", got.Triggers[0].Title, one.Title)
		for _, p := range got.Triggers[0].Padding {
			if p.CoPurchased != nil || slices.ContainsFunc(got.Triggers[0].Evidence, func(e offers.RecommendedProduct) bool { return e.ID == p.ID }) {
				t.Errorf("%s is padding and evidence", p.Title)
			}
		}
		if got.Of != of || got.Currency == "" || got.Provenance.FetchedAt.IsZero() || got.Provenance.Timezone == "" {
			t.Errorf("%+v", got)
		}
	}
	gone, err := w.syncer.Recommend(context.Background(), shop, offers.ProductQuery{ID: "gid://shop/Product/1"})
	equal(t, "a product that is gone", gone.Cause, "product_deleted")
	equal(t, "error", err, nil)
	none, err := w.syncer.Recommend(context.Background(), shop, offers.ProductQuery{Name: "no such product"})
	equal(t, "a name that nothing has", none.Cause, "no_match")
	equal(t, "error", err, nil)
	equal(t, "calls", len(w.arrivals(sandbox.Upsell, from)), 5)
	same(t, w.dump(tables), before)
}

func TestWhyTheUpsellServiceGaveNoAnswerIsSaidInWords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault  sandbox.Fault
		before func(*world)
		words  string
	}{
		"revoked":        {sandbox.Fault{Cause: sandbox.Revoked}, nil, "The upsell token was refused"},
		"too many":       {sandbox.Fault{Cause: sandbox.Limited}, nil, "The upsell app asks us to wait. Try again in "},
		"down":           {sandbox.Fault{Cause: sandbox.Internal}, nil, "The upsell app didn’t answer. Try again in a moment."},
		"something else": {sandbox.Fault{Body: `{"success":true,"data":{"shopBestSellers":[],"bestSellersOnly":true,"nothingNamed":true}}`}, nil, "The upsell app answered about another product."},
		"paused": {sandbox.Fault{}, func(w *world) {
			w.exec(`update credentials set state = 'paused', paused_said = 'Nobody knows it.' where service = 'upsell'`)
		}, "Access to the upsell app is paused."},
		"not connected": {sandbox.Fault{}, func(w *world) { w.exec(`delete from credentials where service = 'upsell'`) }, "The upsell app isn’t connected to this store."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := synced(t, options{rateLimit: 60})
			w.sandbox.Break(sandbox.Upsell, shop, c.fault)
			if c.before != nil {
				c.before(w)
			}
			_, err := w.syncer.Recommend(context.Background(), shop, offers.ProductQuery{Name: "x"})
			refused, ok := errors.AsType[*offers.CallError](err)
			if !ok || !strings.HasPrefix(refused.Error(), c.words) {
				t.Errorf("%v, want %q", err, c.words)
			}
		})
	}
}
