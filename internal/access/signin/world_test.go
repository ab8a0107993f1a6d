package signin_test

import (
	"errors"
	"testing"

	"github.com/storeglass/storeglass/internal/access/accesstest"
	"github.com/storeglass/storeglass/internal/fault"
)

type world struct{ *accesstest.World }

func newWorld(t *testing.T) world {
	t.Helper()
	return world{accesstest.New(t)}
}

// successes counts how often a one-time secret works when it is used several times at once. All
// other uses must find nothing.
func successes(t *testing.T, tries int, use func() error) (won int) {
	t.Helper()
	errs := make(chan error, tries)
	for range tries {
		go func() { errs <- use() }()
	}
	for range tries {
		if err := <-errs; err == nil {
			won++
		} else if !errors.Is(err, fault.NotFound) {
			t.Error(err)
		}
	}
	return won
}
