package pulls

import (
	"context"
	"fmt"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
)

// ChangeStore changes a store's name, clock and wanted history. Stored days stay as they are,
// because the service decided them. A new clock moves "today", so everything with a due time is
// pulled again, and pulls under way by the old clock write nothing. Errors: ErrRemoved,
// ErrUnknownStore.
func (s *Syncer) ChangeStore(ctx context.Context, to sqlc.UpdateStoreParams, also ...db.Also) error {
	return s.DB.InTx(ctx, func(q *sqlc.Queries) error {
		before, err := s.lockStore(ctx, q, to.ID)
		if err != nil {
			return err
		}
		if to.Timezone != before.Timezone {
			if err := moveClock(ctx, q, before); err != nil {
				return err
			}
		}
		if _, err := q.UpdateStore(ctx, to); err != nil {
			return fmt.Errorf("change %s: %w", before.Slug, err)
		}
		if err := q.WakeStore(ctx, to.ID); err != nil { // a longer history is planned at once, too
			return fmt.Errorf("wake %s: %w", before.Slug, err)
		}
		return nil
	}, also...)
}

func moveClock(ctx context.Context, q *sqlc.Queries, store sqlc.Store) error {
	if err := q.FencePulls(ctx, sqlc.FencePullsParams{StoreID: store.ID}); err != nil {
		return fmt.Errorf("fence the pulls of %s: %w", store.Slug, err)
	}
	if err := q.WakeLedger(ctx, store.ID); err != nil {
		return fmt.Errorf("wake the ledger of %s: %w", store.Slug, err)
	}
	if err := q.RenewCredentials(ctx, store.ID); err != nil {
		return fmt.Errorf("renew the credentials of %s: %w", store.Slug, err)
	}
	return nil
}
