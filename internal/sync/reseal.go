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

// Reseal re-encrypts every token sealed with an older key, and renames its budget, because the
// name comes from the key, too. It may be interrupted anywhere, and may run beside workers that
// know both keys. With dry it changes nothing. Lost tokens are listed like "north-shop upsell".
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

// resealTries is how often to retry a credential after a deadlock with another transaction.
const resealTries = 5

func (s *Syncer) resealOne(ctx context.Context, id int64, dry bool) (changed bool, err error) {
	for range resealTries {
		changed = false
		err = s.DB.InTx(ctx, func(q *sqlc.Queries) error {
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
		return false, nil // it was deleted meanwhile
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

// renameBudget renames a budget together with its held slots: otherwise we could send the
// service twice a minute's calls. A process that still uses the old name finds no slots and
// starts again. See [db.ErrNoBudget].
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

// budgetName is the name of the token's budget: its existing name, or one from the current key.
func (s *Syncer) budgetName(ctx context.Context, q *sqlc.Queries, token string) ([]byte, error) {
	name, err := q.BudgetName(ctx, s.Sealer.BudgetKeys(token))
	return name, db.Tried(err, "find the token's budget")
}
