package dbtest_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/dbtest"
)

func TestEveryTestHasADatabaseOfItsOwn(t *testing.T) {
	t.Parallel()
	for i := range 20 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			pool := dbtest.New(t)
			// Would fail the second time in a shared database.
			if _, err := pool.Exec(t.Context(), `create table mine (n int primary key)`); err != nil {
				t.Fatal(err)
			}
			var migrated bool
			if err := pool.QueryRow(t.Context(), `select to_regclass('river_job') is not null`).Scan(&migrated); err != nil || !migrated {
				t.Errorf("job queue is there: %v (%v)", migrated, err)
			}
		})
	}
}

func TestTheDatabaseGoesWithItsTest(t *testing.T) {
	t.Parallel()
	var url string
	t.Run("inner", func(t *testing.T) {
		url = dbtest.URL(t)
		conn, err := pgx.Connect(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		// Left open on purpose: the end of the test closes it.
		_ = conn
	})
	if conn, err := pgx.Connect(context.Background(), url); err == nil {
		_ = conn.Close(context.Background())
		t.Error("the database is still there")
	}
}

func TestTimesComeBackInUTC(t *testing.T) {
	t.Parallel()
	var at time.Time
	if err := dbtest.New(t).QueryRow(t.Context(), `select '2026-11-20 12:00+02'::timestamptz`).Scan(&at); err != nil {
		t.Fatal(err)
	}
	if at.Location() != time.UTC || at.Hour() != 10 {
		t.Errorf("got %v, want 10:00 UTC", at)
	}
}

// TestAKilledTestProcessBlocksNobody runs this test binary again, kills it while it has databases, and
// then lets another one finish.
func TestAKilledTestProcessBlocksNobody(t *testing.T) {
	t.Parallel()
	const role = "STOREGLASS_TEST_DBTEST_ROLE"
	switch os.Getenv(role) {
	case "victim":
		dbtest.New(t)
		fmt.Println("ready")
		select {} // until it's killed
	case "heir":
		dbtest.New(t)
		return
	}
	run := func(as string) (*exec.Cmd, *bufio.Reader) {
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.timeout=60s")
		cmd.Env = append(os.Environ(), role+"="+as)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd, bufio.NewReader(out)
	}
	victim, out := run("victim")
	line, err := out.ReadString('\n')
	_ = victim.Process.Kill()
	_ = victim.Wait()
	if line != "ready\n" {
		t.Fatalf("the first process said %q (%v)", line, err)
	}
	heir, out := run("heir")
	rest, _ := io.ReadAll(out)
	if err := heir.Wait(); err != nil {
		t.Errorf("the next process: %v: %s", err, rest)
	}
}

// BenchmarkDatabase measures what a test pays for its database: clone and first connection. They are
// all dropped at the end, outside the measurement.
func BenchmarkDatabase(b *testing.B) {
	dbtest.URL(b)
	for b.Loop() {
		dbtest.New(b)
	}
}

func TestEachCopyOfAFilledDatabaseIsItsTestsOwn(t *testing.T) {
	t.Parallel()
	var filled dbtest.Filled
	var fills atomic.Int32
	for i := range 5 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			pool := filled.New(t, func(t testing.TB, pool *pgxpool.Pool) {
				fills.Add(1)
				dbtest.As(t, pool, db.Worker) // its session must not prevent a copy
				if _, err := pool.Exec(t.Context(), `create table mine as select 1 as n`); err != nil {
					t.Fatal(err)
				}
			})
			// Would change more than one row the second time in a shared database.
			tag, err := pool.Exec(t.Context(), `with added as (insert into mine values (2)) update mine set n = 3`)
			if err != nil || tag.RowsAffected() != 1 {
				t.Errorf("%d rows were there (%v)", tag.RowsAffected(), err)
			}
		})
	}
	t.Cleanup(func() {
		if n := fills.Load(); n != 1 && os.Getenv("TEST_DATABASE_URL") == "" {
			t.Errorf("filled %d times", n)
		}
	})
}
