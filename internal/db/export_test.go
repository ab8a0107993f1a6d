package db

import "context"

// SafeURL lets tests ask which addresses become links.
var SafeURL = safeURL

// Read lets tests see how several queries travel in one round trip.
func (d *DB) Read(ctx context.Context, f func(q *Queries) error) error { return d.read(ctx, f) }
