package upstream

import (
	"bytes"
	"iter"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Member is one member of an object, or one element of an array, which has no name.
type Member struct {
	Name  string
	Value jsontext.Value
}

// Members gives what a valid object or array holds, in its order; nothing for any other
// value. It is for values whose shape the documents leave open. Values are parts of the
// value given: what keeps one copies it.
func Members(value []byte) iter.Seq[Member] {
	return func(yield func(Member) bool) {
		d := jsontext.NewDecoder(bytes.NewBuffer(value)) // reads in place
		open, err := d.ReadToken()
		kind := open.Kind()
		if err != nil || kind != '{' && kind != '[' {
			return
		}
		for d.PeekKind() != '}' && d.PeekKind() != ']' {
			var m Member
			if kind == '{' {
				name, err := d.ReadToken()
				if err != nil {
					return
				}
				m.Name = name.String()
			}
			if m.Value, err = d.ReadValue(); err != nil || !yield(m) {
				return
			}
		}
	}
}

// Segment makes an id or a name one segment of a path. Dots alone would climb.
func Segment(op, name string) (string, error) {
	switch {
	case strings.TrimSpace(name) == "":
		return "", Refuse(op, "the name is empty")
	case name == ".", name == "..":
		return "", Refuse(op, "dots alone are no name")
	}
	return url.PathEscape(name), nil
}
