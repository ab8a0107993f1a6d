package gift_test

import (
	"bytes"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

// TestEveryReadOfTheSandboxIsRead calls every reading and resolving endpoint of every store,
// including the vast and the hostile one.
func TestEveryReadOfTheSandboxIsRead(t *testing.T) {
	t.Parallel()
	box := sandbox.New(sandbox.Config{Seed: 7, Vast: true, Hostile: true})
	server := httptest.NewServer(box)
	t.Cleanup(server.Close)
	for _, store := range box.Stores() {
		t.Run(store.Slug, func(t *testing.T) {
			t.Parallel()
			base, err := url.Parse(server.URL + store.GiftPath)
			must.NoError(t, err)
			c := gift.New(upstreamtest.Transport(t), base, upstream.NewSecret(store.GiftKey), &upstreamtest.Gate{})
			for path, do := range reads {
				_, err := do(t.Context(), c)
				must.NoError(t, err, path)
			}
			readInDepth(t, c)
		})
	}
}

// readInDepth follows what the lists name.
func readInDepth(t *testing.T, c *gift.Client) {
	campaigns, err := c.Campaigns(t.Context(), nil)
	must.NoError(t, err)
	for _, k := range campaigns.Data.Campaigns[:min(5, len(campaigns.Data.Campaigns))] {
		got, err := c.Campaign(t.Context(), string(k.ID))
		must.NoError(t, err)
		d := got.Data
		must.True(t, d.Found && d.ID == k.ID)
		for _, group := range []string{"triggerConditions", "giftProducts", "discountSettings", "schedule"} {
			must.True(t, bytes.Contains(d.Raw, []byte(`"`+group+`":`)), group)
		}
	}
	widgets, err := c.Widgets(t.Context())
	must.NoError(t, err)
	must.True(t, len(widgets.Data.Types) > 0)
	for _, w := range widgets.Data.Types {
		got, err := c.Widget(t.Context(), w.Type)
		must.NoError(t, err)
		must.True(t, len(got.Data.Raw) > 0)
	}
	words, err := c.Translations(t.Context(), "")
	if upstreamtest.KindOf(err) == upstream.Quarantine { // all at once was too long
		words, err = c.Translations(t.Context(), "en")
	}
	must.NoError(t, err)
	for _, language := range words.Data.ActiveLanguages {
		got, err := c.Translations(t.Context(), language)
		must.NoError(t, err)
		must.True(t, got.Data.Found && !got.Has(upstream.FlagFilterDiffers))
		paths := map[string]bool{}
		for _, e := range got.Data.WidgetEntries {
			must.True(t, e.Text != nil && !paths[e.Path], e.Path)
			paths[e.Path] = true
		}
		must.True(t, len(got.Data.CampaignEntries) >= min(1, len(campaigns.Data.Campaigns)))
	}
	candidates, err := c.Find(t.Context(), gift.GiftProducts, "")
	must.NoError(t, err)
	must.True(t, len(candidates.Data.List) > 0 && len(candidates.Data.List) <= 10)
	var handles []string
	for _, k := range candidates.Data.List {
		must.True(t, k.StockStatus != "")
		product, err := upstream.Decode[struct {
			Handle string `json:"handle"`
		}](k.Raw)
		must.NoError(t, err)
		handles = append(handles, product.Handle)
	}
	checked, err := c.Products(t.Context(), append(handles, "no-such-product"))
	must.NoError(t, err)
	must.Equal(t, []string{"no-such-product"}, []string(checked.Data.NotFound))
	must.Equal(t, len(handles), len(checked.Data.Products))
	for _, p := range checked.Data.Products {
		for _, v := range p.Variants {
			must.Equal(t, v.StockStatus == gift.NotTracked, v.InventoryQuantity.Count == nil)
		}
	}
}
