package signin

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
)

// How long an invitation may last, and the default.
const (
	MinInvitation  = 30 * time.Minute
	MaxInvitation  = 7 * 24 * time.Hour
	InvitationLife = 3 * 24 * time.Hour
)

// Invite says who is invited, and to what.
type Invite struct {
	// Email, Name and Role are as CreatePerson takes them.
	Email, Name string
	Role        access.Role
	// Stores are slugs, or AllStores; Groups are ids. Both may be empty.
	Stores []string
	Groups []int64
	// For is how long the invitation works; 0 is InvitationLife.
	For time.Duration
}

func invitationLife(ttl time.Duration) (time.Duration, error) {
	if ttl = cmp.Or(ttl, InvitationLife); ttl < MinInvitation || ttl > MaxInvitation {
		return 0, fault.New(fault.Invalid, "life", "fault.life")
	}
	return ttl, nil
}

// InvitePerson adds a person with their grants and makes the secret of their
// invitation, all or nothing. The secret isn't stored and can't be shown again.
// fault.Conflict, fault.NotFound, fault.Invalid.
func (s *Service) InvitePerson(ctx context.Context, i Invite) (p access.Person, secret string, expires time.Time, err error) {
	ttl, err := invitationLife(i.For)
	if err != nil {
		return access.Person{}, "", time.Time{}, err
	}
	secret, expires = seal.NewSecret(), s.now().Add(ttl)
	err = s.db.InTx(ctx, func(q *sqlc.Queries) error {
		if p, err = access.CreatePersonIn(ctx, q, i.Email, i.Name, i.Role); err != nil {
			return err
		}
		if err := s.log.RecordIn(ctx, q, audit.Event{Action: audit.PersonInvited, Subject: p.Email, Details: locale.Sentences{locale.M("audit.detail.as_role", "role", p.Role.Message())}}); err != nil {
			return err
		}
		for _, slug := range i.Stores {
			if err := s.people.GrantIn(ctx, q, p, slug); err != nil {
				return err
			}
		}
		for _, id := range i.Groups {
			if err := s.people.GrantGroupIn(ctx, q, p, id); err != nil {
				return err
			}
		}
		return s.insertLink(ctx, q, secret, linkInvitation, p.ID, maker(ctx), expires)
	})
	if err != nil {
		return access.Person{}, "", time.Time{}, fmt.Errorf("invite %s: %w", i.Email, err)
	}
	return p, secret, expires, nil
}

// ReinvitePerson makes a new invitation for someone who hasn't accepted theirs; the
// previous one no longer works. fault.NotFound, fault.Conflict, fault.Invalid.
func (s *Service) ReinvitePerson(ctx context.Context, personID int64, ttl time.Duration) (secret string, expires time.Time, err error) {
	if ttl, err = invitationLife(ttl); err != nil {
		return "", time.Time{}, err
	}
	secret, expires = seal.NewSecret(), s.now().Add(ttl)
	err = s.people.WithPerson(ctx, personID, func(q *sqlc.Queries, p access.Person) error {
		switch {
		case p.Disabled:
			return errDisabled()
		case p.Joined:
			return fault.New(fault.Conflict, "", "person.problem.joined")
		}
		if _, err := q.DeleteLinksOfPurpose(ctx, sqlc.DeleteLinksOfPurposeParams{PersonID: personID, Purpose: linkInvitation}); err != nil {
			return err
		}
		if err := q.NoteAccountMail(ctx, sqlc.NoteAccountMailParams{Address: p.Email}); err != nil { // it was about the earlier link
			return err
		}
		if err := s.insertLink(ctx, q, secret, linkInvitation, personID, maker(ctx), expires); err != nil {
			return err
		}
		return s.log.RecordIn(ctx, q, audit.Event{Action: audit.PersonInvited, Subject: p.Email, Details: locale.Sentences{locale.M("audit.detail.again")}})
	})
	if err != nil {
		return "", time.Time{}, fmt.Errorf("invite person %d again: %w", personID, err)
	}
	return secret, expires, nil
}

// RevokeInvitation revokes the invitation of someone who hasn't accepted it, and deletes
// them and their grants. fault.NotFound, fault.Conflict.
func (s *Service) RevokeInvitation(ctx context.Context, personID int64) error {
	err := s.people.WithPerson(ctx, personID, func(q *sqlc.Queries, p access.Person) error {
		n, err := q.DeleteInvited(ctx, personID)
		if err != nil {
			return err
		}
		if n == 0 {
			return fault.New(fault.Conflict, "", "person.problem.joined")
		}
		return s.log.RecordIn(ctx, q, audit.Event{Action: audit.InvitationWithdrawn, Subject: p.Email})
	})
	return db.Tried(err, "revoke invitation of person %d", personID)
}

// Invitation is an invitation as the invited person sees it.
type Invitation struct {
	Person  access.Person
	Expires time.Time
	// By is the inviting person's name; empty for the command line.
	By string
}

// CheckInvitation returns the invitation without using it up. fault.NotFound when it
// doesn't work, or no longer works.
func (s *Service) CheckInvitation(ctx context.Context, secret string) (Invitation, error) {
	r, err := s.checkLink(ctx, secret, linkInvitation)
	return Invitation{Person: access.PersonOf(r.Person), Expires: r.ExpiresAt, By: r.MadeBy}, err
}
