package sandbox

import (
	"fmt"
	"strings"
)

// The ways in which a product stands in the store, by its place among the products: a store with eight has each.
const (
	wayInStock = iota
	wayPartly  // of several variants one is out of stock and one is not tracked
	wayNotTracked
	wayOversold // out of stock and sold all the same
	waySoldOut
	wayDraft
	wayUnpublished
	waySubscription // sold by subscription only
	ways
)

// blockers keep a product from being given.
var blockers = [ways]issue{
	waySoldOut:      {"OUT_OF_STOCK", "No variant is in stock."},
	wayDraft:        {"DRAFT", "The product is a draft."},
	wayUnpublished:  {"UNPUBLISHED", "The product is not published on the online store."},
	waySubscription: {"SUBSCRIPTION_ONLY", "The product is sold by subscription only."},
}

// stockWords are what the two shapes call a stock; the document shows not_tracked only.
var stockWords = [2]struct{ in, out, oversold string }{
	{"in_stock", "out_of_stock", "continue_selling"},
	{"available", "sold_out", "backorder"},
}

const notTracked = "not_tracked"

// variant is one form of a product. What is not tracked has neither a quantity nor a policy.
type variant struct {
	ID       string  `json:"id"`
	Title    string  `json:"title"`
	Stock    string  `json:"stockStatus"`
	Giftable bool    `json:"giftable"`
	Quantity *int    `json:"inventoryQuantity"`
	Policy   *string `json:"inventoryPolicy"`
}

func (sh *shop) stockWords() (in, out, oversold string) {
	w := stockWords[0]
	if sh.second {
		w = stockWords[1]
	}
	return w.in, w.out, w.oversold
}

func (it *item) way() int { return it.at % ways }

func (it *item) blocked() bool { return blockers[it.way()].Code != "" }

// variants are a product's forms with their stock on a day.
func (sh *shop) variants(it *item, day int) []variant {
	titles := []string{"Default Title"}
	if it.way() == wayPartly {
		titles = []string{"S", "M", "L", "XL"}
	}
	in, sold, oversold := sh.stockWords()
	deny, goOn := "deny", "continue"
	out := make([]variant, len(titles))
	for n, title := range titles {
		quantity := 4 + draw(sh.seed, sh.slug, "quantity", it.id, n, day/7).IntN(300)
		v := variant{ID: sh.globalID("ProductVariant", fmt.Sprint(it.id, n)), Title: sh.word(title), Stock: in, Quantity: &quantity, Policy: &deny}
		switch {
		case it.way() == wayNotTracked, it.way() == wayPartly && n == 3:
			v.Stock, v.Quantity, v.Policy = notTracked, nil, nil
		case it.way() == waySoldOut, it.way() == wayPartly && n == 1:
			v.Stock, quantity = sold, 0
		case it.way() == wayOversold:
			v.Stock, quantity, v.Policy = oversold, -3, &goOn
		}
		v.Giftable = !it.blocked() && v.Stock != sold
		out[n] = v
	}
	return out
}

// total is how many pieces of a product there are; nothing when none of its variants is tracked.
func total(variants []variant) *int {
	sum, tracked := 0, false
	for _, v := range variants {
		if v.Quantity != nil {
			sum, tracked = sum+*v.Quantity, true
		}
	}
	if !tracked {
		return nil
	}
	return &sum
}

// stockOf is the stock of a whole product: that of its best variant.
func (sh *shop) stockOf(variants []variant) string {
	_, sold, _ := sh.stockWords()
	for _, v := range variants {
		if v.Stock != sold {
			return v.Stock
		}
	}
	return sold
}

func (it *item) status() string {
	if it.way() == wayDraft {
		return "draft"
	}
	return "active"
}

// published tells whether the online store shows the product. A draft is not shown.
func (it *item) published() bool { return it.way() != wayDraft && it.way() != wayUnpublished }

// giftable lists the products that can be given.
func (sh *shop) giftable() (out []int) {
	for i := range sh.stock {
		if !sh.stock[i].blocked() {
			out = append(out, i)
		}
	}
	return out
}

// handleOf makes a title into the last part of a product's address, as platforms do, and one of its own if others have it or nothing is left.
func handleOf(title string, taken map[string]bool) string {
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	stem := strings.Trim(b.String(), "-")
	if stem == "" {
		stem = "product"
	}
	handle := stem
	for n := 1; taken[handle]; n++ {
		handle = fmt.Sprintf("%s-%d", stem, n)
	}
	taken[handle] = true
	return handle
}
