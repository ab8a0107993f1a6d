package components

import (
	"maps"
	"net/url"
	"slices"
)

// field is a hidden one of a form.
type field struct{ Name, Value string }

// fields are an address's parameters but some, in order.
func fields(q url.Values, but ...string) []field {
	var out []field
	for _, name := range slices.Sorted(maps.Keys(q)) {
		if !slices.Contains(but, name) {
			out = append(out, field{name, q.Get(name)})
		}
	}
	return out
}
