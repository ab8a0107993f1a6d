package gift_test

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
	"sync/atomic"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

// read is one call of the client by its path.
type read = func(context.Context, *gift.Client) (data any, err error)

func reading[T any](do func(context.Context, *gift.Client) (upstream.Answer[T], error)) read {
	return func(ctx context.Context, c *gift.Client) (any, error) {
		got, err := do(ctx, c)
		return &got.Data, err
	}
}

func resolving(kind gift.Kind) read {
	return reading(func(ctx context.Context, c *gift.Client) (upstream.Answer[gift.Candidates], error) {
		return c.Find(ctx, kind, "q")
	})
}

// reads are all twenty.
var reads = map[string]read{
	"": reading(func(ctx context.Context, c *gift.Client) (upstream.Answer[gift.Listing], error) {
		return c.Endpoints(ctx)
	}),
	"/mcp/tools": reading(func(ctx context.Context, c *gift.Client) (upstream.Answer[gift.Listing], error) { return c.Tools(ctx) }),
	"/setup-health": reading(func(ctx context.Context, c *gift.Client) (upstream.Answer[gift.SetupHealth], error) {
		return c.SetupHealth(ctx)
	}),
	"/campaigns": reading(func(ctx context.Context, c *gift.Client) (upstream.Answer[gift.Campaigns], error) {
		return c.Campaigns(ctx, nil)
	}),
	"/campaigns/7001": reading(func(ctx context.Context, c *gift.Client) (upstream.Answer[gift.CampaignDetail], error) {
		return c.Campaign(ctx, "7001")
	}),
	"/analytics": reading(func(ctx context.Context, c *gift.Client) (upstream.Answer[gift.Analytics], error) {
		return c.Analytics(ctx, 7, false)
	}),
	"/products": reading(func(ctx context.Context, c *gift.Client) (upstream.Answer[gift.Products], error) {
		return c.Products(ctx, []string{"a"})
	}),
	"/widgets": reading(func(ctx context.Context, c *gift.Client) (upstream.Answer[gift.Widgets], error) {
		return c.Widgets(ctx)
	}),
	"/widgets/b ä.d": reading(func(ctx context.Context, c *gift.Client) (upstream.Answer[gift.Saved], error) {
		return c.Widget(ctx, "b ä.d")
	}),
	"/translations": reading(func(ctx context.Context, c *gift.Client) (upstream.Answer[gift.Translations], error) {
		return c.Translations(ctx, "ar")
	}),
	"/settings":           reading(func(ctx context.Context, c *gift.Client) (upstream.Answer[gift.Saved], error) { return c.Settings(ctx) }),
	"/plan":               reading(func(ctx context.Context, c *gift.Client) (upstream.Answer[gift.Plan], error) { return c.Plan(ctx) }),
	"/gift-products":      resolving(gift.GiftProducts),
	"/trigger-products":   resolving(gift.TriggerProducts),
	"/collections":        resolving(gift.Collections),
	"/customer-segments":  resolving(gift.CustomerSegments),
	"/customer-locations": resolving(gift.CustomerLocations),
	"/shipping-rates":     resolving(gift.ShippingRates),
	"/pos-locations":      resolving(gift.PosLocations),
	"/markets":            resolving(gift.Markets),
}

// readOf makes one read at the second service and returns its data.
func readOf[T any](t *testing.T, path string) T {
	t.Helper()
	c, _, _ := docOpen(t)
	data, err := reads[path](t.Context(), c)
	must.NoError(t, err, path)
	return *data.(*T)
}

