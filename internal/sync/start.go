package sync

import (
	"context"
	"fmt"
	gosync "sync"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
)

// starter puts jobs into the queue and works on none: also a process that only serves
// pages can start pulls, which a worker anywhere takes up as soon as the transaction
// is committed.
type starter struct {
	once   gosync.Once
	client *river.Client[pgx.Tx]
	err    error
}

// start starts the pulls of credentials without waiting for the tick. A job that is
// there already is enough.
func (s *Syncer) start(ctx context.Context, tx pgx.Tx, credentials ...int64) error {
	s.starter.once.Do(func() {
		s.starter.client, s.starter.err = river.NewClient(riverpgxv5.New(s.DB.Pool), &river.Config{})
	})
	if s.starter.err != nil {
		return fmt.Errorf("make a job client: %w", s.starter.err)
	}
	if len(credentials) == 0 {
		return nil
	}
	jobs := make([]river.InsertManyParams, len(credentials))
	for i, id := range credentials {
		jobs[i] = river.InsertManyParams{Args: drainArgs{CredentialID: id}, InsertOpts: &river.InsertOpts{Priority: byPerson}}
	}
	if _, err := s.starter.client.InsertManyTx(ctx, tx, jobs); err != nil {
		return fmt.Errorf("start %d jobs: %w", len(jobs), err)
	}
	return nil
}
