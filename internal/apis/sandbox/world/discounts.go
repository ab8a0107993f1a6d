package world

import "encoding/json"

// Discount is a type and its value: percent, an amount of money, or nothing.
type Discount struct {
	Type  string      `json:"discountType"` // percentage, fixed_amount, free_shipping or none
	Value json.Number `json:"discountValue"`
}

var noDiscount = Discount{"none", "0"}

// OwnDiscounts reports whether the products of an offer have their own discounts; otherwise the offer has one for
// all, possibly none.
func (o *Offer) OwnDiscounts() bool { return o.At != Coupon && o.off > 0 && o.Plan%2 == 0 }

// OfferDiscount is the discount of a whole offer. It matches what buyers pay in every other answer.
func (sh *Shop) OfferDiscount(o *Offer) Discount {
	switch {
	case o.off > 0:
		return percentOff(o.off)
	case o.fixed > 0:
		return Discount{"fixed_amount", Amount(o.fixed, sh.Digits)}
	case o.At == Coupon:
		return Discount{"free_shipping", "0"}
	}
	return noDiscount
}

// ProductDiscount is the discount of a single product of an offer, in percent or, in some offers, the same in money.
func (sh *Shop) ProductDiscount(o *Offer, product int) Discount {
	switch {
	case !o.OwnDiscounts():
		return noDiscount
	case o.Plan%4 == 2:
		return Discount{"fixed_amount", Amount(sh.Products[product].Price-sh.discounted(product, o.off), sh.Digits)}
	}
	return percentOff(o.off)
}

func percentOff(off int) Discount { return Discount{"percentage", Amount(int64(off), 0)} }
