package signin

import (
	"context"
	"fmt"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fault"
)

// LinkLife is how long a sign-in link works by default.
const LinkLife = 15 * time.Minute

// Purposes of one-time links. A link works for its own purpose only.
const (
	linkSignIn     = "sign-in"
	linkInvitation = "invitation"
	linkReset      = "reset"
)

// CreateLink makes the secret of a one-time sign-in link; ttl 0 means LinkLife.
// The secret isn't stored and can't be shown again. fault.Conflict.
func (s *Service) CreateLink(ctx context.Context, p access.Person, ttl time.Duration) (secret string, expires time.Time, err error) {
	if p.Disabled {
		return "", time.Time{}, fmt.Errorf("%s: %w", p.Email, errDisabled())
	}
	if ttl <= 0 {
		ttl = LinkLife
	}
	secret, expires = seal.NewSecret(), s.now().Add(ttl)
	err = s.db.InTx(ctx, func(q *sqlc.Queries) error {
		return s.insertLink(ctx, q, secret, linkSignIn, p.ID, maker(ctx), expires)
	}, s.log.Recording(audit.Event{Action: audit.SignInLink, Subject: p.Email}))
	if err != nil {
		return "", time.Time{}, fmt.Errorf("make sign-in link for %s: %w", p.Email, err)
	}
	return secret, expires, nil
}

// maker is the id of the acting person; nil for commands.
func maker(ctx context.Context) *int64 {
	if by := audit.ActorOf(ctx); by.Kind == audit.ActorPerson {
		return &by.ID
	}
	return nil
}

// CheckLink reports whether the link would sign someone in now. It doesn't use the
// link up, because mail scanners open links. fault.NotFound if it wouldn't.
func (s *Service) CheckLink(ctx context.Context, secret string) error {
	_, err := s.checkLink(ctx, secret, linkSignIn)
	return err
}

// UseLink uses the link up and returns who signs in; of several simultaneous uses only
// one succeeds. fault.NotFound for the others, and for links that are expired, unknown
// or belong to a disabled person. Someone who signs in for the first time joins.
func (s *Service) UseLink(ctx context.Context, secret string) (p access.Person, err error) {
	if !seal.IsSecret(secret) {
		return access.Person{}, fault.NotFound
	}
	err = s.db.InTx(ctx, func(q *sqlc.Queries) error {
		if p, err = s.spend(ctx, q, secret, linkSignIn); err != nil {
			return err
		}
		p.Joined = true
		return q.MarkJoined(ctx, sqlc.MarkJoinedParams{ID: p.ID, Now: s.now()})
	})
	return p, err
}

// insertLink stores the hash of a one-time link's secret; by nil means nobody.
func (s *Service) insertLink(ctx context.Context, q *sqlc.Queries, secret, purpose string, personID int64, by *int64, expires time.Time) error {
	return q.InsertLink(ctx, sqlc.InsertLinkParams{
		TokenHash: seal.HashSecret(secret), PersonID: personID, ExpiresAt: expires, Purpose: purpose, CreatedBy: by, CreatedAt: s.now(),
	})
}

func errDisabled() error { return fault.New(fault.Conflict, "", "person.problem.disabled") }
