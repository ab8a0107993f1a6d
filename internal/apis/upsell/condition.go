package upsell

import (
	"slices"
	"strings"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// TriggerCondition is one condition of an offer's trigger (triggerConditions). The
// document says that it names products, collections or tags and that a deleted one
// is marked; it shows no field. Every field is filled only where it was found.
type TriggerCondition struct {
	// Kind is what the condition looks at, in the service's words.
	Kind string
	// Operator is how it compares, in the service's words.
	Operator string
	// Value is what it compares with, where that is no resource: an order value.
	Value string
	// Resources are the products, collections and tags that it names.
	Resources []Resource
	// Deleted: the condition as a whole is marked, because what it names is gone
	// from the commerce platform. See [TriggerCondition.HasDeleted].
	Deleted bool
	// Raw is the condition as it came.
	Raw upstream.Raw
}

// HasDeleted reports whether the condition or anything it names is marked as deleted.
func (c TriggerCondition) HasDeleted() bool {
	return c.Deleted || slices.ContainsFunc(c.Resources, func(r Resource) bool { return r.Deleted })
}

// Understood reports whether enough was found to say the condition in words. If
// not, show Raw as text.
func (c TriggerCondition) Understood() bool {
	return len(c.Resources) > 0 || c.Kind != "" && c.Value != ""
}

// ResourceKind is what a condition names.
type ResourceKind string

// The documented kinds of resource; "" where the reply did not tell.
const (
	Product    ResourceKind = "product"
	Collection ResourceKind = "collection"
	Tag        ResourceKind = "tag"
)

// Resource is a product, collection or tag. ID or Title may be "", never both.
type Resource struct {
	Kind      ResourceKind
	ID, Title string
	// Deleted: it is marked as gone from the commerce platform.
	Deleted bool
}

// DecodeRaw takes any value.
func (c *TriggerCondition) DecodeRaw(value []byte) error {
	n, err := readNode(value)
	if err != nil {
		return err
	}
	*c = TriggerCondition{Raw: n.copyRaw()}
	if n.kind != '{' {
		c.Kind = n.text
		return nil
	}
	c.Kind = n.firstText("kind", "type", "conditiontype", "triggertype", "resourcetype", "field", "subject", "criteria", "condition", "attribute", "target", "name", "label")
	c.Operator = n.firstText("operator", "op", "comparison", "comparator", "relation", "match", "matchtype", "rule")
	c.Deleted = n.deleted()
	own := kindOf(plain(c.Kind))
	c.collect(n, own, false)
	if len(c.Resources) == 0 && own != "" {
		c.add(resourceOf(n, own, c.Deleted))
	}
	if own == "" {
		c.Value = n.firstText("value", "amount", "threshold", "ordervalue", "minimum", "min", "total", "subtotal", "quantity", "maximum", "max")
	}
	return nil
}

// kindOf tells the kind of resource from a key or a kind's words: tags, productIds,
// specific_products; not product_type.
func kindOf(word string) ResourceKind {
	for _, not := range []string{"exclu", "not", "without", "has", "any", "no"} {
		if strings.HasPrefix(word, not) {
			return ""
		}
	}
	word = strings.TrimSuffix(word, "s")
	for _, id := range []string{"gid", "id", "title", "name"} {
		word = strings.TrimSuffix(word, id)
	}
	word = strings.TrimSuffix(word, "s")
	for _, kind := range []ResourceKind{Product, Collection, Tag} {
		if strings.HasSuffix(word, string(kind)) {
			return kind
		}
	}
	return ""
}

// listNames are keys under which a list of resources of the condition's own kind
// may stand.
var listNames = []string{"resources", "resource", "items", "item", "values", "value", "entries", "targets", "nodes", "list", "names"}

// collect finds the resources below an object.
func (c *TriggerCondition) collect(n node, own ResourceKind, gone bool) {
	for at, name := range n.names {
		v := n.items[at]
		bare, marked := strings.CutPrefix(strings.TrimPrefix(name, "is"), "deleted")
		if !marked {
			bare, marked = strings.CutPrefix(bare, "removed")
		}
		kind := kindOf(bare)
		switch {
		case kind != "":
			c.gather(v, kind, gone || marked, strings.HasSuffix(strings.TrimSuffix(bare, "s"), "id"))
		case slices.Contains(listNames, bare), marked && (v.kind == '[' || v.kind == '{'):
			c.gather(v, own, gone || marked, false)
		case v.kind == '{':
			c.collect(v, own, gone || v.deleted())
		case v.kind == '[':
			for _, item := range v.items {
				if item.kind == '{' {
					c.collect(item, own, gone || item.deleted())
				}
			}
		}
	}
}

// gather takes one resource or a list of them.
func (c *TriggerCondition) gather(v node, kind ResourceKind, gone, ids bool) {
	switch v.kind {
	case '[':
		for _, item := range v.items {
			c.gather(item, kind, gone, ids)
		}
	case '{':
		gone = gone || v.deleted()
		if k := kindOf(plain(v.firstText("type", "kind", "resourcetype"))); kind == "" {
			kind = k
		}
		r := resourceOf(v, kind, gone)
		if !c.add(r) {
			c.collect(v, kind, gone)
		}
	case '"', '0':
		if kind == "" {
			return // an order value is no resource
		}
		r := resourceOf(v, kind, gone)
		if ids && r.ID == "" {
			r.ID, r.Title = r.Title, ""
		}
		c.add(r)
	}
}

// add keeps a resource once; a mark from anywhere holds.
func (c *TriggerCondition) add(r Resource) bool {
	if r.ID == "" && r.Title == "" {
		return false
	}
	for at := range c.Resources {
		have := &c.Resources[at]
		if have.Kind == r.Kind && (r.ID != "" && have.ID == r.ID || r.ID == "" && have.ID == "" && have.Title == r.Title) {
			have.Deleted = have.Deleted || r.Deleted
			if have.Title == "" {
				have.Title = r.Title
			}
			return true
		}
	}
	c.Resources = append(c.Resources, r)
	return true
}

// resourceOf reads one resource from an object or a bare text.
func resourceOf(n node, kind ResourceKind, gone bool) Resource {
	r := Resource{Kind: kind, Deleted: gone}
	if n.kind == '{' {
		r.ID = n.firstText("id", "gid", "productid", "collectionid", "tagid", "resourceid", "globalid", "platformid")
		r.Title = n.firstText("title", "name", "tag", "producttitle", "productname", "collectiontitle", "collectionname", "tagname", "label", "handle", "value")
		return r
	}
	if n.named() {
		if strings.HasPrefix(n.text, "gid://") {
			r.ID = n.text
		} else {
			r.Title = n.text
		}
	}
	return r
}
