package db_test

import (
	"context"
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
		case s.AppliedAt.IsZero() || s.Name == "" || s.Version == 0:
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
	var tables []string
	err := pool.QueryRow(t.Context(), `select coalesce(array_agg(relname::text), '{}') from pg_class
		where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'goose_db_version'`).Scan(&tables)
	if err != nil || len(tables) > 0 {
		t.Errorf("tables %v are left (%v)", tables, err)
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

func TestProcessesThatMigrateTogetherTakeTurns(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	for {
		if err := db.MigrateDown(t.Context(), pool); err != nil {
			t.Fatal(err)
		}
		if own, _, _ := applied(t, pool); own == 0 {
			break
		}
	}
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
