package pulls

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
)

// Reseal encrypts every token again that is sealed with an older key, and renames its
// budget, whose name comes from the key too. It may be cut off anywhere, and run
// beside workers that know both keys. dry looks and changes nothing. What is lost is
// named "north-shop upsell".
func (s *Syncer) Reseal(ctx context.Context, dry bool) (r db.Resealed, err error) {
	list, err := s.DB.Queries().SealedCredentials(ctx)
	if err != nil {
		return r, fmt.Errorf("list credentials: %w", err)
	}
	return db.Reseal(list, func(c sqlc.SealedCredentialsRow) (string, bool, error) {
		changed, err := s.resealOne(ctx, c.ID, dry)
		return c.Slug + " " + c.Service, changed, err
	})
}

// resealTries is how often a credential is tried whose rows another transaction
// waits for the other way round.
const resealTries = 5

func (s *Syncer) resealOne(ctx context.Context, id int64, dry bool) (changed bool, err error) {
	for range resealTries {
		changed = false
		err = s.DB.Tx(ctx, func(_ pgx.Tx, q *sqlc.Queries) error {
			changed, err = s.reseal(ctx, q, id, dry)
			return err
		})
		if pg, ok := errors.AsType[*pgconn.PgError](err); !ok || pg.Code != "40P01" {
			break
		}
	}
	return changed, err
}

func (s *Syncer) reseal(ctx context.Context, q *sqlc.Queries, id int64, dry bool) (changed bool, err error) {
	if err := q.LockBudgetRenaming(ctx); err != nil {
		return false, err
	}
	c, err := q.CredentialForSealing(ctx, id)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil // it was taken away meanwhile
	}
	if err != nil {
		return false, err
	}
	token, err := s.Sealer.Open(c.TokenSealed, c.KeyID, place(c.StoreID, c.Service))
	if err != nil {
		return false, db.ErrLost
	}
	name := s.Sealer.BudgetKeys(string(token))[0]
	stale, renamed := s.Sealer.Stale(c.KeyID), !bytes.Equal(name, c.Budget)
	if dry || !stale && !renamed {
		return stale || renamed, nil
	}
	sealed, keyID := s.Sealer.Seal(token, place(c.StoreID, c.Service))
	if err := q.SealCredential(ctx, sqlc.SealCredentialParams{ID: id, TokenSealed: sealed, KeyID: keyID}); err != nil {
		return false, err
	}
	if !renamed {
		return true, nil
	}
	return true, renameBudget(ctx, q, c.Budget, name)
}

// renameBudget gives a budget its new name, with every slot that is held: a service
// would see a second minute's worth of calls otherwise. A process with the old
// name finds no slot there, and starts again. See [db.ErrNoBudget].
func renameBudget(ctx context.Context, q *sqlc.Queries, from, to []byte) error {
	for _, step := range []func() error{
		func() error { return q.RenameBudget(ctx, sqlc.RenameBudgetParams{OldName: from, NewName: to}) },
		func() error { return q.HoldBothBudgets(ctx, sqlc.HoldBothBudgetsParams{OldName: from, NewName: to}) },
		func() error { return q.MoveSlots(ctx, sqlc.MoveSlotsParams{OldName: from, NewName: to}) },
		func() error { return q.DropSlots(ctx, from) },
	} {
		if err := step(); err != nil {
			return fmt.Errorf("rename its budget: %w", err)
		}
	}
	return nil
}

// budgetName is what the token's budget is called: as it is called already, or by
// the current key.
func (s *Syncer) budgetName(ctx context.Context, q *sqlc.Queries, token string) ([]byte, error) {
	name, err := q.BudgetName(ctx, s.Sealer.BudgetKeys(token))
	if err != nil {
		return nil, fmt.Errorf("find the token's budget: %w", err)
	}
	return name, nil
}
