package signin

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
)

// totpPlace binds an authenticator app's sealed secret to its person.
func totpPlace(personID int64) []byte { return fmt.Appendf(nil, "totp:%d", personID) }

// ResealFactors seals every authenticator secret again that is sealed with an older key.
// With dry it only looks. Secrets that can't be opened are listed by their owner's
// address.
func (s *Service) ResealFactors(ctx context.Context, dry bool) (r db.Resealed, err error) {
	if s.sealer == nil {
		return r, errors.New("seal second factors: no secret key is given")
	}
	list, err := s.q.SealedTotps(ctx)
	if err != nil {
		return r, fmt.Errorf("list second factors: %w", err)
	}
	return db.Reseal(list, func(t sqlc.SealedTotpsRow) (email string, changed bool, err error) {
		err = s.db.InTx(ctx, func(q *sqlc.Queries) error {
			changed, err = s.resealFactor(ctx, q, t.PersonID, dry)
			return err
		})
		return t.Email, changed, err
	})
}

func (s *Service) resealFactor(ctx context.Context, q *sqlc.Queries, personID int64, dry bool) (changed bool, err error) {
	t, err := q.TotpForSealing(ctx, personID)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil // it has just been removed
	}
	if err != nil {
		return false, err
	}
	secret, err := s.sealer.Open(t.SecretSealed, t.KeyID, totpPlace(personID))
	if err != nil {
		return false, db.ErrLost
	}
	if dry || !s.sealer.Stale(t.KeyID) {
		return s.sealer.Stale(t.KeyID), nil
	}
	sealed, keyID := s.sealer.Seal(secret, totpPlace(personID))
	return true, q.SealTotp(ctx, sqlc.SealTotpParams{PersonID: personID, SecretSealed: sealed, KeyID: keyID})
}
