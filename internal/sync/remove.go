package pulls

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
)

// RemovedFor is how long a removed store can be brought back. After that its rows are deleted.
const RemovedFor = db.RemovedFor

// DeletedAt is when the rows of a removed store are deleted.
func DeletedAt(removed sqlc.Store) time.Time { return removed.RemovedAt.Add(RemovedFor) }

// RemovedBy is who removed a store: a display name, and the person if known.
type RemovedBy struct {
	Name   string
	Person *int64
}

// Remove takes a store away from everyone at once: it is no longer shown, and pulls under way
// write nothing. Its rows and sealed tokens are kept for RemovedFor, so that [Syncer.Restore]
// can bring everything back. Errors: ErrRemoved if already removed, ErrUnknownStore.
func (s *Syncer) Remove(ctx context.Context, storeID int64, by RemovedBy, also ...db.Also) error {
	return s.DB.InTx(ctx, func(q *sqlc.Queries) error {
		store, err := s.lockStore(ctx, q, storeID)
		if err != nil {
			return err
		}
		if err := q.FencePulls(ctx, sqlc.FencePullsParams{StoreID: storeID}); err != nil {
			return fmt.Errorf("fence the pulls of %s: %w", store.Slug, err)
		}
		n, err := q.RemoveStore(ctx, sqlc.RemoveStoreParams{ID: storeID, Now: s.Now(), By: by.Name, Person: by.Person})
		if err != nil {
			return fmt.Errorf("remove %s: %w", store.Slug, err)
		}
		if n == 0 {
			return fmt.Errorf("%w: %s", ErrRemoved, store.Slug)
		}
		return nil
	}, also...)
}

// Restore brings a removed store back as it was and starts its pulls. Error: ErrUnknownStore if
// it wasn't removed, or too long ago.
func (s *Syncer) Restore(ctx context.Context, storeID int64, also ...db.Also) error {
	return s.DB.Tx(ctx, func(tx pgx.Tx, q *sqlc.Queries) error {
		if err := q.LockStore(ctx, storeID); err != nil {
			return fmt.Errorf("lock store %d: %w", storeID, err)
		}
		n, err := q.RestoreStore(ctx, sqlc.RestoreStoreParams{ID: storeID, Since: s.Now().Add(-RemovedFor)})
		if err != nil {
			return fmt.Errorf("restore store %d: %w", storeID, err)
		}
		if n == 0 {
			return fmt.Errorf("%w: %d can't be brought back", ErrUnknownStore, storeID)
		}
		if err := q.WakeStore(ctx, storeID); err != nil {
			return fmt.Errorf("wake store %d: %w", storeID, err)
		}
		creds, err := q.CredentialsOfStore(ctx, storeID)
		if err != nil {
			return fmt.Errorf("read credentials of store %d: %w", storeID, err)
		}
		var ids []int64
		for _, c := range creds {
			if !stopped(c) {
				ids = append(ids, c.ID)
			}
		}
		return start(ctx, tx, ids...)
	}, also...)
}

// Removed are the stores that can still be brought back, the newest first.
func (s *Syncer) Removed(ctx context.Context) ([]sqlc.Store, error) {
	stores, err := s.DB.Queries().RemovedStores(ctx, s.Now().Add(-RemovedFor))
	return stores, db.Tried(err, "list removed stores")
}

// Purge deletes a store that can no longer be restored, with everything stored for it. One that
// was restored in the meantime stays.
func (s *Syncer) Purge(ctx context.Context, storeID int64) error {
	err := s.DB.Tx(ctx, func(tx pgx.Tx, q *sqlc.Queries) error {
		// Statements for pages have a shorter limit; no page waits for this one.
		if _, err := tx.Exec(ctx, `select set_config('statement_timeout', $1, true)`, fmt.Sprint(purging.Milliseconds())); err != nil {
			return err
		}
		store, err := q.PurgeableStore(ctx, sqlc.PurgeableStoreParams{ID: storeID, Before: s.Now().Add(-RemovedFor)})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err == nil && s.Purging != nil { // call it before the rows are gone
			err = s.Purging(ctx, q, store)
		}
		if err != nil {
			return err
		}
		s.Log.Info("deleting a store that was removed 30 days ago", "store", store.Slug)
		return q.DeleteStore(ctx, storeID)
	})
	return db.Tried(err, "delete removed store %d", storeID)
}
