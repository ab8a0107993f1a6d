package sandbox

import "encoding/json"

// resource is a product or a collection that a condition names. Of a deleted one the platform knows the id only.
type resource struct {
	ID        string `json:"id"`
	Title     string `json:"title,omitempty"`
	IsDeleted bool   `json:"isDeleted,omitempty"`
}

// condition is one trigger condition; all of an offer's must be met together. The document does not show its inner names.
type condition struct {
	Type        string       `json:"type"`               // products, collections, tags or order_value
	Operator    string       `json:"operator,omitempty"` // any or all of what is named; at_least for an order value
	Products    []resource   `json:"products,omitempty"`
	Collections []resource   `json:"collections,omitempty"`
	Tags        []string     `json:"tags,omitempty"`
	Value       *json.Number `json:"value,omitempty"`
	IsDeleted   bool         `json:"isDeleted,omitempty"` // something that it names was deleted
}

const triggerWays = 8

// trigger is what sets an offer off: products by index, names of deleted products, and the rest as it is sent.
type trigger struct {
	products   []int
	lost       []string
	conditions []condition
}

// triggerOf decides by the plan alone, so that every way is there in a store with eight offers.
func (sh *shop) triggerOf(o *offer) trigger {
	var t trigger
	lost := sh.catalog.lost
	switch o.plan % triggerWays {
	case 0:
		t.products = sh.triggerProducts(o, 1)
	case 1: // one of them is deleted
		t.products = sh.triggerProducts(o, 2)
		t.lost = lost[:min(1, len(lost))]
	case 2: // no condition
		return t
	case 3:
		t.conditions = append(t.conditions, sh.collectionCondition(o, false), sh.tagCondition(o))
	case 4:
		t.conditions = append(t.conditions, sh.orderValueCondition(o))
	case 5: // every one is deleted
		t.lost = lost
	case 6: // more than are looked up
		t.products = sh.triggerProducts(o, 7)
	case 7:
		t.products = sh.triggerProducts(o, 2)
		t.conditions = append(t.conditions, sh.collectionCondition(o, true), sh.orderValueCondition(o))
	}
	if len(t.products)+len(t.lost) > 0 {
		c := condition{Type: "products", Operator: "any"}
		for _, i := range t.products {
			c.Products = append(c.Products, resource{ID: sh.stock[i].id, Title: sh.stock[i].title})
		}
		for _, name := range t.lost {
			c.Products = append(c.Products, resource{ID: sh.globalID("Product", "lost "+name), IsDeleted: true})
			c.IsDeleted = true
		}
		t.conditions = append([]condition{c}, t.conditions...)
	}
	return t
}

// triggerProducts picks products that the offer does not sell itself.
func (sh *shop) triggerProducts(o *offer, n int) (out []int) {
	for step := range len(sh.stock) - 1 {
		at := (o.product + o.plan/triggerWays + step + 1) % len(sh.stock)
		if len(out) < n && at != o.product {
			out = append(out, at)
		}
	}
	return out
}

func (sh *shop) collectionCondition(o *offer, gone bool) condition {
	c := condition{Type: "collections", Operator: "any"}
	if all := sh.catalog.collections; len(all) > 0 {
		title := all[o.plan/triggerWays%len(all)]
		c.Collections = append(c.Collections, resource{ID: sh.globalID("Collection", title), Title: title})
	}
	if all := sh.catalog.lostCollections; gone && len(all) > 0 {
		c.Collections = append(c.Collections, resource{ID: sh.globalID("Collection", "lost "+all[0]), IsDeleted: true})
		c.IsDeleted = true
	}
	return c
}

func (sh *shop) tagCondition(o *offer) condition {
	return condition{Type: "tags", Operator: "all", Tags: sh.catalog.tags[:min(len(sh.catalog.tags), 1+o.plan/triggerWays)]}
}

func (sh *shop) orderValueCondition(o *offer) condition {
	least := amount(sh.rounded(sh.basket*float64(1+o.plan%3)/2), sh.digits)
	return condition{Type: "order_value", Operator: "at_least", Value: &least}
}
