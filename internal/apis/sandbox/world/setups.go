package world

import (
	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
)

// Setup is the whole configuration of a campaign in the document's four groups, whose inner fields aren't documented.
// A write's body has the same fields.
type Setup struct {
	Name       string        `json:"name"`
	Type       string        `json:"type"`       // order_value or buy_product
	TargetPage string        `json:"targetPage"` // cart, product, home or checkout
	Code       string        `json:"code,omitempty"`
	Trigger    triggerSetup  `json:"triggerConditions"`
	Gifts      giftsSetup    `json:"giftProducts"`
	Discount   DiscountSetup `json:"discountSettings"`
	Schedule   ScheduleSetup `json:"schedule"`
}

// triggerSetup is what an order must meet; an empty list requires nothing.
type triggerSetup struct {
	MinimumOrderValue Number   `json:"minimumOrderValue,omitempty"` // in the store's currency
	Products          []string `json:"productIds,omitempty"`
	Collections       []string `json:"collectionIds,omitempty"`
	Segments          []string `json:"customerSegmentIds,omitempty"`
	Markets           []string `json:"marketIds,omitempty"`
}

// giftsSetup is what is given. If there are several products, the shopper chooses.
type giftsSetup struct {
	Products []givenSetup `json:"products"`
	Choose   int          `json:"chooseUpTo,omitempty"` // 0 means one
	Adds     bool         `json:"addAutomatically,omitempty"`
}

type givenSetup struct {
	ID       string `json:"productId"`
	Quantity int    `json:"quantity,omitempty"` // 0 means one
}

// DiscountSetup is the discount on the gift; the zero value makes it free.
type DiscountSetup struct {
	Type     string   `json:"discountType,omitempty"`  // percentage or fixed_amount
	Value    Number   `json:"discountValue,omitempty"` // percent, or an amount in the store's currency
	Combines []string `json:"combinesWith,omitempty"`  // order_discounts, product_discounts, shipping_discounts
	Limit    int      `json:"usageLimit,omitempty"`    // 0 means none
	Once     bool     `json:"oncePerCustomer,omitempty"`
}

// ScheduleSetup is the first and the last day on the store's clock, YYYY-MM-DD; an empty or null end means none.
type ScheduleSetup struct {
	Start string `json:"startDate"`
	End   string `json:"endDate,omitempty"`
}

// Number is a JSON number that keeps its decimals; the empty one is null.
type Number string

func (n Number) MarshalJSON() ([]byte, error) {
	if n == "" {
		return []byte("null"), nil
	}
	return []byte(n), nil
}

func (n *Number) UnmarshalJSON(text []byte) error {
	*n = ""
	if string(text) == "null" {
		return nil
	}
	d, err := decimal.NewFromString(string(text))
	*n = Number(d.String())
	return err
}

func (n Number) Decimal() decimal.Decimal {
	if n == "" {
		return decimal.Zero
	}
	return decimal.RequireFromString(string(n))
}

// minor is the amount in minor units of a store's currency.
func (n Number) minor(digits int) int64 { return n.Decimal().Shift(int32(digits)).Round(0).IntPart() }

func (sh *Shop) Number(minor int64) Number { return Number(Amount(minor, sh.Digits)) }

// SetupOf is a campaign's configuration: what a write made it, or what follows from its plan. It shares no memory
// with the campaign.
func (sh *Shop) SetupOf(c *Campaign) Setup {
	if c.written != nil {
		return c.written.Clone()
	}
	r := Draw(sh.Seed, sh.Slug, "campaign setup", c.Id)
	s := Setup{
		Name: c.Name, Type: c.Kind, TargetPage: c.Page, Code: c.Code,
		Discount: DiscountSetup{Type: "percentage", Value: "100", Once: r.IntN(3) == 0},
		Schedule: ScheduleSetup{Start: sh.Date(c.Start).String()},
	}
	if c.End < Forever {
		s.Schedule.End = sh.Date(c.End).String()
	}
	if r.IntN(2) == 0 {
		s.Discount.Combines = []string{"order_discounts", "shipping_discounts"}
	}
	if r.IntN(4) == 0 {
		s.Discount.Limit = 500
	}
	gifts := sh.giftable()
	first := r.IntN(len(gifts))
	for n := range 1 + r.IntN(min(3, len(gifts))) {
		s.Gifts.Products = append(s.Gifts.Products, givenSetup{sh.Stock[gifts[(first+n)%len(gifts)]].Id, 1})
	}
	s.Gifts.Choose, s.Gifts.Adds = 1, len(s.Gifts.Products) == 1
	if c.from > 0 {
		s.Trigger.MinimumOrderValue = sh.Number(c.from)
	}
	if c.Kind == "buy_product" {
		s.Trigger.Products = []string{sh.Stock[r.IntN(len(sh.Stock))].Id}
		if lost := sh.Catalog.Lost; len(lost) > 0 {
			s.Trigger.Products = append(s.Trigger.Products, sh.GlobalID("Product", "lost "+lost[0]))
		}
	}
	if all := sh.Catalog.Collections; len(all) > 0 && r.IntN(2) == 0 {
		s.Trigger.Collections = []string{sh.GlobalID("Collection", all[r.IntN(len(all))])}
	}
	if r.IntN(3) == 0 {
		s.Trigger.Segments = []string{sh.GlobalID("Segment", Segments[r.IntN(len(Segments))])}
	}
	return s
}

// Clone shares nothing with what it was made from.
func (s Setup) Clone() Setup {
	s.Trigger.Products = append([]string(nil), s.Trigger.Products...)
	s.Trigger.Collections = append([]string(nil), s.Trigger.Collections...)
	s.Trigger.Segments = append([]string(nil), s.Trigger.Segments...)
	s.Trigger.Markets = append([]string(nil), s.Trigger.Markets...)
	s.Gifts.Products = append([]givenSetup(nil), s.Gifts.Products...)
	s.Discount.Combines = append([]string(nil), s.Discount.Combines...)
	return s
}

// Planned turns a written setup into the world's plan, in day numbers. What it doesn't mention stays as planned.
func (sh *Shop) Planned(s Setup, p CampaignPlan) CampaignPlan {
	p.Name, p.Kind, p.Page, p.Code = s.Name, s.Type, s.TargetPage, s.Code
	p.from = s.Trigger.MinimumOrderValue.minor(sh.Digits)
	p.Start, p.End, p.gone = sh.DayNumber(s.Schedule.Start), Forever, Forever
	if s.Schedule.End != "" {
		p.End = sh.DayNumber(s.Schedule.End)
	}
	return p
}

// DayNumber is the number of a day that was already checked.
func (sh *Shop) DayNumber(text string) int {
	date, err := civil.ParseDate(text)
	if err != nil {
		panic("sandbox: unchecked date " + text)
	}
	return date.DaysSince(sh.Since)
}
