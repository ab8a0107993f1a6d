package sandbox

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

const (
	suggestionsMax = 6 // per trigger, both lists together
	bestSellersMax = 5
	lookedUpMax    = 5 // trigger products of an offer; how many isn't documented
)

type productRow struct {
	ID    string      `json:"id"`
	Title string      `json:"title"`
	Price json.Number `json:"price"`
}

type boughtRow struct {
	productRow
	Orders  int64       `json:"coPurchasedOrders"`
	Revenue json.Number `json:"pastRevenue"`
}

type triggerRow struct {
	ID       string       `json:"id"`
	Title    string       `json:"title"`
	Together []boughtRow  `json:"boughtTogether"`
	Category []productRow `json:"sameCategoryPicks"`
}

// bestSellersOnly is the second shape: one of its causes is set.
type bestSellersOnly struct {
	Best    []productRow     `json:"shopBestSellers"`
	Only    bool             `json:"bestSellersOnly"`
	Nothing bool             `json:"nothingNamed,omitempty"`
	Has     *bool            `json:"hasProductTrigger,omitempty"`
	Deleted []world.Resource `json:"deletedTriggers,omitempty"` // with hasProductTrigger: true
	Named   string           `json:"namedProduct,omitempty"`    // deleted or no_match
}

// recommendations suggests products: for an offer's triggers, for a product by id, for a product by title, else the best sellers.
func recommendations(sh *world.Shop, b *world.Book, q asked) reply {
	orders := b.Sum(0, b.Now.Day).Orders
	switch id := q.Get("productId"); {
	case q.Get("offerId") != "":
		return recommendForOffer(sh, b, q.Get("offerId"), orders)
	case id != "":
		for i := range sh.Stock {
			if sh.Stock[i].Id == id {
				return suggest(sh, []int{i}, nil, orders)
			}
		}
		return onlyBest(sh, bestSellersOnly{Named: "deleted"})
	case q.Get("productName") != "":
		return recommendByName(sh, q.Values, orders)
	}
	return onlyBest(sh, bestSellersOnly{Nothing: true})
}

func recommendForOffer(sh *world.Shop, b *world.Book, id string, orders int64) reply {
	o, _ := find(b, id)
	switch {
	case o == nil: // like every other answer for an unknown offer; this one isn't documented
		return noOffer()
	case o.At == world.Coupon:
		return upsellSuccess(struct {
			Holds  bool `json:"holdsUpsellProducts"`
			Coupon bool `json:"couponOffer"`
		}{false, true})
	}
	t := sh.TriggerOf(o)
	deleted := sh.LostProducts(t.Lost)
	has := len(t.Products)+len(t.Lost) > 0
	if len(t.Products) == 0 {
		return onlyBest(sh, bestSellersOnly{Has: &has, Deleted: deleted})
	}
	return suggest(sh, t.Products, deleted, orders)
}

func recommendByName(sh *world.Shop, q url.Values, orders int64) reply {
	found := sh.ProductsNamed(q.Get("productName"))
	switch len(found) {
	case 0:
		return onlyBest(sh, bestSellersOnly{Named: "no_match"})
	case 1:
		return suggest(sh, found, nil, orders)
	}
	return upsellSuccess(struct {
		Candidates []world.Resource `json:"candidates"`
	}{sh.Named(found)})
}

func onlyBest(sh *world.Shop, r bestSellersOnly) reply {
	best := sh.BestSelling()
	r.Only, r.Best = true, []productRow{}
	for _, i := range best[:min(bestSellersMax, len(best))] {
		r.Best = append(r.Best, productRowOf(sh, i))
	}
	return upsellSuccess(r)
}

// suggest answers the first shape.
func suggest(sh *world.Shop, triggers []int, deleted []world.Resource, orders int64) reply {
	looked := triggers[:min(lookedUpMax, len(triggers))]
	rows := make([]triggerRow, len(looked))
	for n, i := range looked {
		rows[n] = suggestFor(sh, i, orders)
	}
	return upsellSuccess(struct {
		Triggers []triggerRow     `json:"triggers"`
		Omitted  []world.Resource `json:"omittedTriggers,omitempty"`
		Deleted  []world.Resource `json:"deletedTriggers,omitempty"`
		Currency string           `json:"currency"`
	}{rows, sh.Named(triggers[len(looked):]), deleted, sh.Currency})
}

// suggestFor puts products that were really bought together first and fills up with products of the
// same type.
func suggestFor(sh *world.Shop, i int, orders int64) triggerRow {
	out := triggerRow{sh.Stock[i].Id, sh.Stock[i].Title, []boughtRow{}, []productRow{}}
	var with []int
	for j := range sh.Stock {
		if sh.Together(i, j, orders) > 0 {
			with = append(with, j)
		}
	}
	slices.SortStableFunc(with, func(a, b int) int { return cmp.Compare(sh.Together(i, b, orders), sh.Together(i, a, orders)) })
	for _, j := range with[:min(suggestionsMax, len(with))] {
		both := sh.Together(i, j, orders)
		out.Together = append(out.Together, boughtRow{productRowOf(sh, j), both, world.Amount(both*sh.Stock[j].Price, sh.Digits)})
	}
	for _, j := range sh.BestSelling() {
		if j == i || sh.Stock[j].Kind != sh.Stock[i].Kind || slices.Contains(with, j) || len(out.Together)+len(out.Category) == suggestionsMax {
			continue
		}
		out.Category = append(out.Category, productRowOf(sh, j))
	}
	return out
}

func productRowOf(sh *world.Shop, i int) productRow {
	it := sh.Stock[i]
	return productRow{it.Id, it.Title, world.Amount(it.Price, sh.Digits)}
}
