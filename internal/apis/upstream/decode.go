package upstream

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// depthCap limits how deeply a reply may nest.
const depthCap = 64

// Contract is the error of a reply that breaks the contract: where and how.
type Contract struct {
	// Where is a JSON pointer into the reply, "" for the whole reply.
	Where string
	// What is a lower-case sentence that never includes the value itself.
	What string
}

func (e *Contract) Error() string {
	if e.Where == "" {
		return "reply breaks the contract: " + e.What
	}
	return "reply breaks the contract at " + e.At() + ": " + e.What
}

// At is Where, short and without unprintable characters.
func (e *Contract) At() string { return clean(e.Where, 120) }

// Decode reads one JSON value into a T, strictly. It refuses, with *[Contract]: duplicate keys, bytes after the
// value, wrong types, a required field that is missing or null, invalid UTF-8, NaN and infinities, numbers and
// nesting out of bounds. It allows fields that T doesn't know, since a service may grow.
//
// T is made of structs with `json:"name"` tags, slices, pointers, strings, bools, int64, decimal.Decimal,
// encoding.TextUnmarshaler and [RawDecoder]. A field tagged `required:"true"` must be present and not null; any other
// may be missing or null and then gets the zero value, nil for a pointer. A number may be a text that is nothing but one.
// Whole numbers may be written 12, 12.0 or 1.2e1; inside a structure they are counts and must not be negative. If a
// type has a Validate() error method, it is called at the end.
func Decode[T any](body []byte) (out T, err error) {
	err = decodeAt("", body, &out)
	return out, err
}

// reader is a token reader with the checks that jsontext leaves to us.
type reader struct {
	*jsontext.Decoder
	buffer bytes.Buffer
	base   string
}

var readers = sync.Pool{New: func() any { return &reader{Decoder: jsontext.NewDecoder(bytes.NewReader(nil))} }}

// decodeAt is Decode for the part of a reply at base, a JSON pointer.
func decodeAt[T any](base string, body []byte, out *T) error {
	r := readers.Get().(*reader)
	r.base = base
	r.buffer = *bytes.NewBuffer(body)
	r.Reset(&r.buffer)
	defer func() {
		r.buffer = bytes.Buffer{}
		r.Reset(&r.buffer)
		readers.Put(r)
	}()
	if err := decoderOf(reflect.TypeFor[T]())(r, reflect.ValueOf(out).Elem()); err != nil {
		return r.contract(err)
	}
	if _, err := r.ReadToken(); !errors.Is(err, io.EOF) {
		return &Contract{What: "bytes follow the JSON value"}
	}
	return nil
}

// fail makes a contract error at the value read last.
func (r *reader) fail(format string, args ...any) error {
	return &Contract{Where: r.base + string(r.StackPointer()), What: fmt.Sprintf(format, args...)}
}

// contract turns a syntax error into one of our own, because the original may quote the reply.
func (r *reader) contract(err error) error {
	if already, ok := errors.AsType[*Contract](err); ok {
		return already
	}
	what := "it is not valid JSON"
	where := r.base
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		where += string(syntax.JSONPointer)
	}
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		what = "a key appears twice"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		what = "it ends too early"
	}
	return &Contract{Where: where, What: what}
}

// value reads one whole value of any kind, no deeper than depthCap. The bytes are valid until
// the next read.
func (r *reader) value() (jsontext.Value, error) {
	kind := r.PeekKind()
	value, err := r.ReadValue()
	if err != nil {
		return nil, err
	}
	if (kind == '{' || kind == '[') && r.StackDepth()+depth(value) > depthCap {
		return nil, r.fail("it nests too deep")
	}
	return value, nil
}

// depth counts how deeply a valid value nests.
func depth(value []byte) int {
	deepest, now, quoted := 0, 0, false
	for i := 0; i < len(value); i++ {
		switch value[i] {
		case '\\':
			i++
		case '"':
			quoted = !quoted
		case '{', '[':
			if !quoted {
				now++
				deepest = max(deepest, now)
			}
		case '}', ']':
			if !quoted {
				now--
			}
		}
	}
	return deepest
}

// kindName names a JSON kind for a message.
func kindName(kind jsontext.Kind) string {
	switch kind {
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '{':
		return "an object"
	case '[':
		return "an array"
	}
	return "something else"
}
