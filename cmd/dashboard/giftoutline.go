package main

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// outline writes JSON of any shape as indented lines for a person to read, in the
// service's own names and order: "name: Free socks". A text stays on one line, so
// that none can look like another field.
func outline(value []byte) string {
	var b strings.Builder
	d := jsontext.NewDecoder(bytes.NewReader(value))
	switch open := d.PeekKind(); open {
	case '{', '[':
		_, _ = d.ReadToken()
		outlineInside(&b, d, open, "", "")
	case '"', '0', 't', 'f':
		b.WriteString(outlineScalar(d) + "\n")
	}
	return b.String()
}

// outlineInside writes the members of an object, or the elements of an array behind
// dashes, up to its end. The first line begins with first, the others with indent.
func outlineInside(b *strings.Builder, d *jsontext.Decoder, open jsontext.Kind, first, indent string) {
	for before := first; ; before = indent {
		if atEnd(d) {
			return
		}
		label := before + "-"
		if open == '{' {
			name, err := d.ReadToken()
			if err != nil {
				return
			}
			label = before + oneLine(name.String()) + ":"
		}
		kind := d.PeekKind()
		if kind != '{' && kind != '[' {
			b.WriteString(label + " " + outlineScalar(d) + "\n")
			continue
		}
		_, _ = d.ReadToken()
		deeper := indent + "  "
		switch {
		case d.PeekKind() == '}' || d.PeekKind() == ']':
			b.WriteString(label + " none\n")
			_ = atEnd(d)
		case open == '[': // its first line follows the dash
			outlineInside(b, d, kind, label+" ", deeper)
		default:
			b.WriteString(label + "\n")
			outlineInside(b, d, kind, deeper, deeper)
		}
	}
}

// atEnd takes the end of an object or array, if it is next.
func atEnd(d *jsontext.Decoder) bool {
	switch d.PeekKind() {
	case '}', ']', 0:
		_, _ = d.ReadToken()
		return true
	}
	return false
}

func outlineScalar(d *jsontext.Decoder) string {
	token, err := d.ReadToken()
	switch {
	case err != nil:
		return ""
	case token.Kind() == 'n':
		return "none"
	case token.String() == "":
		return `""`
	}
	return oneLine(token.String())
}

// oneLine keeps an outside text from breaking its line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
