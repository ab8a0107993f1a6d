package report

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/storeglass/storeglass/internal/locale"
)

// Placement is where an offer appears. The value is the service's own label; labels that its
// documentation doesn't list are kept as sent.
type Placement string

// The four placements, by the service's labels.
const (
	PostPurchase Placement = "Post-purchase upsell"
	ThankYou     Placement = "Thank you page upsell"
	Coupon       Placement = "Coupon offer"
	OrderStatus  Placement = "Order status page upsell"
)

// Placements lists the four in the service's order.
var Placements = []Placement{PostPurchase, ThankYou, Coupon, OrderStatus}

// Known reports whether the service documents the placement.
func (p Placement) Known() bool {
	return slices.Contains(Placements, p)
}

// Name is the placement's name for people. A label that the service doesn't document is shown as
// sent.
func (p Placement) Name() locale.Message {
	if !p.Known() {
		return locale.Text(string(p))
	}
	return locale.M("placement.name." + p.Key())
}

// ShortName is the name on a button.
func (p Placement) ShortName() locale.Message {
	if !p.Known() {
		return locale.Text(string(p))
	}
	return locale.M("placement.short." + p.Key())
}

// Key is the short name for CSS classes and JSON: "post_purchase", "thank_you", "coupon",
// "order_status", or "unknown".
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

// ParsePlacement accepts the short name or the service's label. Undocumented labels are accepted too:
// the service may have sent them (N31).
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
