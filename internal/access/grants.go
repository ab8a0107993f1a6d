package access

import (
	"context"
	"fmt"

	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
)

// Grant is what one grant covers: a store, the stores of a group, or all stores.
type Grant struct {
	StoreID, GroupID *int64
	EveryStore       bool
	// Slug is the store's.
	Slug string
	// Words name it in the audit log.
	Words locale.Message
}

// StoreGrant covers the store with that slug, or AllStores. fault.NotFound.
func StoreGrant(ctx context.Context, q *sqlc.Queries, slug string) (Grant, error) {
	if slug == AllStores {
		return Grant{EveryStore: true, Words: locale.M("audit.detail.every_store")}, nil
	}
	store, err := StoreBySlug(ctx, q, slug)
	return Grant{StoreID: &store.ID, Slug: slug, Words: locale.Text(slug)}, err
}

// GroupGrant covers a group's stores, as they are at each request. fault.NotFound.
func GroupGrant(ctx context.Context, q *sqlc.Queries, id int64) (Grant, error) {
	g, err := q.GroupByID(ctx, id)
	return Grant{GroupID: &id, Words: locale.M("audit.detail.group", "name", g.Name)},
		db.Absent(err, fmt.Errorf("group %d: %w", id, fault.Missing("group")), "find group %d", id)
}

// event is what is recorded when a person gets or loses it.
func (g Grant) event(action audit.Action, p Person) audit.Event {
	if g.Slug != "" {
		return audit.Event{Action: action, Subject: p.Email, Store: g.Slug}
	}
	return audit.Event{Action: action, Subject: p.Email, Details: locale.Sentences{g.Words}}
}

// GrantPerson lets a person see the store with that slug, or AllStores. Granting
// twice changes nothing. fault.NotFound.
func (a *Access) GrantPerson(ctx context.Context, personID int64, slug string) error {
	return a.WithPerson(ctx, personID, func(q *sqlc.Queries, p Person) error { return a.GrantIn(ctx, q, p, slug) })
}

// GrantPersonIn is GrantPerson for one store within a transaction.
func (a *Access) GrantPersonIn(ctx context.Context, q *sqlc.Queries, personID int64, slug string) error {
	p, err := lockPerson(ctx, q, personID)
	if err != nil {
		return err
	}
	return a.GrantIn(ctx, q, p, slug)
}

// GrantPersonGroup lets a person see the group's stores, as they are at each request.
// fault.NotFound.
func (a *Access) GrantPersonGroup(ctx context.Context, personID, groupID int64) error {
	return a.WithPerson(ctx, personID, func(q *sqlc.Queries, p Person) error { return a.GrantGroupIn(ctx, q, p, groupID) })
}

// RevokePerson revokes that grant and reports whether there was one. A person with
// AllStores still sees a store whose single grant is revoked. fault.NotFound.
func (a *Access) RevokePerson(ctx context.Context, personID int64, slug string) (had bool, err error) {
	return a.revoke(ctx, personID, func(q *sqlc.Queries) (Grant, error) { return StoreGrant(ctx, q, slug) })
}

// RevokePersonGroup is RevokePerson for a group's stores. fault.NotFound.
func (a *Access) RevokePersonGroup(ctx context.Context, personID, groupID int64) (had bool, err error) {
	return a.revoke(ctx, personID, func(q *sqlc.Queries) (Grant, error) { return GroupGrant(ctx, q, groupID) })
}

func (a *Access) revoke(ctx context.Context, personID int64, find func(*sqlc.Queries) (Grant, error)) (had bool, err error) {
	err = a.WithPerson(ctx, personID, func(q *sqlc.Queries, p Person) error {
		g, err := find(q)
		if err != nil {
			return err
		}
		n, err := q.TakeGrant(ctx, sqlc.TakeGrantParams{PersonID: personID, StoreID: g.StoreID, GroupID: g.GroupID})
		if had = n > 0; err != nil || !had {
			return db.Tried(err, "revoke a grant of %s", p.Email)
		}
		return a.log.RecordIn(ctx, q, g.event(audit.GrantTaken, p))
	})
	return had, err
}

// WithPerson runs f in a transaction on the locked person. fault.NotFound.
func (a *Access) WithPerson(ctx context.Context, id int64, f func(*sqlc.Queries, Person) error) error {
	return a.db.InTx(ctx, func(q *sqlc.Queries) error {
		p, err := lockPerson(ctx, q, id)
		if err != nil {
			return err
		}
		return f(q, p)
	})
}

// lockPerson finds a person and locks the row until the commit. fault.NotFound.
func lockPerson(ctx context.Context, q *sqlc.Queries, id int64) (Person, error) {
	p, err := q.PersonByIDForUpdate(ctx, id)
	return PersonOf(p), db.Absent(err, fmt.Errorf("person %d: %w", id, fault.Missing("person")), "find person %d", id)
}

// GrantIn is GrantPerson within a transaction, for a person who was read in it.
func (a *Access) GrantIn(ctx context.Context, q *sqlc.Queries, p Person, slug string) error {
	g, err := StoreGrant(ctx, q, slug)
	if err != nil {
		return err
	}
	return a.give(ctx, q, p, g)
}

// GrantGroupIn is GrantPersonGroup within a transaction.
func (a *Access) GrantGroupIn(ctx context.Context, q *sqlc.Queries, p Person, groupID int64) error {
	g, err := GroupGrant(ctx, q, groupID)
	if err != nil {
		return err
	}
	return a.give(ctx, q, p, g)
}

func (a *Access) give(ctx context.Context, q *sqlc.Queries, p Person, g Grant) error {
	n, err := q.GiveGrant(ctx, sqlc.GiveGrantParams{PersonID: &p.ID, StoreID: g.StoreID, GroupID: g.GroupID, EveryStore: g.EveryStore})
	if err != nil || n == 0 {
		return db.Tried(err, "give a grant to %s", p.Email)
	}
	return a.log.RecordIn(ctx, q, g.event(audit.GrantGiven, p))
}
