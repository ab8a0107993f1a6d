package signin

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/session"
	"github.com/storeglass/storeglass/internal/access/sso"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
)

// BySSO finds the person behind a provider's identity. On first sign-in it matches
// an address that the provider has verified, and an invited person joins. It never adds
// anyone. fault.NotFound, fault.Denied, and fault.Conflict if the account is connected to a
// different identity.
func (s *Service) BySSO(ctx context.Context, id sso.Identity) (p access.Person, err error) {
	err = s.db.InTx(ctx, func(q *sqlc.Queries) error {
		found, err := q.PersonByIdentity(ctx, sqlc.PersonByIdentityParams{Issuer: id.Issuer, Subject: id.Subject})
		if errors.Is(err, pgx.ErrNoRows) {
			p, err = s.firstSSO(ctx, q, id)
		} else if p = access.PersonOf(found); err == nil && p.Disabled {
			err = sso.Error(fault.Denied, "nobody")
		}
		if err != nil {
			return err
		}
		now := s.now()
		return q.UseIdentity(ctx, sqlc.UseIdentityParams{Issuer: id.Issuer, Subject: id.Subject, Email: id.Email, Now: &now})
	})
	if db.Taken(err) {
		err = sso.Error(fault.Conflict, "taken")
	}
	if err == nil {
		return p, nil
	}
	if refusal, ok := fault.As(err); ok {
		about, err := s.q.PersonByEmail(ctx, access.FoldAddress(id.Email))
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return access.Person{}, fmt.Errorf("find the person of a single sign-on: %w", err)
		}
		if err := s.failed(ctx, audit.SSORefused, about.ID); !errors.Is(err, fault.Denied) {
			return access.Person{}, err
		}
		return access.Person{}, refusal
	}
	return access.Person{}, fmt.Errorf("find who came by single sign-on: %w", err)
}

// firstSSO connects the identity to the person with the same address.
func (s *Service) firstSSO(ctx context.Context, q *sqlc.Queries, id sso.Identity) (access.Person, error) {
	if !id.Verified {
		return access.Person{}, sso.Error(fault.Denied, "unverified")
	}
	found, err := q.PersonByEmail(ctx, access.FoldAddress(id.Email))
	if errors.Is(err, pgx.ErrNoRows) {
		return access.Person{}, sso.Error(fault.Denied, "nobody")
	}
	if err != nil {
		return access.Person{}, err
	}
	p := access.PersonOf(found)
	if p.Disabled {
		return access.Person{}, sso.Error(fault.Denied, "nobody")
	}
	if !p.Joined {
		open, err := q.InvitationOpen(ctx, sqlc.InvitationOpenParams{PersonID: p.ID, Now: s.now()})
		if err != nil {
			return access.Person{}, err
		}
		if !open {
			return access.Person{}, sso.Error(fault.Denied, "nobody")
		}
		name := p.Name
		if given, err := access.CleanPersonName(id.Name); err == nil {
			name = given
		}
		if p, err = s.join(ctx, q, p, name); err != nil {
			return access.Person{}, err
		}
		if err := q.DeleteSignInLinksOfPerson(ctx, p.ID); err != nil {
			return access.Person{}, err
		}
	}
	return p, s.connect(ctx, q, p, id)
}

// connect stores the person's identity at the provider. fault.Conflict if they already have
// one there: providers reassign addresses to other people.
func (s *Service) connect(ctx context.Context, q *sqlc.Queries, p access.Person, id sso.Identity) error {
	others, err := q.IdentitiesOfPerson(ctx, p.ID)
	if err != nil {
		return err
	}
	for _, o := range others {
		if o.Issuer == id.Issuer {
			return sso.Error(fault.Conflict, "taken")
		}
	}
	err = q.InsertIdentity(ctx, sqlc.InsertIdentityParams{Issuer: id.Issuer, Subject: id.Subject, PersonID: p.ID, Email: id.Email, CreatedAt: s.now()})
	if err != nil {
		return err
	}
	return s.log.RecordIn(ctx, q, audit.Event{Action: audit.FactorAdded, Actor: p.Actor(), Subject: p.Email, Details: locale.Sentences{locale.M("audit.detail.sso", "issuer", id.Issuer)}})
}

// ConnectSSO lets a signed-in person use the provider too, whatever their address is
// there. Their other sessions end. fault.Conflict when the identity is already connected,
// or when they already have another one at this provider.
func (s *Service) ConnectSSO(ctx context.Context, p access.Person, id sso.Identity, keep int64) error {
	err := s.db.InTx(ctx, func(q *sqlc.Queries) error {
		if err := s.connect(ctx, q, p, id); err != nil {
			return err
		}
		_, err := session.EndOthersIn(ctx, q, p.ID, keep)
		return err
	})
	if db.Taken(err) {
		return sso.Error(fault.Conflict, "taken")
	}
	return db.Tried(err, "connect person %d with the provider", p.ID)
}

// Identity is a person's identity at a provider.
type Identity struct {
	Issuer, Subject, Email string
	Added                  time.Time
	// Used is nil for one that has never been used.
	Used *time.Time
}

// IdentitiesOf lists the person's identities at providers.
func (s *Service) IdentitiesOf(ctx context.Context, personID int64) ([]Identity, error) {
	rows, err := s.q.IdentitiesOfPerson(ctx, personID)
	if err != nil {
		return nil, fmt.Errorf("list identities of person %d: %w", personID, err)
	}
	return db.Each(rows, func(r sqlc.Identity) Identity {
		return Identity{r.Issuer, r.Subject, r.Email, r.CreatedAt, r.LastUsedAt}
	}), nil
}

// RemoveIdentity disconnects the person from the provider. fault.NotFound.
func (s *Service) RemoveIdentity(ctx context.Context, p access.Person, issuer, subject string, keep int64) error {
	return s.db.InTx(ctx, func(q *sqlc.Queries) error {
		_, err := q.DeleteIdentity(ctx, sqlc.DeleteIdentityParams{Issuer: issuer, Subject: subject, PersonID: p.ID})
		if err != nil {
			return db.Absent(err, fault.NotFound, "disconnect person %d", p.ID)
		}
		return s.factorChanged(ctx, q, p, keep, audit.FactorRemoved, locale.M("audit.detail.sso", "issuer", issuer))
	})
}
