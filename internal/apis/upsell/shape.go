package upsell

import (
	"errors"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// node is a JSON value of undocumented shape. It is searched by several plausible names; not
// finding one isn't an error, since the value's Raw is kept as well.
type node struct {
	kind jsontext.Kind // 't' for both booleans, 0 for none at all
	// text is a string's text, a number's plain form, "true" or "false".
	text string
	// names are an object's keys in plain form, see plain; keys are the original ones.
	names, keys []string
	// items are an array's entries or an object's values.
	items []node
	raw   []byte
}

// nodeCap limits how many values such a part may have, far beyond any real shop: each takes a
// hundred times its bytes in memory.
const nodeCap = 100_000

// readNode reads one valid JSON value. A NUL in any text of it is refused.
func readNode(value []byte) (node, error) {
	left := nodeCap
	return nodeOf(value, &left)
}

// readObject is readNode for a value that must be an object.
func readObject(value []byte) (node, error) {
	n, err := readNode(value)
	if err == nil && n.kind != '{' {
		err = errors.New("expected an object")
	}
	return n, err
}

func nodeOf(value jsontext.Value, left *int) (n node, err error) {
	if *left--; *left < 0 {
		return n, errors.New("it holds too many values")
	}
	n.kind, n.raw = value.Kind(), value
	switch n.kind {
	case '"':
		n.text, err = unquote(value)
	case '0':
		n.text = plainNumber(string(value))
	case 't', 'f':
		n.kind, n.text = 't', string(value)
	}
	for m := range upstream.Members(value) {
		item, err := nodeOf(m.Value, left)
		switch {
		case err != nil:
			return n, err
		case strings.Contains(m.Name, "\x00"):
			return n, errors.New("a name holds a NUL character")
		case n.kind == '{':
			n.keys, n.names = append(n.keys, m.Name), append(n.names, plain(m.Name))
		}
		n.items = append(n.items, item)
	}
	return n, err
}

// unquote reads a JSON string by the rules for all other texts in a reply.
func unquote(value []byte) (string, error) {
	var text upstream.Text
	err := text.DecodeRaw(value)
	return string(text), err
}

// plain normalizes case and separators of a key: isDeleted, is_deleted, IS-DELETED.
func plain(key string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(key))
}

// plainNumber writes 1.2e1 as 12; a number out of bounds stays as it came.
func plainNumber(text string) string {
	if number, err := upstream.Decode[decimal.Decimal]([]byte(text)); err == nil {
		return number.String()
	}
	return text
}

// first returns the first non-null value among the names.
func (n node) first(names ...string) node {
	for _, name := range names {
		if at := slices.Index(n.names, name); at >= 0 && n.items[at].kind != 'n' {
			return n.items[at]
		}
	}
	return node{}
}

// firstText is first among values that are text or a number.
func (n node) firstText(names ...string) string {
	for _, name := range names {
		if v := n.first(name); v.named() {
			return v.text
		}
	}
	return ""
}

// named reports whether the value may serve as a name: a text or a number.
func (n node) named() bool { return n.text != "" && (n.kind == '"' || n.kind == '0') }

// says reads a boolean written as true, "true" or 1.
func (n node) says() (yes, ok bool) {
	switch n.kind {
	case 't', '"':
		switch strings.ToLower(n.text) {
		case "true", "yes":
			return true, true
		case "false", "no":
			return false, true
		}
	case '0':
		return n.text != "0", true
	}
	return false, false
}

// deleted reports whether there is a mark of deletion in any plausible form.
func (n node) deleted() bool {
	for at, name := range n.names {
		v := n.items[at]
		switch name {
		case "deleted", "isdeleted", "removed", "isremoved", "missing", "ismissing", "resourcedeleted":
			if yes, ok := v.says(); ok && yes {
				return true
			}
		case "exists":
			if yes, ok := v.says(); ok && !yes {
				return true
			}
		case "deletedat", "removedat":
			if v.named() && v.text != "0" {
				return true
			}
		case "status", "state":
			switch strings.ToLower(v.text) {
			case "deleted", "removed", "missing":
				return true
			}
		}
	}
	return false
}

func (n node) copyRaw() upstream.Raw { return append(upstream.Raw(nil), n.raw...) }
