package form

import (
	"maps"
	"net/url"
	"slices"
)

// Kept is a hidden field of a form.
type Kept struct{ Name, Value string }

// KeptOf are an address's parameters except some, in order.
func KeptOf(q url.Values, but ...string) []Kept {
	var out []Kept
	for _, name := range slices.Sorted(maps.Keys(q)) {
		if !slices.Contains(but, name) {
			out = append(out, Kept{name, q.Get(name)})
		}
	}
	return out
}
