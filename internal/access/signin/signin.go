// Package signin is every way in: passwords, second steps, passkeys, single sign-on,
// one-time links, invitations and the first account. It never decides what someone who is in
// may see.
package signin

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/limit"
	"github.com/storeglass/storeglass/internal/access/password"
	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/access/session"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fault"
)

// Service signs people in, with what a database holds about them.
type Service struct {
	people    *access.Access
	db        *db.DB
	q         *sqlc.Queries
	now       func() time.Time
	sealer    *seal.Sealer
	passwords *password.Hasher
	limits    *limit.Limits
	log       *audit.Log
}

// New uses the database d and the clock now. The sealer encrypts people's secrets and signs
// the tokens of known browsers; without it nobody can use an authenticator app.
func New(d *db.DB, now func() time.Time, sealer *seal.Sealer, passwords *password.Hasher) *Service {
	return &Service{access.New(d, now), d, d.Queries(), now, sealer, passwords, limit.New(d, now), audit.New(d, now)}
}

// Try is one attempt to sign in with a password.
type Try struct {
	Email, Password string
	// From is the client's address.
	From netip.Addr
	// Device is what DeviceToken gave this browser at an earlier sign-in; it may be empty.
	Device string
}

// ByPassword returns the person with this address and password. It is only the first step
// if their Factors say so. A wrong password costs the same as an unknown address: one
// attempt, one query, one hash. fault.Denied, fault.TooMany.
func (s *Service) ByPassword(ctx context.Context, t Try) (access.Person, error) {
	tries := append(limit.Address.From(t.From), limitAccount.Of(account(t.Email)), limit.Overall.Of(forPasswords))
	if s.DeviceKnows(t.Device, t.Email) {
		tries = []limit.Try{limitDevice.Of(hashOf(t.Device)), limit.Overall.Of(forKnown)}
	}
	if err := s.limits.Take(ctx, tries...); err != nil {
		return access.Person{}, err
	}
	r, err := s.q.SignInByEmail(ctx, access.FoldAddress(t.Email))
	if err != nil {
		return access.Person{}, fmt.Errorf("find who signs in: %w", err)
	}
	match, stale, err := s.passwords.Match(ctx, r.Hash, t.Password)
	if err != nil {
		return access.Person{}, err
	}
	if !match {
		return access.Person{}, s.failed(ctx, audit.SignInFailed, r.PersonID)
	}
	p := access.Person{ID: r.PersonID, Email: r.Email, Name: r.Name, Role: access.Role(r.Role), Joined: r.Joined}
	if stale {
		if err := s.rehash(ctx, p.ID, r.Hash, t.Password); err != nil {
			return access.Person{}, err
		}
	}
	return p, nil
}

// failed counts a failed sign-in against the person's account (0 for none) and returns
// fault.Denied. Both cases cost the same.
func (s *Service) failed(ctx context.Context, action audit.Action, personID int64) error {
	if err := s.log.Record(ctx, audit.Event{Action: action, Actor: audit.Actor{Kind: audit.ActorNobody}, PersonID: personID}); err != nil {
		return err
	}
	return fault.Denied
}

// Limited counts a request that was rejected for too many attempts.
func (s *Service) Limited(ctx context.Context) error {
	return s.log.Record(ctx, audit.Event{Action: audit.SignInLimited, Actor: audit.Actor{Kind: audit.ActorNobody}})
}

// rehash stores the same password's hash with today's costs.
func (s *Service) rehash(ctx context.Context, personID int64, before, password string) error {
	hash, err := s.passwords.Hash(ctx, password)
	if err != nil {
		return err
	}
	if err := s.q.RehashPassword(ctx, sqlc.RehashPasswordParams{PersonID: personID, Before: before, Hash: hash}); err != nil {
		return fmt.Errorf("keep new hash of person %d: %w", personID, err)
	}
	return nil
}

