package sandbox

import "encoding/json"

// discount is a type and its value: percent, an amount of money, or nothing.
type discount struct {
	Type  string      `json:"discountType"` // percentage, fixed_amount, free_shipping or none
	Value json.Number `json:"discountValue"`
}

var noDiscount = discount{"none", "0"}

// ownDiscounts tells whether the products of an offer carry their own discounts; else the offer has one for all, which may be none.
func (o *offer) ownDiscounts() bool { return o.at != coupon && o.off > 0 && o.plan%2 == 0 }

// offerDiscount is the discount of a whole offer. It fits what its buyers pay in every other answer.
func (sh *shop) offerDiscount(o *offer) discount {
	switch {
	case o.off > 0:
		return percentOff(o.off)
	case o.fixed > 0:
		return discount{"fixed_amount", amount(o.fixed, sh.digits)}
	case o.at == coupon:
		return discount{"free_shipping", "0"}
	}
	return noDiscount
}

// productDiscount is what a product of an offer carries itself, in percent or, in some offers, as the same in money.
func (sh *shop) productDiscount(o *offer, product int) discount {
	switch {
	case !o.ownDiscounts():
		return noDiscount
	case o.plan%4 == 2:
		return discount{"fixed_amount", amount(sh.products[product].price-sh.discounted(product, o.off), sh.digits)}
	}
	return percentOff(o.off)
}

func percentOff(off int) discount { return discount{"percentage", amount(int64(off), 0)} }
