package storeadmin

import (
	"context"
	"fmt"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/db"
)

// Offboarder implements admin.Offboarder. It needs no secret key, so a server that can't
// connect stores can still offboard people.
type Offboarder struct {
	// Access uses the worker's database.
	Access *access.Access
	// DB is the worker's database; Pages is the web server's, which knows the session in the
	// context.
	DB, Pages *db.DB
}

// may refuses people who don't manage others, since what it lists and ends concerns every
// store. It checks both databases. db.ErrNotFound.
func (o *Offboarder) may(ctx context.Context, principal int64) error {
	if _, err := access.Allowed(ctx, o.DB, principal, access.Manage); err != nil {
		return err
	}
	every, err := o.Pages.Queries().SeesAll(ctx)
	if err != nil {
		return fmt.Errorf("look what person %d sees: %w", principal, err)
	}
	if !every {
		return db.ErrNotFound
	}
	return nil
}

// Holdings implements admin.Offboarder.
func (o *Offboarder) Holdings(ctx context.Context, principal, person int64) (access.Person, []access.Holding, error) {
	if err := o.may(ctx, principal); err != nil {
		return access.Person{}, nil, err
	}
	return o.Access.Holdings(ctx, person)
}

// Offboard implements admin.Offboarder.
func (o *Offboarder) Offboard(ctx context.Context, principal, person int64) ([]access.Holding, error) {
	if err := o.may(ctx, principal); err != nil {
		return nil, err
	}
	return o.Access.Offboard(ctx, person)
}
