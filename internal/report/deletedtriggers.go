package report

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// DeletedTriggers are offers that run, or will, and whose trigger names what was
// deleted in the store: the service keeps such a name and marks it.
type DeletedTriggers struct {
	Offers int64
	// Name is the offer that is shown first. Names are its deleted ones, where it is
	// the only offer: of several no one's are told.
	Name  string
	Names []ConditionName
	// Href is the offer or, where there are several, their list.
	Href string
}

// deletedTriggers are those of one placement, or of all; nil when there are none.
func (b builder) deletedTriggers(only ...Placement) *DeletedTriggers {
	var d *DeletedTriggers
	var body []byte
	filter := OfferFilter{TriggerDeleted: true, Sort: SortNewest}
	for _, s := range b.in.Triggers {
		if len(only) > 0 && !slices.Contains(only, s.Placement) {
			continue
		}
		if d != nil {
			d.Offers += s.Offers
			continue
		}
		d = &DeletedTriggers{Offers: s.Offers, Name: s.Name, Href: "/stores/" + b.in.Store.Slug + "/offers/" + url.PathEscape(s.OfferID)}
		body = s.Setup
	}
	switch {
	case d == nil:
	case d.Offers == 1:
		var setup SetupBody
		if json.Unmarshal(body, &setup) == nil {
			d.Names = setup.DeletedTriggers()
		}
	default:
		if len(only) == 1 {
			filter.Placement = only[0]
		}
		d.Href = b.offersHref(filter)
	}
	return d
}

// title leads a to-do in: "A trigger product was deleted".
func (d DeletedTriggers) title() string {
	what := d.kind()
	switch {
	case d.Offers > 1:
		return Count(d.Offers) + " offers have a deleted trigger"
	case what == "":
		return "Something that a trigger names was deleted"
	case len(d.Names) > 1:
		return Plural(int64(len(d.Names)), "trigger "+what+" was", "trigger "+what+"s were") + " deleted"
	}
	return "A trigger " + what + " was deleted"
}

// Words: "“Boot care kit” still names Ridge Runner GTX."
func (d DeletedTriggers) Words() string {
	switch n := len(d.Names); {
	case d.Offers == 2:
		return quoted(d.Name) + " and 1 other still name what is gone."
	case d.Offers > 2:
		return quoted(d.Name) + " and " + Count(d.Offers-1) + " others still name what is gone."
	case n == 0:
		return quoted(d.Name) + " still names what is gone."
	case n == 1:
		return quoted(d.Name) + " still names " + d.Names[0].gone() + "."
	default:
		return quoted(d.Name) + " still names " + d.Names[0].gone() + " and " + Count(int64(n-1)) + " more."
	}
}

// Action is what the link does.
func (d DeletedTriggers) Action() string {
	if d.Offers == 1 {
		return "Open the offer"
	}
	return "See the " + Count(d.Offers) + " offers"
}

// kind is what all of the names are; empty where they differ or none is known.
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

// gone names what was deleted. The platform may know no more of it than an id,
// which says nothing to a person.
func (n ConditionName) gone() string {
	switch {
	case n.Kind == "":
		return "something that is gone"
	case strings.HasPrefix(n.Name, "gid://"):
		return "a " + n.Kind + " that is gone"
	}
	return isolated(n.Name)
}
