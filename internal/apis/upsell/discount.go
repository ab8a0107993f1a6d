package upsell

import (
	"slices"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// DiscountValue is how much a discount takes off, as stated: "15" for 15, 15.0 and "15"; ""
// if it isn't stated, which differs from "none" (N33). Whether it is a percentage or money is
// the discount type's to say, whose values the document does not show. It is never a price:
// the service gives none.
type DiscountValue string

// DecodeRaw takes any value.
func (v *DiscountValue) DecodeRaw(value []byte) error {
	n, err := readNode(value)
	*v = discountOf(n)
	return err
}

// discountOf reads a value: a number, or a text that may hold one.
func discountOf(n node) DiscountValue {
	switch n.kind {
	case '"', '0':
		return DiscountValue(plainNumber(n.text))
	case 0, 'n':
		return ""
	}
	return DiscountValue(n.raw)
}

// BundleDeal is a live bundle (bundleDeal). Its absence from a stage says that no
// bundle is live, not that there never was one.
type BundleDeal struct {
	// Type and DiscountType are as they came; their values aren't documented.
	Type, DiscountType string
	// Tiers are in the service's order.
	Tiers []BundleTier
}

// BundleTier is one step of a bundle. What a tier holds isn't documented: every field is set
// only if it was found, and Raw has everything.
type BundleTier struct {
	Name string
	// Quantity is how many pieces the tier is for, nil if not found.
	Quantity *int64
	// DiscountType is "" if the tier names none; then the bundle's applies.
	DiscountType string
	Discount     DiscountValue
	Raw          upstream.Raw
}

// DecodeRaw takes an object.
func (b *BundleDeal) DecodeRaw(value []byte) error {
	n, err := readObject(value)
	if err != nil {
		return err
	}
	*b = *bundleOf(n)
	return nil
}

func bundleOf(n node) *BundleDeal {
	if n.kind != '{' {
		return nil
	}
	b := &BundleDeal{Type: n.firstText("type"), DiscountType: n.firstText("discounttype")}
	tiers := n.first("tiers", "tier", "levels", "steps")
	for at, item := range tiers.items {
		tier := tierOf(item)
		if tiers.kind == '{' { // keyed by name or by quantity
			key := tiers.keys[at]
			if tier.Quantity == nil {
				tier.Quantity = wholeOf(node{kind: '0', text: key})
			}
			if tier.Name == "" && tier.Quantity == nil {
				tier.Name = key
			}
		}
		b.Tiers = append(b.Tiers, tier)
	}
	return b
}

func tierOf(n node) BundleTier {
	tier := BundleTier{Raw: n.copyRaw()}
	if n.kind != '{' {
		tier.Discount = discountOf(n)
		return tier
	}
	tier.Name = n.firstText("title", "name", "label")
	tier.Quantity = wholeOf(n.first("quantity", "qty", "minquantity", "minqty", "minimumquantity", "min", "minimum", "buy", "buyquantity", "itemcount", "items", "count", "threshold"))
	tier.DiscountType = n.firstText("discounttype")
	tier.Discount = discountOf(n.first("discountvalue", "value", "amount", "discountamount", "percentage", "percent", "discountpercentage", "off"))
	if d := n.first("discount"); tier.Discount == "" && d.kind != '{' {
		tier.Discount = discountOf(d)
	} else if tier.Discount == "" {
		tier.Discount = discountOf(d.first("discountvalue", "value", "amount", "percentage", "percent"))
		if tier.DiscountType == "" {
			tier.DiscountType = d.firstText("discounttype", "type")
		}
	}
	return tier
}

// wholeOf reads a whole number from a number or a text.
func wholeOf(n node) *int64 {
	if !n.named() {
		return nil
	}
	whole, err := upstream.Decode[int64]([]byte(n.text))
	if err != nil || whole < 0 {
		return nil
	}
	return &whole
}

// StageProduct is a product that a stage sells. ID and Title are "" if the row doesn't have
// them: only its discount is documented.
type StageProduct struct {
	ID, Title string
	// DiscountType and Discount are sent even if there is none, so "" means "unknown", never
	// "no discount" (N33).
	DiscountType string
	Discount     DiscountValue
}

// DecodeRaw takes an object.
func (p *StageProduct) DecodeRaw(value []byte) error {
	n, err := readObject(value)
	if err != nil {
		return err
	}
	*p = productOf(n)
	return nil
}

var idNames = []string{"id", "gid", "productid", "globalid"}

var titleNames = []string{"title", "name", "producttitle", "productname", "label"}

func productOf(n node) StageProduct {
	if n.kind != '{' {
		r := resourceOf(n, Product, false)
		return StageProduct{ID: r.ID, Title: r.Title}
	}
	inner := n.first("product")
	p := StageProduct{
		ID: n.firstText(slices.Concat([]string{"productid"}, idNames)...), Title: n.firstText(titleNames...),
		DiscountType: n.firstText("discounttype"), Discount: discountOf(n.first("discountvalue")),
	}
	if id := inner.firstText(idNames...); id != "" {
		p.ID = id
	}
	if p.Title == "" {
		p.Title = inner.firstText(titleNames...)
	}
	return p
}
