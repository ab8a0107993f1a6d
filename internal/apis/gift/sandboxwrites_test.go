package gift_test

import (
	"encoding/json"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

// boxed is a writer at the sandbox, whose clock the test moves.
type boxed struct {
	*gift.Writer
	client *gift.Client
	later  *atomic.Int64
}

func openBox(t *testing.T) boxed {
	t.Helper()
	later := &atomic.Int64{}
	box := sandbox.New(sandbox.Config{Seed: 7, Now: func() time.Time { return upstreamtest.Start.Add(time.Duration(later.Load())) }})
	server := httptest.NewServer(box)
	t.Cleanup(server.Close)
	store := box.Stores()[0]
	base, err := url.Parse(server.URL + store.GiftPath)
	must.NoError(t, err)
	transport, key, gate := upstreamtest.Transport(t), upstream.NewSecret(store.GiftDeleteKey), &upstreamtest.Gate{}
	return boxed{gift.NewWriter(transport, base, key, gate), gift.New(transport, base, key, gate), later}
}

// campaign is a body that the sandbox accepts, from a minimum order value on.
func (b boxed) campaign(t *testing.T, minimum int) []byte {
	t.Helper()
	found, err := b.client.Find(t.Context(), gift.GiftProducts, "")
	must.NoError(t, err)
	product, err := upstream.Decode[struct {
		ID string `json:"id"`
	}](found.Data.List[0].Raw)
	must.NoError(t, err)
	body, err := json.Marshal(map[string]any{
		"name": "Socks", "type": "order_value", "targetPage": "cart", "discountSettings": map[string]any{},
		"triggerConditions": map[string]any{"minimumOrderValue": minimum},
		"giftProducts":      map[string]any{"products": []any{map[string]any{"productId": product.ID}}},
		"schedule":          map[string]any{"startDate": "2026-12-01"},
	})
	must.NoError(t, err)
	return body
}

func (b boxed) total(t *testing.T) int64 {
	t.Helper()
	got, err := b.client.Campaigns(t.Context(), nil)
	must.NoError(t, err)
	return got.Data.Total
}

func (b boxed) first(t *testing.T) string {
	t.Helper()
	got, err := b.client.Campaigns(t.Context(), nil)
	must.NoError(t, err)
	return string(got.Data.Campaigns[0].ID)
}

// The table of a token's states at the sandbox, each arrow through the client.
func TestTheSandboxMovesATokenAsTheClientExpects(t *testing.T) {
	t.Parallel()
	edit := []byte(`{"targetPage":"product"}`)
	rejected := map[string]func(*testing.T, boxed) error{
		"a changed commercial field": func(t *testing.T, b boxed) error {
			p, err := b.PreviewCampaign(t.Context(), b.campaign(t, 50))
			must.NoError(t, err)
			_, err = b.CreateCampaign(t.Context(), p.Changed(string(b.campaign(t, 5))))
			return err
		},
		"a changed field after use": func(t *testing.T, b boxed) error {
			p, err := b.PreviewEdit(t.Context(), b.first(t), edit)
			must.NoError(t, err)
			_, err = b.ApplyEdit(t.Context(), p)
			must.NoError(t, err)
			_, err = b.ApplyEdit(t.Context(), p.Changed(`{"targetPage":"home"}`))
			return err
		},
		"expired": func(t *testing.T, b boxed) error {
			p, err := b.PreviewCampaign(t.Context(), b.campaign(t, 50))
			must.NoError(t, err)
			b.later.Store(int64(time.Hour))
			_, err = b.CreateCampaign(t.Context(), p)
			return err
		},
		"the campaign changed before an edit": func(t *testing.T, b boxed) error {
			p, err := b.PreviewEdit(t.Context(), b.first(t), edit)
			must.NoError(t, err)
			b.rename(t)
			_, err = b.ApplyEdit(t.Context(), p)
			return err
		},
		"the configuration changed before a deletion": func(t *testing.T, b boxed) error {
			p, err := b.PreviewDeletion(t.Context(), b.first(t))
			must.NoError(t, err)
			b.rename(t)
			_, err = b.DeleteCampaign(t.Context(), p)
			return err
		},
	}
	for name, commit := range rejected {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := openBox(t)
			before := b.total(t)
			f := failure(t, commit(t, b))
			must.Equal(t, gift.InvalidInput, f.Code)
			must.Equal(t, 1, f.Attempts)
			must.Equal(t, before, b.total(t))
		})
	}
	t.Run("issued, used, and the same again", func(t *testing.T) {
		t.Parallel()
		b := openBox(t)
		before := b.total(t)
		p, err := b.PreviewCampaign(t.Context(), b.campaign(t, 50))
		must.NoError(t, err)
		must.Equal(t, before, b.total(t), "a preview writes nothing")
		first, err := b.CreateCampaign(t.Context(), p)
		must.NoError(t, err)
		again, err := b.CreateCampaign(t.Context(), p)
		must.NoError(t, err)
		must.Equal(t, string(first.Data.Raw), string(again.Data.Raw))
		must.Equal(t, before+1, b.total(t))

		id := b.first(t)
		gone, err := b.PreviewDeletion(t.Context(), id)
		must.NoError(t, err)
		for range 2 {
			_, err = b.DeleteCampaign(t.Context(), gone)
			must.NoError(t, err)
		}
		must.Equal(t, before, b.total(t))
		found, err := b.client.Campaign(t.Context(), id)
		must.NoError(t, err)
		must.True(t, !found.Data.Found)
	})
	t.Run("without a preview", func(t *testing.T) {
		t.Parallel()
		b := openBox(t)
		for _, body := range []string{gift.TurnOff, gift.TurnOn} {
			got, err := b.SetStatus(t.Context(), b.first(t), body)
			must.NoError(t, err)
			must.True(t, got.Data.Found)
		}
		widgets, err := b.client.Widgets(t.Context())
		must.NoError(t, err)
		for _, w := range widgets.Data.Types {
			if !w.IsLocked {
				_, err := b.EditWidget(t.Context(), w.Type, `{"title":"Take one"}`)
				must.NoError(t, err)
			}
		}
		unknown, err := b.SetStatus(t.Context(), "nope", gift.TurnOff)
		must.NoError(t, err)
		must.True(t, !unknown.Data.Found)
	})
}

// rename changes the first campaign behind the back of the person who has a preview of it.
func (b boxed) rename(t *testing.T) {
	t.Helper()
	p, err := b.PreviewEdit(t.Context(), b.first(t), []byte(`{"name":"Mugs"}`))
	must.NoError(t, err)
	_, err = b.ApplyEdit(t.Context(), p)
	must.NoError(t, err)
}
