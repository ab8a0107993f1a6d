package db

import (
	"context"

	"github.com/storeglass/storeglass/internal/db/sqlc"
)

// SafeURL lets tests check which addresses become links.
var SafeURL = safeURL

// Read lets tests check that several queries travel in one round trip.
func (d *DB) Read(ctx context.Context, f func(b *Batch)) error { return d.read(ctx, f) }

// Ask adds a query to a batch of reads.
func Ask[P, T any](b *Batch, into *T, query func(*sqlc.Queries, context.Context, P) (T, error), params P) {
	ask(b, into, query, params)
}
