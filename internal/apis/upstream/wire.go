package upstream

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// RawDecoder is for the few wire types whose JSON form the documents leave open. The bytes are
// one valid JSON value; copy them to keep them.
type RawDecoder interface {
	DecodeRaw(value []byte) error
}

// Currency is a code of three upper-case letters (ISO 4217); anything else in a
// reply breaks the contract.
type Currency string

// UnmarshalText takes exactly three letters, in either case.
func (c *Currency) UnmarshalText(text []byte) error {
	if len(text) != 3 {
		return errNoCode
	}
	for i, b := range text {
		if b >= 'a' && b <= 'z' {
			b -= 'a' - 'A'
		}
		if b < 'A' || b > 'Z' {
			return errNoCode
		}
		text[i] = b
	}
	*c = Currency(text)
	return nil
}

var errNoCode = errors.New("a currency has three letters")

// ID is an identifier whose JSON type isn't documented: a string or a whole number, kept as its
// text.
type ID string

// DecodeRaw takes a non-empty string or a plain whole number.
func (id *ID) DecodeRaw(value []byte) error {
	text := string(value)
	switch jsontext.Value(value).Kind() {
	case '"':
		unquoted, err := unquote(value)
		if err != nil {
			return err
		}
		text = unquoted
	case '0':
		if strings.ContainsAny(text, ".eE-") {
			return fmt.Errorf("an id is a string or a whole number")
		}
	default:
		return fmt.Errorf("an id is a string or a whole number")
	}
	if text == "" {
		return errors.New("an id is empty")
	}
	*id = ID(text)
	return nil
}

// Text is a value of undocumented JSON type that is only shown to people: a string is kept as
// it is, null is "", anything else is its JSON.
type Text string

// DecodeRaw takes any value.
func (t *Text) DecodeRaw(value []byte) error {
	switch jsontext.Value(value).Kind() {
	case 'n':
		*t = ""
	case '"':
		unquoted, err := unquote(value)
		if err != nil {
			return err
		}
		*t = Text(unquoted)
	default:
		*t = Text(value)
	}
	return nil
}

// Raw is a part of a reply of undocumented shape, kept as JSON.
type Raw []byte

// DecodeRaw takes any value.
func (r *Raw) DecodeRaw(value []byte) error {
	*r = append(Raw(nil), value...)
	return nil
}

// MarshalJSON returns the JSON.
func (r Raw) MarshalJSON() ([]byte, error) {
	if len(r) == 0 {
		return []byte("null"), nil
	}
	return r, nil
}

// unquote decodes a JSON string that is known to be valid.
func unquote(value []byte) (string, error) {
	out, err := jsontext.AppendUnquote(nil, value)
	if err != nil {
		return "", errors.New("the string is not valid")
	}
	if strings.IndexByte(string(out), 0) >= 0 {
		return "", errNUL
	}
	return string(out), nil
}

// errNUL: Postgres can't store NUL in text, and nobody can type it.
var errNUL = errors.New("the string holds a NUL character")

// quoteName quotes a name from outside for a message.
func quoteName(name string) string { return strconv.Quote(clean(name, 40)) }
