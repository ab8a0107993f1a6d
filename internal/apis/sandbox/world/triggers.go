package world

import "encoding/json"

// Resource is a product or a collection that a condition names. Of a deleted one, the platform only knows the
// id.
type Resource struct {
	ID        string `json:"id"`
	Title     string `json:"title,omitempty"`
	IsDeleted bool   `json:"isDeleted,omitempty"`
}

// Condition is one trigger condition; all of an offer's must be met together. Its inner names aren't documented.
type Condition struct {
	Type        string       `json:"type"`               // products, collections, tags or order_value
	Operator    string       `json:"operator,omitempty"` // any or all of what is named; at_least for an order value
	Products    []Resource   `json:"products,omitempty"`
	Collections []Resource   `json:"collections,omitempty"`
	Tags        []string     `json:"tags,omitempty"`
	Value       *json.Number `json:"value,omitempty"`
	IsDeleted   bool         `json:"isDeleted,omitempty"` // something it names was deleted
}

const triggerWays = 8

// trigger is what makes an offer appear: products by index, names of deleted products, and the rest as it is
// sent.
type trigger struct {
	Products   []int
	Lost       []string
	Conditions []Condition
}

// TriggerOf depends only on the plan, so that a store with eight offers has every kind.
func (sh *Shop) TriggerOf(o *Offer) trigger {
	var t trigger
	lost := sh.Catalog.Lost
	switch o.Plan % triggerWays {
	case 0:
		t.Products = sh.triggerProducts(o, 1)
	case 1: // one of them is deleted
		t.Products = sh.triggerProducts(o, 2)
		t.Lost = lost[:min(1, len(lost))]
	case 2: // no condition
		return t
	case 3:
		t.Conditions = append(t.Conditions, sh.collectionCondition(o, false), sh.tagCondition(o))
	case 4:
		t.Conditions = append(t.Conditions, sh.orderValueCondition(o))
	case 5: // every one is deleted
		t.Lost = lost
	case 6: // more than are looked up
		t.Products = sh.triggerProducts(o, 7)
	case 7:
		t.Products = sh.triggerProducts(o, 2)
		t.Conditions = append(t.Conditions, sh.collectionCondition(o, true), sh.orderValueCondition(o))
	}
	if len(t.Products)+len(t.Lost) > 0 {
		c := Condition{Type: "products", Operator: "any", IsDeleted: len(t.Lost) > 0}
		c.Products = append(sh.Named(t.Products), sh.LostProducts(t.Lost)...)
		t.Conditions = append([]Condition{c}, t.Conditions...)
	}
	return t
}

// Named are products by their indexes.
func (sh *Shop) Named(products []int) (out []Resource) {
	for _, i := range products {
		out = append(out, Resource{ID: sh.Stock[i].Id, Title: sh.Stock[i].Title})
	}
	return out
}

// LostProducts are deleted products: only their ids are known.
func (sh *Shop) LostProducts(names []string) (out []Resource) {
	for _, name := range names {
		out = append(out, Resource{ID: sh.GlobalID("Product", "lost "+name), IsDeleted: true})
	}
	return out
}

// triggerProducts picks products that the offer doesn't sell itself.
func (sh *Shop) triggerProducts(o *Offer, n int) (out []int) {
	for step := range len(sh.Stock) - 1 {
		at := (o.Product + o.Plan/triggerWays + step + 1) % len(sh.Stock)
		if len(out) < n && at != o.Product {
			out = append(out, at)
		}
	}
	return out
}

func (sh *Shop) collectionCondition(o *Offer, gone bool) Condition {
	c := Condition{Type: "collections", Operator: "any"}
	if all := sh.Catalog.Collections; len(all) > 0 {
		title := all[o.Plan/triggerWays%len(all)]
		c.Collections = append(c.Collections, Resource{ID: sh.GlobalID("Collection", title), Title: title})
	}
	if all := sh.Catalog.lostCollections; gone && len(all) > 0 {
		c.Collections = append(c.Collections, Resource{ID: sh.GlobalID("Collection", "lost "+all[0]), IsDeleted: true})
		c.IsDeleted = true
	}
	return c
}

func (sh *Shop) tagCondition(o *Offer) Condition {
	return Condition{Type: "tags", Operator: "all", Tags: sh.Catalog.Tags[:min(len(sh.Catalog.Tags), 1+o.Plan/triggerWays)]}
}

func (sh *Shop) orderValueCondition(o *Offer) Condition {
	least := Amount(sh.Rounded(sh.Basket*float64(1+o.Plan%3)/2), sh.Digits)
	return Condition{Type: "order_value", Operator: "at_least", Value: &least}
}
