package upsell

import (
	"errors"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// recommended reads a reply by the one key of the four that is present (N36).
type recommended struct{ Recommendations }

// DecodeRaw refuses a reply with none of the four keys, or with several.
func (r *recommended) DecodeRaw(value []byte) error {
	keys, err := upstream.Decode[struct {
		Triggers    upstream.Raw `json:"triggers"`
		BestSellers upstream.Raw `json:"shopBestSellers"`
		Candidates  upstream.Raw `json:"candidates"`
		Holds       *bool        `json:"holdsUpsellProducts"`
	}](value)
	if err != nil {
		return err
	}
	shapes := []struct {
		present bool
		decode  func([]byte) (Recommendations, error)
	}{
		{keys.Triggers != nil, decodeBoughtTogether},
		{keys.BestSellers != nil, decodeBestSellers},
		{keys.Candidates != nil, decodeCandidates},
		{keys.Holds != nil && !*keys.Holds, decodeNoProductSlot},
	}
	found := 0
	for _, shape := range shapes {
		if !shape.present {
			continue
		}
		if found++; found > 1 {
			return errors.New("it has more than one of triggers, shopBestSellers, candidates and holdsUpsellProducts: false")
		}
		if r.Recommendations, err = shape.decode(value); err != nil {
			return err
		}
	}
	if found == 0 {
		return errors.New("it has none of triggers, shopBestSellers, candidates and holdsUpsellProducts: false")
	}
	return nil
}

func decodeBoughtTogether(value []byte) (Recommendations, error) {
	b, err := upstream.Decode[BoughtTogether](value)
	if err != nil {
		return nil, err
	}
	if b.OmittedTriggers.none() {
		b.OmittedTriggers = nil
	}
	if b.DeletedTriggers.none() {
		b.DeletedTriggers = nil
	}
	return b, nil
}

func decodeBestSellers(value []byte) (Recommendations, error) {
	wire, err := upstream.Decode[struct {
		BestSellers
		Only         *bool `json:"bestSellersOnly"`
		NothingNamed *bool `json:"nothingNamed"`
		HasTrigger   *bool `json:"hasProductTrigger"`
	}](value)
	switch {
	case err != nil:
		return nil, err
	case wire.Only != nil && !*wire.Only:
		return nil, errors.New("it has shopBestSellers and says that they are not all")
	}
	b := wire.BestSellers
	if b.DeletedTriggers.none() {
		b.DeletedTriggers = nil
	}
	var causes []Cause
	add := func(holds bool, cause Cause) {
		if holds {
			causes = append(causes, cause)
		}
	}
	add(wire.NothingNamed != nil && *wire.NothingNamed, NothingNamed)
	add(wire.HasTrigger != nil && !*wire.HasTrigger, NoProductTrigger)
	add(wire.HasTrigger != nil && *wire.HasTrigger && b.DeletedTriggers != nil, TriggersDeleted)
	add(b.NamedProduct == "deleted", ProductDeleted)
	add(b.NamedProduct == "no_match", NoMatch)
	if len(causes) == 1 {
		b.Cause = causes[0]
	}
	return b, nil
}

func decodeCandidates(value []byte) (Recommendations, error) {
	wire, err := upstream.Decode[struct {
		Candidates []candidate       `json:"candidates" required:"true"`
		Currency   upstream.Currency `json:"currency"`
		ShopDomain string            `json:"shopDomain"`
	}](value)
	if err != nil {
		return nil, err
	}
	c := Candidates{Products: []Pick{}, Currency: wire.Currency, ShopDomain: wire.ShopDomain}
	for _, one := range wire.Candidates {
		c.Products = append(c.Products, Pick(one))
	}
	return c, nil
}

func decodeNoProductSlot(value []byte) (Recommendations, error) {
	slot, err := upstream.Decode[NoProductSlot](value)
	return slot, err
}

// candidate is a row of undocumented shape.
type candidate Pick

// DecodeRaw takes an object or a bare text.
func (c *candidate) DecodeRaw(value []byte) error {
	n, err := readNode(value)
	if err != nil {
		return err
	}
	p := productOf(n)
	*c = candidate{ID: upstream.ID(p.ID), Title: p.Title}
	if price, err := upstream.Decode[decimal.Decimal](n.first("price").raw); err == nil {
		c.Price = &price
	}
	if c.ID == "" && c.Title == "" {
		return errors.New("a candidate has neither id nor title")
	}
	return nil
}

// Missing are trigger products that a reply leaves out. Whether the service counts or lists
// them isn't documented.
type Missing struct {
	// Count is nil if the reply doesn't say how many.
	Count *int64
	// Products are those that the reply lists; ID or Title may be "".
	Products []Resource
	Raw      upstream.Raw
}

// DecodeRaw takes any value.
func (m *Missing) DecodeRaw(value []byte) error {
	n, err := readNode(value)
	if err != nil {
		return err
	}
	*m = Missing{Raw: n.copyRaw()}
	list := n
	if n.kind == '{' {
		list = n.first("products", "triggers", "items", "ids", "list", "productids", "titles", "names")
		m.Count = wholeOf(n.first("count", "total", "number", "omitted", "deleted"))
	} else {
		m.Count = wholeOf(n)
	}
	if list.kind != '[' {
		return nil
	}
	for _, item := range list.items {
		r := resourceOf(item, Product, false)
		if item.kind == '0' {
			r.ID, r.Title = r.Title, ""
		}
		if r.ID != "" || r.Title != "" {
			m.Products = append(m.Products, r)
		}
	}
	if m.Count == nil {
		m.Count = new(int64(len(list.items)))
	}
	return nil
}

// none reports whether the value says there are none: false, 0, [] or "".
func (m *Missing) none() bool {
	return m == nil || m.Count != nil && *m.Count == 0 || slices.Contains([]string{"false", `""`, "{}"}, string(m.Raw))
}
