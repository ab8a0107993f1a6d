package weekly

import (
	"context"
	"fmt"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/report/weekly"
)

// Suppressions lists the addresses that nothing is sent to, newest first, for people who may
// manage others.
func (m *SubscriptionService) Suppressions(ctx context.Context, person int64) ([]weekly.Suppression, error) {
	if _, err := access.Allowed(ctx, m.DB, person, access.Manage); err != nil {
		return nil, err
	}
	rows, err := m.DB.Queries().ListSuppressions(ctx)
	if err != nil {
		return nil, fmt.Errorf("list suppressed addresses: %w", err)
	}
	out := make([]weekly.Suppression, len(rows))
	for i, r := range rows {
		out[i] = weekly.Suppression{Address: r.Address, Cause: r.Cause, At: r.CreatedAt}
	}
	return out, nil
}

// LiftSuppression lets mails be sent to an address again. db.ErrNotFound if it isn't
// suppressed.
func (m *SubscriptionService) LiftSuppression(ctx context.Context, person int64, address string) error {
	if _, err := access.Allowed(ctx, m.DB, person, access.Manage); err != nil {
		return err
	}
	return m.DB.InTx(ctx, func(q *sqlc.Queries) error {
		n, err := q.LiftSuppression(ctx, address)
		if err != nil {
			return fmt.Errorf("free an address: %w", err)
		}
		if n == 0 {
			return db.ErrNotFound
		}
		return m.Audit.RecordIn(ctx, q, audit.Event{Action: audit.SuppressionGone, Subject: address})
	})
}
