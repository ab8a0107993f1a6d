package db

import (
	"context"

	"github.com/storeglass/storeglass/internal/db/sqlc"
)

// SafeURL lets tests ask which addresses become links.
var SafeURL = safeURL

// Read lets tests see how several queries travel in one round trip.
func (d *DB) Read(ctx context.Context, f func(b *Batch)) error { return d.read(ctx, f) }

// Ask adds a query to a batch that is read.
func Ask[P, T any](b *Batch, into *T, query func(*sqlc.Queries, context.Context, P) (T, error), params P) {
	ask(b, into, query, params)
}
