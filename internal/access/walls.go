package access

import (
	"context"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
)

// Allowed returns the person if their role has the right; db.ErrNotFound if not, or if they are disabled.
func Allowed(ctx context.Context, d *db.DB, person int64, right Right) (sqlc.Person, error) {
	p, err := d.Queries().ActivePersonByID(ctx, person)
	switch {
	case err != nil:
		return p, db.Absent(err, db.ErrNotFound, "find person %d", person)
	case !Role(p.Role).May(right):
		return p, db.ErrNotFound
	}
	return p, nil
}

// HeldStore returns the store with that slug, if the person holds it. It checks twice: the
// person's grants in d, and the pages' database with the session in the context.
// db.ErrNotFound.
func HeldStore(ctx context.Context, d, pages *db.DB, person int64, slug string) (db.ScopedStore, sqlc.Store, error) {
	seen, err := pages.Queries().StoreBySlug(ctx, slug)
	if err != nil {
		return db.ScopedStore{}, sqlc.Store{}, db.Absent(err, db.ErrNotFound, "find store %s", slug)
	}
	scope, err := d.ScopeOfPerson(ctx, person)
	if err != nil {
		return db.ScopedStore{}, sqlc.Store{}, err
	}
	store, err := d.Store(ctx, scope, slug)
	return store, seen, err
}
