package report

import (
	"strings"
	"unicode/utf8"
)

// Placement is where an offer is. The label is the service's own; a label
// that the document does not name is kept raw.
type Placement string

// The four placements, by the service's labels.
const (
	PostPurchase Placement = "Post-purchase upsell"
	ThankYou     Placement = "Thank you page upsell"
	Coupon       Placement = "Coupon offer"
	OrderStatus  Placement = "Order status page upsell"
)

// Placements lists the four in the order the service gives them.
var Placements = []Placement{PostPurchase, ThankYou, Coupon, OrderStatus}

// Known reports whether the document names the placement.
func (p Placement) Known() bool {
	for _, q := range Placements {
		if p == q {
			return true
		}
	}
	return false
}

// Key is the short name for class names and JSON: "post_purchase", "thank_you",
// "coupon", "order_status", or "unknown".
func (p Placement) Key() string {
	switch p {
	case PostPurchase:
		return "post_purchase"
	case ThankYou:
		return "thank_you"
	case Coupon:
		return "coupon"
	case OrderStatus:
		return "order_status"
	}
	return "unknown"
}

// ReportsRevenue is false for Coupon offer: the service sends no revenue for it.
func (p Placement) ReportsRevenue() bool { return p != Coupon }

// ParsePlacement takes the short name or the service's label. A label that the
// documents don't name is taken as it is: the service may have sent it (N31).
func ParsePlacement(s string) (Placement, bool) {
	for _, p := range Placements {
		if s == p.Key() || s == string(p) {
			return p, true
		}
	}
	if !utf8.ValidString(s) || strings.ContainsRune(s, 0) || utf8.RuneCountInString(s) > MaxQuery {
		return "", false
	}
	return Placement(s), true
}
