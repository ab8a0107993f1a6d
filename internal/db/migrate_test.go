package db_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/dbtest"
)

func applied(t *testing.T, pool *pgxpool.Pool) (own, river, pending int) {
	t.Helper()
	states, err := db.MigrationStatus(t.Context(), pool)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range states {
		switch {
		case !s.Applied:
			pending++
		case s.AppliedAt.IsZero() == (s.Set == "storeglass") || s.Name == "" || s.Version == 0:
			t.Errorf("incomplete state %+v", s)
		case s.Set == "river":
			river++
		default:
			own++
		}
	}
	return own, river, pending
}

func TestMigrationsGoDownStepByStepAndUpAgain(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	steps, river, pending := applied(t, pool)
	if steps == 0 || river == 0 || pending != 0 {
		t.Fatalf("%d own steps, %d of the queue, %d pending; want a complete schema", steps, river, pending)
	}
	for left := steps - 1; left >= 0; left-- {
		if err := db.MigrateDown(t.Context(), pool); err != nil {
			t.Fatal(err)
		}
		own, queue, _ := applied(t, pool)
		if own != left {
			t.Errorf("%d steps are left, want %d", own, left)
		}
		if wantQueue := left > 0; (queue == river) != wantQueue || (queue == 0) == wantQueue {
			t.Errorf("with %d own steps left, %d steps of the queue are", left, queue)
		}
	}
	var left []string
	err := pool.QueryRow(t.Context(), `
		select coalesce(array_agg(name), '{}') from (
			select relname::text from pg_class where relnamespace = 'public'::regnamespace and relname not like 'goose\_db\_version%'
			union all
			select oid::regprocedure::text from pg_proc where pronamespace = 'public'::regnamespace
			union all
			select 'a privilege of ' || grantee::regrole from pg_namespace, aclexplode(nspacl)
			where nspname = 'public' and grantee <> 0 and grantee::regrole::text like 'storeglass\_%'
		) o (name)`).Scan(&left)
	if err != nil || len(left) > 0 {
		t.Errorf("%v are left (%v)", left, err)
	}
	if err := db.MigrateDown(t.Context(), pool); err != nil {
		t.Errorf("a step down from nothing: %v", err)
	}
	if err := db.Migrate(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	if own, queue, pending := applied(t, pool); own != steps || queue != river || pending != 0 {
		t.Errorf("%d, %d, %d pending after going up again, want %d, %d, 0", own, queue, pending, steps, river)
	}
}

func TestAFailedMigrationNamesItsStepAndWhatFailed(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	if err := db.MigrateDown(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	if _, err := pool.Exec(t.Context(), `create table thresholds (id bigint)`); err != nil {
		t.Fatal(err)
	}
	err := db.Migrate(t.Context(), pool)
	if err == nil || !strings.HasPrefix(err.Error(), "migrate up: step 0015_thresholds.sql: ") || !strings.Contains(err.Error(), `relation "thresholds" already exists`) {
		t.Error(err)
	}
}

// Databases from before the migrations were rewritten have the same step numbers with different meanings.
func TestADatabaseOfTheOldNumberingIsRefusedAndLeftAlone(t *testing.T) {
	t.Parallel()
	for name, age := range map[string]func(t *testing.T, pool *pgxpool.Pool) error{
		"before there were walls": func(t *testing.T, pool *pgxpool.Pool) error {
			takeAllBack(t, pool)
			_, err := pool.Exec(t.Context(), `insert into goose_db_version (version_id, is_applied) values (1, true)`)
			return err
		},
		"since": func(t *testing.T, pool *pgxpool.Pool) error {
			_, err := pool.Exec(t.Context(), `alter function set_principal(text, text, timestamptz) rename to enter`)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := dbtest.New(t)
			if err := age(t, pool); err != nil {
				t.Fatal(err)
			}
			objects := func() (n int) {
				if err := pool.QueryRow(t.Context(), `select count(*) from pg_class where relnamespace = 'public'::regnamespace`).Scan(&n); err != nil {
					t.Fatal(err)
				}
				return n
			}
			before := objects()
			_, err := db.MigrationStatus(t.Context(), pool)
			for what, err := range map[string]error{"up": db.Migrate(t.Context(), pool), "down": db.MigrateDown(t.Context(), pool), "status": err} {
				if err == nil || !strings.Contains(err.Error(), "older version of Storeglass") || !strings.Contains(err.Error(), "new, empty database") {
					t.Errorf("%s: %v", what, err)
				}
			}
			if after := objects(); after != before {
				t.Errorf("%d tables and indexes, before %d", after, before)
			}
		})
	}
}

func TestASchemaOfANewerProgramIsRefusedByThoseThatStart(t *testing.T) {
	t.Parallel()
	for set, newer := range map[string]string{
		"storeglass": `insert into goose_db_version (version_id, is_applied) values (9999, true)`,
		"river":      `insert into river_migration (line, version) values ('main', 9999)`,
	} {
		t.Run(set, func(t *testing.T) {
			t.Parallel()
			pool := dbtest.New(t)
			if err := db.RefuseNewSchema(t.Context(), pool); err != nil {
				t.Fatalf("this program's own schema: %v", err)
			}
			if _, err := pool.Exec(t.Context(), newer); err != nil {
				t.Fatal(err)
			}
			for what, err := range map[string]error{
				"start": db.RefuseNewSchema(t.Context(), pool), "up": db.Migrate(t.Context(), pool), "down": db.MigrateDown(t.Context(), pool),
			} {
				if err == nil || !strings.Contains(err.Error(), "newer than this version of Storeglass") {
					t.Errorf("%s: %v", what, err)
				}
			}
			states, err := db.MigrationStatus(t.Context(), pool)
			if err != nil {
				t.Errorf("a server that runs already: %v", err)
			}
			listed := slices.ContainsFunc(states, func(s db.MigrationState) bool {
				return s.Set == set && s.Version == 9999 && s.Applied && s.Newer
			})
			if !listed {
				t.Errorf("the step isn't listed: %+v", states)
			}
		})
	}
}

func takeAllBack(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	for {
		if err := db.MigrateDown(t.Context(), pool); err != nil {
			t.Fatal(err)
		}
		if own, _, _ := applied(t, pool); own == 0 {
			return
		}
	}
}

func TestProcessesThatMigrateTogetherTakeTurns(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	takeAllBack(t, pool)
	const n = 4
	errs := make(chan error, n)
	for range n {
		go func() { errs <- db.Migrate(context.Background(), pool) }()
	}
	for range n {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if _, _, pending := applied(t, pool); pending != 0 {
		t.Errorf("%d steps are pending", pending)
	}
}
