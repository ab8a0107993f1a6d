package truth

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"
)

// allTime is what an offer earned since it was made; nil for one that reports no revenue.
func (s *shop) allTime(f facts, i int) *decimal.Decimal {
	if s.offers[i].placement == coupon {
		return nil
	}
	d := f.offers[i].revenue
	return &d
}

func (h *hosted) offerList(q url.Values) object {
	f := h.facts(ever, h.clock.Now())
	placement, status, name := placementOf(q.Get("type")), q.Get("status"), strings.ToLower(q.Get("query"))
	var found []int
	for i, o := range h.offers {
		if o.deleted || placement >= 0 && o.placement != placement || status != "" && o.status != status ||
			q.Get("abTest") == "true" && !o.abTest || !strings.Contains(strings.ToLower(o.name), name) {
			continue
		}
		found = append(found, i)
	}
	slices.SortStableFunc(found, func(a, b int) int {
		switch q.Get("sort") {
		case "revenue":
			return f.offers[b].revenue.Cmp(f.offers[a].revenue)
		case "revenue_low":
			return f.offers[a].revenue.Cmp(f.offers[b].revenue)
		case "oldest":
			return cmp.Compare(h.offers[a].created, h.offers[b].created)
		}
		return cmp.Compare(h.offers[b].created, h.offers[a].created)
	})
	out := h.page(found, f, q.Get("page"))
	filter := object{"scope": "shop"}
	for key, value := range map[string]string{"name": q.Get("query"), "status": status, "abTest": q.Get("abTest")} {
		if value != "" {
			filter["scope"], filter[key] = "filtered", value
		}
	}
	if placement >= 0 {
		filter["scope"], filter["placement"] = "filtered", labels[placement]
	}
	out["appliedFilter"] = filter
	return out
}

// page is 20 offers of a list.
func (h *hosted) page(found []int, f facts, page string) object {
	n, err := strconv.Atoi(page)
	if err != nil || n < 1 {
		n = 1
	}
	from := min((min(n, 50)-1)*20, len(found))
	to := min(from+20, len(found))
	rows := []object{}
	for _, i := range found[from:to] {
		row := h.offerRow(i)
		if revenue := h.allTime(f, i); revenue != nil {
			row["revenue"] = number(*revenue)
		}
		rows = append(rows, row)
	}
	return object{"offers": rows, "total": len(found) - from, "hasMore": to < len(found), "currency": h.currency, "shopDomain": h.domain}
}

func (h *hosted) byPriority(q url.Values) (any, *refusal) {
	placement := placementOf(q.Get("placement"))
	if placement < 0 {
		return nil, &refusal{status: 422, message: "placement is required, because priority is ranked within one placement"}
	}
	var found []int
	for i, o := range h.offers {
		if o.placement == placement && !o.deleted {
			found = append(found, i)
		}
	}
	out := h.page(found, h.facts(ever, h.clock.Now()), q.Get("page"))
	for _, row := range out["offers"].([]object) {
		row["priority"] = 1 + slices.IndexFunc(found, func(i int) bool { return h.offers[i].id == row["id"] })
	}
	out["appliedFilter"] = object{"scope": "filtered", "placement": labels[placement]}
	return out, nil
}

// priority is an offer's place within its placement.
func (s *shop) priority(i int) int {
	n := 0
	for _, o := range s.offers[:i+1] {
		if o.placement == s.offers[i].placement && !o.deleted {
			n++
		}
	}
	return n
}

func (s *shop) find(id string) int {
	return slices.IndexFunc(s.offers, func(o offer) bool { return o.id == id && !o.deleted })
}

func (h *hosted) oneOffer(id string, stages bool) any {
	i := h.find(id)
	if i < 0 {
		return nil
	}
	if stages {
		return h.stages(i)
	}
	o, f := h.offers[i], h.facts(ever, h.clock.Now())
	out := h.offerRow(i)
	out["offerName"], out["startDate"], out["triggerCriteria"], out["triggerConditions"] = o.name, o.created, "no-condition", []any{}
	out["claims"], out["acceptanceRate"], out["priority"] = f.offers[i].claims, number(f.offers[i].acceptance()), h.priority(i)
	out["currency"], out["shopDomain"] = h.currency, h.domain
	if revenue := h.allTime(f, i); revenue != nil {
		out["revenue"] = number(*revenue)
	}
	if i%3 == 0 {
		out["triggerCriteria"] = "set-conditions"
		out["triggerConditions"] = []object{{"type": "product", "products": []object{{"id": "gid://shop/Product/" + strconv.Itoa(i), "title": "Trigger"}}}}
	}
	return out
}

func (h *hosted) stages(i int) object {
	stage := func() object {
		return object{"products": []object{{"id": "gid://shop/Product/9", "title": "Cap", "discountType": "percentage", "discountValue": 15}}}
	}
	all := []object{stage()}
	if h.offers[i].placement == postPurchase {
		all = append(all, stage())
		all[0]["stage"] = object{"label": "First upsell"}
		all[1]["stage"] = object{"label": "Second upsell", "follows": "First upsell", "on": "declined"}
	}
	return object{"offerName": h.offers[i].name, "stages": all, "currency": h.currency, "shopDomain": h.domain}
}

func (h *hosted) recommendations(q url.Values) any {
	sellers := []object{{"id": "gid://shop/Product/1", "title": "Mug", "price": 12}, {"id": "gid://shop/Product/2", "title": "Cup", "price": 9}}
	out := object{"currency": h.currency, "shopDomain": h.domain}
	id := q.Get("offerId")
	i := h.find(id)
	switch {
	case id != "" && i < 0:
		return nil
	case id != "" && h.offers[i].placement == coupon:
		out["holdsUpsellProducts"], out["couponOffer"] = false, true
	case id != "" && i%3 == 0:
		out["triggers"] = []object{{
			"id": "gid://shop/Product/" + strconv.Itoa(i), "title": "Trigger", "sameCategoryPicks": sellers[1:],
			"boughtTogether": []object{{"id": "gid://shop/Product/1", "title": "Mug", "price": 12, "coPurchasedOrders": 4, "pastRevenue": 48}},
		}}
	case id != "":
		out["shopBestSellers"], out["bestSellersOnly"], out["hasProductTrigger"] = sellers, true, false
	default:
		out["shopBestSellers"], out["bestSellersOnly"], out["nothingNamed"] = sellers, true, true
	}
	return out
}
