package world

import (
	"cmp"
	"fmt"
	"strings"
)

// The ways a product can be stocked, by its index: a store with eight products has each.
const (
	WayInStock = iota
	WayPartly  // of several variants one is out of stock and one is not tracked
	WayNotTracked
	WayOversold // out of stock but still sold
	WaySoldOut
	WayDraft
	WayUnpublished
	WaySubscription // sold by subscription only
	Ways
)

// Blockers keep a product from being given.
var Blockers = [Ways]Issue{
	WaySoldOut:      {"OUT_OF_STOCK", "No variant is in stock."},
	WayDraft:        {"DRAFT", "The product is a draft."},
	WayUnpublished:  {"UNPUBLISHED", "The product is not published on the online store."},
	WaySubscription: {"SUBSCRIPTION_ONLY", "The product is sold by subscription only."},
}

// stockWords are the two shapes' stock statuses; only not_tracked is documented.
var stockWords = [2]struct{ in, out, oversold string }{
	{"in_stock", "out_of_stock", "continue_selling"},
	{"available", "sold_out", "backorder"},
}

const notTracked = "not_tracked"

// Variant is one form of a product. Without tracking it has neither a quantity nor a policy.
type Variant struct {
	ID       string  `json:"id"`
	Title    string  `json:"title"`
	Stock    string  `json:"stockStatus"`
	Giftable bool    `json:"giftable"`
	Quantity *int    `json:"inventoryQuantity"`
	Policy   *string `json:"inventoryPolicy"`
}

func (sh *Shop) StockWords() (in, out, oversold string) {
	w := stockWords[0]
	if sh.Second {
		w = stockWords[1]
	}
	return w.in, w.out, w.oversold
}

func (it *Item) Way() int { return it.at % Ways }

func (it *Item) Blocked() bool { return Blockers[it.Way()].Code != "" }

// Variants are a product's forms with their stock on a day.
func (sh *Shop) Variants(it *Item, day int) []Variant {
	titles := []string{"Default Title"}
	if it.Way() == WayPartly {
		titles = []string{"S", "M", "L", "XL"}
	}
	in, sold, oversold := sh.StockWords()
	deny, goOn := "deny", "continue"
	out := make([]Variant, len(titles))
	for n, title := range titles {
		quantity := 4 + Draw(sh.Seed, sh.Slug, "quantity", it.Id, n, day/7).IntN(300)
		v := Variant{ID: sh.GlobalID("ProductVariant", fmt.Sprint(it.Id, n)), Title: sh.Word(title), Stock: in, Quantity: &quantity, Policy: &deny}
		switch {
		case it.Way() == WayNotTracked, it.Way() == WayPartly && n == 3:
			v.Stock, v.Quantity, v.Policy = notTracked, nil, nil
		case it.Way() == WaySoldOut, it.Way() == WayPartly && n == 1:
			v.Stock, quantity = sold, 0
		case it.Way() == WayOversold:
			v.Stock, quantity, v.Policy = oversold, -3, &goOn
		}
		v.Giftable = !it.Blocked() && v.Stock != sold
		out[n] = v
	}
	return out
}

// Total is how many pieces of a product there are; nil if none of its variants is tracked.
func Total(variants []Variant) *int {
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

// StockOf is the stock of a whole product: that of its best variant.
func (sh *Shop) StockOf(variants []Variant) string {
	_, sold, _ := sh.StockWords()
	for _, v := range variants {
		if v.Stock != sold {
			return v.Stock
		}
	}
	return sold
}

func (it *Item) Status() string {
	if it.Way() == WayDraft {
		return "draft"
	}
	return "active"
}

// Published reports whether the online store shows the product. A draft isn't shown.
func (it *Item) Published() bool { return it.Way() != WayDraft && it.Way() != WayUnpublished }

// giftable lists the products that can be given.
func (sh *Shop) giftable() (out []int) {
	for i := range sh.Stock {
		if !sh.Stock[i].Blocked() {
			out = append(out, i)
		}
	}
	return out
}

// handleOf turns a title into the last part of a product's address, as platforms do, and makes it unique if it is
// taken or nothing is left.
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
	stem := cmp.Or(strings.Trim(b.String(), "-"), "product")
	handle := stem
	for n := 1; taken[handle]; n++ {
		handle = fmt.Sprintf("%s-%d", stem, n)
	}
	taken[handle] = true
	return handle
}

type Issue struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}
