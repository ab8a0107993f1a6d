package sync

import (
	"context"
	"errors"
	"fmt"
	gosync "sync"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
)

// RunOptions are those of `dashboard sync`.
type RunOptions struct {
	// Full pulls everything that has a ledger row again, also settled days.
	Full bool
	// BackfillDays widens the wanted history; it is kept for later syncs.
	BackfillDays int
	// Progress is called after every pull and wait, one call at a time.
	Progress func(Progress)
}

// Result is how a run went.
type Result struct {
	Done, Failed int
	// Failures name each failed pull with what happened.
	Failures []string
}

// ErrUnknownStore: no store has this slug.
var ErrUnknownStore = errors.New("unknown store")

// Run pulls what is due in one store now, in the lane of people, and waits for
// slots in place. Workers may work at the same time: each pull is made by one.
func (s *Syncer) Run(ctx context.Context, slug string, o RunOptions) (Result, error) {
	here, err := s.appear(ctx)
	if err != nil {
		return Result{}, err
	}
	defer here.leave()
	q := s.DB.Queries()
	store, err := q.StoreBySlug(ctx, slug)
	if errors.Is(err, pgx.ErrNoRows) {
		return Result{}, fmt.Errorf("%w %q", ErrUnknownStore, slug)
	}
	if err != nil {
		return Result{}, fmt.Errorf("find store %s: %w", slug, err)
	}
	if store.RemovedAt != nil {
		return Result{}, fmt.Errorf("%w: %s", ErrRemoved, slug)
	}
	if o.BackfillDays > int(store.HistoryDays) {
		store, err = q.UpdateStore(ctx, db.UpdateStoreParams{ID: store.ID, Name: store.Name, Timezone: store.Timezone, HistoryDays: int32(o.BackfillDays)})
		if err != nil {
			return Result{}, fmt.Errorf("widen the history of %s: %w", slug, err)
		}
	}
	if o.Full {
		if err := q.WakeAll(ctx, store.ID); err != nil {
			return Result{}, fmt.Errorf("wake the ledger of %s: %w", slug, err)
		}
	}
	creds, err := q.CredentialsOfStore(ctx, store.ID)
	if err != nil {
		return Result{}, fmt.Errorf("read credentials of %s: %w", slug, err)
	}
	if len(creds) == 0 {
		return Result{}, errNothingConnected
	}
	var (
		mu     gosync.Mutex
		result Result
		steps  = map[string]Progress{}
		group  errgroup.Group
	)
	progress := func(p Progress) {
		if o.Progress == nil {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		steps[p.Service] = p
		p.Done, p.Total = 0, 0
		for _, step := range steps {
			p.Done += step.Done
			p.Total += step.Total
		}
		o.Progress(p)
	}
	for _, c := range creds {
		group.Go(func() error {
			if c.State == "paused" {
				mu.Lock()
				defer mu.Unlock()
				result.Failed++
				result.Failures = append(result.Failures, fmt.Sprintf("%s is paused: %s", c.Service, text(c.PausedText)))
				return nil
			}
			// An address that this process may not call is this process's trouble: the
			// credential of a server that may is not touched.
			if _, err := upstream.CheckBase(c.BaseUrl, s.Allow); err != nil {
				mu.Lock()
				defer mu.Unlock()
				result.Failed++
				result.Failures = append(result.Failures, c.Service+": "+err.Error())
				return nil
			}
			pull := func() error {
				w, err := s.begin(ctx, c.ID)
				if err != nil {
					return err
				}
				d := &drain{work: w, lane: db.Interactive, patient: true, progress: progress}
				_, err = d.run(ctx)
				mu.Lock()
				defer mu.Unlock()
				result.Done += d.done
				result.Failed += d.failed
				result.Failures = append(result.Failures, d.failures...)
				return err
			}
			err := pull()
			if errors.Is(err, db.ErrNoBudget) { // it was renamed, and nothing else has changed
				err = pull()
			}
			return err
		})
	}
	return result, group.Wait()
}
