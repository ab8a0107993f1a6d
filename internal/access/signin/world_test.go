package signin_test

import (
	"testing"

	"github.com/storeglass/storeglass/internal/access/accesstest"
)

type world struct{ *accesstest.World }

func newWorld(t *testing.T) world {
	t.Helper()
	return world{accesstest.New(t)}
}
