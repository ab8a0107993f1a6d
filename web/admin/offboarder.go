package admin

import (
	"context"

	"github.com/storeglass/storeglass/internal/access"
)

// Offboarder lists and ends everything through which a person still reaches something.
// Pages may not do that themselves, since it takes tables of the worker. It is above
// grants, so each method looks again whether the principal manages people and sees every
// store: db.ErrNotFound when not. Who did it is recorded from the context.
type Offboarder interface {
	// Holdings are the person and what they hold. fault.NotFound.
	Holdings(ctx context.Context, principal, person int64) (access.Person, []access.Holding, error)
	// Offboard disables the person, ends all of it in one transaction and returns what
	// ended. fault.NotFound, fault.Conflict.
	Offboard(ctx context.Context, principal, person int64) ([]access.Holding, error)
}
