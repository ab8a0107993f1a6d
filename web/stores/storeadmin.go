package stores

import (
	"context"

	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/web/site"
)

// Admin does what pages may not do themselves: it asks services, keeps tokens and
// changes stores. It is above grants, like the worker; so each method looks again
// whether the person may connect services at all, and holds the store that the slug
// names: db.ErrNotFound when not. A *stores.Refusal is for the person who asked. Who did it is
// recorded from the context.
type Admin interface {
	// Discover asks the services of a shop that is to become a store, and keeps what was
	// given, sealed, until the same person saves it. It returns the name by which that
	// person finds it.
	Discover(ctx context.Context, person int64, given []stores.Given) (id string, err error)
	// Pending is what the services said. db.ErrNotFound when there is nothing of that
	// name, it is another person's, or its time is over.
	Pending(ctx context.Context, person int64, id string) (stores.Connection, error)
	// Save makes a store of it, which the person then holds, and starts its first pulls.
	// Anyone who saves it again is told the same store. db.ErrNotFound as for Pending.
	Save(ctx context.Context, person int64, id string, form stores.Form) (slug string, err error)

	// AddMadeUp connects the made-up shops, which the person then holds.
	AddMadeUp(ctx context.Context, person int64) error
	// MadeUpStores are those of them that the person may remove.
	MadeUpStores(ctx context.Context, person int64) (slugs []string, err error)
	// RemoveMadeUp removes them all.
	RemoveMadeUp(ctx context.Context, person int64) error

	// Connect checks a service's address and token and puts them in the place of those
	// before, if there are any; replaced says so.
	Connect(ctx context.Context, person int64, slug string, given stores.Given) (replaced bool, err error)
	// Check asks a connected service now. One that was paused goes on when it answers.
	Check(ctx context.Context, person int64, slug, service string) error
	// CheckAll has workers check every refused token of the person's stores at once, and
	// says how many those are. One checked within the last minute is not checked again.
	CheckAll(ctx context.Context, person int64) (n int, err error)
	// Disconnect forgets a service's address and token. Its numbers stay.
	Disconnect(ctx context.Context, person int64, slug, service string) error
	// Change changes name, clock and wanted history; the form's slug does not count.
	Change(ctx context.Context, person int64, slug string, form stores.Form) error

	// Remove takes the store away from everyone, for a while so that it can be undone.
	Remove(ctx context.Context, person int64, slug string) error
	// Removed are the removed stores that the person may bring back, the newest first.
	Removed(ctx context.Context, person int64) ([]stores.Removed, error)
	// Restore brings one of them back.
	Restore(ctx context.Context, person int64, slug string) error
}

// errNoAdmin is for a server that has no way to the services.
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
