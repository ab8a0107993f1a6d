package dbtest

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Filled is a database with rows that many tests start from: the first test that needs it fills it, and
// each gets its own copy. On a server named by TEST_DATABASE_URL, where it would be left behind, every
// test fills its own. The zero value is ready.
type Filled struct {
	once     sync.Once
	template string // empty while nothing has filled it
}

// New is like the package's New, on a copy of what fill created in a fresh database. fill's own
// cleanups run before the first copy is made.
func (f *Filled) New(t testing.TB, fill func(t testing.TB, pool *pgxpool.Pool)) *pgxpool.Pool {
	t.Helper()
	s, err := shared()
	if err != nil {
		t.Fatalf("start test server: %v", err)
	}
	if !s.own {
		pool := New(t)
		fill(t, pool)
		return pool
	}
	f.once.Do(func() {
		name, err := s.clone(context.Background(), s.template)
		if err != nil {
			t.Fatalf("make test database: %v", err)
		}
		filling := &filling{TB: t}
		fill(filling, open(filling, s.urlOf(name)))
		filling.end()
		s.cut(context.Background(), name) // a database can only be copied while nobody uses it
		f.template = name
	})
	if f.template == "" {
		t.Fatal("another test failed to fill the database: see its error")
	}
	return open(t, s.cloneFor(t, f.template))
}

// filling is a test whose cleanup doesn't wait for its end.
type filling struct {
	testing.TB
	cleanups []func()
}

func (f *filling) Cleanup(clean func()) { f.cleanups = append(f.cleanups, clean) }

func (f *filling) end() {
	for _, clean := range slices.Backward(f.cleanups) {
		clean()
	}
}
