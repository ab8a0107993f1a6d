package pulls

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/fact"
)

// Tick does what a worker does when cron fires: it starts one job for each credential that has
// due pulls.
func Tick(ctx context.Context, s *Syncer) error {
	due, err := s.due(ctx)
	for _, c := range due {
		if put := (*river.JobSnoozeError)(nil); err == nil {
			if err = Jobs(s)(ctx, c.ID); errors.As(err, &put) {
				err = nil
			}
		}
	}
	return err
}

// Jobs returns a function that runs one job for a credential, as a worker does.
func Jobs(s *Syncer) func(ctx context.Context, credentialID int64) error {
	d := &drains{Syncer: s}
	return func(ctx context.Context, id int64) error {
		return d.drain(ctx, id, &drain{lane: fact.Schedule})
	}
}

// Enter passes the gate with a slot taken with a claim, and returns the slot to send with.
func Enter(ctx context.Context, d *db.DB, key []byte, first db.Slot) (db.Slot, error) {
	g := &gate{budget: &budget{db: d, key: key}, lane: fact.Schedule, first: &first}
	s, err := g.Enter(ctx)
	if err != nil {
		return db.Slot{}, err
	}
	return s.(*entered).slot, nil
}

// Comparisons counts at how many of the times the service's count is compared with ours.
func Comparisons(times ...time.Time) (n int) {
	var b budget
	for _, at := range times {
		if b.dueForComparison(at) {
			n++
		}
	}
	return n
}
