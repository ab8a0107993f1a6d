package signin

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base32"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/session"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
)

// The parameters of authenticator codes: RFC 6238 with every app's defaults.
const (
	totpPeriod = 30 * time.Second
	totpDigits = otp.DigitsSix
	// totpSkew is how many steps a clock may be off, each way.
	totpSkew = 1
)

// setUpWithin is how long setting up an app may take, from the QR code to the first code.
const setUpWithin = time.Hour

var base32Plain = base32.StdEncoding.WithPadding(base32.NoPadding)

// CanTOTP reports whether authenticator apps can be used here.
func (s *Service) CanTOTP() bool { return s.sealer != nil }

// StartTOTP makes an authenticator app's secret, which takes effect once its first code
// is confirmed. fault.Unavailable, and fault.Conflict if the person already has an app.
func (s *Service) StartTOTP(ctx context.Context, p access.Person) error {
	if s.sealer == nil {
		return fault.Unavailable
	}
	secret := make([]byte, 20)
	rand.Read(secret) // never fails
	sealed, keyID := s.sealer.Seal(secret, totpPlace(p.ID))
	t, err := s.q.TOTPOfPerson(ctx, p.ID)
	if err == nil && t.ConfirmedAt != nil {
		return fault.New(fault.Conflict, "", "account.problem.app_there")
	}
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf("look for the app of person %d: %w", p.ID, err)
	}
	err = s.q.StartTOTP(ctx, sqlc.StartTOTPParams{PersonID: p.ID, SecretSealed: sealed, KeyID: keyID, CreatedAt: s.now()})
	if err != nil {
		return fmt.Errorf("start an app for person %d: %w", p.ID, err)
	}
	return nil
}

// TOTPSetup is what an app needs to know.
type TOTPSetup struct {
	// Secret is for typing, URL (otpauth://) for the QR code.
	Secret, URL string
}

// SetupTOTP returns the secret that StartTOTP made, until it is confirmed and for at most
// an hour. fault.NotFound.
func (s *Service) SetupTOTP(ctx context.Context, p access.Person, issuer string) (TOTPSetup, error) {
	t, secret, err := s.totp(ctx, p.ID)
	if err != nil {
		return TOTPSetup{}, err
	}
	if t.ConfirmedAt != nil || s.now().Sub(t.CreatedAt) >= setUpWithin {
		return TOTPSetup{}, fault.NotFound
	}
	text := base32Plain.EncodeToString(secret)
	issuer = strings.ReplaceAll(issuer, ":", " ") // apps split issuer and account at a colon
	q := url.Values{"secret": {text}, "issuer": {issuer}}
	u := url.URL{Scheme: "otpauth", Host: "totp", Path: "/" + issuer + ":" + p.Email, RawQuery: strings.ReplaceAll(q.Encode(), "+", "%20")}
	return TOTPSetup{Secret: text, URL: u.String()}, nil
}

func (s *Service) totp(ctx context.Context, personID int64) (sqlc.Totp, []byte, error) {
	t, err := s.q.TOTPOfPerson(ctx, personID)
	if err != nil {
		return sqlc.Totp{}, nil, db.Absent(err, fault.NotFound, "look for the app of person %d", personID)
	}
	if s.sealer == nil {
		return sqlc.Totp{}, nil, fault.Unavailable
	}
	secret, err := s.sealer.Open(t.SecretSealed, t.KeyID, totpPlace(personID))
	if err != nil {
		return sqlc.Totp{}, nil, fmt.Errorf("secret of the app of person %d: %w", personID, err)
	}
	return t, secret, nil
}

