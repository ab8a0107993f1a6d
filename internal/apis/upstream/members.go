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

// Members yields what a valid object or array holds, in order; nothing for any other value. It
// is for values whose shape the documents leave open. Values are slices of the input: copy what
// you keep.
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

// Segment escapes an id or a name as one path segment. It refuses "." and "..", which would
// leave the folder.
func Segment(op, name string) (string, error) {
	switch {
	case strings.TrimSpace(name) == "":
		return "", Refuse(op, "the name is empty")
	case name == ".", name == "..":
		return "", Refuse(op, "dots alone are no name")
	}
	return url.PathEscape(name), nil
}
