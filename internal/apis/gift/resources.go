package gift

import (
	"context"
	"net/url"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// Candidates are platform resources that a search found, at most ten. Most of their fields
// aren't documented.
type Candidates struct {
	// List is everything in the answer that has an identity, in its order, whatever its shape.
	List []Candidate
	// Raw is the whole answer.
	Raw upstream.Raw
}

// Candidate is one resource.
type Candidate struct {
	// ID is the id that a campaign uses, as it came: a text or a number; nil if there is none.
	ID upstream.Raw
	// Name, Handle and Within are "" if the answer doesn't say. Within names what the candidate
	// belongs to, such as the zone of a shipping rate.
	Name, Handle, Within string
	// StockStatus is set for products only. It alone tells their stock; totalInventory doesn't
	// (N56).
	StockStatus StockStatus
	// Blockers keep a product from being chosen.
	Blockers []Notice
	// Details are the other plain values, in the service's names.
	Details []Detail
	// Raw is the candidate as it came.
	Raw upstream.Raw
}

// Detail is one plain value of a candidate.
type Detail struct{ Name, Value string }

// IDText is the candidate's id as text.
func (c Candidate) IDText() string {
	var text upstream.Text
	_ = text.DecodeRaw(c.ID)
	return string(text)
}

// DecodeRaw takes an object or a list.
func (c *Candidates) DecodeRaw(value []byte) error {
	*c = Candidates{Raw: slices.Clone(value)}
	if kind := jsontext.Value(value).Kind(); kind != '[' && kind != '{' {
		return errNoObject
	}
	c.List = candidates(nil, jsontext.Value(c.Raw), "")
	return nil
}

// candidates appends every object with an identity. A candidate's own contents aren't
// candidates (an image has an id, too), but its lists may be, such as a zone's rates.
func candidates(found []Candidate, value jsontext.Value, within string) []Candidate {
	inside := slices.Collect(upstream.Members(value))
	one, is := candidateOf(value, inside)
	if is {
		one.Within = within
		found = append(found, one)
	}
	if name := nameIn(inside); name != "" {
		within = name
	}
	for _, m := range inside {
		if m.Name != "blockers" && (!is || m.Value.Kind() == '[') {
			found = candidates(found, m.Value, within)
		}
	}
	return found
}

// candidateOf reads an object with an id or something else that identifies it: a country may
// have only a code, a product a handle or a stock status.
func candidateOf(value jsontext.Value, inside []upstream.Member) (c Candidate, is bool) {
	if value.Kind() != '{' {
		return c, false
	}
	c = Candidate{Name: nameIn(inside), Raw: upstream.Raw(value)}
	var code upstream.Raw
	for _, m := range inside {
		text, plain := plainText(m.Value)
		switch {
		case m.Name == "blockers" && m.Value.Kind() == '[':
			for b := range upstream.Members(m.Value) {
				var n Notice
				_ = n.DecodeRaw(b.Value)
				c.Blockers = append(c.Blockers, n)
			}
		case !plain:
		case m.Name == "id":
			c.ID = upstream.Raw(m.Value)
		case m.Name == "handle":
			c.Handle = text
		case m.Name == "stockStatus":
			c.StockStatus = StockStatus(text)
		case m.Name == "totalInventory", slices.Contains(nameFields, m.Name): // N56
		default:
			if m.Name == "code" {
				code = upstream.Raw(m.Value)
			}
			c.Details = append(c.Details, Detail{m.Name, text})
		}
	}
	if c.ID == nil {
		c.ID = code
	}
	return c, c.ID != nil || c.Handle != "" || c.StockStatus != ""
}

// nameFields are the fields that may hold a resource's name.
var nameFields = []string{"title", "name", "displayName"}

func nameIn(inside []upstream.Member) string {
	for _, field := range nameFields {
		for _, m := range inside {
			if text, ok := wording(m.Value); ok && m.Name == field && text != "" {
				return text
			}
		}
	}
	return ""
}

// plainText returns a text, number or boolean as text, and false for "", null, objects and
// lists.
func plainText(value jsontext.Value) (string, bool) {
	switch value.Kind() {
	case '"', '0', 't', 'f':
		var text upstream.Text
		err := text.DecodeRaw(value)
		return string(text), err == nil && text != ""
	}
	return "", false
}

// Kind is what a search finds, named like its endpoint.
type Kind string

// The kinds. A product search says what keeps each product from being chosen; markets aren't
// searched: the answer lists all of them.
const (
	GiftProducts      Kind = "gift-products"
	TriggerProducts   Kind = "trigger-products"
	Collections       Kind = "collections"
	CustomerSegments  Kind = "customer-segments"
	CustomerLocations Kind = "customer-locations"
	ShippingRates     Kind = "shipping-rates"
	PosLocations      Kind = "pos-locations"
	Markets           Kind = "markets"
)

// Find searches resources of a kind. With an empty text it sends no query, because it isn't
// documented what an empty query finds.
func (c *Client) Find(ctx context.Context, kind Kind, text string) (upstream.Answer[Candidates], error) {
	var query url.Values
	if text != "" && kind != Markets {
		query = url.Values{"query": {text}}
	}
	return upstream.Get[Candidates](ctx, &c.upstream, "find gift "+string(kind), "/"+string(kind), query)
}
