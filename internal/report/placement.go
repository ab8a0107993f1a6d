package report

// Placement is where an offer stands. The label is the service's own; a label
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
