// Package access decides who may see what: people, their roles, and the stores they are
// granted, alone or in groups. Below it are a package for each way to be let in (signin, session,
// sharing, apitoken) and for what they are made of (audit, limit, password, seal, sso). It never
// decides what a page shows, only which stores its principal may see.
package access

import (
	"context"
	"fmt"
	"time"

	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fault"
)

// AllStores, given instead of a slug, means every store, including those added later.
const AllStores = "*"

// Access decides who may see what.
type Access struct {
	db  *db.DB
	q   *sqlc.Queries
	now func() time.Time
	log *audit.Log
}

// New uses the database d and the clock now.
func New(d *db.DB, now func() time.Time) *Access {
	return &Access{d, d.Queries(), now, audit.New(d, now)}
}

// StoreBySlug finds a store within a transaction. fault.NotFound.
func StoreBySlug(ctx context.Context, q *sqlc.Queries, slug string) (sqlc.Store, error) {
	store, err := q.StoreBySlug(ctx, slug)
	return store, db.Absent(err, fmt.Errorf("%s: %w", slug, fault.Missing("store")), "look for store %s", slug)
}
