package snapshot

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report"
)

// newToken makes the secret in a mail's links, which opens its web view and ends its
// subscription: 256 bits by chance, of which only the hash is kept. Nothing but the mail leads to it.
func newToken() (token string, hash []byte) {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails
	sum := sha256.Sum256(secret)
	return base64.RawURLEncoding.EncodeToString(secret), sum[:]
}

// hashOf is what is kept of a token. db.ErrNotFound for what can be none.
func hashOf(token string) ([]byte, error) {
	secret, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(secret) != sha256.Size {
		return nil, db.ErrNotFound
	}
	hash := sha256.Sum256(secret)
	return hash[:], nil
}

// none turns an answer without a row into what pages know of that.
func none(err error, what string) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return db.ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// Linked is the subscription that a mail with the token belongs to. db.ErrNotFound.
func (m *Mailroom) Linked(ctx context.Context, token string) (report.MailOffer, error) {
	hash, err := hashOf(token)
	if err != nil {
		return report.MailOffer{}, err
	}
	r, err := m.DB.Queries().LinkedSubscription(ctx, hash)
	if err != nil {
		return report.MailOffer{}, none(err, "find a subscription by its link")
	}
	return report.MailOffer{
		Store: r.StoreName, Timezone: r.Timezone, Address: r.Address, Weekday: int(r.Weekday), Hour: int(r.Hour),
		Ended: r.EndedAt != nil, Confirmed: true, Account: r.PersonID != nil,
	}, nil
}

// Unsubscribe ends the subscription whose mail holds the token, at once. It may be
// called again. db.ErrNotFound for every other token.
func (m *Mailroom) Unsubscribe(ctx context.Context, token string) error {
	hash, err := hashOf(token)
	if err != nil {
		return err
	}
	return m.DB.InTx(ctx, func(q *db.Queries) error {
		r, err := q.LinkedSubscription(ctx, hash)
		if err != nil || r.EndedAt != nil {
			return none(err, "find a subscription by its link")
		}
		n, err := q.EndSubscription(ctx, db.EndSubscriptionParams{ID: r.ID, Now: m.now(), Cause: "reader"})
		if err != nil {
			return fmt.Errorf("end subscription %d by its link: %w", r.ID, err)
		}
		if n == 0 { // at the same moment as another
			return nil
		}
		return m.Access.RecordIn(ctx, q, access.Event{Action: access.MailEnded, Store: r.Slug, Subject: r.Address + ", by the link in the mail"})
	})
}