// ConfirmPassword returns fault.Denied if this isn't the signed-in person's password.
// fault.TooMany.
func (s *Service) ConfirmPassword(ctx context.Context, p access.Person, password string) error {
	if err := s.limits.Take(ctx, limitConfirm.Of(strconv.FormatInt(p.ID, 10)), limit.Overall.Of(forKnown)); err != nil {
		return err
	}
	hash, err := s.q.PasswordOfPerson(ctx, p.ID)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf("look for the password of person %d: %w", p.ID, err)
	}
	match, _, err := s.passwords.Match(ctx, hash, password)
	if err != nil {
		return err
	}
	if !match {
		return s.failed(ctx, audit.SignInFailed, p.ID)
	}
	return nil
}

// SetPassword sets or changes the person's password and ends all their other sessions and
// links; keep is the session that stays. It checks the password first.
// fault.Invalid.
func (s *Service) SetPassword(ctx context.Context, p access.Person, password string, keep int64) error {
	hash, err := s.newHash(ctx, p, password)
	if err != nil {
		return err
	}
	return s.db.InTx(ctx, func(q *sqlc.Queries) error { return s.setPassword(ctx, q, p, hash, keep, audit.PasswordChanged) })
}

// newHash checks the person's new password, and hashes it. fault.Invalid.
func (s *Service) newHash(ctx context.Context, p access.Person, typed string) (string, error) {
	if err := password.Check(typed, p.Email, p.Name); err != nil {
		return "", err
	}
	return s.passwords.Hash(ctx, typed)
}

func (s *Service) setPassword(ctx context.Context, q *sqlc.Queries, p access.Person, hash string, keep int64, action audit.Action) error {
	if err := q.SetPassword(ctx, sqlc.SetPasswordParams{PersonID: p.ID, Hash: hash, SetAt: s.now()}); err != nil {
		return fmt.Errorf("set password of person %d: %w", p.ID, err)
	}
	if err := q.MarkJoined(ctx, sqlc.MarkJoinedParams{ID: p.ID, Now: s.now()}); err != nil {
		return fmt.Errorf("note that person %d has come: %w", p.ID, err)
	}
	if err := q.DeleteSignInLinksOfPerson(ctx, p.ID); err != nil {
		return fmt.Errorf("delete links of person %d: %w", p.ID, err)
	}
	if _, err := session.EndOthersIn(ctx, q, p.ID, keep); err != nil {
		return err
	}
	return s.log.RecordIn(ctx, q, audit.Event{Action: action, Subject: p.Email})
}

// Factors are the ways in which someone can sign in.
type Factors struct {
	// PasswordSet and TOTPSince are when each was set up; zero for what they don't have.
	PasswordSet, TOTPSince time.Time
	Passkeys, Identities   int
	// RecoveryCodes is how many are left.
	RecoveryCodes int
}

// Password reports whether they have one.
func (f Factors) Password() bool { return !f.PasswordSet.IsZero() }

// TOTP reports whether an authenticator app is asked for.
func (f Factors) TOTP() bool { return !f.TOTPSince.IsZero() }

// Second reports whether a password or a link is only the first step.
func (f Factors) Second() bool { return f.TOTP() || f.Passkeys > 0 }

// FactorsOf returns how a person can sign in. fault.NotFound when they are disabled
// or deleted.
func (s *Service) FactorsOf(ctx context.Context, personID int64) (Factors, error) {
	r, err := s.q.FactorsOfPerson(ctx, personID)
	if err != nil {
		return Factors{}, db.Absent(err, fmt.Errorf("person %d: %w", personID, fault.Missing("person")), "read factors of person %d", personID)
	}
	return Factors{
		PasswordSet: db.Known(r.PasswordSetAt), TOTPSince: db.Known(r.TotpConfirmedAt),
		Passkeys: int(r.Passkeys), Identities: int(r.Identities), RecoveryCodes: int(r.RecoveryCodes),
	}, nil
}
