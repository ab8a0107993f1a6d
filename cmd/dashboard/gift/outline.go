package gift

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// outline writes any JSON as indented lines for people, in the service's own names and
// order: "name: Free socks". Each text stays on one line, so that it can't pass for another
// field.
func outline(value []byte) string {
	var b strings.Builder
	switch jsontext.Value(value).Kind() {
	case '"', '0', 't', 'f':
		return outlineScalar(value) + "\n"
	}
	outlineInside(&b, value, "", "")
	return b.String()
}

// outlineInside writes the members of an object, or the elements of an array after dashes.
// The first line starts with before, the others with indent.
func outlineInside(b *strings.Builder, value jsontext.Value, before, indent string) {
	for m := range upstream.Members(value) {
		label := before + "-"
		if value.Kind() == '{' {
			label = before + cli.OneLine(m.Name) + ":"
		}
		before = indent
		deeper := indent + "  "
		switch {
		case !holdsAny(m.Value):
			b.WriteString(label + " " + outlineScalar(m.Value) + "\n")
		case value.Kind() == '[': // its first line follows the dash
			outlineInside(b, m.Value, label+" ", deeper)
		default:
			b.WriteString(label + "\n")
			outlineInside(b, m.Value, deeper, deeper)
		}
	}
}

func holdsAny(value jsontext.Value) bool {
	for range upstream.Members(value) {
		return true
	}
	return false
}

func outlineScalar(value jsontext.Value) string {
	switch value.Kind() {
	case 'n', '{', '[':
		return "none"
	case '"':
		text, _ := jsontext.AppendUnquote(nil, value)
		if len(text) > 0 {
			return cli.OneLine(string(text))
		}
	}
	return string(value)
}
