package snapshot

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/db"
)

// newToken makes the secret in a mail's links, which opens its web view and ends its
// subscription: 256 bits by chance, of which only the hash is kept. Nothing but the mail leads to it.
func newToken() (token string, hash []byte) {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails
	sum := sha256.Sum256(secret)
	return base64.RawURLEncoding.EncodeToString(secret), sum[:]
}

// Unsubscribe ends the subscription whose mail holds the token, at once, and says which
// that was. It may be called again. ErrNotFound for every other token.
func (p *Post) Unsubscribe(ctx context.Context, token string) (subscription int64, err error) {
	secret, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(secret) != 32 {
		return 0, ErrNotFound
	}
	hash := sha256.Sum256(secret)
	subscription, err = p.DB.Queries().EndSubscriptionByLink(ctx, db.EndSubscriptionByLinkParams{Hash: hash[:], Now: p.Now()})
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, ErrNotFound
	}
	if err != nil {
		return 0, fmt.Errorf("end a subscription by its link: %w", err)
	}
	return subscription, nil
}
