package form

import "github.com/a-h/templ"

// Choice is one of several options. Note says what it means, and may be empty.
type Choice struct{ Value, Label, Note string }

// ChoiceGroup is a heading with the choices below it.
type ChoiceGroup struct {
	Label   string
	Choices []Choice
}

// Invalid marks an input with an invalid value. Otherwise there is no attribute: an empty
// one could be read as true.
func Invalid(wrong bool) templ.Attributes {
	if wrong {
		return templ.Attributes{"aria-invalid": "true"}
	}
	return templ.Attributes{}
}
