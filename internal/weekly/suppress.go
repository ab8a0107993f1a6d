package weekly

import (
	"context"

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
	return db.Each(rows, func(r sqlc.Suppression) weekly.Suppression {
		return weekly.Suppression{Address: r.Address, Cause: r.Cause, At: r.CreatedAt}
	}), db.Tried(err, "list suppressed addresses")
}

// LiftSuppression lets mails be sent to an address again. db.ErrNotFound if it isn't
// suppressed.
func (m *SubscriptionService) LiftSuppression(ctx context.Context, person int64, address string) error {
	if _, err := access.Allowed(ctx, m.DB, person, access.Manage); err != nil {
		return err
	}
	return m.DB.InTx(ctx, func(q *sqlc.Queries) error {
		n, err := q.LiftSuppression(ctx, address)
		return db.Touched(n, err, "free an address")
	}, m.Audit.Recording(audit.Event{Action: audit.SuppressionGone, Subject: address}))
}
