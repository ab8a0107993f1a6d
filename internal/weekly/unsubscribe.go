package weekly

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/weekly"
)

// hashOf is the stored hash of a token. db.ErrNotFound if the token is malformed.
func hashOf(token string) ([]byte, error) {
	if !seal.IsSecret(token) {
		return nil, db.ErrNotFound
	}
	return seal.HashSecret(token), nil
}

// none wraps err, and turns an answer without rows into db.ErrNotFound.
func none(err error, what string) error {
	return db.Absent(err, db.ErrNotFound, "%s", what)
}

// Linked is the subscription that the token's mail belongs to, or its reader's alert mails.
// db.ErrNotFound.
func (m *SubscriptionService) Linked(ctx context.Context, token string) (weekly.Offer, error) {
	hash, err := hashOf(token)
	if err != nil {
		return weekly.Offer{}, err
	}
	r, err := m.DB.Queries().LinkedSubscription(ctx, hash)
	if errors.Is(err, pgx.ErrNoRows) {
		return m.linkedAlerts(ctx, hash)
	}
	if err != nil {
		return weekly.Offer{}, fmt.Errorf("find a subscription by its link: %w", err)
	}
	return weekly.Offer{
		Store: r.StoreName, Timezone: r.Timezone, Address: r.Address, Language: r.Language, Weekday: int(r.Weekday), Hour: int(r.Hour),
		Ended: r.EndedAt != nil, Confirmed: true, Account: r.PersonID != nil,
	}, nil
}

// Unsubscribe ends the subscription whose mail contains the token, or its reader's alert
// mails, at once. It may be called again. db.ErrNotFound for every other token.
func (m *SubscriptionService) Unsubscribe(ctx context.Context, token string) error {
	hash, err := hashOf(token)
	if err != nil {
		return err
	}
	return m.DB.InTx(ctx, func(q *sqlc.Queries) error {
		r, err := q.LinkedSubscription(ctx, hash)
		if errors.Is(err, pgx.ErrNoRows) {
			return m.endAlerts(ctx, q, hash)
		}
		if err != nil || r.EndedAt != nil {
			return none(err, "find a subscription by its link")
		}
		n, err := q.EndSubscription(ctx, sqlc.EndSubscriptionParams{ID: r.ID, Now: m.now(), Cause: "reader"})
		if err != nil {
			return fmt.Errorf("end subscription %d by its link: %w", r.ID, err)
		}
		if n == 0 { // just ended by another request
			return nil
		}
		return m.Audit.RecordIn(ctx, q, audit.Event{Action: audit.MailEnded, Store: r.Slug, Subject: r.Address, Details: locale.Sentences{locale.M("audit.detail.by_link")}})
	})
}

// linkedAlerts are the alert mails of the person who got the token's mail.
func (m *SubscriptionService) linkedAlerts(ctx context.Context, hash []byte) (weekly.Offer, error) {
	r, err := m.DB.Queries().LinkedAlerts(ctx, hash)
	if err != nil {
		return weekly.Offer{}, none(err, "find a person by a link")
	}
	return weekly.Offer{Address: r.Address, Alerts: true, Ended: !r.Mail, Confirmed: true, Account: true}, nil
}

// endAlerts switches off a person's alert mails; their channels stay on.
func (m *SubscriptionService) endAlerts(ctx context.Context, q *sqlc.Queries, hash []byte) error {
	r, err := q.LinkedAlerts(ctx, hash)
	if err != nil {
		return none(err, "find a person by a link")
	}
	n, err := q.EndAlertMails(ctx, r.ID)
	if err != nil {
		return fmt.Errorf("end mails about alerts to person %d: %w", r.ID, err)
	}
	if n == 0 {
		return nil
	}
	return m.Audit.RecordIn(ctx, q, audit.Event{Action: audit.AlertMailEnded, Subject: r.Address, Details: locale.Sentences{locale.M("audit.detail.by_link")}})
}
