package db

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/storeglass/storeglass/internal/db/sqlc"
)

// A Batch collects statements that travel to the database in one round trip, as one transaction.
// [Queue] adds one that returns nothing, ask one that returns rows.
type Batch struct {
	statements []func(context.Context, *sqlc.Queries) error
}

// Queue adds a statement that returns nothing: Queue(b, (*Queries).TouchStore, params).
func Queue[P any](b *Batch, statement func(*sqlc.Queries, context.Context, P) error, params P) {
	b.statements = append(b.statements, func(ctx context.Context, q *sqlc.Queries) error { return statement(q, ctx, params) })
}

// ask adds a query whose result is stored in into once the batch is back.
func ask[P, T any](b *Batch, into *T, query func(*sqlc.Queries, context.Context, P) (T, error), params P) {
	askAll(b, into, query, params, func(t T) T { return t })
}

// askAll adds a query and stores what f makes of its result in into.
func askAll[P, R, T any](b *Batch, into *T, query func(*sqlc.Queries, context.Context, P) (R, error), params P, f func(R) T) {
	b.statements = append(b.statements, func(ctx context.Context, q *sqlc.Queries) error {
		result, err := query(q, ctx, params)
		*into = f(result)
		return err
	})
}

// askEach adds a query of rows and stores what f makes of each in into.
func askEach[P, R, T any](b *Batch, into *[]T, query func(*sqlc.Queries, context.Context, P) ([]R, error), params P, f func(R) T) {
	askAll(b, into, query, params, func(rows []R) []T { return Each(rows, f) })
}

// askFor adds a query of rows and calls f with each.
func askFor[P, R any](b *Batch, query func(*sqlc.Queries, context.Context, P) ([]R, error), params P, f func(R)) {
	b.statements = append(b.statements, func(ctx context.Context, q *sqlc.Queries) error {
		rows, err := query(q, ctx, params)
		for _, r := range rows {
			f(r)
		}
		return err
	})
}

// askFirst is askEach for at most one row; into becomes nil if there is none.
func askFirst[P, R, T any](b *Batch, into **T, query func(*sqlc.Queries, context.Context, P) ([]R, error), params P, f func(R) T) {
	askAll(b, into, query, params, func(rows []R) *T { return first(rows, f) })
}

// Write sends what f queues, as a whole or not at all.
//
// The commit doesn't wait for the disk: if the database server crashes, what is lost (ledger row and
// numbers alike) is simply pulled again.
func (d *DB) Write(ctx context.Context, f func(b *Batch)) error {
	return d.send(ctx, f, "select set_config('synchronous_commit', 'off', true)", plannedOnce)
}

// read sends the queries that f adds.
func (d *DB) read(ctx context.Context, f func(b *Batch)) error { return d.send(ctx, f, plannedOnce) }

// plannedOnce makes a connection plan each statement only once: otherwise the server re-plans
// statements that take arrays every time, which costs more than running them.
const plannedOnce = "select set_config('plan_cache_mode', 'force_generic_plan', true)"

// send sends what f adds after the principal and the statements in first.
func (d *DB) send(ctx context.Context, f func(*Batch), first ...string) error {
	sent := &pgx.Batch{}
	if a, ok := d.principalOf(ctx); ok {
		sent.Queue(setPrincipal, a.args()...)
	}
	for _, sql := range first {
		sent.Queue(sql)
	}
	return sendAll(ctx, d.Pool, sent, f)
}

// readIn sends the queries that f adds, within a transaction.
func readIn(ctx context.Context, tx pgx.Tx, f func(b *Batch)) error {
	return sendAll(ctx, tx, &pgx.Batch{}, f)
}

// sendAll sends what f adds after what is to be sent already. It runs every statement twice: first against the
// queue, which records its text and arguments, then against the results, which it scans. Errors name their query.
func sendAll(ctx context.Context, to interface {
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
}, sent *pgx.Batch, f func(*Batch)) error {
	var b Batch
	if f(&b); len(b.statements) == 0 {
		return nil
	}
	before := sent.Len()
	for _, run := range b.statements {
		_ = run(ctx, sqlc.New(queue{sent})) // nothing has run yet
	}
	results := to.SendBatch(ctx, sent)
	for range before {
		if _, err := results.Exec(); err != nil {
			return cmp.Or(results.Close(), err)
		}
	}
	for i, run := range b.statements {
		if err := run(ctx, sqlc.New(replay{results})); err != nil {
			_ = results.Close() // it returns the same error
			return fmt.Errorf("%s: %w", nameOf(sent.QueuedQueries[before+i].SQL), err)
		}
	}
	return results.Close()
}

// nameOf is the name that a query has in its file: its text begins with "-- name: StoreByID :one".
func nameOf(sql string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(sql, "-- name: "), " ")
	return name
}

// errQueued ends a query that was only queued.
var errQueued = errors.New("queued")

// queue collects statements.
type queue struct{ *pgx.Batch }

func (b queue) Exec(_ context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	b.Queue(sql, args...)
	return pgconn.CommandTag{}, nil
}

func (b queue) Query(_ context.Context, sql string, args ...any) (pgx.Rows, error) {
	b.Queue(sql, args...)
	return nil, errQueued
}

func (b queue) QueryRow(_ context.Context, sql string, args ...any) pgx.Row {
	b.Queue(sql, args...)
	return noRow{}
}

type noRow struct{}

func (noRow) Scan(...any) error { return errQueued }

// replay returns the results of a sent batch in order.
type replay struct{ pgx.BatchResults }

func (r replay) Exec(context.Context, string, ...any) (pgconn.CommandTag, error) {
	return r.BatchResults.Exec()
}

func (r replay) Query(context.Context, string, ...any) (pgx.Rows, error) {
	return r.BatchResults.Query()
}

func (r replay) QueryRow(context.Context, string, ...any) pgx.Row {
	return r.BatchResults.QueryRow()
}
