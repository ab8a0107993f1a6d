package signin

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base32"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
)

// recoveryCodes is how many codes someone gets at once.
const recoveryCodes = 10

// recoveryLetters leaves out characters that are easily confused with others.
var recoveryLetters = base32.NewEncoding("23456789abcdefghjkmnpqrstuvwxyz0").WithPadding(base32.NoPadding)

// newRecovery replaces all recovery codes with new ones: 120 random bits each, so that
// storing a plain hash is enough.
func newRecovery(ctx context.Context, q *sqlc.Queries, personID int64) ([]string, error) {
	if err := q.DeleteRecoveryCodes(ctx, personID); err != nil {
		return nil, fmt.Errorf("delete recovery codes of person %d: %w", personID, err)
	}
	codes := make([]string, recoveryCodes)
	for i := range codes {
		b := make([]byte, 15)
		rand.Read(b) // never fails
		codes[i] = inFours(recoveryLetters.EncodeToString(b))
		err := q.InsertRecoveryCode(ctx, sqlc.InsertRecoveryCodeParams{PersonID: personID, CodeHash: seal.HashSecret(plainRecovery(codes[i]))})
		if err != nil {
			return nil, fmt.Errorf("keep a recovery code of person %d: %w", personID, err)
		}
	}
	return codes, nil
}

func inFours(s string) string {
	return string(bytes.Join(slices.Collect(slices.Chunk([]byte(s), 4)), []byte("-")))
}

// plainRecovery is a code as it is hashed, however it was typed.
func plainRecovery(code string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == ' ' || r == '\t' || r == '\u00a0' {
			return -1
		}
		return r
	}, strings.ToLower(code))
}

// RenewRecovery makes new recovery codes; the old ones no longer work.
func (s *Service) RenewRecovery(ctx context.Context, p access.Person) (codes []string, err error) {
	err = s.db.InTx(ctx, func(q *sqlc.Queries) error {
		codes, err = newRecovery(ctx, q, p.ID)
		return err
	}, s.log.Recording(audit.Event{Action: audit.FactorAdded, Subject: p.Email, Details: locale.Sentences{locale.M("audit.detail.recovery_codes")}}))
	return codes, err
}

// TakeRecovery checks a recovery code as the second step, after the right password, and
// uses it up. fault.Denied, fault.TooMany.
func (s *Service) TakeRecovery(ctx context.Context, p access.Person, code string) error {
	if err := s.limits.Take(ctx, limitCode.Of(strconv.FormatInt(p.ID, 10))); err != nil {
		return err
	}
	now := s.now()
	n, err := s.q.UseRecoveryCode(ctx, sqlc.UseRecoveryCodeParams{PersonID: p.ID, CodeHash: seal.HashSecret(plainRecovery(code)), Now: &now})
	if err != nil {
		return fmt.Errorf("use a recovery code of person %d: %w", p.ID, err)
	}
	if n == 0 {
		return s.failed(ctx, audit.CodeRefused, p.ID)
	}
	return nil
}

// forgetRecovery deletes the codes of a person who no longer has a second factor.
func forgetRecovery(ctx context.Context, q *sqlc.Queries, personID int64) error {
	f, err := q.FactorsOfPerson(ctx, personID)
	if err != nil {
		return fmt.Errorf("read factors of person %d: %w", personID, err)
	}
	if f.Passkeys > 0 || !db.Known(f.TotpConfirmedAt).IsZero() {
		return nil
	}
	return q.DeleteRecoveryCodes(ctx, personID)
}

// ResetFactors removes the second factor of someone who has lost it: app, passkeys and
// recovery codes. All their sessions end.
func (s *Service) ResetFactors(ctx context.Context, p access.Person) error {
	return s.db.InTx(ctx, func(q *sqlc.Queries) error {
		apps, err := q.DeleteTOTP(ctx, p.ID)
		if err != nil {
			return fmt.Errorf("remove the app of person %d: %w", p.ID, err)
		}
		keys, err := q.DeletePasskeysOfPerson(ctx, p.ID)
		if err != nil {
			return fmt.Errorf("remove passkeys of person %d: %w", p.ID, err)
		}
		if apps+keys == 0 {
			return fault.NotFound
		}
		if err := q.DeleteRecoveryCodes(ctx, p.ID); err != nil {
			return fmt.Errorf("delete recovery codes of person %d: %w", p.ID, err)
		}
		return s.factorChanged(ctx, q, p, 0, audit.FactorRemoved, locale.M("audit.detail.second_step"))
	})
}
