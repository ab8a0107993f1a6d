// Package dbtest gives every test its own migrated PostgreSQL database. It is for tests only.
//
// Each test process runs a throw-away server, started with the first database it needs and stopped with
// the process; its files are kept among the temporary files, so that the next process starts quickly.
// TEST_DATABASE_URL names another server to use instead, whose user must be allowed to create
// databases.
package dbtest

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/storeglass/storeglass/internal/db"
)

const leakPatience = 5 * time.Second

// New returns a pool on a fresh, migrated database as its owner, so row-level security doesn't apply.
// Pool and database are removed when the test ends; a test that hasn't returned a connection by then
// fails.
func New(t testing.TB) *pgxpool.Pool {
	t.Helper()
	return open(t, URL(t))
}

// Open returns a pool on the database of an address from URL, as its owner.
func Open(t testing.TB, url string) *pgxpool.Pool {
	t.Helper()
	return open(t, url)
}

// As returns a second pool on pool's database, under one of the program's roles.
func As(t testing.TB, pool *pgxpool.Pool, role db.Role) *pgxpool.Pool {
	t.Helper()
	return open(t, pool.Config().ConnString(), db.As(role))
}

func open(t testing.TB, url string, opts ...db.Option) *pgxpool.Pool {
	t.Helper()
	opts = append(opts, db.WithMaxConns(4), db.WithStatementTimeout(0))
	pool, err := db.Open(context.Background(), url, opts...)
	if err != nil {
		t.Fatalf("open test database: %v", err)
	}
	t.Cleanup(func() {
		closed := make(chan struct{})
		go func() {
			pool.Close()
			close(closed)
		}()
		select {
		case <-closed:
		case <-time.After(leakPatience):
			t.Errorf("the test kept %d database connections", pool.Stat().AcquiredConns())
		}
	})
	return pool
}

// URL returns the address of a fresh, migrated database, for tests that start processes. The database
// is removed when the test ends, and sessions still open then are ended.
func URL(t testing.TB) string {
	t.Helper()
	s, err := shared()
	if err != nil {
		t.Fatalf("start test server: %v", err)
	}
	return s.cloneFor(t, s.template)
}

// cloneFor returns the address of a copy of the template, removed when the test ends.
func (s *server) cloneFor(t testing.TB, template string) string {
	t.Helper()
	name, err := s.clone(context.Background(), template)
	if err != nil {
		t.Fatalf("make test database: %v", err)
	}
	t.Cleanup(func() {
		if err := s.drop(context.Background(), name); err != nil {
			t.Errorf("drop test database: %v", err)
		}
	})
	return s.urlOf(name)
}
