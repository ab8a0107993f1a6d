package upsell

import (
	"slices"
	"strings"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// TriggerCondition is one condition of an offer's trigger (triggerConditions). The document
// says that it names products, collections or tags and that a deleted one is marked, but
// documents no field. Every field is set only if it was found.
type TriggerCondition struct {
	// Kind is what the condition looks at, in the service's words.
	Kind string
	// Resources are the products, collections and tags that it names.
	Resources []Resource
	// Deleted: the condition as a whole is marked because what it names is gone from the
	// commerce platform. A resource may be marked as well.
	Deleted bool
	// Raw is the condition as it came.
	Raw upstream.Raw
}

// ResourceKind is what a condition names.
type ResourceKind string

// The documented kinds of resource; "" if the reply doesn't say.
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
	c.Deleted = n.deleted()
	own := kindOf(plain(c.Kind))
	found := resources{at: map[Resource]int{}}
	found.collect(n, own, false)
	if !found.listed && own != "" { // the condition is the resource
		found.add(resourceOf(n, own, c.Deleted))
	}
	c.Resources = found.all
	if len(c.Resources) == 1 {
		c.Resources[0].Deleted = c.Resources[0].Deleted || c.Deleted
	}
	return nil
}

// kindOf recognizes the kind of resource in a key or a kind's words: tags, productIds,
// specific_products; not product_type.
func kindOf(word string) ResourceKind {
	for _, not := range []string{"has", "any", "no"} {
		if strings.HasPrefix(word, not) {
			return ""
		}
	}
	word = strings.TrimSuffix(word, "s")
	for _, of := range []string{"gid", "id", "title", "name"} {
		word = strings.TrimSuffix(word, of)
	}
	word = strings.TrimSuffix(word, "s")
	for _, kind := range []ResourceKind{Product, Collection, Tag} {
		if strings.HasSuffix(word, string(kind)) {
			return kind
		}
	}
	return ""
}

// excludes recognizes a key that lists resources which don't trigger.
func excludes(word string) bool {
	return slices.ContainsFunc([]string{"exclu", "except", "without", "not"}, func(not string) bool { return strings.HasPrefix(word, not) })
}

// listNames are keys under which resources of the condition's own kind may be.
var listNames = []string{"resources", "resource", "items", "item", "values", "value", "entries", "targets", "nodes", "list", "names"}

// resources gathers what a condition names.
type resources struct {
	all []Resource
	// at is where a resource is, by its kind and id, or title without an id.
	at map[Resource]int
	// listed: a key that holds resources was there, though maybe empty.
	listed bool
}

// collect finds the resources below an object.
func (f *resources) collect(n node, own ResourceKind, gone bool) {
	for at, name := range n.names {
		v := n.items[at]
		bare, marked := strings.CutPrefix(strings.TrimPrefix(name, "is"), "deleted")
		if !marked {
			bare, marked = strings.CutPrefix(bare, "removed")
		}
		kind, many := kindOf(bare), v.kind == '[' || v.kind == '{'
		switch {
		case excludes(bare):
		case kind != "":
			f.listed = f.listed || many || v.named()
			f.gather(v, kind, gone || marked, strings.HasSuffix(strings.TrimSuffix(bare, "s"), "id"))
		case slices.Contains(listNames, bare), marked && many:
			f.listed = f.listed || many
			f.gather(v, own, gone || marked, false)
		case v.kind == '{':
			f.collect(v, own, gone || v.deleted())
		case v.kind == '[':
			for _, item := range v.items {
				if item.kind == '{' {
					f.collect(item, own, gone || item.deleted())
				}
			}
		}
	}
}

// gather takes one resource or a list of them.
func (f *resources) gather(v node, kind ResourceKind, gone, ids bool) {
	switch v.kind {
	case '[':
		for _, item := range v.items {
			f.gather(item, kind, gone, ids)
		}
	case '{':
		gone = gone || v.deleted()
		if kind == "" {
			kind = kindOf(plain(v.firstText("type", "kind", "resourcetype")))
		}
		if !f.add(resourceOf(v, kind, gone)) {
			f.collect(v, kind, gone)
		}
	case '"', '0':
		if kind == "" {
			return // an order value is no resource
		}
		r := resourceOf(v, kind, gone)
		if ids && r.ID == "" {
			r.ID, r.Title = r.Title, ""
		}
		f.add(r)
	}
}

// add keeps a resource once; a mark from anywhere holds.
func (f *resources) add(r Resource) bool {
	key := Resource{Kind: r.Kind, ID: r.ID}
	if r.ID == "" {
		key.Title = r.Title
	}
	if key.ID == "" && key.Title == "" {
		return false
	}
	at, have := f.at[key]
	if !have {
		f.at[key] = len(f.all)
		f.all = append(f.all, r)
		return true
	}
	f.all[at].Deleted = f.all[at].Deleted || r.Deleted
	if f.all[at].Title == "" {
		f.all[at].Title = r.Title
	}
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
