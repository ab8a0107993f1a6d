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
	// List is everything in the answer that has an identity, in its order, however the
	// service arranges it.
	List []Candidate
	// Raw is the whole answer.
	Raw upstream.Raw
}

// Candidate is one of them.
type Candidate struct {
	// ID is what a campaign names it by, as it came: a text or a number; nil when there is none.
	ID upstream.Raw
	// Name, Handle and Within are "" where the answer does not say. Within is the name of
	// what the candidate belongs to, such as the zone of a shipping rate.
	Name, Handle, Within string
	// StockStatus is said of products only. It alone tells their stock, never
	// totalInventory (N56).
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

// IDText is the candidate's id as a person reads it.
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

// candidates appends every object with an identity. What a candidate holds is its own
// (an image has an id too), but its lists may be of candidates: a zone's rates.
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

// candidateOf reads an object with an id, or with what else tells what it is: a
// country may have a code alone, a product a handle or a word on its stock.
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

// nameFields are what services call a resource's name.
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

// plainText is a text, number or truth value; nothing for "", null, objects and lists.
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

// The kinds. A search of products says what keeps each from being chosen; markets are
// not searched: the answer is all of them.
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

// Find searches resources of a kind. It sends no query where there is none: what an
// empty one finds is not shown.
func (c *Client) Find(ctx context.Context, kind Kind, text string) (upstream.Answer[Candidates], error) {
	var query url.Values
	if text != "" && kind != Markets {
		query = url.Values{"query": {text}}
	}
	return upstream.Get[Candidates](ctx, &c.upstream, "find gift "+string(kind), "/"+string(kind), query)
}