// stepOf returns the time step that a code belongs to, among those valid now.
func stepOf(secret []byte, code string, now time.Time) (int64, bool) {
	code = strings.Join(strings.FieldsFunc(code, func(r rune) bool { return r == ' ' || r == '-' || r == '\u00a0' }), "")
	text, at, found := base32Plain.EncodeToString(secret), now.Unix()/int64(totpPeriod/time.Second), int64(-1)
	for step := at - totpSkew; step <= at+totpSkew; step++ {
		want, err := hotp.GenerateCodeCustom(text, uint64(step), hotp.ValidateOpts{Digits: totpDigits, Algorithm: otp.AlgorithmSHA1})
		if err == nil && subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 {
			found = step
		}
	}
	return found, found >= 0
}

// ConfirmTOTP turns the app on with its first code and returns new recovery codes, which
// aren't shown again. All the person's other sessions end; keep stays.
// fault.Denied, fault.NotFound, fault.TooMany.
func (s *Service) ConfirmTOTP(ctx context.Context, p access.Person, code string, keep int64) (recovery []string, err error) {
	if err := s.limits.Take(ctx, limitCode.Of(strconv.FormatInt(p.ID, 10))); err != nil {
		return nil, err
	}
	_, secret, err := s.totp(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	step, ok := stepOf(secret, code, s.now())
	if !ok {
		return nil, fault.Denied
	}
	now := s.now()
	err = s.db.InTx(ctx, func(q *sqlc.Queries) error {
		n, err := q.ConfirmTOTP(ctx, sqlc.ConfirmTOTPParams{PersonID: p.ID, Now: &now, Step: step, Since: now.Add(-setUpWithin)})
		if err := db.Touched(n, err, "confirm the app of person %d", p.ID); err != nil {
			return err
		}
		if recovery, err = newRecovery(ctx, q, p.ID); err != nil {
			return err
		}
		return s.factorChanged(ctx, q, p, keep, audit.FactorAdded, locale.M("audit.detail.app"))
	})
	return recovery, err
}

// factorChanged ends the sessions that began with the old factors, and records the change.
func (s *Service) factorChanged(ctx context.Context, q *sqlc.Queries, p access.Person, keep int64, action audit.Action, what locale.Message) error {
	if _, err := session.EndOthersIn(ctx, q, p.ID, keep); err != nil {
		return err
	}
	return s.log.RecordIn(ctx, q, audit.Event{Action: action, Subject: p.Email, Details: locale.Sentences{what}})
}

// TakeCode checks an authenticator code as the second step, after the right password. Each
// code works once. fault.Denied, fault.TooMany.
func (s *Service) TakeCode(ctx context.Context, p access.Person, code string) error {
	if err := s.limits.Take(ctx, limitCode.Of(strconv.FormatInt(p.ID, 10))); err != nil {
		return err
	}
	_, secret, err := s.totp(ctx, p.ID)
	if errors.Is(err, fault.NotFound) {
		return s.failed(ctx, audit.CodeRefused, p.ID)
	}
	if err != nil {
		return err
	}
	step, ok := stepOf(secret, code, s.now())
	if !ok {
		return s.failed(ctx, audit.CodeRefused, p.ID)
	}
	n, err := s.q.TakeTOTPStep(ctx, sqlc.TakeTOTPStepParams{PersonID: p.ID, Step: step})
	if err != nil {
		return fmt.Errorf("take a code of person %d: %w", p.ID, err)
	}
	if n == 0 { // already used, older than one that was, or of an app that isn't confirmed
		return s.failed(ctx, audit.CodeRefused, p.ID)
	}
	return nil
}

// RemoveTOTP removes the app. fault.NotFound.
func (s *Service) RemoveTOTP(ctx context.Context, p access.Person, keep int64) error {
	return s.db.InTx(ctx, func(q *sqlc.Queries) error {
		n, err := q.DeleteTOTP(ctx, p.ID)
		if err := db.Touched(n, err, "remove the app of person %d", p.ID); err != nil {
			return err
		}
		if err := forgetRecovery(ctx, q, p.ID); err != nil {
			return err
		}
		return s.factorChanged(ctx, q, p, keep, audit.FactorRemoved, locale.M("audit.detail.app"))
	})
}
