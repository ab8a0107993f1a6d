package gift

import (
	"context"
	"net/url"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// Candidates are platform resources that a search found, ten at most. Most of
// their fields are not shown.
type Candidates struct {
	// List is the candidates, where the answer has exactly one list; else nil.
	List []Candidate
	// Raw is the whole answer.
	Raw upstream.Raw
}

// Candidate is one of them.
type Candidate struct {
	// StockStatus is said of products only. It alone tells their stock, never
	// totalInventory (N56).
	StockStatus StockStatus
	// Raw is the candidate as it came, with what keeps a product from being chosen.
	Raw upstream.Raw
}

// DecodeRaw takes an object or a list.
func (c *Candidates) DecodeRaw(value []byte) error {
	*c = Candidates{Raw: slices.Clone(value)}
	lists := [][]member{}
	switch all := members(value); jsontext.Value(value).Kind() {
	case '[':
		lists = append(lists, all)
	case '{':
		for _, m := range all {
			if m.value.Kind() == '[' {
				lists = append(lists, members(m.value))
			}
		}
	default:
		return errNoObject
	}
	if len(lists) != 1 {
		return nil
	}
	for _, m := range lists[0] {
		candidate := Candidate{Raw: upstream.Raw(m.value)}
		for _, inner := range members(m.value) {
			if text, ok := wording(inner.value); ok && inner.name == "stockStatus" {
				candidate.StockStatus = StockStatus(text)
			}
		}
		c.List = append(c.List, candidate)
	}
	return nil
}

// GiftProducts searches products that could be given as a gift, with their blockers.
func (c *Client) GiftProducts(ctx context.Context, query string) (upstream.Answer[Candidates], error) {
	return c.resolve(ctx, "gift products", "/gift-products", query)
}

// TriggerProducts searches products that could trigger an offer, with their blockers.
func (c *Client) TriggerProducts(ctx context.Context, query string) (upstream.Answer[Candidates], error) {
	return c.resolve(ctx, "trigger products", "/trigger-products", query)
}

// Collections searches collections.
func (c *Client) Collections(ctx context.Context, query string) (upstream.Answer[Candidates], error) {
	return c.resolve(ctx, "collections", "/collections", query)
}

// CustomerSegments searches customer segments.
func (c *Client) CustomerSegments(ctx context.Context, query string) (upstream.Answer[Candidates], error) {
	return c.resolve(ctx, "customer segments", "/customer-segments", query)
}

// CustomerLocations searches markets and countries.
func (c *Client) CustomerLocations(ctx context.Context, query string) (upstream.Answer[Candidates], error) {
	return c.resolve(ctx, "customer locations", "/customer-locations", query)
}

// ShippingRates searches shipping rates by zone.
func (c *Client) ShippingRates(ctx context.Context, query string) (upstream.Answer[Candidates], error) {
	return c.resolve(ctx, "shipping rates", "/shipping-rates", query)
}

// PosLocations searches locations that can be a point of sale.
func (c *Client) PosLocations(ctx context.Context, query string) (upstream.Answer[Candidates], error) {
	return c.resolve(ctx, "point-of-sale locations", "/pos-locations", query)
}

// Markets gives every market.
func (c *Client) Markets(ctx context.Context) (upstream.Answer[Candidates], error) {
	return c.resolve(ctx, "markets", "/markets", "")
}

// resolve sends no query where there is none: what an empty one finds is not shown.
func (c *Client) resolve(ctx context.Context, what, endpoint, text string) (upstream.Answer[Candidates], error) {
	var query url.Values
	if text != "" {
		query = url.Values{"query": {text}}
	}
	return upstream.Get[Candidates](ctx, &c.upstream, "find gift "+what, endpoint, query)
}
