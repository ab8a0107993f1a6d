package access

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/db"
)

// totpPlace binds a sealed secret of an authenticator app to its person.
func totpPlace(personID int64) []byte { return fmt.Appendf(nil, "totp:%d", personID) }

// ResealedFactors counts the secrets of authenticator apps that were sealed again.
type ResealedFactors struct {
	// Done were sealed with an older key, Current are sealed with the current one.
	Done, Current int
	// Lost are the addresses of people whose secret none of the keys opens.
	Lost []string
}

// ResealFactors seals every secret of an authenticator app again that is sealed with
// an older key, each in a transaction of its own. dry looks and changes nothing.
func (a *Access) ResealFactors(ctx context.Context, dry bool) (r ResealedFactors, err error) {
	if a.sealer == nil {
		return r, errors.New("seal second factors: no secret key is given")
	}
	after := int64(0)
	for {
		list, err := a.q.SealedTotps(ctx, db.SealedTotpsParams{After: after, Most: 100})
		if err != nil {
			return r, fmt.Errorf("list second factors: %w", err)
		}
		if len(list) == 0 {
			return r, nil
		}
		for _, t := range list {
			after = t.PersonID
			var changed bool
			err := a.db.InTx(ctx, func(q *db.Queries) error {
				changed, err = a.resealFactor(ctx, q, t.PersonID, dry)
				return err
			})
			switch {
			case errors.Is(err, ErrSealed):
				r.Lost = append(r.Lost, t.Email)
			case err != nil:
				return r, fmt.Errorf("seal the second factor of %s: %w", t.Email, err)
			case changed:
				r.Done++
			default:
				r.Current++
			}
		}
	}
}

func (a *Access) resealFactor(ctx context.Context, q *db.Queries, personID int64, dry bool) (changed bool, err error) {
	t, err := q.TotpForSealing(ctx, personID)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil // it was removed meanwhile
	}
	if err != nil {
		return false, err
	}
	secret, err := a.sealer.Open(t.SecretSealed, t.KeyID, totpPlace(personID))
	if err != nil {
		return false, err
	}
	if dry || !a.sealer.Stale(t.KeyID) {
		return a.sealer.Stale(t.KeyID), nil
	}
	sealed, keyID := a.sealer.Seal(secret, totpPlace(personID))
	return true, q.SealTotp(ctx, db.SealTotpParams{PersonID: personID, SecretSealed: sealed, KeyID: keyID})
}
