package sandbox

import (
	"fmt"
	"math"
	"reflect"
	"testing"
)

// hold stops the test unless a condition holds.
func hold(t *testing.T, so bool, says ...any) {
	t.Helper()
	if !so {
		t.Fatal(append([]any{"does not hold:"}, says...)...)
	}
}

// same stops the test unless two values are deeply equal.
func same(t *testing.T, want, got any, says ...any) {
	t.Helper()
	if !reflect.DeepEqual(want, got) {
		t.Fatalf("%swant %v\ngot  %v", fmt.Sprintln(says...), want, got)
	}
}

func near(t *testing.T, want, got, within float64) {
	t.Helper()
	if math.Abs(want-got) > within {
		t.Fatalf("%v is not within %v of %v", got, within, want)
	}
}
