package truth

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"
)

// upsell answers a path of the Upsell Data API.
func (h *hosted) upsell(path string, q url.Values) (any, *refusal) {
	if id, ok := strings.CutPrefix(path, "/data/offer/"); ok {
		id, stages := strings.CutSuffix(id, "/stages")
		return h.oneOffer(id, stages), nil
	}
	switch path {
	case "/data/analytics/summary":
		return h.windowed(q, 90, h.summary)
	case "/data/analytics/stats":
		return h.windowed(q, 90, h.stats)
	case "/data/analytics/top":
		return h.windowed(q, 90, func(w window) object { return h.top(w, q.Get("order"), q.Get("limit")) })
	case "/data/analytics/coverage":
		return h.windowed(q, 0, h.coverage)
	case "/data/analytics/lifetime":
		return h.lifetime(), nil
	case "/data/offers":
		return h.offerList(q), nil
	case "/data/offers/by-priority":
		return h.byPriority(q)
	case "/data/offers/count":
		return h.count(q.Get("type")), nil
	case "/data/products/recommendations":
		return h.recommendations(q), nil
	}
	return nil, &refusal{status: 404, message: "no such path"}
}

// windowed adds what every answer for a window says about it.
func (h *hosted) windowed(q url.Values, longest int, answer func(window) object) (any, *refusal) {
	w, source, err := h.asked(q.Get("start"), q.Get("end"), longest)
	if err != nil {
		return nil, err
	}
	out := answer(w)
	out["currency"], out["shopDomain"] = h.currency, h.domain
	out["appliedWindow"] = object{"start": w.start.String(), "end": w.end.String(), "source": source}
	return out, nil
}

func (h *hosted) summary(w window) object {
	f := h.facts(w, h.clock.Now())
	return object{
		"totalUpsoldValue": number(f.value), "totalUpsoldOrders": f.upsold, "totalOrders": f.orders,
		"upsellSuccessRate": numberOrZero(over(decimal.NewFromInt(f.upsold), f.orders)), "averageUpsoldValue": numberOrZero(over(f.value, f.upsold)),
		"offerViews": f.seen(),
	}
}

func numberOrZero(d *decimal.Decimal) any {
	if d == nil {
		return 0
	}
	return number(*d)
}

func (h *hosted) stats(w window) object {
	f := h.facts(w, h.clock.Now())
	rows := []object{}
	for p, label := range labels {
		row := object{"placement": label, "impressions": f.views[p], "claims": f.claims[p]}
		if p != coupon {
			row["revenue"] = number(f.revenue[p])
		}
		rows = append(rows, row)
	}
	return object{"placements": rows, "shopOfferCount": h.existing()}
}

// existing is how many offers there are in any status.
func (s *shop) existing() int {
	n := 0
	for _, o := range s.offers {
		if !o.deleted {
			n++
		}
	}
	return n
}

// ranking is the offers that earned, the highest first.
func (s *shop) ranking(f facts) []int {
	var out []int
	for i, e := range f.offers {
		if s.offers[i].placement != coupon && e.revenue.IsPositive() {
			out = append(out, i)
		}
	}
	slices.SortFunc(out, func(a, b int) int {
		return cmp.Or(f.offers[b].revenue.Cmp(f.offers[a].revenue), cmp.Compare(a, b))
	})
	return out
}

func (h *hosted) top(w window, order, limit string) object {
	f := h.facts(w, h.clock.Now())
	ranked := h.ranking(f)
	if order == "lowest" {
		slices.Reverse(ranked)
	}
	n, err := strconv.Atoi(limit)
	if err != nil || n < 1 {
		n = 3
	}
	n = min(n, h.reading.topMax, len(ranked))
	rows := []object{}
	for _, i := range ranked[:n] {
		row := h.offerRow(i)
		row["revenue"], row["claims"], row["acceptanceRate"] = number(f.offers[i].revenue), f.offers[i].claims, number(f.offers[i].acceptance())
		rows = append(rows, row)
	}
	return object{"offers": rows, "shopOfferCount": h.existing()}
}

// offerRow is an offer's row in every list.
func (s *shop) offerRow(i int) object {
	o := s.offers[i]
	row := object{"id": o.id, "name": o.name, "status": o.status, "type": labels[o.placement], "abTest": o.abTest, "createdAt": o.created}
	if o.deleted {
		row["isDeleted"] = true
	} else {
		row["url"] = "https://admin.example/" + s.slug + "/offers/" + o.id
	}
	return row
}

func (h *hosted) coverage(w window) object {
	f := h.facts(w, h.clock.Now())
	rows := []object{}
	for p, label := range labels {
		total, active := h.countOf(p)
		row := object{"placement": label, "hasActive": active > 0, "activeCount": active, "totalCount": total}
		if p != coupon {
			row["recentRevenue"] = number(f.revenue[p])
		}
		rows = append(rows, row)
	}
	return object{"placements": rows}
}

func (s *shop) countOf(placement int) (total, active int) {
	for _, o := range s.offers {
		if o.placement == placement && !o.deleted {
			total++
			if o.status == "active" {
				active++
			}
		}
	}
	return total, active
}

func (h *hosted) lifetime() object {
	f := h.facts(ever, h.clock.Now())
	return object{
		"totalRevenue": number(f.value), "offerViews": f.seen(), "upsoldOrders": f.upsold, "currency": h.currency, "shopDomain": h.domain,
		"conversionRate":  numberOrZero(over(decimal.NewFromInt(f.upsold), f.seen())),
		"revenuePerVisit": numberOrZero(over(f.value, f.seen())),
	}
}

// placementOf takes a label or a slug; -1 means all four.
func placementOf(text string) int {
	slug := func(s string) string { return strings.ReplaceAll(strings.ToLower(s), " ", "-") }
	if text == "thank-you-page-coupon" {
		return coupon
	}
	return slices.IndexFunc(labels[:], func(l string) bool { return slug(l) == slug(text) })
}

func (h *hosted) count(typ string) object {
	total, rows, only := 0, []object{}, placementOf(typ)
	for p, label := range labels {
		if only >= 0 && p != only {
			continue
		}
		by := map[string]int{"active": 0, "expired": 0, "scheduled": 0}
		n := 0
		for _, o := range h.offers {
			if o.placement == p && !o.deleted {
				by[o.status]++
				n++
			}
		}
		total += n
		rows = append(rows, object{"type": label, "count": n, "byStatus": by})
	}
	return object{"total": total, "byType": rows, "shopDomain": h.domain}
}
