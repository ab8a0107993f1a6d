package stores

import (
	"context"

	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/web/site"
)

// Admin does what pages may not do themselves: it calls services, stores tokens and changes
// stores. Like the worker it isn't limited by grants, so each method checks again that the
// person may connect services and has the store, and otherwise returns db.ErrNotFound. A
// *stores.Refusal is for the person who asked. The context says who is recorded.
type Admin interface {
	// Discover calls the services of a shop that is about to become a store, and keeps their
	// addresses and tokens, encrypted, until the same person saves it under the returned id.
	Discover(ctx context.Context, person int64, given []stores.Given) (id string, err error)
	// Pending is what the services said. db.ErrNotFound if the id is unknown, another person's,
	// or expired.
	Pending(ctx context.Context, person int64, id string) (stores.Connection, error)
	// Save turns it into a store that the person has access to, and starts its first pulls.
	// Saving it again returns the same store. db.ErrNotFound as for Pending.
	Save(ctx context.Context, person int64, id string, form stores.Form) (slug string, err error)

	// AddMadeUp connects the made-up shops and gives the person access.
	AddMadeUp(ctx context.Context, person int64) error
	// MadeUpStores are the made-up stores that the person may remove.
	MadeUpStores(ctx context.Context, person int64) (slugs []string, err error)
	// RemoveMadeUp removes all made-up stores.
	RemoveMadeUp(ctx context.Context, person int64) error

	// Connect checks a service's address and token and saves them; replaced reports whether
	// they replaced others.
	Connect(ctx context.Context, person int64, slug string, given stores.Given) (replaced bool, err error)
	// Check calls a connected service now. If a paused one answers, its pulls resume.
	Check(ctx context.Context, person int64, slug, service string) error
	// CheckAll has workers check all refused tokens of the person's stores at once, except
	// those checked within the last minute, and returns how many.
	CheckAll(ctx context.Context, person int64) (n int, err error)
	// Disconnect deletes a service's address and token. Its numbers stay.
	Disconnect(ctx context.Context, person int64, slug, service string) error
	// Change changes name, clock and wanted history; the form's slug is ignored.
	Change(ctx context.Context, person int64, slug string, form stores.Form) error

	// Remove takes the store away from everyone; for a while it can be restored.
	Remove(ctx context.Context, person int64, slug string) error
	// Removed are the removed stores that the person may restore, the newest first.
	Removed(ctx context.Context, person int64) ([]stores.Removed, error)
	// Restore restores one of them.
	Restore(ctx context.Context, person int64, slug string) error
}

// errNoAdmin is for a server that can't call the services.
var errNoAdmin = site.NewProblem(fault.Unavailable, "view_only").Leading("stores", "/")

// withAdmin runs a handler that needs an Admin.
func (s *Handlers) withAdmin(handle func(*site.Call) error) func(*site.Call) error {
	return func(c *site.Call) error {
		if s.admin == nil {
			return errNoAdmin
		}
		return handle(c)
	}
}
