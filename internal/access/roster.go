package access

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
)

// Member is a person with everything that people who manage others may know.
type Member struct {
	Person
	CreatedAt time.Time
	// InvitedUntil is when an open invitation expires; zero when there is none that
	// works. SignedInAt is zero where no sign-in is on record.
	InvitedUntil, SignedInAt time.Time
	// MailProblem is why the last mail about their account wasn't delivered; empty if it was.
	MailProblem locale.Message
	// Password, TOTP, Passkeys and SingleSignOn are their ways to sign in.
	Password, TOTP         bool
	Passkeys, SingleSignOn int
	// StoreNames are the names of Reach.Stores, GroupIDs the ids of Reach.Groups, in the same order.
	StoreNames []string
	GroupIDs   []int64
}

// TwoFactor reports whether one stolen secret isn't enough to sign in.
func (m Member) TwoFactor() bool { return m.TOTP || m.Passkeys > 0 }

// Roster lists everyone, disabled people last.
func (a *Access) Roster(ctx context.Context) ([]Member, error) { return a.roster(ctx, 0) }

// Member returns one person of the roster. fault.NotFound.
func (a *Access) Member(ctx context.Context, personID int64) (Member, error) {
	return only(ctx, "person", personID, a.roster)
}

// only is the one that list finds by its id; 0 would find all. fault.NotFound.
func only[T any](ctx context.Context, what string, id int64, list func(context.Context, int64) ([]T, error)) (one T, err error) {
	if id <= 0 {
		return one, fault.Missing(what)
	}
	found, err := list(ctx, id)
	if err != nil {
		return one, err
	}
	if len(found) == 0 {
		return one, fmt.Errorf("%s %d: %w", what, id, fault.Missing(what))
	}
	return found[0], nil
}

func (a *Access) roster(ctx context.Context, personID int64) ([]Member, error) {
	rows, err := a.q.Roster(ctx, sqlc.RosterParams{Now: a.now(), PersonID: personID})
	if err != nil {
		return nil, fmt.Errorf("list people: %w", err)
	}
	return db.Each(rows, func(r sqlc.RosterRow) Member {
		return Member{
			Person: Person{
				ID: r.ID, Email: r.Email, Name: r.Name, Role: Role(r.Role), Disabled: r.DisabledAt != nil, Joined: r.JoinedAt != nil,
				Reach: Reach{AllStores: r.EveryStore, Stores: r.Slugs, Groups: r.GroupNames},
			},
			CreatedAt: r.CreatedAt, InvitedUntil: db.Known(r.InvitedUntil), SignedInAt: db.Known(r.SignedInAt), MailProblem: r.MailProblem,
			Password: r.HasPassword, TOTP: r.HasTotp, Passkeys: int(r.Passkeys), SingleSignOn: int(r.Identities),
			StoreNames: r.StoreNames, GroupIDs: r.GroupIds,
		}
	}), nil
}

// losing runs f in a transaction on a person who may lose access. It refuses what people
// would do to themselves, and what would leave nobody to manage people. It locks all
// admins until the commit, since two admins could otherwise remove each other's role at
// the same time. fault.NotFound, fault.Conflict.
func (a *Access) losing(ctx context.Context, personID int64, f func(*sqlc.Queries, Person) error) error {
	return a.db.InTx(ctx, func(q *sqlc.Queries) error {
		admins, err := q.LockAdmins(ctx) // before the person: always lock in the same order
		if err != nil {
			return fmt.Errorf("hold the admins: %w", err)
		}
		p, err := lockPerson(ctx, q, personID)
		if err != nil {
			return err
		}
		if by := audit.ActorOf(ctx); by.Kind == audit.ActorPerson && by.ID == p.ID {
			return fmt.Errorf("%s: %w", p.Email, fault.New(fault.Conflict, "", "person.problem.oneself"))
		}
		if len(admins) == 1 && admins[0] == p.ID {
			return fmt.Errorf("%s: %w", p.Email, fault.New(fault.Conflict, "", "person.last_admin"))
		}
		return f(q, p)
	})
}

// SetRole changes a person's role, from their next request on. fault.NotFound,
// fault.Invalid, fault.Conflict.
func (a *Access) SetRole(ctx context.Context, personID int64, role Role) error {
	if !slices.Contains(Roles, role) {
		return fmt.Errorf("%q is not a role: %w", role, fault.New(fault.Invalid, "role", "invite.problem.role"))
	}
	return a.losing(ctx, personID, func(q *sqlc.Queries, p Person) error {
		if p.Role == role {
			return nil
		}
		if err := q.SetRole(ctx, sqlc.SetRoleParams{ID: personID, Role: string(role)}); err != nil {
			return fmt.Errorf("set role of %s: %w", p.Email, err)
		}
		return a.log.RecordIn(ctx, q, audit.Event{Action: audit.RoleChanged, Subject: p.Email, Details: locale.Sentences{locale.M("audit.detail.role", "from", p.Role.Message(), "to", role.Message())}})
	})
}

// EnablePerson lets a disabled person sign in again, with the grants they had.
// fault.NotFound.
func (a *Access) EnablePerson(ctx context.Context, personID int64) error {
	return a.WithPerson(ctx, personID, func(q *sqlc.Queries, p Person) error {
		if !p.Disabled {
			return nil
		}
		if err := q.EnablePerson(ctx, personID); err != nil {
			return fmt.Errorf("enable %s: %w", p.Email, err)
		}
		return a.log.RecordIn(ctx, q, audit.Event{Action: audit.PersonEnabled, Subject: p.Email})
	})
}

// IsLastAdmin reports whether the person is the only admin who can sign in.
func (a *Access) IsLastAdmin(ctx context.Context, personID int64) (bool, error) {
	last, err := a.q.IsLastAdmin(ctx, personID)
	return last, db.Tried(err, "look for other admins")
}
