package db

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/storeglass/storeglass/migrations"
)

// migrationLock is the advisory lock that lets one process at a time change the schema ("strglass" in ASCII).
const migrationLock int64 = 0x737472676c617373

// A MigrationState is one step of the schema. Set is "storeglass" for our own steps, "river" for those of the job queue.
// AppliedAt is zero for a step that has not been applied.
type MigrationState struct {
	Set       string
	Version   int64
	Name      string
	Applied   bool
	AppliedAt time.Time
}

// Migrate brings the schema up to date: our own steps first, then the job queue's. It may run in several processes at once; one
// works, the others wait for it. Running it on a schema that is up to date changes nothing.
func Migrate(ctx context.Context, pool *pgxpool.Pool) error {
	return migrating(ctx, pool, func(ctx context.Context, m *migrator) error {
		if _, err := m.own.Up(ctx); err != nil {
			return fmt.Errorf("migrate up: %w", err)
		}
		if _, err := m.river.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
			return fmt.Errorf("migrate job queue up: %w", err)
		}
		return m.openQueue(ctx)
	})
}

// MigrateDown takes back the newest of our own steps. The job queue's tables stay, until the last of our own steps is gone: then
// they go too, with every job in them.
func MigrateDown(ctx context.Context, pool *pgxpool.Pool) error {
	return migrating(ctx, pool, func(ctx context.Context, m *migrator) error {
		if _, err := m.own.Down(ctx); err != nil && !errors.Is(err, goose.ErrNoNextVersion) {
			return fmt.Errorf("migrate down: %w", err)
		}
		version, err := m.own.GetDBVersion(ctx)
		if err != nil {
			return fmt.Errorf("read schema version: %w", err)
		}
		if version > 0 {
			return nil
		}
		if _, err := m.river.Migrate(ctx, rivermigrate.DirectionDown, &rivermigrate.MigrateOpts{TargetVersion: -1}); err != nil {
			return fmt.Errorf("migrate job queue down: %w", err)
		}
		return nil
	})
}

// MigrationStatus lists every step this program knows, our own first, each set in order of version.
func MigrationStatus(ctx context.Context, pool *pgxpool.Pool) ([]MigrationState, error) {
	m, err := newMigrator(pool)
	if err != nil {
		return nil, err
	}
	defer m.close()
	own, err := m.own.Status(ctx)
	if err != nil {
		return nil, fmt.Errorf("read schema status: %w", err)
	}
	var states []MigrationState
	for _, s := range own {
		states = append(states, MigrationState{
			Set: "storeglass", Version: s.Source.Version, Name: s.Source.Path,
			Applied: s.State == goose.StateApplied, AppliedAt: s.AppliedAt.UTC(),
		})
	}
	applied, err := riverApplied(ctx, pool)
	if err != nil {
		return nil, err
	}
	for _, v := range m.river.AllVersions() {
		at, ok := applied[int64(v.Version)]
		states = append(states, MigrationState{
			Set: "river", Version: int64(v.Version), Name: v.Name, Applied: ok, AppliedAt: at,
		})
	}
	return states, nil
}

// riverApplied reads when the job queue's steps were applied; the map is empty where there is no queue yet.
func riverApplied(ctx context.Context, pool *pgxpool.Pool) (map[int64]time.Time, error) {
	var exists bool
	if err := pool.QueryRow(ctx, `select to_regclass('river_migration') is not null`).Scan(&exists); err != nil {
		return nil, fmt.Errorf("look for job queue: %w", err)
	}
	applied := map[int64]time.Time{}
	if !exists {
		return applied, nil
	}
	rows, err := pool.Query(ctx, `select version, created_at from river_migration where line = 'main'`)
	if err != nil {
		return nil, fmt.Errorf("read job queue status: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var version int64
		var at time.Time
		if err := rows.Scan(&version, &at); err != nil {
			return nil, fmt.Errorf("read job queue status: %w", err)
		}
		applied[version] = at
	}
	return applied, rows.Err()
}

// migrating runs do under the lock, on connections of its own, since a step may need longer than a page's statement may run.
func migrating(ctx context.Context, pool *pgxpool.Pool, do func(context.Context, *migrator) error) error {
	cfg := pool.Config()
	WithStatementTimeout(0)(cfg)
	cfg.MaxConns, cfg.MinConns, cfg.MinIdleConns = 4, 0, 0
	patient, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return fmt.Errorf("open database for migration: %w", err)
	}
	defer patient.Close()
	unlock, err := lockSchema(ctx, patient)
	if err != nil {
		return err
	}
	defer unlock()
	m, err := newMigrator(patient)
	if err != nil {
		return err
	}
	defer m.close()
	return do(ctx, m)
}

// lockSchema asks again and again rather than waiting inside the server: a session waiting there holds a snapshot, and an index
// built concurrently by the lock's owner would wait for that snapshot for ever.
func lockSchema(ctx context.Context, pool *pgxpool.Pool) (unlock func(), err error) {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("lock schema: %w", err)
	}
	// Closing the session, rather than returning it to the pool, gives the lock back on every path.
	free := func() { _ = conn.Hijack().Close(context.WithoutCancel(ctx)) }
	for {
		var got bool
		if err := conn.QueryRow(ctx, `select pg_try_advisory_lock($1)`, migrationLock).Scan(&got); err != nil {
			free()
			return nil, fmt.Errorf("lock schema: %w", err)
		}
		if got {
			return free, nil
		}
		select {
		case <-ctx.Done():
			free()
			return nil, fmt.Errorf("wait for another process to finish migrating: %w", ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// openQueue lets the worker's role use the job queue's tables. They are made by
// steps that are not ours, after ours, and newer ones may make more.
func (m *migrator) openQueue(ctx context.Context) error {
	_, err := m.pool.Exec(ctx, `
		do $$
		declare
			t record;
		begin
			for t in
				select c.oid::regclass as name, c.relkind
				from pg_class c
				where c.relnamespace = current_schema()::regnamespace and c.relname like 'river\_%' and c.relkind in ('r', 'p', 'S')
			loop
				if t.relkind = 'S' then
					execute format('grant usage on sequence %s to storeglass_worker', t.name);
				else
					execute format('grant select, insert, update, delete on %s to storeglass_worker', t.name);
				end if;
			end loop;
			grant select on river_migration to storeglass_pages;
		end
		$$`)
	if err != nil {
		return fmt.Errorf("open job queue to the worker: %w", err)
	}
	return nil
}

type migrator struct {
	pool  *pgxpool.Pool
	own   *goose.Provider
	river *rivermigrate.Migrator[pgx.Tx]
	close func()
}

func newMigrator(pool *pgxpool.Pool) (*migrator, error) {
	sqlDB := stdlib.OpenDBFromPool(pool)
	own, err := goose.NewProvider(goose.DialectPostgres, sqlDB, migrations.FS)
	if err != nil {
		_ = sqlDB.Close()
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	queue, err := rivermigrate.New(riverpgxv5.New(pool), nil)
	if err != nil {
		_ = sqlDB.Close()
		return nil, fmt.Errorf("read job queue migrations: %w", err)
	}
	return &migrator{pool: pool, own: own, river: queue, close: func() { _ = sqlDB.Close() }}, nil
}
