package admin

import (
	"context"

	"github.com/storeglass/storeglass/internal/access"
)

// Offboarder lists and ends everything through which a person still has access. Pages may not
// do that themselves, since it needs the worker's tables. It isn't limited by grants, so each
// method checks again that the principal manages people and sees every store, and otherwise
// returns db.ErrNotFound. The context says who is recorded.
type Offboarder interface {
	// Holdings returns the person and what they have access to. Error: fault.NotFound.
	Holdings(ctx context.Context, principal, person int64) (access.Person, []access.Holding, error)
	// Offboard disables the person, ends all their access in one transaction and returns what
	// ended. Errors: fault.NotFound, fault.Conflict.
	Offboard(ctx context.Context, principal, person int64) ([]access.Holding, error)
}
