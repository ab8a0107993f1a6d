// Package values compares and searches values in tests. It doesn't import report, so that the tests
// inside package report can use it. Only tests may import it.
package values

import (
	"reflect"
	"testing"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
)

// Equal fails unless got equals want. Decimals are compared by value.
func Equal(t *testing.T, what string, got, want any) {
	t.Helper()
	switch w := want.(type) {
	case *decimal.Decimal:
		if g := got.(*decimal.Decimal); (g == nil) != (w == nil) || g != nil && !g.Equal(*w) {
			t.Errorf("%s is %v, want %v", what, g, w)
		}
	case decimal.Decimal:
		if g := got.(decimal.Decimal); !g.Equal(w) {
			t.Errorf("%s is %s, want %s", what, g, w)
		}
	default:
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
}

// NumbersIn collects every number in a value, at any depth, to prove that a forbidden sum isn't among them.
func NumbersIn(v any) []decimal.Decimal {
	var out []decimal.Decimal
	var walk func(reflect.Value)
	walk = func(v reflect.Value) {
		switch x := v.Interface().(type) {
		case decimal.Decimal:
			out = append(out, x)
			return
		case time.Time, civil.Date:
			return
		}
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			if !v.IsNil() {
				walk(v.Elem())
			}
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() {
					walk(v.Field(i))
				}
			}
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Int, reflect.Int64:
			out = append(out, decimal.NewFromInt(v.Int()))
		}
	}
	walk(reflect.ValueOf(v))
	return out
}

// Nowhere fails if one of the forbidden numbers is anywhere in v.
func Nowhere(t *testing.T, v any, forbidden map[string]string) {
	t.Helper()
	numbers := NumbersIn(v)
	if len(numbers) == 0 {
		t.Fatal("no number was found at all: the search is broken")
	}
	for what, sum := range forbidden {
		for _, n := range numbers {
			if n.Equal(decimal.RequireFromString(sum)) {
				t.Errorf("%s (%s) is somewhere in the %T", what, sum, v)
			}
		}
	}
}
