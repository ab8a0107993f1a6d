package upsell

import (
	"slices"
	"strings"
)

// Placement is the label of where an offer is shown. An unknown label is kept as the service wrote
// it, shown and reported, never merged into a known one (N31).
type Placement string

// UnmarshalText takes a label. It also recognizes a documented one that is written as a slug or in
// another case: the document shows labels in replies, but not for every endpoint.
func (p *Placement) UnmarshalText(text []byte) error {
	*p = Placement(text)
	if i := slices.IndexFunc(Placements(), p.is); i >= 0 {
		*p = Placements()[i]
	}
	return nil
}

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
func (p Placement) is(asked Placement) bool { return p.spelled() == asked.spelled() }

var hyphens = strings.NewReplacer("-", " ", "_", " ")

func (p Placement) spelled() string { return hyphens.Replace(strings.ToLower(string(p))) }

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
