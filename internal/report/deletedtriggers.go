package report

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/storeglass/storeglass/internal/locale"
)

// DeletedTriggers are active or scheduled offers whose trigger points to something deleted in the
// store: the service keeps the reference and marks it.
type DeletedTriggers struct {
	Offers int64
	// Name is the offer shown first. Names are its deleted references, set only if it is the only offer.
	Name  string
	Names []ConditionName
	// Href is the offer or, if there are several, their list.
	Href string
}

// DeletedTriggers returns those of the given placements, or of all; nil if there are none.
func (b Builder) DeletedTriggers(only ...Placement) *DeletedTriggers {
	var d *DeletedTriggers
	var body []byte
	filter := OfferFilter{TriggerDeleted: true, Sort: SortValue}
	for _, s := range b.In.Triggers {
		if len(only) > 0 && !slices.Contains(only, s.Placement) {
			continue
		}
		if d != nil {
			d.Offers += s.Offers
			continue
		}
		d = &DeletedTriggers{Offers: s.Offers, Name: s.Name, Href: "/stores/" + b.In.Store.Slug + "/offers/" + url.PathEscape(s.OfferID)}
		body = s.Setup
	}
	switch {
	case d == nil:
	case d.Offers == 1:
		var setup struct {
			Conditions []struct {
				Names []ConditionName `json:"names"`
			} `json:"conditions"`
		}
		if json.Unmarshal(body, &setup) != nil {
			break
		}
		for _, c := range setup.Conditions {
			d.Names = append(d.Names, slices.DeleteFunc(c.Names, func(n ConditionName) bool { return !n.Deleted })...)
		}
	default:
		if len(only) == 1 {
			filter.Placement = only[0]
		}
		d.Href = b.OffersHref(filter)
	}
	return d
}

// Listed is how many rows the list behind Href has; 0 if it leads to the only offer.
func (d DeletedTriggers) Listed() int64 {
	if d.Offers == 1 {
		return 0
	}
	return d.Offers
}

// Title: "A trigger product was deleted".
func (d DeletedTriggers) Title() locale.Message {
	if d.Offers > 1 {
		return locale.M("todo.offers_with_deleted_trigger", "n", d.Offers)
	}
	return locale.M("todo.trigger_deleted."+kindOf(d.kind()), "n", max(1, len(d.Names)))
}

// Text: "“Boot care kit” still points to Ridge Runner GTX."
func (d DeletedTriggers) Text() locale.Message {
	offer := locale.M("unit.quoted", "name", Isolated(d.Name))
	switch n := len(d.Names); {
	case d.Offers > 1:
		return locale.M("todo.still_name", "offer", offer, "n", d.Offers-1)
	case n == 0:
		return locale.M("todo.still_names.something", "offer", offer)
	case n == 1:
		return locale.M("todo.still_names.single", "offer", offer, "gone", d.Names[0].gone())
	default:
		return locale.M("todo.still_names.several", "offer", offer, "gone", d.Names[0].gone(), "n", n-1)
	}
}

// Action is the link's text.
func (d DeletedTriggers) Action(l locale.Locale) string {
	if d.Offers == 1 {
		return l.T("todo.open_offer")
	}
	return l.T("todo.see_offers", "n", d.Offers)
}

// kind is what all the names have in common; empty if they differ or none is known.
func (d DeletedTriggers) kind() string {
	for _, n := range d.Names {
		if n.Kind != d.Names[0].Kind {
			return ""
		}
	}
	if len(d.Names) == 0 {
		return ""
	}
	return d.Names[0].Kind
}

// gone names what was deleted. The platform may only know its id, which means nothing to a person.
func (n ConditionName) gone() any {
	if n.Kind == "" || strings.HasPrefix(n.Name, "gid://") {
		return locale.M("todo.gone." + kindOf(n.Kind))
	}
	return Isolated(n.Name)
}

// kindOf is the kind if the catalogs have words for it.
func kindOf(kind string) string {
	if kind == "" || !locale.Has("todo.gone."+kind) {
		return "something"
	}
	return kind
}

// ConditionName is a product, collection or tag that a condition refers to.
type ConditionName struct {
	Kind    string `json:"kind,omitempty"` // product, collection, tag, or empty
	Name    string `json:"name"`
	Deleted bool   `json:"deleted,omitempty"`
}
