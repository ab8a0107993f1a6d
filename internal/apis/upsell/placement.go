package upsell

import "strings"

// Placement is the label of where an offer is shown, as the service wrote it. An unknown label
// is kept, shown and reported, never merged into a known one (N31).
type Placement string

// The documented placements.
const (
	PostPurchase Placement = "Post-purchase upsell"
	ThankYou     Placement = "Thank you page upsell"
	Coupon       Placement = "Coupon offer"
	OrderStatus  Placement = "Order status page upsell"
)

// Placements lists the documented ones in the document's order.
func Placements() []Placement { return []Placement{PostPurchase, ThankYou, Coupon, OrderStatus} }

// Known reports whether the document names the placement.
func (p Placement) Known() bool {
	return p == PostPurchase || p == ThankYou || p == Coupon || p == OrderStatus
}

// is compares with a placement that was asked for.
func (p Placement) is(asked Placement) bool { return strings.EqualFold(string(p), string(asked)) }

// Status is an offer's status as the service wrote it.
type Status string

// The documented statuses; according to the document there are no others.
const (
	Active    Status = "active"
	Scheduled Status = "scheduled"
	Expired   Status = "expired"
)

// Known reports whether the document names the status.
func (s Status) Known() bool { return s == Active || s == Scheduled || s == Expired }
