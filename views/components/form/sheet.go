package form

import "github.com/a-h/templ"

// Choice is one of several.
type Choice struct{ Value, Label string }

// Invalid marks an input whose value can't be taken. Without a value the attribute
// would say the opposite.
func Invalid(wrong bool) templ.Attributes {
	if wrong {
		return templ.Attributes{"aria-invalid": "true"}
	}
	return templ.Attributes{}
}
