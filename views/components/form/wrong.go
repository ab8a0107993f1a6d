package form

import (
	"strings"

	"github.com/a-h/templ"
)

// Wrong is why a form was refused; the zero value says nothing.
type Wrong struct {
	// Field is the name of the field that was wrong; empty for the form as a whole.
	Field string
	// Problem says what was wrong with it.
	Problem string
}

// id is that of the text beside the field.
func (w Wrong) id() string { return w.Field + "-problem" }

// Of is what was wrong with the field; "" if nothing was.
func (w Wrong) Of(field string) string {
	if w.Field != field {
		return ""
	}
	return w.Problem
}

// Input has the attributes that mark an input of the field if it was wrong, and name the texts
// that describe it: what was wrong, and those with the ids in help.
func (w Wrong) Input(field string, help ...string) templ.Attributes {
	out := Invalid(w.Of(field) != "")
	if w.Of(field) != "" {
		help = append([]string{w.id()}, help...)
	}
	if len(help) > 0 {
		out["aria-describedby"] = strings.Join(help, " ")
	}
	return out
}
