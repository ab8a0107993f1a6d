package world

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// placement is one of the four, in the order in which the service lists them.
type Placement int

const (
	PostPurchase Placement = iota
	ThankYou
	Coupon
	OrderStatus
	Placements
)

var PlacementLabels = [Placements]string{"Post-purchase upsell", "Thank you page upsell", "Coupon offer", "Order status page upsell"}

// placementSlugs are the slug forms that a request may use; the document shows thank-you-page-coupon only.
var PlacementSlugs = map[string]Placement{
	"post-purchase": PostPurchase, "post-purchase-upsell": PostPurchase,
	"thank-you-page": ThankYou, "thank-you-page-upsell": ThankYou,
	"thank-you-page-coupon": Coupon, "coupon-offer": Coupon,
	"order-status-page": OrderStatus, "order-status-page-upsell": OrderStatus,
}

// parsePlacement reads a label or a slug, whatever its case.
func ParsePlacement(s string) (Placement, bool) {
	for p, label := range PlacementLabels {
		if strings.EqualFold(s, label) {
			return Placement(p), true
		}
	}
	p, ok := PlacementSlugs[strings.ToLower(s)]
	return p, ok
}

// offerPlan is an offer, or one that comes back every so many days, in day numbers.
type offerPlan struct {
	Name       string // {year} becomes the year of its start
	At         Placement
	Product    int  // what is upsold first
	Then       int  // what a buyer of the first sees next, post-purchase only; 0 is nothing
	off        int  // discount in percent
	Start, End int  // first and last day; end 0 is no end
	lead       int  // days between creation and start; 0 is 1
	gone       int  // day of deletion; 0 is never
	every      int  // comes back; 0 is once
	AbTest     bool //
	weight     float64
	accept     float64 // chance that a shown offer is claimed; 0 never earns
	fixed      int64   // coupon: an amount off in minor units
	Url        string  // instead of the ordinary admin address
	oddID      string  // instead of the ordinary id
}

// offer is one offer of a store.
type Offer struct {
	offerPlan
	Id                     string
	Created, CreatedMinute int
	price, thenPrice       int64 // minor units
	Plan                   int   // index of its plan
	Again                  int   // day since which it runs again; 0 is not
	rank                   int   // its place in the display order of its placement, deleted ones counted
	before                 int   // 0: joins the order at its end; n: in front of as many as n
}

// offers lists every offer created up to the day, oldest first: for a later day it is the same list, longer.
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
			o.Id = MadeUp(sh.Seed, 24, sh.Slug, "offer", key)
			if plan.oddID != "" {
				o.Id = plan.oddID
			}
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
		if a.Created != b.Created {
			return a.Created - b.Created
		}
		return a.CreatedMinute - b.CreatedMinute
	})
	sh.edited(out, until)
	return out
}

func (sh *Shop) discounted(product, off int) int64 {
	return int64(math.Round(float64(sh.Products[product].Price) * float64(100-off) / 100))
}

// exists reports whether the offer has been created by then; deleted whether it is gone again.
func (o *Offer) Exists(m Moment) bool {
	return o.Created < m.Day || (o.Created == m.Day && o.CreatedMinute <= m.minute)
}

func (o *Offer) Deleted(m Moment) bool { return o.gone <= m.Day }

// shownOn reports whether shoppers can meet the offer on a day.
func (o *Offer) shownOn(day int) bool {
	return day < o.gone && (o.Start <= day && day <= o.End || o.Again != 0 && o.Again <= day)
}

// status is one of the three that the service knows.
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

// priorities numbers the offers that exist: 1 is shown first in its placement. What does not exist has 0.
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
