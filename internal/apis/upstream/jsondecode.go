package upstream

import (
	"bytes"
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/shopspring/decimal"
)

// decodeFunc reads the next value into a settable destination. It is never called for null:
// [nullable] handles that.
type decodeFunc func(r *reader, into reflect.Value) error

var decoders sync.Map // reflect.Type to decodeFunc

// decoderOf compiles a type's decoder when it is first used. A type without a wire form is a bug and panics.
func decoderOf(t reflect.Type) decodeFunc {
	if have, ok := decoders.Load(t); ok {
		return have.(decodeFunc)
	}
	run := nullable(t, compile(t), true)
	decoders.Store(t, run)
	return run
}

var (
	decimalType   = reflect.TypeFor[decimal.Decimal]()
	rawType       = reflect.TypeFor[RawDecoder]()
	textType      = reflect.TypeFor[encoding.TextUnmarshaler]()
	validatorType = reflect.TypeFor[validator]()
)

type validator interface{ Validate() error }

// compile returns a type's decoder for any value but null.
func compile(t reflect.Type) decodeFunc {
	run := compileBare(t)
	if !reflect.PointerTo(t).Implements(validatorType) {
		return run
	}
	return func(r *reader, into reflect.Value) error {
		if err := run(r, into); err != nil {
			return err
		}
		if err := into.Addr().Interface().(validator).Validate(); err != nil {
			return r.fail("%s", clean(err.Error(), messageCap))
		}
		return nil
	}
}

func compileBare(t reflect.Type) decodeFunc {
	pointer := reflect.PointerTo(t)
	switch {
	case t == decimalType:
		return decodeDecimal
	case pointer.Implements(rawType):
		return decodeRaw
	case pointer.Implements(textType):
		return decodeText
	}
	switch t.Kind() {
	case reflect.Pointer:
		return compilePointer(t)
	case reflect.Struct:
		return compileStruct(t)
	case reflect.Slice:
		return compileSlice(t)
	case reflect.String:
		return decodeString
	case reflect.Bool:
		return decodeBool
	case reflect.Int64:
		return decodeInt
	}
	panic(fmt.Sprintf("upstream: %s has no wire form", t))
}

// nullable handles null: a contract failure if the field is required, otherwise the zero value.
// A required pointer must be present but may be null.
func nullable(t reflect.Type, run decodeFunc, required bool) decodeFunc {
	refused := required && t.Kind() != reflect.Pointer
	return func(r *reader, into reflect.Value) error {
		if r.PeekKind() != 'n' {
			return run(r, into)
		}
		if _, err := r.ReadToken(); err != nil {
			return err
		}
		if refused {
			return r.fail("it is null")
		}
		into.SetZero()
		return nil
	}
}

func compilePointer(t reflect.Type) decodeFunc {
	elem := t.Elem()
	run := compile(elem)
	return func(r *reader, into reflect.Value) error {
		fresh := reflect.New(elem)
		if err := run(r, fresh.Elem()); err != nil {
			return err
		}
		into.Set(fresh)
		return nil
	}
}

func compileSlice(t reflect.Type) decodeFunc {
	elem := t.Elem()
	run := nullable(elem, compile(elem), true)
	return func(r *reader, into reflect.Value) error {
		if err := r.open('['); err != nil {
			return err
		}
		into.Set(reflect.MakeSlice(t, 0, 4))
		for n := 0; r.PeekKind() != ']'; n++ {
			into.Grow(1)
			into.SetLen(n + 1)
			into.Index(n).SetZero()
			if err := run(r, into.Index(n)); err != nil {
				return err
			}
		}
		_, err := r.ReadToken()
		return err
	}
}

// fieldDecoder is one field of a struct.
type fieldDecoder struct {
	name     string
	index    []int
	required bool
	run      decodeFunc
}

func compileStruct(t reflect.Type) decodeFunc {
	fields, byName := structFields(t)
	if len(fields) > 64 {
		panic(fmt.Sprintf("upstream: %s has more than 64 fields", t))
	}
	return func(r *reader, into reflect.Value) error {
		if err := r.open('{'); err != nil {
			return err
		}
		var seen uint64
		for r.PeekKind() != '}' {
			at, err := r.field(byName)
			if err != nil {
				return err
			}
			if at < 0 {
				if _, err := r.value(); err != nil {
					return err
				}
				continue
			}
			seen |= 1 << at
			if err := fields[at].run(r, into.FieldByIndex(fields[at].index)); err != nil {
				return err
			}
		}
		if _, err := r.ReadToken(); err != nil {
			return err
		}
		for at := range fields {
			if fields[at].required && seen&(1<<at) == 0 {
				return r.fail("the required field %s is missing", quoteName(fields[at].name))
			}
		}
		return nil
	}
}

