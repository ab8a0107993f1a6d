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
	switch d.PeekKind() {
	case '{', '[':
		outlineInside(&b, d, "")
	case '"', '0', 't', 'f':
		b.WriteString(outlineScalar(d) + "\n")
	}
	return b.String()
}

// outlineInside writes the members of an object, or the elements of an array behind
// dashes, up to its end.
func outlineInside(b *strings.Builder, d *jsontext.Decoder, indent string) {
	open, err := d.ReadToken()
	if err != nil {
		return
	}
	for {
		label := "-"
		if kind := d.PeekKind(); kind == '}' || kind == ']' || kind == 0 {
			_, _ = d.ReadToken()
			return
		}
		if open.Kind() == '{' {
			name, err := d.ReadToken()
			if err != nil {
				return
			}
			label = oneLine(name.String()) + ":"
		}
		if kind := d.PeekKind(); kind != '{' && kind != '[' {
			b.WriteString(indent + label + " " + outlineScalar(d) + "\n")
			continue
		}
		b.WriteString(indent + label + "\n")
		before := b.Len()
		outlineInside(b, d, indent+"  ")
		if b.Len() == before {
			b.WriteString(indent + "  none\n")
		}
	}
}

func outlineScalar(d *jsontext.Decoder) string {
	token, err := d.ReadToken()
	switch {
	case err != nil:
		return ""
	case token.Kind() == 'n':
		return "none"
	}
	return oneLine(token.String())
}

// oneLine keeps an outside text from breaking its line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
