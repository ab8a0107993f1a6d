package sync

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"github.com/storeglass/storeglass/internal/db"
)

// How long a person is taken to look at a page that they opened, and how often workers
// look for such pages. It is the statements' ten minutes too.
const (
	wantedFor  = 10 * time.Minute
	wantedLook = time.Second
)

// wanted reports whether somebody opened a page that this pull fills and it was not
// tried since.
func wanted(row db.Ledger, now time.Time) bool {
	return row.WantedAt != nil && now.Sub(*row.WantedAt) < wantedFor && (row.TriedAt == nil || row.TriedAt.Before(*row.WantedAt))
}

// wantedArgs is the job that pulls what somebody waits for, and nothing else. It is not
// the drain of the credential, which may be waiting for a slot that people don't need.
type wantedArgs struct {
	CredentialID int64 `json:"credential_id" river:"unique"`
}

func (wantedArgs) Kind() string { return "wanted" }

func (wantedArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Priority: byPerson, MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: uniqueStates}}
}

type wantedWorker struct {
	river.WorkerDefaults[wantedArgs]
	drains *drainWorker
}

func (*wantedWorker) Timeout(*river.Job[wantedArgs]) time.Duration { return drainTimeout }

// Work pulls what is wanted of one credential.
func (w *wantedWorker) Work(ctx context.Context, job *river.Job[wantedArgs]) error {
	return w.drains.drain(ctx, job.Args.CredentialID, &drain{lane: db.Interactive, onlyWanted: true})
}

// watch starts a job for each credential of which somebody waits for a pull, until ctx ends.
func (w *Worker) watch(ctx context.Context) {
	for ctx.Err() == nil {
		if err := w.startWanted(ctx); err != nil && !errors.Is(err, context.Canceled) {
			w.syncer.Log.Error("look for what people wait for", "error", err)
		}
		_ = pause(ctx, wantedLook)
	}
}

func (w *Worker) startWanted(ctx context.Context) error {
	ids, err := w.syncer.DB.Queries().WantedCredentials(ctx, w.syncer.Now())
	if err != nil || len(ids) == 0 {
		return err
	}
	jobs := make([]river.InsertManyParams, len(ids))
	for i, id := range ids {
		jobs[i] = river.InsertManyParams{Args: wantedArgs{CredentialID: id}}
	}
	if _, err := w.client.InsertMany(ctx, jobs); err != nil {
		return fmt.Errorf("start %d jobs: %w", len(jobs), err)
	}
	return nil
}
