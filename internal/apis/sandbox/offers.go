package sandbox

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// placement is one of the four, in the order in which the service lists them.
type placement int

const (
	postPurchase placement = iota
	thankYou
	coupon
	orderStatus
	placements
)

var placementLabels = [placements]string{"Post-purchase upsell", "Thank you page upsell", "Coupon offer", "Order status page upsell"}

// placementSlugs are the slug forms that a request may use; the document shows thank-you-page-coupon only.
var placementSlugs = map[string]placement{
	"post-purchase": postPurchase, "post-purchase-upsell": postPurchase,
	"thank-you-page": thankYou, "thank-you-page-upsell": thankYou,
	"thank-you-page-coupon": coupon, "coupon-offer": coupon,
	"order-status-page": orderStatus, "order-status-page-upsell": orderStatus,
}

// parsePlacement reads a label or a slug, whatever its case.
func parsePlacement(s string) (placement, bool) {
	for p, label := range placementLabels {
		if strings.EqualFold(s, label) {
			return placement(p), true
		}
	}
	p, ok := placementSlugs[strings.ToLower(s)]
	return p, ok
}

// offerPlan is an offer, or one that comes back every so many days, in day numbers.
type offerPlan struct {
	name       string // {year} becomes the year of its start
	at         placement
	product    int  // what is upsold first
	then       int  // what a buyer of the first sees next, post-purchase only; 0 is nothing
	off        int  // discount in percent
	start, end int  // first and last day; end 0 is no end
	lead       int  // days between creation and start; 0 is 1
	gone       int  // day of deletion; 0 is never
	every      int  // comes back; 0 is once
	abTest     bool //
	weight     float64
	accept     float64 // chance that a shown offer is claimed; 0 never earns
	fixed      int64   // coupon: an amount off in minor units
	url        string  // instead of the ordinary admin address
	oddID      string  // instead of the ordinary id
}

// offer is one offer of a store.
type offer struct {
	offerPlan
	id                     string
	created, createdMinute int
	price, thenPrice       int64 // minor units
	plan                   int   // index of its plan
	again                  int   // day since which it runs again; 0 is not
	rank                   int   // its place in the display order of its placement, deleted ones counted
	before                 int   // 0: joins the order at its end; n: in front of as many as n
}

// offers lists every offer created up to the day, oldest first: for a later day it is the same list, longer.
func (sh *shop) offers(until int) []offer {
	var out []offer
	for i, plan := range sh.offerPlans {
		for round := 0; ; round++ {
			o := offer{offerPlan: plan, plan: i}
			if plan.end == 0 {
				o.end = forever
			}
			if plan.gone == 0 {
				o.gone = forever
			}
			o.start += round * plan.every
			if plan.end != 0 {
				o.end += round * plan.every
			}
			o.created = o.start - max(1, plan.lead)
			if o.created > until {
				break
			}
			key := plan.name + " " + strconv.Itoa(i) + " " + strconv.Itoa(round)
			o.id = madeUp(sh.seed, 24, sh.slug, "offer", key)
			if plan.oddID != "" {
				o.id = plan.oddID
			}
			luck := draw(sh.seed, sh.slug, "created", key)
			o.createdMinute = 8*60 + luck.IntN(9*60)
			if luck.IntN(4) == 0 {
				o.before = 1 + luck.IntN(6)
			}
			o.name = strings.ReplaceAll(plan.name, "{year}", strconv.Itoa(sh.date(o.start).Year))
			if len(sh.products) > 0 {
				o.price = sh.discounted(plan.product, plan.off)
				o.thenPrice = sh.discounted(plan.then, plan.off)
			}
			out = append(out, o)
			if plan.every == 0 {
				break
			}
		}
	}
	slices.SortStableFunc(out, func(a, b offer) int {
		if a.created != b.created {
			return a.created - b.created
		}
		return a.createdMinute - b.createdMinute
	})
	sh.edited(out, until)
	return out
}

func (sh *shop) discounted(product, off int) int64 {
	return int64(math.Round(float64(sh.products[product].price) * float64(100-off) / 100))
}

// exists tells whether the offer has been created by then; deleted whether it is gone again.
func (o *offer) exists(m moment) bool {
	return o.created < m.day || (o.created == m.day && o.createdMinute <= m.minute)
}

func (o *offer) deleted(m moment) bool { return o.gone <= m.day }

// shownOn tells whether shoppers can meet the offer on a day.
func (o *offer) shownOn(day int) bool {
	return day < o.gone && (o.start <= day && day <= o.end || o.again != 0 && o.again <= day)
}

// status is one of the three that the service knows.
func (o *offer) status(m moment) string {
	switch {
	case m.day < o.start:
		return "scheduled"
	case o.again != 0 && !o.deleted(m):
		return "active"
	case m.day > o.end || o.deleted(m):
		return "expired"
	}
	return "active"
}
