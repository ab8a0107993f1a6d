package upsell

import (
	"errors"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// Criteria says whether an offer's trigger has conditions, as the service wrote it.
// An unknown one is kept.
type Criteria string

// The documented criteria.
const (
	NoCondition   Criteria = "no-condition"
	SetConditions Criteria = "set-conditions"
)

// Known reports whether the document names the criteria.
func (c Criteria) Known() bool { return c == NoCondition || c == SetConditions }

// OfferSetup is how one offer is set up (GET /data/offer/{id}). It doesn't include what the
// offer sells; that is in [Stages].
type OfferSetup struct {
	ID     string    `json:"id" required:"true"`
	Name   string    `json:"name" required:"true"`
	Status Status    `json:"status" required:"true"`
	Type   Placement `json:"type" required:"true"`
	// StartDate is a timestamp of the store's clock as it came, maybe without a zone (N26). ""
	// if the reply has none.
	StartDate string `json:"startDate"`
	// EndDate is like StartDate; nil if no end is set (N33).
	EndDate *string `json:"endDate"`
	// TriggerCriteria is "" when the reply has none.
	TriggerCriteria Criteria `json:"triggerCriteria"`
	// TriggerConditions must all be met together. What they name is the trigger,
	// never what is sold.
	TriggerConditions []TriggerCondition `json:"triggerConditions"`
	// DiscountType and DiscountValue are the whole offer's discount. If they are absent, "" or
	// nil, that doesn't mean "no discount": the products have their own, which [Client.Stages]
	// returns (N33).
	DiscountType  upstream.Text `json:"discountType"`
	DiscountValue DiscountValue `json:"discountValue"`

	// Revenue is the offer's own, in Currency. The period of Revenue and Claims isn't
	// documented: never show them next to a window's (N12). nil if not reported, as may happen
	// for [Coupon] offers; nil never means 0 (N13).
	Revenue *decimal.Decimal `json:"revenue"`
	// Claims is nil if not reported.
	Claims *int64 `json:"claims"`
	// AcceptanceRate has an undocumented unit: show it as reported (N19).
	AcceptanceRate *decimal.Decimal `json:"acceptanceRate"`
	// Priority is the place in its placement's order, 1 first; nil if not given.
	Priority *int64 `json:"priority"`
	// CreatedAt is a timestamp like StartDate.
	CreatedAt string `json:"createdAt"`
	// ABTest is nil if not given.
	ABTest *bool `json:"abTest"`
	// Currency is the currency of the money fields, "" only if there are none.
	Currency upstream.Currency `json:"currency"`
	// URL opens the offer in the store's admin. It comes from outside: check its scheme before
	// making it a link.
	URL string `json:"url"`
	// ShopDomain is the store that the data belongs to, "" if not given (N35).
	ShopDomain string `json:"shopDomain"`
}

// Validate refuses money without a currency and a priority below 1.
func (o OfferSetup) Validate() error {
	switch {
	case o.ID == "":
		return errors.New("the id is empty")
	case o.Status == "" || o.Type == "":
		return errors.New("the offer has no status or no type")
	case o.Revenue != nil && o.Currency == "":
		return errNoCurrency
	case o.Priority != nil && *o.Priority < 1:
		return errBeforeFirst
	}
	return nil
}

var errNoCurrency = errors.New("there is money without a currency")
