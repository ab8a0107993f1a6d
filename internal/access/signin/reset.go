package signin

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/limit"
	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fault"
)

// ResetLife is how long a password reset link works.
const ResetLife = 30 * time.Minute

// TakeReset counts a request for a password reset, for any address. device is as in [Try].
// fault.TooMany.
func (s *Service) TakeReset(ctx context.Context, email string, from netip.Addr, device string) error {
	tries := append(limitResetFrom.From(from), limitReset.Of(account(email)), limit.Overall.Of(forResets))
	if s.DeviceKnows(device, email) {
		tries = []limit.Try{limitReset.Of(hashOf(device)), limit.Overall.Of(forKnown)}
	}
	if err := s.limits.Take(ctx, tries...); err != nil {
		return err
	}
	return s.log.Record(ctx, audit.Event{Action: audit.ResetAsked, Actor: audit.Actor{Kind: audit.ActorNobody}})
}

// ResetLink makes the secret of a password reset link for the person with that address;
// the previous one no longer works. fault.NotFound also if the person is disabled or hasn't
// accepted the invitation: callers mustn't reveal which.
func (s *Service) ResetLink(ctx context.Context, email string) (p access.Person, secret string, err error) {
	secret = seal.NewSecret()
	err = s.db.InTx(ctx, func(q *sqlc.Queries) error {
		found, err := q.PersonByEmail(ctx, access.FoldAddress(email))
		if errors.Is(err, pgx.ErrNoRows) || err == nil && (found.DisabledAt != nil || found.JoinedAt == nil) {
			return fault.Missing("person")
		}
		if err != nil {
			return err
		}
		p = access.PersonOf(found)
		if _, err := q.DeleteLinksOfPurpose(ctx, sqlc.DeleteLinksOfPurposeParams{PersonID: p.ID, Purpose: linkReset}); err != nil {
			return err
		}
		return s.insertLink(ctx, q, secret, linkReset, p.ID, nil, s.now().Add(ResetLife))
	})
	if err != nil {
		return access.Person{}, "", fmt.Errorf("make a link for a new password: %w", err)
	}
	return p, secret, nil
}

// CheckReset returns whose password the link resets, without using it up. fault.NotFound.
func (s *Service) CheckReset(ctx context.Context, secret string) (access.Person, error) {
	r, err := s.checkLink(ctx, secret, linkReset)
	return access.PersonOf(r.Person), err
}

func (s *Service) checkLink(ctx context.Context, secret, purpose string) (sqlc.LinkUsableRow, error) {
	if !seal.IsSecret(secret) {
		return sqlc.LinkUsableRow{}, fault.NotFound
	}
	r, err := s.q.LinkUsable(ctx, sqlc.LinkUsableParams{TokenHash: seal.HashSecret(secret), Purpose: purpose, Now: s.now()})
	return r, db.Absent(err, fault.NotFound, "look for %s link", purpose)
}

// spend uses the link up, in the same transaction as the action it is for. fault.NotFound.
func (s *Service) spend(ctx context.Context, q *sqlc.Queries, secret, purpose string) (access.Person, error) {
	now := s.now()
	p, err := q.UseLink(ctx, sqlc.UseLinkParams{TokenHash: seal.HashSecret(secret), Purpose: purpose, Now: now})
	return access.PersonOf(p), db.Absent(err, fault.NotFound, "use %s link", purpose)
}

// ResetPassword uses the link up and sets the password; all of the person's sessions and
// links end. If the password is rejected, the link still works. fault.NotFound,
// fault.Invalid.
func (s *Service) ResetPassword(ctx context.Context, secret, password string) (access.Person, error) {
	p, err := s.CheckReset(ctx, secret)
	if err != nil {
		return access.Person{}, err
	}
	hash, err := s.newHash(ctx, p, password)
	if err != nil {
		return access.Person{}, err
	}
	err = s.db.InTx(ctx, func(q *sqlc.Queries) error {
		if p, err = s.spend(ctx, q, secret, linkReset); err != nil {
			return err
		}
		return s.setPassword(ctx, q, p, hash, 0, audit.PasswordReset)
	})
	return p, err
}

// AcceptInvitation uses the invitation up, sets the person's name and password, and
// marks them as joined. If either is rejected, the invitation still works. fault.NotFound,
// fault.Invalid.
func (s *Service) AcceptInvitation(ctx context.Context, secret, name, password string) (access.Person, error) {
	name, err := access.CleanPersonName(name)
	if err != nil {
		return access.Person{}, err
	}
	invitation, err := s.CheckInvitation(ctx, secret)
	if err != nil {
		return access.Person{}, err
	}
	p := invitation.Person
	p.Name = name // the new name isn't allowed in the password either
	hash, err := s.newHash(ctx, p, password)
	if err != nil {
		return access.Person{}, err
	}
	err = s.db.InTx(ctx, func(q *sqlc.Queries) error {
		if p, err = s.spend(ctx, q, secret, linkInvitation); err != nil {
			return err
		}
		if p, err = s.join(ctx, q, p, name); err != nil {
			return err
		}
		return s.setPassword(ctx, q, p, hash, 0, audit.PasswordChanged)
	})
	return p, err
}

// join marks an invited person as joined. fault.NotFound when they already have.
func (s *Service) join(ctx context.Context, q *sqlc.Queries, p access.Person, name string) (access.Person, error) {
	now := s.now()
	n, err := q.JoinPerson(ctx, sqlc.JoinPersonParams{ID: p.ID, Name: name, Now: &now})
	if err != nil {
		return access.Person{}, fmt.Errorf("join person %d: %w", p.ID, err)
	}
	if n == 0 {
		return access.Person{}, fault.NotFound
	}
	p.Name, p.Joined = name, true
	return p, s.log.RecordIn(ctx, q, audit.Event{Action: audit.PersonJoined, Actor: p.Actor(), Subject: p.Email})
}
