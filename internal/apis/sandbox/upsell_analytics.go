package sandbox

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
)

const (
	rateDigits = 6  // decimals of a rate; all rates of this service are fractions
	topDefault = 3  // rows
	topMax     = 50 // unless Config.TopMax says another
)

// summary is the shop-wide roll-up of a window.
func summary(sh *shop, b *book, q asked) reply {
	w, err := sh.windowOf(q, b.now, true)
	if err != nil {
		return badParameter(err)
	}
	t := b.sum(w.from, w.to)
	return upsellSuccess(struct {
		Value      json.Number   `json:"totalUpsoldValue"`
		Upsold     int64         `json:"totalUpsoldOrders"`
		Orders     int64         `json:"totalOrders"`
		Rate       json.Number   `json:"upsellSuccessRate"`
		Average    json.Number   `json:"averageUpsoldValue"`
		Views      int64         `json:"offerViews"`
		Currency   string        `json:"currency"`
		Window     appliedWindow `json:"appliedWindow"`
		ShopDomain string        `json:"shopDomain"`
	}{
		amount(t.revenue(), sh.digits), t.upsoldOrders, t.orders, quotient(t.upsoldOrders, t.orders, 1, rateDigits),
		perUnit(t.revenue(), t.upsoldOrders, sh.digits, 0), t.impressions(), sh.currency, sh.applied(w), sh.domain,
	})
}

// stats has one row a placement. Coupon rows have no revenue at all.
func stats(sh *shop, b *book, q asked) reply {
	w, err := sh.windowOf(q, b.now, true)
	if err != nil {
		return badParameter(err)
	}
	type statsRow struct {
		Placement   string       `json:"placement"`
		Impressions int64        `json:"impressions"`
		Claims      int64        `json:"claims"`
		Revenue     *json.Number `json:"revenue,omitempty"`
	}
	t := b.sum(w.from, w.to)
	rows := []statsRow{}
	for _, p := range placementsAsked(q.Values) {
		c := t.by[p]
		rows = append(rows, statsRow{placementLabels[p], c.impressions, c.claims, sh.revenueOf(p, c.revenue)})
	}
	return upsellSuccess(struct {
		Placements []statsRow    `json:"placements"`
		Offers     int           `json:"shopOfferCount"`
		Currency   string        `json:"currency"`
		Window     appliedWindow `json:"appliedWindow"`
	}{rows, len(b.listed()), sh.currency, sh.applied(w)})
}

// top ranks the offers that earned something in a window, deleted ones among them.
func top(sh *shop, b *book, q asked) reply {
	w, err := sh.windowOf(q, b.now, true)
	if err != nil {
		return badParameter(err)
	}
	type earner struct {
		at   int
		cell cell
	}
	var earners []earner
	for i := range b.offers {
		if c := b.offer(i, w.from, w.to); c.revenue > 0 {
			earners = append(earners, earner{i, c})
		}
	}
	lowest := q.Get("order") == "lowest"
	slices.SortStableFunc(earners, func(x, y earner) int {
		if lowest {
			x, y = y, x
		}
		return cmp.Compare(y.cell.revenue, x.cell.revenue)
	})
	limit, err := strconv.Atoi(q.Get("limit"))
	if err != nil || limit < 1 {
		limit = topDefault
	}
	rows := []offerRow{}
	for _, e := range earners[:min(limit, sh.topMax, len(earners))] {
		o := &b.offers[e.at]
		r := sh.offerRow(o, b.now, e.cell.revenue)
		rate := quotient(e.cell.claims, e.cell.impressions, 1, 4)
		r.Claims, r.AcceptanceRate = &e.cell.claims, &rate
		rows = append(rows, r)
	}
	return upsellSuccess(struct {
		Offers   []offerRow    `json:"offers"`
		Count    int           `json:"shopOfferCount"`
		Currency string        `json:"currency"`
		Window   appliedWindow `json:"appliedWindow"`
	}{rows, len(b.listed()), sh.currency, sh.applied(w)})
}

// coverage counts offers as they are now; only its revenue column has a window, and that one is not capped.
func coverage(sh *shop, b *book, q asked) reply {
	w, err := sh.windowOf(q, b.now, false)
	if err != nil {
		return badParameter(err)
	}
	type coverageRow struct {
		Placement string       `json:"placement"`
		HasActive bool         `json:"hasActive"`
		Active    int          `json:"activeCount"`
		Total     int          `json:"totalCount"`
		Revenue   *json.Number `json:"recentRevenue,omitempty"`
	}
	t := b.sum(w.from, w.to)
	rows := make([]coverageRow, placements)
	for p := range placements {
		rows[p] = coverageRow{Placement: placementLabels[p], Revenue: sh.revenueOf(p, t.by[p].revenue)}
	}
	for _, i := range b.listed() {
		o := &b.offers[i]
		r := &rows[o.at]
		r.Total++
		if o.status(b.now) == "active" {
			r.Active++
			r.HasActive = true
		}
	}
	return upsellSuccess(struct {
		Placements []coverageRow `json:"placements"`
		Currency   string        `json:"currency"`
		Window     appliedWindow `json:"appliedWindow"`
		ShopDomain string        `json:"shopDomain"`
	}{rows, sh.currency, sh.applied(w), sh.domain})
}

// lifetime is every day so far; it has no window.
func lifetime(sh *shop, b *book, _ asked) reply {
	t := b.sum(0, b.now.day)
	views := t.impressions()
	return upsellSuccess(struct {
		Revenue  json.Number `json:"totalRevenue"`
		Views    int64       `json:"offerViews"`
		Upsold   int64       `json:"upsoldOrders"`
		Rate     json.Number `json:"conversionRate"`
		PerVisit json.Number `json:"revenuePerVisit"`
		Currency string      `json:"currency"`
	}{
		amount(t.revenue(), sh.digits), views, t.upsoldOrders, quotient(t.upsoldOrders, views, 1, rateDigits),
		perUnit(t.revenue(), views, sh.digits, 2), sh.currency,
	})
}

// revenueOf is absent for the coupon placement.
func (sh *shop) revenueOf(p placement, minor int64) *json.Number {
	if p == coupon {
		return nil
	}
	n := amount(minor, sh.digits)
	return &n
}

// placementsAsked reads type; one that is not known is ignored, as an absent one is.
func placementsAsked(q url.Values) []placement {
	if p, ok := parsePlacement(q.Get("type")); ok {
		return []placement{p}
	}
	return []placement{postPurchase, thankYou, coupon, orderStatus}
}
