// Package form holds the parts of a form: a labelled line, a select, what was wrong,
// the hidden fields, and the POST form with its CSRF token. It knows no page.
package form

import "cmp"

// Field is one line of a form that a person fills in.
type Field struct {
	// Name is the form's, and makes the id.
	Name, Label string
	// Type is the input's type; empty means text.
	Type string
	// Value is what was typed before; never a secret.
	Value string
	// Autocomplete is what the browser may fill in.
	Autocomplete string
	// InputMode is a phone's keyboard; empty means the type's default.
	InputMode string
	// Help explains, Problem says what is wrong with what was typed; both may be empty.
	Help, Problem string
	MaxLength     int
	Optional      bool
	// Unmarked: something else already says that the field is optional.
	Unmarked bool
	// Focus is true for the field that gets focus first.
	Focus bool
}

func (f Field) id() string { return "f-" + f.Name }

func (f Field) kind() string { return cmp.Or(f.Type, "text") }

// describedBy names the texts that belong to the field.
func (f Field) describedBy() string {
	switch {
	case f.Help != "" && f.Problem != "":
		return f.id() + "-problem " + f.id() + "-help"
	case f.Problem != "":
		return f.id() + "-problem"
	case f.Help != "":
		return f.id() + "-help"
	}
	return ""
}

// secretOrCode is true for fields that a spell checker must not send anywhere.
func (f Field) secretOrCode() bool {
	return f.Type == "password" || f.Type == "email" || f.Autocomplete == "one-time-code" || f.Autocomplete == "off"
}
