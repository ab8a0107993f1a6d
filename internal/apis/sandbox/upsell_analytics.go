package sandbox

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

const (
	rateDigits = 6 // decimals of a rate; all rates of this service are fractions
	topDefault = 3 // rows
)

// windowed answers about the window that a request names.
func windowed(capped bool, answer func(*world.Shop, *world.Book, asked, window) reply) func(*world.Shop, *world.Book, asked) reply {
	return func(sh *world.Shop, b *world.Book, q asked) reply {
		w, err := windowOf(sh, q, b.Now, capped)
		if err != nil {
			return upsellFailure(http.StatusBadRequest, err.Error())
		}
		return answer(sh, b, q, w)
	}
}

// summary is the shop-wide roll-up of a window.
func summary(sh *world.Shop, b *world.Book, q asked, w window) reply {
	t := b.Sum(w.from, w.to)
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
		world.Amount(t.Revenue(), sh.Digits), t.UpsoldOrders, t.Orders, world.Quotient(t.UpsoldOrders, t.Orders, 0, rateDigits),
		world.Quotient(t.Revenue(), t.UpsoldOrders, sh.Digits, 0), t.Impressions(), sh.Currency, applied(sh, w), sh.Domain,
	})
}

// stats has one row per placement. Coupon rows have no revenue.
func stats(sh *world.Shop, b *world.Book, q asked, w window) reply {
	type statsRow struct {
		Placement   string       `json:"placement"`
		Impressions int64        `json:"impressions"`
		Claims      int64        `json:"claims"`
		Revenue     *json.Number `json:"revenue,omitempty"`
	}
	t := b.Sum(w.from, w.to)
	rows := []statsRow{}
	for _, p := range placementsAsked(q.Values) {
		c := t.By[p]
		rows = append(rows, statsRow{world.PlacementLabels[p], c.Impressions, c.Claims, revenueOf(sh, p, c.Revenue)})
	}
	return upsellSuccess(struct {
		Placements []statsRow    `json:"placements"`
		Offers     int           `json:"shopOfferCount"`
		Currency   string        `json:"currency"`
		Window     appliedWindow `json:"appliedWindow"`
	}{rows, len(listedOf(b)), sh.Currency, applied(sh, w)})
}

// top ranks the offers that earned something in a window, deleted ones among them.
func top(sh *world.Shop, b *world.Book, q asked, w window) reply {
	type earner struct {
		at   int
		cell world.Cell
	}
	var earners []earner
	for i := range b.Offers {
		if c := b.Offer(i, w.from, w.to); c.Revenue > 0 {
			earners = append(earners, earner{i, c})
		}
	}
	lowest := q.Get("order") == "lowest"
	slices.SortStableFunc(earners, func(x, y earner) int {
		if lowest {
			x, y = y, x
		}
		return cmp.Compare(y.cell.Revenue, x.cell.Revenue)
	})
	limit, err := strconv.Atoi(q.Get("limit"))
	if err != nil || limit < 1 {
		limit = topDefault
	}
	rows := []offerRow{}
	for _, e := range earners[:min(limit, sh.TopMax, len(earners))] {
		o := &b.Offers[e.at]
		r := offerRowOf(sh, o, b.Now, e.cell.Revenue)
		r.Claims, r.AcceptanceRate = &e.cell.Claims, new(world.Quotient(e.cell.Claims, e.cell.Impressions, 0, 4))
		rows = append(rows, r)
	}
	return upsellSuccess(struct {
		Offers   []offerRow    `json:"offers"`
		Count    int           `json:"shopOfferCount"`
		Currency string        `json:"currency"`
		Window   appliedWindow `json:"appliedWindow"`
	}{rows, len(listedOf(b)), sh.Currency, applied(sh, w)})
}

// coverage counts offers as they are now; only its revenue column has a window, whose length isn't capped.
func coverage(sh *world.Shop, b *world.Book, q asked, w window) reply {
	type coverageRow struct {
		Placement string       `json:"placement"`
		HasActive bool         `json:"hasActive"`
		Active    int          `json:"activeCount"`
		Total     int          `json:"totalCount"`
		Revenue   *json.Number `json:"recentRevenue,omitempty"`
	}
	t := b.Sum(w.from, w.to)
	rows := make([]coverageRow, world.Placements)
	for p := range world.Placements {
		rows[p] = coverageRow{Placement: world.PlacementLabels[p], Revenue: revenueOf(sh, p, t.By[p].Revenue)}
	}
	for _, i := range listedOf(b) {
		o := &b.Offers[i]
		r := &rows[o.At]
		r.Total++
		if o.Status(b.Now) == "active" {
			r.Active++
			r.HasActive = true
		}
	}
	return upsellSuccess(struct {
		Placements []coverageRow `json:"placements"`
		Currency   string        `json:"currency"`
		Window     appliedWindow `json:"appliedWindow"`
		ShopDomain string        `json:"shopDomain"`
	}{rows, sh.Currency, applied(sh, w), sh.Domain})
}

// lifetime is every day so far; it has no window.
func lifetime(sh *world.Shop, b *world.Book, _ asked) reply {
	t := b.Sum(0, b.Now.Day)
	views := t.Impressions()
	return upsellSuccess(struct {
		Revenue  json.Number `json:"totalRevenue"`
		Views    int64       `json:"offerViews"`
		Upsold   int64       `json:"upsoldOrders"`
		Rate     json.Number `json:"conversionRate"`
		PerVisit json.Number `json:"revenuePerVisit"`
		Currency string      `json:"currency"`
	}{
		world.Amount(t.Revenue(), sh.Digits), views, t.UpsoldOrders, world.Quotient(t.UpsoldOrders, views, 0, rateDigits),
		world.Quotient(t.Revenue(), views, sh.Digits, 2), sh.Currency,
	})
}

// revenueOf is nil for the coupon placement.
func revenueOf(sh *world.Shop, p world.Placement, minor int64) *json.Number {
	if p == world.Coupon {
		return nil
	}
	return new(world.Amount(minor, sh.Digits))
}

// placementsAsked reads type; an unknown value is ignored, as if absent.
func placementsAsked(q url.Values) []world.Placement {
	if p, ok := world.ParsePlacement(q.Get("type")); ok {
		return []world.Placement{p}
	}
	return []world.Placement{world.PostPurchase, world.ThankYou, world.Coupon, world.OrderStatus}
}
