package db

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/storeglass/storeglass/migrations"
)

// migrationLock is the advisory lock that lets one process at a time change the schema ("strglass" in ASCII).
const migrationLock int64 = 0x737472676c617373

// A MigrationState is one step of the schema. Set is "storeglass" for our own steps, "river" for the
// job queue's. AppliedAt is only known for our own steps that have been applied. A Newer step was
// applied by a newer program, which alone knows its name.
type MigrationState struct {
	Set       string
	Version   int64
	Name      string
	Applied   bool
	AppliedAt time.Time
	Newer     bool
}

// Migrate brings the schema up to date: our own steps first, then the job queue's. Several processes
// may run it at once; one does the work while the others wait. It does nothing if the schema is up to
// date.
func Migrate(ctx context.Context, pool *pgxpool.Pool) error {
	return migrating(ctx, pool, func(ctx context.Context, m *migrator) error {
		if _, err := m.own.Up(ctx); err != nil {
			return fmt.Errorf("migrate up: %w", failedStep(err))
		}
		if _, err := m.river.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
			return fmt.Errorf("migrate job queue up: %w", err)
		}
		return m.openQueue(ctx)
	})
}

// failedStep names the step that failed, and what failed in it, in place of goose's account of its run.
func failedStep(err error) error {
	if partial, ok := errors.AsType[*goose.PartialError](err); ok {
		return fmt.Errorf("step %s: %w", partial.Failed.Source.Path, partial.Err)
	}
	return err
}

// MigrateDown reverts the newest of our own steps. The job queue's tables stay until our last step is
// reverted: then they are dropped too, with all their jobs.
func MigrateDown(ctx context.Context, pool *pgxpool.Pool) error {
	return migrating(ctx, pool, func(ctx context.Context, m *migrator) error {
		if _, err := m.own.Down(ctx); err != nil && !errors.Is(err, goose.ErrNoNextVersion) {
			return fmt.Errorf("migrate down: %w", failedStep(err))
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

// MigrationStatus lists every step that this program knows or the database has, our own first, each set
// sorted by version.
func MigrationStatus(ctx context.Context, pool *pgxpool.Pool) ([]MigrationState, error) {
	if err := refuseOldSchema(ctx, pool); err != nil {
		return nil, err
	}
	m, err := newMigrator(pool)
	if err != nil {
		return nil, err
	}
	defer m.close()
	return m.states(ctx)
}

func (m *migrator) states(ctx context.Context) ([]MigrationState, error) {
	own, err := m.ownStates(ctx)
	if err != nil {
		return nil, fmt.Errorf("read schema status: %w", err)
	}
	queue, err := m.queueStates(ctx)
	if err != nil {
		return nil, fmt.Errorf("read job queue status: %w", err)
	}
	return append(own, queue...), nil
}

func (m *migrator) ownStates(ctx context.Context) ([]MigrationState, error) {
	known, err := m.own.Status(ctx)
	if err != nil {
		return nil, err
	}
	var states []MigrationState
	for _, s := range known {
		states = append(states, MigrationState{
			Set: "storeglass", Version: s.Source.Version, Name: s.Source.Path,
			Applied: s.State == goose.StateApplied, AppliedAt: s.AppliedAt.UTC(),
		})
	}
	newest := states[len(states)-1].Version
	rows, err := m.pool.Query(ctx, `select version_id, tstamp from goose_db_version where version_id > $1 and is_applied order by version_id`, newest)
	if err != nil {
		return nil, err
	}
	newer, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (MigrationState, error) {
		s := MigrationState{Set: "storeglass", Applied: true, Newer: true}
		return s, row.Scan(&s.Version, &s.AppliedAt)
	})
	return append(states, newer...), err
}

// queueStates reads the versions through River's driver: its migrator fails at one that it doesn't know.
func (m *migrator) queueStates(ctx context.Context) ([]MigrationState, error) {
	driver := riverpgxv5.New(m.pool).GetExecutor()
	exists, err := driver.TableExists(ctx, &riverdriver.TableExistsParams{Table: "river_migration"})
	if err != nil {
		return nil, err
	}
	applied := map[int]bool{}
	if exists {
		versions, err := driver.MigrationGetByLine(ctx, &riverdriver.MigrationGetByLineParams{Line: riverdriver.MigrationLineMain})
		if err != nil {
			return nil, err
		}
		for _, v := range versions {
			applied[v.Version] = true
		}
	}
	var states []MigrationState
	for _, v := range m.river.AllVersions() {
		states = append(states, MigrationState{Set: "river", Version: int64(v.Version), Name: v.Name, Applied: applied[v.Version]})
		delete(applied, v.Version)
	}
	for _, v := range slices.Sorted(maps.Keys(applied)) {
		states = append(states, MigrationState{Set: "river", Version: int64(v), Applied: true, Newer: true})
	}
	return states, nil
}

var errOldSchema = errors.New("this database was made by an older version of Storeglass, which this version can't upgrade: " +
	"start with a new, empty database, or go back to the version that made this one")

// refuseOldSchema recognizes a database from before the migrations were rewritten by subject: the same
// numbers meant other steps then, so applying ours would mix two schemas. Such a database has steps,
// but not what our first step creates, or it has the function that was called enter before it became
// set_principal.
func refuseOldSchema(ctx context.Context, pool *pgxpool.Pool) error {
	var versioned, walled, entered bool
	err := pool.QueryRow(ctx, `
		select
			to_regclass('goose_db_version') is not null,
			to_regprocedure('sees_all()') is not null,
			to_regprocedure('enter(text, text, timestamptz)') is not null`).Scan(&versioned, &walled, &entered)
	if err == nil && versioned && !walled {
		err = pool.QueryRow(ctx, `select not exists (select from goose_db_version where version_id > 0 and is_applied)`).Scan(&walled)
	}
	switch {
	case err != nil:
		return fmt.Errorf("look for an older schema: %w", err)
	case versioned && (entered || !walled):
		return errOldSchema
	}
	return nil
}

var errNewSchema = errors.New("this database's schema is newer than this version of Storeglass: run the newer version, " +
	"or restore the backup from before the upgrade")

// RefuseNewSchema recognizes a database that a newer program has migrated. It is for programs that
// start: those that run already go on, so servers can be upgraded one after the other.
func RefuseNewSchema(ctx context.Context, pool *pgxpool.Pool) error {
	m, err := newMigrator(pool)
	if err != nil {
		return err
	}
	defer m.close()
	return m.refuseNewSchema(ctx)
}

func (m *migrator) refuseNewSchema(ctx context.Context) error {
	states, err := m.states(ctx)
	if err == nil && slices.ContainsFunc(states, func(s MigrationState) bool { return s.Newer }) {
		err = errNewSchema
	}
	return err
}

// migrating runs do under the lock, on connections of its own, since a step may need longer than a
// page's statement is allowed to run.
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
	if err := refuseOldSchema(ctx, patient); err != nil {
		return err
	}
	m, err := newMigrator(patient)
	if err != nil {
		return err
	}
	defer m.close()
	if err := m.refuseNewSchema(ctx); err != nil {
		return err
	}
	return do(ctx, m)
}

// lockSchema polls for the lock instead of waiting inside the server: a session waiting there holds a
// snapshot, and if the lock's owner builds an index concurrently, that would wait for the snapshot
// forever.
func lockSchema(ctx context.Context, pool *pgxpool.Pool) (unlock func(), err error) {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("lock schema: %w", err)
	}
	// Closing the session, instead of returning it to the pool, releases the lock on every path.
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

// openQueue grants the worker's role access to the job queue's tables. River's own migrations create
// them after ours, and newer ones may add more.
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
