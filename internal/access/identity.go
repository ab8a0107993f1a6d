package access

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
)

// PersonBySSO finds the person behind a provider's identity. On first sign-in it matches
// an address that the provider has verified, and an invited person joins. It never adds
// anyone. fault.NotFound, fault.Denied, and fault.Conflict if the account is connected to a
// different identity.
func (a *Access) PersonBySSO(ctx context.Context, id SSOIdentity) (p Person, err error) {
	err = a.db.InTx(ctx, func(q *sqlc.Queries) error {
		found, err := q.PersonByIdentity(ctx, sqlc.PersonByIdentityParams{Issuer: id.Issuer, Subject: id.Subject})
		if errors.Is(err, pgx.ErrNoRows) {
			p, err = a.firstSSO(ctx, q, id)
		} else if p = PersonOf(found); err == nil && p.Disabled {
			err = SSOError(fault.Denied, "nobody")
		}
		if err != nil {
			return err
		}
		now := a.now()
		return q.UseIdentity(ctx, sqlc.UseIdentityParams{Issuer: id.Issuer, Subject: id.Subject, Email: id.Email, Now: &now})
	})
	if db.Taken(err) {
		err = SSOError(fault.Conflict, "taken")
	}
	if err == nil {
		return p, nil
	}
	if refusal, ok := fault.As(err); ok {
		about, err := a.q.PersonByEmail(ctx, foldEmail(id.Email))
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return Person{}, fmt.Errorf("look whom single sign-on was about: %w", err)
		}
		if err := a.failed(ctx, audit.SSORefused, about.ID); !errors.Is(err, fault.Denied) {
			return Person{}, err
		}
		return Person{}, refusal
	}
	return Person{}, fmt.Errorf("find who came by single sign-on: %w", err)
}

// firstSSO connects the identity to the person with the same address.
func (a *Access) firstSSO(ctx context.Context, q *sqlc.Queries, id SSOIdentity) (Person, error) {
	if !id.Verified || id.Email == "" {
		return Person{}, SSOError(fault.Denied, "unverified")
	}
	found, err := q.PersonByEmail(ctx, foldEmail(id.Email))
	if errors.Is(err, pgx.ErrNoRows) {
		return Person{}, SSOError(fault.Denied, "nobody")
	}
	if err != nil {
		return Person{}, err
	}
	p := PersonOf(found)
	if p.Disabled {
		return Person{}, SSOError(fault.Denied, "nobody")
	}
	if !p.Joined {
		open, err := q.InvitationOpen(ctx, sqlc.InvitationOpenParams{PersonID: p.ID, Now: a.now()})
		if err != nil {
			return Person{}, err
		}
		if !open {
			return Person{}, SSOError(fault.Denied, "nobody")
		}
		name := p.Name
		if given, err := CleanPersonName(id.Name); err == nil {
			name = given
		}
		if p, err = a.join(ctx, q, p, name); err != nil {
			return Person{}, err
		}
		if err := q.DeleteSignInLinksOfPerson(ctx, p.ID); err != nil {
			return Person{}, err
		}
	}
	return p, a.connect(ctx, q, p, id)
}

// connect stores the person's identity at the provider. fault.Conflict if they already have
// one there: providers reassign addresses to other people.
func (a *Access) connect(ctx context.Context, q *sqlc.Queries, p Person, id SSOIdentity) error {
	others, err := q.IdentitiesOfPerson(ctx, p.ID)
	if err != nil {
		return err
	}
	for _, o := range others {
		if o.Issuer == id.Issuer {
			return SSOError(fault.Conflict, "taken")
		}
	}
	err = q.InsertIdentity(ctx, sqlc.InsertIdentityParams{Issuer: id.Issuer, Subject: id.Subject, PersonID: p.ID, Email: id.Email, CreatedAt: a.now()})
	if err != nil {
		return err
	}
	return a.log.RecordIn(ctx, q, audit.Event{Action: audit.FactorAdded, Actor: p.Actor(), Subject: p.Email, Details: locale.Sentences{locale.M("audit.detail.sso", "issuer", id.Issuer)}})
}

// ConnectSSO lets a signed-in person use the provider too, whatever their address is
// there. Their other sessions end. fault.Conflict when the identity is already connected,
// or when they already have another one at this provider.
func (a *Access) ConnectSSO(ctx context.Context, p Person, id SSOIdentity, keep int64) error {
	err := a.db.InTx(ctx, func(q *sqlc.Queries) error {
		if err := a.connect(ctx, q, p, id); err != nil {
			return err
		}
		_, err := endOthers(ctx, q, p.ID, keep)
		return err
	})
	if db.Taken(err) {
		return SSOError(fault.Conflict, "taken")
	}
	if err != nil {
		return fmt.Errorf("connect person %d with the provider: %w", p.ID, err)
	}
	return nil
}

// Identity is a person's identity at a provider.
type Identity struct {
	Issuer, Subject, Email string
	Added                  time.Time
	// Used is nil for one that has never been used.
	Used *time.Time
}

// IdentitiesOf lists the person's identities at providers.
func (a *Access) IdentitiesOf(ctx context.Context, personID int64) ([]Identity, error) {
	rows, err := a.q.IdentitiesOfPerson(ctx, personID)
	if err != nil {
		return nil, fmt.Errorf("list identities of person %d: %w", personID, err)
	}
	return db.Each(rows, func(r sqlc.Identity) Identity {
		return Identity{r.Issuer, r.Subject, r.Email, r.CreatedAt, r.LastUsedAt}
	}), nil
}

// RemoveIdentity disconnects the person from the provider. fault.NotFound.
func (a *Access) RemoveIdentity(ctx context.Context, p Person, issuer, subject string, keep int64) error {
	return a.db.InTx(ctx, func(q *sqlc.Queries) error {
		_, err := q.DeleteIdentity(ctx, sqlc.DeleteIdentityParams{Issuer: issuer, Subject: subject, PersonID: p.ID})
		if err != nil {
			return db.Absent(err, fault.NotFound, "disconnect person %d", p.ID)
		}
		return a.factorChanged(ctx, q, p, keep, audit.FactorRemoved, locale.M("audit.detail.sso", "issuer", issuer))
	})
}
