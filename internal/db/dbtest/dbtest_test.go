package dbtest_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/db/dbtest"
)

func TestEveryTestHasADatabaseOfItsOwn(t *testing.T) {
	t.Parallel()
	for i := range 20 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			pool := dbtest.New(t)
			// Would fail the second time in a common database.
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
		// Left open on purpose: the end of the test cuts it.
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

// TestAKilledTestProcessBlocksNobody runs this test binary again and kills it while it has databases, and then lets another one finish.
func TestAKilledTestProcessBlocksNobody(t *testing.T) {
	t.Parallel()
	const role = "STOREGLASS_TEST_DBTEST_ROLE"
	switch os.Getenv(role) {
	case "victim":
		dbtest.New(t)
		fmt.Println("ready")
		select {} // until the kill
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

// BenchmarkDatabase is what a test pays for its database: clone and first connection. All are dropped at the end, outside the figure.
func BenchmarkDatabase(b *testing.B) {
	dbtest.URL(b)
	for b.Loop() {
		dbtest.New(b)
	}
}
