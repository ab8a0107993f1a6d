// Package jobstest looks at queued jobs for tests, through River's own functions: no
// statement of ours reads River's tables. It is for tests only.
package jobstest

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"github.com/storeglass/storeglass/internal/jobs"
)

// most is how many jobs River lists or deletes at once.
const most = 10_000

// List returns the jobs of a kind, ended ones too, the oldest first; all jobs for "".
func List(ctx context.Context, pool *pgxpool.Pool, kind string) ([]*rivertype.JobRow, error) {
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{})
	if err != nil {
		return nil, err
	}
	params := river.NewJobListParams().First(most).OrderBy(river.JobListOrderByID, river.SortOrderAsc)
	if kind != "" {
		params = params.Kinds(kind)
	}
	list, err := client.JobList(ctx, params)
	if err != nil {
		return nil, err
	}
	return list.Jobs, nil
}

// Of is List for tests that need an answer.
func Of(t testing.TB, pool *pgxpool.Pool, kind string) []*rivertype.JobRow {
	t.Helper()
	list, err := List(t.Context(), pool, kind)
	if err != nil {
		t.Fatalf("list jobs: %v", err)
	}
	return list
}

// DeleteAll deletes all jobs that are not running, as if the queue had been lost.
func DeleteAll(t testing.TB, pool *pgxpool.Pool) {
	t.Helper()
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{})
	if err == nil {
		_, err = client.JobDeleteMany(t.Context(), river.NewJobDeleteManyParams().First(most).UnsafeAll())
	}
	if err != nil {
		t.Fatalf("delete all jobs: %v", err)
	}
}

// TakingBack has an engine take jobs back that began so long ago, for tests that kill processes.
func TakingBack(after time.Duration) jobs.Option {
	return func(c *river.Config) { c.JobTimeout, c.RescueStuckJobsAfter = after, after }
}
