// Package db is the only way to PostgreSQL: the pool, transactions, roles, row-level security and the
// scopes that statements about stores take. The statements are in query/; package sqlc is generated
// from them. A scope is only ever made from grants. The package doesn't compute numbers for pages or
// decide who may do what: it returns stored rows, as the types that package report reads.
package db

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/golang-sql/civil"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/report"
)

// ErrNotFound is the answer for everything outside a scope, whether it exists or not.
var ErrNotFound error = fault.NotFound

// DB is the database as the rest of the program uses it.
type DB struct {
	Pool *pgxpool.Pool
	// RateLimit is how many calls a minute one token may spend.
	RateLimit int
	q         *sqlc.Queries
	// asks: every statement first names the context's principal.
	asks  bool
	facts storeFacts
	// finder finds stores when a test has removed the first wall; nil outside that test.
	finder *pgxpool.Pool
}

// From wraps an open pool. rateLimit is how many calls a minute one token may make.
func From(pool *pgxpool.Pool, rateLimit int) *DB {
	d := &DB{Pool: pool, RateLimit: rateLimit, q: sqlc.New(pool), asks: roleOf(pool) == Pages}
	if d.asks {
		d.q = sqlc.New(entering{pool})
	}
	return d
}

// Queries gives access to single statements, for code above grants (worker and command line), and for
// what isn't about a store.
func (d *DB) Queries() *sqlc.Queries { return d.q }

// Also is more work in the same transaction, such as a grant or an audit record.
type Also = func(context.Context, *sqlc.Queries) error

// InTx runs f, and then also, in one transaction: committed when all return nil, rolled back otherwise.
func (d *DB) InTx(ctx context.Context, f func(*sqlc.Queries) error, also ...Also) error {
	return d.Tx(ctx, func(_ pgx.Tx, q *sqlc.Queries) error { return f(q) }, also...)
}

// Tx is InTx for callers that also insert jobs in the transaction.
func (d *DB) Tx(ctx context.Context, f func(pgx.Tx, *sqlc.Queries) error, also ...Also) error {
	return d.begin(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		q := sqlc.New(tx)
		err := f(tx, q)
		for _, more := range also {
			if err != nil {
				break
			}
			err = more(ctx, q)
		}
		return err
	})
}

// begin runs f in a transaction that knows the principal, if there is one.
func (d *DB) begin(ctx context.Context, options pgx.TxOptions, f func(pgx.Tx) error) error {
	return pgx.BeginTxFunc(ctx, d.Pool, options, func(tx pgx.Tx) error {
		if a, ok := d.principalOf(ctx); ok {
			if _, err := tx.Exec(ctx, setPrincipal, a.args()...); err != nil {
				return fmt.Errorf("name the principal: %w", err)
			}
		}
		return f(tx)
	})
}

// Scope is the set of stores that someone may see. It can only be made from grants: a zero Scope sees nothing.
type Scope struct {
	every  bool
	stores []int64
}

// Every reports whether the scope includes every store, even those added later.
func (s Scope) Every() bool { return s.every }

// Holds reports whether the scope includes the store, even while it's removed.
func (s Scope) Holds(store int64) bool { return s.every || slices.Contains(s.stores, store) }

// ScopeOfPerson is what the person's grants allow right now; a disabled or unknown person gets an empty scope.
func (d *DB) ScopeOfPerson(ctx context.Context, personID int64) (Scope, error) {
	held, err := d.q.StoresHeld(ctx, personID)
	if err != nil {
		return Scope{}, fmt.Errorf("read which stores are held: %w", err)
	}
	if len(held) == 0 {
		return Scope{}, nil
	}
	return Scope{every: held[0].EveryStore, stores: held[0].StoreIds}, nil
}

// ScopedStore is a store that was found in a scope. Every query over a store's rows takes one, so no
// such query can be written without a grant.
type ScopedStore struct {
	id       int64
	location *time.Location
	report.Store
	// FirstDay is the first whole stored day; the zero date if nothing is stored.
	FirstDay civil.Date
	// HistoryDays is how many past days to pull.
	HistoryDays int
	// Revision increases with every write to the store's rows.
	Revision int64
	Paused   bool
	// pulls is for the list of stores.
	pulls storePulls
}

// Location is the store's clock.
func (s ScopedStore) Location() *time.Location { return s.location }

// Stores lists the stores of the scope by name.
func (d *DB) Stores(ctx context.Context, scope Scope) ([]ScopedStore, error) {
	rows, err := d.q.StoresInScope(ctx, sqlc.StoresInScopeParams{EveryStore: scope.every, StoreIds: scope.stores})
	if err != nil {
		return nil, fmt.Errorf("list stores: %w", err)
	}
	out := make([]ScopedStore, len(rows))
	for i, r := range rows {
		if out[i], err = scoped(r, civil.Date{}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// StoreIDs lists the ids of the scope's stores, for rows that record which stores were shown.
func (d *DB) StoreIDs(ctx context.Context, scope Scope) ([]int64, error) {
	stores, err := d.Stores(ctx, scope)
	if err != nil {
		return nil, err
	}
	return Each(stores, func(s ScopedStore) int64 { return s.id }), nil
}

// Store finds one store in the scope by slug. It returns ErrNotFound if the scope doesn't include it,
// whether or not it exists.
func (d *DB) Store(ctx context.Context, scope Scope, slug string) (ScopedStore, error) {
	r, err := d.q.StoreInScope(ctx, sqlc.StoreInScopeParams{Slug: slug, EveryStore: scope.every, StoreIds: scope.stores})
	if err != nil {
		return ScopedStore{}, Absent(err, ErrNotFound, "find store %q", slug)
	}
	return scoped(r.Store, r.FirstDay)
}

// StoreUnasked finds a store for the worker and the command line, where no user's grants apply, such as
// for weekly mails. On the pages' database it finds none, since only grants make scopes there. It
// returns ErrNotFound.
func (d *DB) StoreUnasked(ctx context.Context, slug string) (ScopedStore, error) {
	if d.asks {
		return ScopedStore{}, ErrNotFound
	}
	return d.Store(ctx, Scope{every: true}, slug)
}

func scoped(r sqlc.Store, first civil.Date) (ScopedStore, error) {
	loc, err := report.Zone(r.Timezone)
	if err != nil {
		return ScopedStore{}, fmt.Errorf("time zone of store %q: %w", r.Slug, err)
	}
	s := ScopedStore{
		id: r.ID, location: loc, Revision: r.Revision, Paused: r.PausedAt != nil, HistoryDays: int(r.HistoryDays), pulls: pullsOf(r),
		Store: report.Store{Slug: r.Slug, Name: r.Name, Timezone: r.Timezone, Currency: OrZero(r.Currency), Domain: OrZero(r.Domain)},
	}
	if first.Year > 1 {
		s.FirstDay = first
	}
	return s, nil
}
