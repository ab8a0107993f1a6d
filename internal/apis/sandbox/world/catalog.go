package world

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// catalogPlan is what the commerce platform knows about a store besides titles and prices.
type catalogPlan struct {
	kinds           []string // product type by product; the rest have the last one
	Collections     []string
	Tags            []string
	Lost            []string // products that were deleted
	lostCollections []string
}

// Item is a product with what recommendations and product checks need.
type Item struct {
	at                      int // its index among the products
	Id, Title, Kind, Handle string
	Price                   int64 // minor units
	share                   float64
}

// GlobalID is a platform's global id; the number depends only on its name.
func (sh *Shop) GlobalID(resource, name string) string {
	return fmt.Sprintf("gid://shop/%s/%d", resource, 1_000_000_000+Draw(sh.Seed, sh.Slug, resource, name).IntN(8_000_000_000))
}

func (sh *Shop) inStock() []Item {
	out, handles := make([]Item, len(sh.Products)), map[string]bool{}
	for i, p := range sh.Products {
		kind := "Accessories"
		if kinds := sh.Catalog.kinds; len(kinds) > 0 {
			kind = kinds[min(i, len(kinds)-1)]
		}
		key := fmt.Sprint(p.title, " ", i) // titles may repeat
		out[i] = Item{
			at: i, Id: sh.GlobalID("Product", key), Title: p.title, Kind: kind, Handle: handleOf(p.title, handles), Price: p.Price,
			share: 0.01 + 0.12*Draw(sh.Seed, sh.Slug, "share", key).Float64(),
		}
	}
	return out
}

// BestSelling orders products by the orders that held them, most first.
func (sh *Shop) BestSelling() []int {
	out := make([]int, len(sh.Stock))
	for i := range out {
		out[i] = i
	}
	slices.SortStableFunc(out, func(i, j int) int { return cmp.Compare(sh.Stock[j].share, sh.Stock[i].share) })
	return out
}

// Together is how many of that many orders held both of two products. The first product was bought with every other
// one, and every seventh with none.
func (sh *Shop) Together(i, j int, orders int64) int64 {
	i, j = min(i, j), max(i, j)
	switch {
	case i%7 == 6, j%7 == 6, i == j:
		return 0
	case i != 0 && (i+j)%3 != 0:
		return 0
	}
	return int64(float64(orders) * (0.0004 + 0.011*Draw(sh.Seed, sh.Slug, "together", i, j).Float64()))
}

// ProductsNamed are those with exactly this title or, if there are none, those whose title contains it, ignoring
// case.
func (sh *Shop) ProductsNamed(title string) (out []int) {
	for i, it := range sh.Stock {
		if strings.EqualFold(it.Title, title) {
			out = append(out, i)
		}
	}
	if out != nil {
		return out
	}
	for i, it := range sh.Stock {
		if strings.Contains(strings.ToLower(it.Title), strings.ToLower(title)) {
			out = append(out, i)
		}
	}
	return out
}
