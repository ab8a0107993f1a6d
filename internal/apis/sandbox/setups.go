package sandbox

import (
	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
)

// setup is the whole configuration of a campaign in the document's four groups, whose inner fields it does not show. A write's body has the
// same fields.
type setup struct {
	Name       string        `json:"name"`
	Type       string        `json:"type"`       // order_value or buy_product
	TargetPage string        `json:"targetPage"` // cart, product, home or checkout
	Code       string        `json:"code,omitempty"`
	Trigger    triggerSetup  `json:"triggerConditions"`
	Gifts      giftsSetup    `json:"giftProducts"`
	Discount   discountSetup `json:"discountSettings"`
	Schedule   scheduleSetup `json:"schedule"`
}

// triggerSetup is what an order must meet; an empty list asks for nothing.
type triggerSetup struct {
	MinimumOrderValue number   `json:"minimumOrderValue,omitempty"` // in the store's currency
	Products          []string `json:"productIds,omitempty"`
	Collections       []string `json:"collectionIds,omitempty"`
	Segments          []string `json:"customerSegmentIds,omitempty"`
	Markets           []string `json:"marketIds,omitempty"`
}

// giftsSetup is what is given. Of several products the shopper chooses.
type giftsSetup struct {
	Products []givenSetup `json:"products"`
	Choose   int          `json:"chooseUpTo,omitempty"` // 0 is one
	Adds     bool         `json:"addAutomatically,omitempty"`
}

type givenSetup struct {
	ID       string `json:"productId"`
	Quantity int    `json:"quantity,omitempty"` // 0 is one
}

// discountSetup is what the gift costs less; the zero one makes it free.
type discountSetup struct {
	Type     string   `json:"discountType,omitempty"`  // percentage or fixed_amount
	Value    number   `json:"discountValue,omitempty"` // percent, or an amount in the store's currency
	Combines []string `json:"combinesWith,omitempty"`  // order_discounts, product_discounts, shipping_discounts
	Limit    int      `json:"usageLimit,omitempty"`    // 0 is none
	Once     bool     `json:"oncePerCustomer,omitempty"`
}

// scheduleSetup is the first and the last day on the store's clock, YYYY-MM-DD; an end that is empty or null is none.
type scheduleSetup struct {
	Start string `json:"startDate"`
	End   string `json:"endDate,omitempty"`
}

// number is a JSON number that keeps its decimals; the empty one is null.
type number string

func (n number) MarshalJSON() ([]byte, error) {
	if n == "" {
		return []byte("null"), nil
	}
	return []byte(n), nil
}

func (n *number) UnmarshalJSON(text []byte) error {
	*n = ""
	if string(text) == "null" {
		return nil
	}
	d, err := decimal.NewFromString(string(text))
	*n = number(d.String())
	return err
}

func (n number) decimal() decimal.Decimal {
	if n == "" {
		return decimal.Zero
	}
	return decimal.RequireFromString(string(n))
}

// minor is the amount in minor units of a store's currency.
func (n number) minor(digits int) int64 { return n.decimal().Shift(int32(digits)).Round(0).IntPart() }

func (sh *shop) number(minor int64) number { return number(fixed(minor, sh.digits)) }

// setupOf is a campaign's configuration: what a write made it, or else what follows from its plan. It shares nothing with the campaign.
func (sh *shop) setupOf(c *campaign) setup {
	if c.written != nil {
		return c.written.clone()
	}
	r := draw(sh.seed, sh.slug, "campaign setup", c.id)
	s := setup{
		Name: c.name, Type: c.kind, TargetPage: c.page, Code: c.code,
		Discount: discountSetup{Type: "percentage", Value: "100", Once: r.IntN(3) == 0},
		Schedule: scheduleSetup{Start: sh.date(c.start).String()},
	}
	if c.end < forever {
		s.Schedule.End = sh.date(c.end).String()
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
		s.Gifts.Products = append(s.Gifts.Products, givenSetup{sh.stock[gifts[(first+n)%len(gifts)]].id, 1})
	}
	s.Gifts.Choose, s.Gifts.Adds = 1, len(s.Gifts.Products) == 1
	if c.from > 0 {
		s.Trigger.MinimumOrderValue = sh.number(c.from)
	}
	if c.kind == "buy_product" {
		s.Trigger.Products = []string{sh.stock[r.IntN(len(sh.stock))].id}
		if lost := sh.catalog.lost; len(lost) > 0 {
			s.Trigger.Products = append(s.Trigger.Products, sh.globalID("Product", "lost "+lost[0]))
		}
	}
	if all := sh.catalog.collections; len(all) > 0 && r.IntN(2) == 0 {
		s.Trigger.Collections = []string{sh.globalID("Collection", all[r.IntN(len(all))])}
	}
	if r.IntN(3) == 0 {
		s.Trigger.Segments = []string{sh.globalID("Segment", segments[r.IntN(len(segments))])}
	}
	return s
}

// clone shares nothing with what it was made from.
func (s setup) clone() setup {
	s.Trigger.Products = append([]string(nil), s.Trigger.Products...)
	s.Trigger.Collections = append([]string(nil), s.Trigger.Collections...)
	s.Trigger.Segments = append([]string(nil), s.Trigger.Segments...)
	s.Trigger.Markets = append([]string(nil), s.Trigger.Markets...)
	s.Gifts.Products = append([]givenSetup(nil), s.Gifts.Products...)
	s.Discount.Combines = append([]string(nil), s.Discount.Combines...)
	return s
}

// planned is what a written setup means for the world, in its day numbers. What it does not say stays as the plan has it.
func (sh *shop) planned(s setup, p campaignPlan) campaignPlan {
	p.name, p.kind, p.page, p.code = s.Name, s.Type, s.TargetPage, s.Code
	p.from = s.Trigger.MinimumOrderValue.minor(sh.digits)
	p.start, p.end, p.gone = sh.dayNumber(s.Schedule.Start), forever, forever
	if s.Schedule.End != "" {
		p.end = sh.dayNumber(s.Schedule.End)
	}
	return p
}

// dayNumber is the number of a day that was checked before.
func (sh *shop) dayNumber(text string) int {
	date, err := civil.ParseDate(text)
	if err != nil {
		panic("sandbox: unchecked date " + text)
	}
	return date.DaysSince(sh.since)
}
