package db

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Write queues every statement that f runs and sends them in one round trip as
// one transaction: all of them hold, or none. f may only run statements that
// return nothing (`:exec`).
//
// The commit does not wait for the disk: what a crash of the database server
// could take back, ledger row and numbers alike, is pulled again. Statements are
// planned once a connection: for those that take arrays, the server would
// otherwise make a plan each time, which costs more than running it.
func (d *DB) Write(ctx context.Context, f func(q *Queries)) error {
	batch := &pgx.Batch{}
	if a, ok := d.askerOf(ctx); ok {
		batch.Queue(setPrincipal, a.args()...)
	}
	batch.Queue("select set_config('synchronous_commit', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true)")
	f(New(queue{batch}))
	return d.Pool.SendBatch(ctx, batch).Close()
}

// read runs f's queries in one round trip. f is called twice with the same
// effect: once to learn the statements, once to scan their results; so it must
// run the same queries in the same order both times, whatever they return.
func (d *DB) read(ctx context.Context, f func(q *Queries) error) error {
	batch := &pgx.Batch{}
	a, asked := d.askerOf(ctx)
	if asked {
		batch.Queue(setPrincipal, a.args()...)
	}
	_ = f(New(queue{batch}))
	results := d.Pool.SendBatch(ctx, batch)
	if asked {
		if _, err := results.Exec(); err != nil {
			return firstOf(results.Close(), err)
		}
	}
	err := f(New(replay{results}))
	return errors.Join(err, results.Close())
}

// errQueued ends a query of the learning pass.
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

// replay hands out the results of a sent batch in order.
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
