package db

import (
	"context"

	"github.com/storeglass/storeglass/internal/db/sqlc"
)

// StoreNames lists the names of a scope's stores, sorted.
func (d *DB) StoreNames(ctx context.Context, scope Scope) ([]sqlc.StoreNamesRow, error) {
	names, err := d.q.StoreNames(ctx, sqlc.StoreNamesParams{EveryStore: scope.every, StoreIds: scope.stores})
	return names, Tried(err, "list the names of stores")
}

// OfferNames lists the names of the store's offers, highest earners first.
func (d *DB) OfferNames(ctx context.Context, s ScopedStore) ([]sqlc.OfferNamesRow, error) {
	names, err := d.q.OfferNames(ctx, s.id)
	return names, Tried(err, "list the names of offers of %s", s.Slug)
}
