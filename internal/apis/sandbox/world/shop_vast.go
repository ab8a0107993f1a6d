package world

import (
	"cmp"
	"fmt"
	"strings"
)

const (
	VastOffers    = 1840 // fifty pages of twenty hold 1,000
	vastCampaigns = 130  // the gift list is cut at 100, and their texts in all languages are longer than a reply may be
)

// vast sells parts in London and has more of everything than a list can show; see Config.Vast.
func vast(seed uint64, offers int) shopPlan {
	r := Draw(seed, "penrose", "plan")
	parts := []string{"bracket", "gasket", "hinge", "dowel", "washer", "spindle", "grommet", "bush", "clevis", "shim"}
	plan := shopPlan{
		Slug: "penrose", Name: "Penrose Parts", Domain: "penrose-parts.example", Zone: "Europe/London", Currency: "GBP", Digits: 2,
		daily: 90, week: weekOf(1.12, 1.05, 0.7, 0.72), swing: 0.05, peak: 90, Basket: 54, seen: [Placements]float64{0.9, 0.95, 0.5, 0.3},
		Gift: giftPlan{
			Plan: "enterprise", Platform: "plus", Theme: "Foundry 5", Blocks: true, Embed: true,
			Languages: strings.Fields("en de fr es nl it pt-BR pt-PT pl sv da nb fi cs sk hu ro bg el tr uk ja ko zh-TW"),
		},
	}
	for i, part := range parts {
		plan.Products = append(plan.Products, product{part, int64(350 + 275*i)})
	}
	for i := range cmp.Or(offers, VastOffers) {
		o := offerPlan{
			Name: fmt.Sprintf("Part %04d %s", i+1, parts[i%len(parts)]), At: Placement(i % int(Placements)), Product: i % len(parts),
			off: r.IntN(4) * 5, Start: 1 + r.IntN(500), weight: 0.5 + r.Float64(), accept: 0.02 + 0.1*r.Float64(), AbTest: i%23 == 0,
		}
		if i%3 != 0 {
			o.End = o.Start + 10 + r.IntN(120)
			if o.End >= firstEdit-2 {
				o.End = 0 // from here on nothing ends by itself, so a day's differences are exactly its edits
			}
		}
		if i%17 == 0 {
			o.accept = 0
		}
		plan.offerPlans = append(plan.offerPlans, o)
	}
	for i := range vastCampaigns {
		start := 1 + 4*i
		plan.campaigns = append(plan.campaigns, CampaignPlan{
			Name: fmt.Sprintf("Free %s %d", parts[i%len(parts)], i+1), Kind: "order_value", Page: "cart", Start: start, End: start + 30,
			from: 4000, Rate: 0.02,
		})
	}
	return plan
}
