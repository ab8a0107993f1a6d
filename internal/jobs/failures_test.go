package jobs

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/storeglass/storeglass/internal/db/dbtest"
)

type failing struct{}

func (failing) Kind() string                 { return "failing" }
func (failing) InsertOpts() river.InsertOpts { return Once(Upkeep, ByClock) }

// told is a log that sends its messages.
type told chan string

func (t told) Write(line []byte) (int, error) {
	t <- string(line)
	return len(line), nil
}

func withoutTime(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}

func TestAFailedJobIsLogged(t *testing.T) {
	t.Parallel()
	pool, log, set := dbtest.New(t), make(told, 100), NewSet()
	Work(set, 0, func(context.Context, *river.Job[failing]) error { return errors.New("the disk is full") })
	err := pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
		return Insert(t.Context(), tx, river.InsertManyParams{Args: failing{}})
	})
	if err != nil {
		t.Fatal(err)
	}
	engine, err := Start(t.Context(), pool, slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{ReplaceAttr: withoutTime})), set)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := engine.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	}()
	select {
	case got := <-log:
		if want := "level=WARN msg=\"a background job failed and is tried again\" job=failing id=1 error=\"the disk is full\"\n"; got != want {
			t.Errorf("the log says %s, want %s", got, want)
		}
	case <-time.After(30 * time.Second):
		t.Error("nothing is logged")
	}
}

func TestOfManyFailuresTheFirstAndTheLastAreLogged(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	f := failures{slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{ReplaceAttr: withoutTime}))}
	job := &rivertype.JobRow{ID: 7, Kind: "drain", MaxAttempts: 4}
	for range job.MaxAttempts {
		job.Attempt++
		f.HandleError(t.Context(), job, errors.New("the disk is full"))
		job.Errors = append(job.Errors, rivertype.AttemptError{})
	}
	want := `level=WARN msg="a background job failed and is tried again" job=drain id=7 error="the disk is full"
level=ERROR msg="a background job failed each time and was given up" job=drain id=7 tries=4 error="the disk is full"
`
	if log.String() != want {
		t.Errorf("the log says\n%swant\n%s", &log, want)
	}
}
