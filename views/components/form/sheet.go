package form

import "github.com/a-h/templ"

// Choice is one of several options.
type Choice struct{ Value, Label string }

// Invalid marks an input with an invalid value. It omits the attribute otherwise, since an
// empty one could be misread.
func Invalid(wrong bool) templ.Attributes {
	if wrong {
		return templ.Attributes{"aria-invalid": "true"}
	}
	return templ.Attributes{}
}
