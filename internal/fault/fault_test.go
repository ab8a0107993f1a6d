package fault_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/fault"
)

func TestARefusalIsFoundByItsKindAndByItsMessage(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("grant acme: %w", fault.Missing("store"))
	for want, is := range map[error]bool{fault.NotFound: true, fault.Missing("store"): true, fault.Missing("group"): false, fault.Denied: false} {
		if errors.Is(err, want) != is {
			t.Errorf("%v: %v", want, !is)
		}
	}
	if f, ok := fault.As(err); !ok || f.Status() != 404 || f.Name() != "not-found" || err.Error() != "grant acme: no such store" {
		t.Errorf("%v", err)
	}
	if err := (&fault.Error{Kind: fault.TooMany, After: 90 * time.Second}); err.Error() != "too many attempts: next in 1m30s" {
		t.Error(err)
	}
}
