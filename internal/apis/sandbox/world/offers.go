package world

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Placement is one of the four, in the order in which the service lists them.
type Placement int

const (
	PostPurchase Placement = iota
	ThankYou
	Coupon
	OrderStatus
	Placements
)

var PlacementLabels = [Placements]string{"Post-purchase upsell", "Thank you page upsell", "Coupon offer", "Order status page upsell"}

// PlacementSlugs are the slugs that a request may use; only thank-you-page-coupon is documented.
var PlacementSlugs = map[string]Placement{
	"post-purchase": PostPurchase, "post-purchase-upsell": PostPurchase,
	"thank-you-page": ThankYou, "thank-you-page-upsell": ThankYou,
	"thank-you-page-coupon": Coupon, "coupon-offer": Coupon,
	"order-status-page": OrderStatus, "order-status-page-upsell": OrderStatus,
}

// ParsePlacement reads a label or a slug, ignoring case.
func ParsePlacement(s string) (Placement, bool) {
	for p, label := range PlacementLabels {
		if strings.EqualFold(s, label) {
			return Placement(p), true
		}
	}
	p, ok := PlacementSlugs[strings.ToLower(s)]
	return p, ok
}

// offerPlan is an offer, or one that repeats every so many days, in day numbers.
type offerPlan struct {
	Name       string // {year} becomes the year of its start
	At         Placement
	Product    int  // what is upsold first
	Then       int  // what buyers of the first see next, post-purchase only; 0 means nothing
	off        int  // discount in percent
	Start, End int  // first and last day; 0 means no end
	lead       int  // days between creation and start; 0 means 1
	gone       int  // day of deletion; 0 means never
	every      int  // days until it repeats; 0 means once
	AbTest     bool //
	weight     float64
	accept     float64 // chance that a shown offer is claimed; 0 never earns
	fixed      int64   // coupon: an amount off in minor units
	Url        string  // used instead of the ordinary admin address
	oddID      string  // used instead of the ordinary id
}

// Offer is one offer of a store.
type Offer struct {
	offerPlan
	Id                     string
	Created, CreatedMinute int
	price, thenPrice       int64 // minor units
	Plan                   int   // index of its plan
	Again                  int   // day since which it runs again; 0 means it doesn't
	rank                   int   // its place in its placement's display order, deleted ones counted
	before                 int   // 0 joins the order at its end, n in front of up to n
}

// Offers lists every offer created up to the day, oldest first: a later day gives the same list, only
// longer.
func (sh *Shop) Offers(until int) []Offer {
	var out []Offer
	for i, plan := range sh.offerPlans {
		for round := 0; ; round++ {
			o := Offer{offerPlan: plan, Plan: i}
			if plan.End == 0 {
				o.End = Forever
			}
			if plan.gone == 0 {
				o.gone = Forever
			}
			o.Start += round * plan.every
			if plan.End != 0 {
				o.End += round * plan.every
			}
			o.Created = o.Start - max(1, plan.lead)
			if o.Created > until {
				break
			}
			key := plan.Name + " " + strconv.Itoa(i) + " " + strconv.Itoa(round)
			o.Id = cmp.Or(plan.oddID, MadeUp(sh.Seed, 24, sh.Slug, "offer", key))
			luck := Draw(sh.Seed, sh.Slug, "created", key)
			o.CreatedMinute = 8*60 + luck.IntN(9*60)
			if luck.IntN(4) == 0 {
				o.before = 1 + luck.IntN(6)
			}
			o.Name = strings.ReplaceAll(plan.Name, "{year}", strconv.Itoa(sh.Date(o.Start).Year))
			if len(sh.Products) > 0 {
				o.price = sh.discounted(plan.Product, plan.off)
				o.thenPrice = sh.discounted(plan.Then, plan.off)
			}
			out = append(out, o)
			if plan.every == 0 {
				break
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Offer) int {
		return cmp.Or(a.Created-b.Created, a.CreatedMinute-b.CreatedMinute)
	})
	sh.edited(out, until)
	return out
}

func (sh *Shop) discounted(product, off int) int64 {
	return int64(math.Round(float64(sh.Products[product].Price) * float64(100-off) / 100))
}

// Exists reports whether the offer has been created by then and isn't deleted yet.
func (o *Offer) Exists(m Moment) bool {
	return o.Created < m.Day || (o.Created == m.Day && o.CreatedMinute <= m.minute)
}

func (o *Offer) Deleted(m Moment) bool { return o.gone <= m.Day }

// shownOn reports whether shoppers can see the offer on a day.
func (o *Offer) shownOn(day int) bool {
	return day < o.gone && (o.Start <= day && day <= o.End || o.Again != 0 && o.Again <= day)
}

// Status is one of the three that the service knows.
func (o *Offer) Status(m Moment) string {
	switch {
	case m.Day < o.Start:
		return "scheduled"
	case o.Again != 0 && !o.Deleted(m):
		return "active"
	case m.Day > o.End || o.Deleted(m):
		return "expired"
	}
	return "active"
}

// Priorities numbers the offers that exist: 1 is shown first in its placement. Others have 0.
func Priorities(offers []Offer, now Moment) []int {
	var lines [Placements][]int
	for i := range offers {
		if o := &offers[i]; o.Exists(now) && !o.Deleted(now) {
			lines[o.At] = append(lines[o.At], i)
		}
	}
	out := make([]int, len(offers))
	for _, line := range lines {
		slices.SortFunc(line, func(i, j int) int { return offers[i].rank - offers[j].rank })
		for n, i := range line {
			out[i] = n + 1
		}
	}
	return out
}
