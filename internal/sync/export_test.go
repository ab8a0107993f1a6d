package sync

import (
	"context"

	"github.com/riverqueue/river"
)

// PresenceClass is for tests that stand in for another process.
const PresenceClass = presenceClass

// Jobs gives what a worker of this process does for a credential, one job a call.
func Jobs(s *Syncer) func(ctx context.Context, credentialID int64) error {
	d := &drainWorker{syncer: s}
	return func(ctx context.Context, id int64) error {
		return d.Work(ctx, &river.Job[drainArgs]{Args: drainArgs{CredentialID: id}})
	}
}
