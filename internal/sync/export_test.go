package pulls

import (
	"context"
	"errors"

	"github.com/riverqueue/river"

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