func TestTheSecondServiceIsRead(t *testing.T) {
	t.Parallel()
	for path := range reads {
		c, _, s := docOpen(t)
		_, err := reads[path](t.Context(), c)
		must.NoError(t, err, path)
		must.Equal(t, []string{"GET " + path}, s.arrived)
	}
	must.Equal(t, 20, len(reads))

	health := readOf[gift.SetupHealth](t, "/setup-health")
	must.True(t, health.Complete() && health.Theme.EmbedEnabled == nil && health.Campaigns.Scheduled == 1)
	campaigns := readOf[gift.Campaigns](t, "/campaigns").Campaigns
	must.True(t, campaigns[0].ID == "7001" && campaigns[1].Code == "12" && campaigns[1].TargetPage == "[1]" && !campaigns[1].Status.Known())
	numbers := readOf[gift.Analytics](t, "/analytics").Metrics
	must.True(t, numbers.AOVStore.Value == nil && numbers.AOVByFG.Value.String() == "12" && numbers.Revenue.ChangePercent == nil)
	product := readOf[gift.Products](t, "/products").Products[0]
	must.True(t, product.TotalInventory.Count == nil && product.TracksInventory == nil && product.Variants[0].Giftable)
	words := readOf[gift.Translations](t, "/translations")
	must.Equal(t, []gift.Entry{{Path: "7001/0", Translations: map[string]string{"ar": "مجاني"}}}, words.CampaignEntries)
	must.Equal(t, []string{"ar", "en"}, words.ActiveLanguages)
	must.Equal(t, gift.StockStatus("sold_out"), readOf[gift.Candidates](t, "/gift-products").List[0].StockStatus)
	campaign := readOf[gift.CampaignDetail](t, "/campaigns/7001")
	must.True(t, campaign.Found && campaign.ID == "7001")
}

func TestTheSecondServiceHasNotEverything(t *testing.T) {
	t.Parallel()
	c, _, _ := docOpen(t)
	campaign, err := c.Campaign(t.Context(), "7002")
	must.NoError(t, err)
	must.True(t, !campaign.Data.Found)
	widget, err := c.Widget(t.Context(), "none")
	must.NoError(t, err)
	must.True(t, !widget.Data.Found)
}

func TestMutatedRepliesAreAnswersOrFailures(t *testing.T) {
	t.Parallel()
	for path, do := range reads {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			good := []byte(`{"success":true,"error":null,"data":` + docReads[path] + `}`)
			if path == "/campaigns/7001" {
				good = []byte(`{"success":true,"error":null,"data":{"found":true,"id":7001,"schedule":{"a":[1,"b"]}}}`)
			}
			var body atomic.Pointer[[]byte]
			service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(*body.Load()) }))
			t.Cleanup(service.Close)
			base, err := url.Parse(service.URL)
			must.NoError(t, err)
			client := gift.New(upstreamtest.Transport(t), base, upstream.NewSecret(upstreamtest.Token), &upstreamtest.Gate{})
			random := rand.New(rand.NewPCG(2026, uint64(len(path))))
			answers, failures := 0, 0
			for range 400 {
				mutated := mutate(random, good)
				body.Store(&mutated)
				data, err := do(t.Context(), client)
				if err == nil {
					answers++
					must.True(t, json.Valid(mutated), string(mutated))
					continue
				}
				failures++
				f := failure(t, err)
				must.Equal(t, upstream.Quarantine, f.Kind, string(mutated))
				must.True(t, bytes.Equal(mutated, f.Raw), "what came is kept")
				must.True(t, reflect.ValueOf(data).Elem().IsZero(), "a broken reply gives no data")
			}
			must.True(t, answers > 0 && failures > 100, fmt.Sprint(answers, " answers, ", failures, " failures"))
		})
	}
}

// mutate changes a reply in one to three places: bytes, or whole tokens of JSON.
func mutate(random *rand.Rand, good []byte) []byte {
	parts := []string{"null", "true", "{}", "[]", `"x"`, "-1", "1e39", "1e99", "0.5", `"\u0000"`, ",", "}", "[[[[", `"found":false,`, "\xff"}
	out := bytes.Clone(good)
	for range 1 + random.IntN(3) {
		from := random.IntN(len(out))
		to := min(from+random.IntN(8), len(out))
		switch random.IntN(4) {
		case 0:
			out = out[:max(from, 1)]
		case 1:
			out = append(out[:from:from], out[to:]...)
		case 2:
			out = append(append(out[:from:from], parts[random.IntN(len(parts))]...), out[to:]...)
		default:
			if colon := bytes.IndexByte(out[from:], ':'); colon >= 0 { // another value
				out = append(append(out[:from+colon+1:from+colon+1], parts[random.IntN(9)]+`,"y":`...), out[from+colon+1:]...)
			}
		}
		if len(out) == 0 {
			return []byte("{")
		}
	}
	return out
}
