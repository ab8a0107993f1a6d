// Package must ends a test at the first failed check. It has the dozen checks that the clients'
// tests use, so that they need no library.
package must

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// True requires a condition; more describes it.
func True(t testing.TB, ok bool, more ...any) {
	t.Helper()
	if !ok {
		t.Fatalf("does not hold %s", note(more))
	}
}

// Equal requires two deeply equal values.
func Equal(t testing.TB, want, got any, more ...any) {
	t.Helper()
	if !reflect.DeepEqual(want, got) {
		t.Fatalf("want %#v\n got %#v %s", want, got, note(more))
	}
}

// NoError requires no error.
func NoError(t testing.TB, err error, more ...any) {
	t.Helper()
	if err != nil {
		t.Fatalf("unexpected error: %v %s", err, note(more))
	}
}

// ErrorContains requires an error that contains all of the parts.
func ErrorContains(t testing.TB, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one that says %q", parts)
	}
	for _, part := range parts {
		Contains(t, err.Error(), part)
	}
}

// Contains requires a part in a text.
func Contains(t testing.TB, text, part string, more ...any) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Fatalf("%q does not contain %q %s", text, part, note(more))
	}
}

// NotContains requires that a part isn't in a text.
func NotContains(t testing.TB, text, part string, more ...any) {
	t.Helper()
	if strings.Contains(text, part) {
		t.Fatalf("%q contains %q %s", text, part, note(more))
	}
}

// Nil requires a nil pointer, slice or interface.
func Nil(t testing.TB, got any, more ...any) {
	t.Helper()
	if v := reflect.ValueOf(got); got != nil && !v.IsNil() {
		t.Fatalf("want nil, got %#v %s", got, note(more))
	}
}

// JSON requires two texts to be the same JSON.
func JSON(t testing.TB, want, got string) {
	t.Helper()
	var a, b any
	NoError(t, json.Unmarshal([]byte(want), &a))
	NoError(t, json.Unmarshal([]byte(got), &b))
	Equal(t, a, b)
}

func note(more []any) string {
	if len(more) == 0 {
		return ""
	}
	return "(" + strings.TrimSpace(fmt.Sprintln(more...)) + ")"
}