// structFields lists the tagged fields, those of embedded structs included.
func structFields(t reflect.Type) ([]fieldDecoder, map[string]int) {
	var fields []fieldDecoder
	byName := map[string]int{}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			continue
		}
		required := f.Tag.Get("required") == "true"
		byName[name] = len(fields)
		fields = append(fields, fieldDecoder{
			name: name, index: f.Index, required: required,
			run: nullable(f.Type, compile(f.Type), required),
		})
	}
	return fields, byName
}

// open reads the start of an object or array.
func (r *reader) open(kind jsontext.Kind) error {
	token, err := r.ReadToken()
	if err != nil {
		return err
	}
	if token.Kind() != kind {
		return r.fail("expected %s, got %s", kindName(kind), kindName(token.Kind()))
	}
	return nil
}

// field reads a key and returns its field's index, -1 if unknown.
func (r *reader) field(byName map[string]int) (int, error) {
	key, err := r.ReadValue()
	if err != nil {
		return 0, err
	}
	if at, ok := byName[string(key[1:len(key)-1])]; ok {
		return at, nil
	}
	name, err := jsontext.AppendUnquote(nil, key)
	if err != nil {
		return 0, err
	}
	if at, ok := byName[string(name)]; ok {
		return at, nil
	}
	return -1, nil
}

// scalar reads a value that must be of one kind.
func (r *reader) scalar(kind jsontext.Kind) (jsontext.Value, error) {
	value, err := r.value()
	if err != nil {
		return nil, err
	}
	if value.Kind() != kind {
		return nil, r.fail("expected %s, got %s", kindName(kind), kindName(value.Kind()))
	}
	return value, nil
}

// number reads a number, or a text that is nothing but one: some services write amounts as text.
func (r *reader) number() (jsontext.Value, error) {
	value, err := r.value()
	if err != nil {
		return nil, err
	}
	number := jsontext.Value(bytes.Trim(value, `"`))
	if number.Kind() != '0' || !number.IsValid() {
		return nil, r.fail("expected a number, got %s", kindName(value.Kind()))
	}
	return number, nil
}

func decodeDecimal(r *reader, into reflect.Value) error {
	value, err := r.number()
	if err != nil {
		return err
	}
	number, err := parseDecimal(value)
	if err != nil {
		return r.fail("%s", err)
	}
	*into.Addr().Interface().(*decimal.Decimal) = withoutNoise(number)
	return nil
}

func decodeInt(r *reader, into reflect.Value) error {
	value, err := r.number()
	if err != nil {
		return err
	}
	n, err := parseInt(value)
	if err != nil {
		return r.fail("%s", err)
	}
	if n < 0 && r.StackDepth() > 0 {
		return r.fail("a count is below zero")
	}
	into.SetInt(n)
	return nil
}

func decodeString(r *reader, into reflect.Value) error {
	text, err := r.text()
	if err != nil {
		return err
	}
	into.SetString(text)
	return nil
}

func decodeText(r *reader, into reflect.Value) error {
	text, err := r.text()
	if err != nil {
		return err
	}
	if err := into.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text)); err != nil {
		return r.fail("it is no %s", strings.ToLower(into.Type().Name()))
	}
	return nil
}

func (r *reader) text() (string, error) {
	value, err := r.scalar('"')
	if err != nil {
		return "", err
	}
	text, err := unquote(value)
	if err != nil {
		return "", r.fail("%s", err)
	}
	return text, nil
}

func decodeBool(r *reader, into reflect.Value) error {
	value, err := r.value()
	if err != nil {
		return err
	}
	switch value.Kind() {
	case 't':
		into.SetBool(true)
	case 'f':
		into.SetBool(false)
	default:
		return r.fail("expected a boolean, got %s", kindName(value.Kind()))
	}
	return nil
}

func decodeRaw(r *reader, into reflect.Value) error {
	value, err := r.value()
	if err != nil {
		return err
	}
	if err := into.Addr().Interface().(RawDecoder).DecodeRaw(value); err != nil {
		if inner, ok := errors.AsType[*Contract](err); ok {
			return &Contract{Where: r.base + string(r.StackPointer()) + inner.Where, What: inner.What}
		}
		return r.fail("%s", clean(err.Error(), messageCap))
	}
	return nil
}
