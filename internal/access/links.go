package access

import (
	"context"
	"fmt"
	"time"

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
func (a *Access) CreateLink(ctx context.Context, p Person, ttl time.Duration) (secret string, expires time.Time, err error) {
	if p.Disabled {
		return "", time.Time{}, fmt.Errorf("%s: %w", p.Email, errDisabled())
	}
	if ttl <= 0 {
		ttl = LinkLife
	}
	secret, expires = seal.NewSecret(), a.now().Add(ttl)
	err = a.db.InTx(ctx, func(q *sqlc.Queries) error {
		if err := a.insertLink(ctx, q, secret, linkSignIn, p.ID, maker(ctx), expires); err != nil {
			return err
		}
		return a.log.RecordIn(ctx, q, audit.Event{Action: audit.SignInLink, Subject: p.Email})
	})
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
func (a *Access) CheckLink(ctx context.Context, secret string) error {
	_, err := a.checkLink(ctx, secret, linkSignIn)
	return err
}

// UseLink uses the link up and returns who signs in; of several simultaneous uses only
// one succeeds. fault.NotFound for the others, and for links that are expired, unknown
// or belong to a disabled person. Someone who signs in for the first time joins.
func (a *Access) UseLink(ctx context.Context, secret string) (p Person, err error) {
	if !seal.IsSecret(secret) {
		return Person{}, fault.NotFound
	}
	err = a.db.InTx(ctx, func(q *sqlc.Queries) error {
		if p, err = a.spend(ctx, q, secret, linkSignIn); err != nil {
			return err
		}
		p.Joined = true
		return q.MarkJoined(ctx, sqlc.MarkJoinedParams{ID: p.ID, Now: a.now()})
	})
	return p, err
}

// insertLink stores the hash of a one-time link's secret; by nil means nobody.
func (a *Access) insertLink(ctx context.Context, q *sqlc.Queries, secret, purpose string, personID int64, by *int64, expires time.Time) error {
	return q.InsertLink(ctx, sqlc.InsertLinkParams{
		TokenHash: seal.HashSecret(secret), PersonID: personID, ExpiresAt: expires, Purpose: purpose, CreatedBy: by, CreatedAt: a.now(),
	})
}

func errDisabled() error { return fault.New(fault.Conflict, "", "person.problem.disabled") }
