package db

import (
	"cmp"
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// principal identifies who makes a request, as a key that the database checks itself: it looks up what
// that session or token may see. So the program can say who is asking, but not what they may see. Only
// the lookups of visits make one.
type principal struct {
	kind principalKind
	key  string
	at   time.Time
}

type principalKind string

const (
	askSession principalKind = "session" // key: the session as it is stored
	askToken   principalKind = "token"   // key: hex of the SHA-256 of the bearer token
	askShare   principalKind = "share"   // key: hex of the SHA-256 of the share link's secret
)

type principalKey struct{}

// WithVisit returns a context under which every statement is limited to what the visit's principal may
// see at that moment. Under [Pages], a statement without a principal sees no rows of any store.
func WithVisit(ctx context.Context, v Visit) context.Context { return v.principal.in(ctx) }

func (a principal) in(ctx context.Context) context.Context {
	return context.WithValue(ctx, principalKey{}, a)
}

// setPrincipal is sent before a transaction's first statement.
const setPrincipal = "select set_principal($1, $2, $3)"

func (a principal) args() []any { return []any{string(a.kind), a.key, a.at} }

// principalOf is who must be named before a statement of ctx; false if nobody is known, or if this
// database doesn't check principals.
func (d *DB) principalOf(ctx context.Context) (principal, bool) {
	if !d.asks {
		return principal{}, false
	}
	return principalIn(ctx)
}

func principalIn(ctx context.Context) (principal, bool) {
	a, ok := ctx.Value(principalKey{}).(principal)
	return a, ok && a.kind != ""
}

// entering runs set_principal before each statement, in the same transaction and the same round trip.
type entering struct{ pool *pgxpool.Pool }

func (e entering) send(ctx context.Context, a principal, sql string, args []any) (pgx.BatchResults, error) {
	batch := &pgx.Batch{}
	batch.Queue(setPrincipal, a.args()...)
	batch.Queue(sql, args...)
	results := e.pool.SendBatch(ctx, batch)
	if _, err := results.Exec(); err != nil {
		_ = results.Close() // it returns the same error
		return nil, err
	}
	return results, nil
}

// Exec implements DBTX.
func (e entering) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	a, ok := principalIn(ctx)
	if !ok {
		return e.pool.Exec(ctx, sql, args...)
	}
	results, err := e.send(ctx, a, sql, args)
	if err != nil {
		return pgconn.CommandTag{}, err
	}
	tag, err := results.Exec()
	return tag, cmp.Or(err, results.Close())
}

// Query implements DBTX.
func (e entering) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	a, ok := principalIn(ctx)
	if !ok {
		return e.pool.Query(ctx, sql, args...)
	}
	results, err := e.send(ctx, a, sql, args)
	if err != nil {
		return nil, err
	}
	rows, err := results.Query()
	if err != nil {
		_ = results.Close()
		return nil, err
	}
	return &enteredRows{Rows: rows, results: results}, nil
}

// QueryRow implements DBTX.
func (e entering) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	a, ok := principalIn(ctx)
	if !ok {
		return e.pool.QueryRow(ctx, sql, args...)
	}
	results, err := e.send(ctx, a, sql, args)
	if err != nil {
		return failedRow{err}
	}
	return enteredRow{results.QueryRow(), results}
}

// enteredRows release the connection when they end, and report how the transaction ended.
type enteredRows struct {
	pgx.Rows
	results pgx.BatchResults
	closed  bool
	err     error
}

func (r *enteredRows) Next() bool {
	if r.Rows.Next() {
		return true
	}
	r.Close()
	return false
}

func (r *enteredRows) Close() {
	if r.closed {
		return
	}
	r.closed = true
	r.Rows.Close()
	r.err = r.results.Close()
}

func (r *enteredRows) Err() error { return cmp.Or(r.Rows.Err(), r.err) }

type enteredRow struct {
	pgx.Row
	results pgx.BatchResults
}

func (r enteredRow) Scan(dest ...any) error {
	err := r.Row.Scan(dest...)
	return cmp.Or(err, r.results.Close())
}

type failedRow struct{ err error }

func (r failedRow) Scan(...any) error { return r.err }
