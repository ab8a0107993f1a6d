package sandbox

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
)

const (
	suggestionsMax = 6 // a trigger, both lists together
	bestSellersMax = 5
	lookedUpMax    = 5 // trigger products of an offer; the document does not show how many
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
	Best    []productRow `json:"shopBestSellers"`
	Only    bool         `json:"bestSellersOnly"`
	Nothing bool         `json:"nothingNamed,omitempty"`
	Has     *bool        `json:"hasProductTrigger,omitempty"`
	Deleted []resource   `json:"deletedTriggers,omitempty"` // with hasProductTrigger: true
	Named   string       `json:"namedProduct,omitempty"`    // deleted or no_match
}

// recommendations suggests products: for an offer's triggers, for a product by id, for a product by title, else the best sellers.
func recommendations(sh *shop, b *book, q asked) reply {
	orders := b.sum(0, b.now.day).orders
	switch id := q.Get("productId"); {
	case q.Get("offerId") != "":
		return sh.recommendForOffer(b, q.Get("offerId"), orders)
	case id != "":
		for i := range sh.stock {
			if sh.stock[i].id == id {
				return sh.suggest([]int{i}, nil, orders)
			}
		}
		return sh.onlyBest(bestSellersOnly{Named: "deleted"})
	case q.Get("productName") != "":
		return sh.recommendByName(q.Values, orders)
	}
	return sh.onlyBest(bestSellersOnly{Nothing: true})
}

func (sh *shop) recommendForOffer(b *book, id string, orders int64) reply {
	o, _ := b.find(id)
	switch {
	case o == nil: // as every other answer on an unknown offer; the document does not show this one
		return noOffer()
	case o.at == coupon:
		return upsellSuccess(struct {
			Holds  bool `json:"holdsUpsellProducts"`
			Coupon bool `json:"couponOffer"`
		}{false, true})
	}
	t := sh.triggerOf(o)
	var deleted []resource
	for _, name := range t.lost {
		deleted = append(deleted, resource{ID: sh.globalID("Product", "lost "+name), IsDeleted: true})
	}
	has := len(t.products)+len(t.lost) > 0
	if len(t.products) == 0 {
		return sh.onlyBest(bestSellersOnly{Has: &has, Deleted: deleted})
	}
	return sh.suggest(t.products, deleted, orders)
}

func (sh *shop) recommendByName(q url.Values, orders int64) reply {
	found := sh.productsNamed(q.Get("productName"))
	switch len(found) {
	case 0:
		return sh.onlyBest(bestSellersOnly{Named: "no_match"})
	case 1:
		return sh.suggest(found, nil, orders)
	}
	rows := make([]resource, len(found))
	for n, i := range found {
		rows[n] = resource{ID: sh.stock[i].id, Title: sh.stock[i].title}
	}
	return upsellSuccess(struct {
		Candidates []resource `json:"candidates"`
	}{rows})
}

func (sh *shop) onlyBest(r bestSellersOnly) reply {
	best := sh.bestSelling()
	r.Only, r.Best = true, []productRow{}
	for _, i := range best[:min(bestSellersMax, len(best))] {
		r.Best = append(r.Best, sh.productRow(i))
	}
	return upsellSuccess(r)
}

// suggest answers the first shape.
func (sh *shop) suggest(triggers []int, deleted []resource, orders int64) reply {
	looked := triggers[:min(lookedUpMax, len(triggers))]
	rows := make([]triggerRow, len(looked))
	for n, i := range looked {
		rows[n] = sh.suggestFor(i, orders)
	}
	var omitted []resource
	for _, i := range triggers[len(looked):] {
		omitted = append(omitted, resource{ID: sh.stock[i].id, Title: sh.stock[i].title})
	}
	return upsellSuccess(struct {
		Triggers []triggerRow `json:"triggers"`
		Omitted  []resource   `json:"omittedTriggers,omitempty"`
		Deleted  []resource   `json:"deletedTriggers,omitempty"`
		Currency string       `json:"currency"`
	}{rows, omitted, deleted, sh.currency})
}

// suggestFor ranks what was really bought together first and fills up with products of the same type.
func (sh *shop) suggestFor(i int, orders int64) triggerRow {
	out := triggerRow{sh.stock[i].id, sh.stock[i].title, []boughtRow{}, []productRow{}}
	var with []int
	for j := range sh.stock {
		if sh.together(i, j, orders) > 0 {
			with = append(with, j)
		}
	}
	slices.SortStableFunc(with, func(a, b int) int { return cmp.Compare(sh.together(i, b, orders), sh.together(i, a, orders)) })
	for _, j := range with[:min(suggestionsMax, len(with))] {
		both := sh.together(i, j, orders)
		out.Together = append(out.Together, boughtRow{sh.productRow(j), both, amount(both*sh.stock[j].price, sh.digits)})
	}
	for _, j := range sh.bestSelling() {
		if j == i || sh.stock[j].kind != sh.stock[i].kind || slices.Contains(with, j) || len(out.Together)+len(out.Category) == suggestionsMax {
			continue
		}
		out.Category = append(out.Category, sh.productRow(j))
	}
	return out
}

func (sh *shop) productRow(i int) productRow {
	it := sh.stock[i]
	return productRow{it.id, it.title, amount(it.price, sh.digits)}
}
