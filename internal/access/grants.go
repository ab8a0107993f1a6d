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
// AllStores still sees a store whose single grant is revoked.
func (a *Access) RevokePerson(ctx context.Context, personID int64, slug string) (had bool, err error) {
	err = a.WithPerson(ctx, personID, func(q *sqlc.Queries, p Person) error {
		var n int64
		var err error
		if slug == AllStores {
			n, err = q.RevokePersonEveryStore(ctx, personID)
		} else {
			n, err = q.RevokePerson(ctx, sqlc.RevokePersonParams{PersonID: personID, Slug: slug})
		}
		if err != nil {
			return fmt.Errorf("revoke store %s from person %d: %w", slug, personID, err)
		}
		if had = n > 0; !had {
			return nil
		}
		return a.log.RecordIn(ctx, q, storeGrant(audit.GrantTaken, p, slug))
	})
	return had, err
}

// RevokePersonGroup is RevokePerson for a group's stores. fault.NotFound.
func (a *Access) RevokePersonGroup(ctx context.Context, personID, groupID int64) (had bool, err error) {
	err = a.WithPerson(ctx, personID, func(q *sqlc.Queries, p Person) error {
		g, err := GroupByID(ctx, q, groupID)
		if err != nil {
			return err
		}
		n, err := q.RevokePersonGroup(ctx, sqlc.RevokePersonGroupParams{PersonID: personID, GroupID: groupID})
		if err != nil {
			return fmt.Errorf("revoke group %d from person %d: %w", groupID, personID, err)
		}
		if had = n > 0; !had {
			return nil
		}
		return a.log.RecordIn(ctx, q, audit.Event{Action: audit.GrantTaken, Subject: p.Email, Details: locale.Sentences{locale.M("audit.detail.group", "name", g.Name)}})
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

func storeGrant(action audit.Action, p Person, slug string) audit.Event {
	if slug == AllStores {
		return audit.Event{Action: action, Subject: p.Email, Details: locale.Sentences{locale.M("audit.detail.every_store")}}
	}
	return audit.Event{Action: action, Subject: p.Email, Store: slug}
}

// GrantIn is GrantPerson within a transaction, for a person who was read in it.
func (a *Access) GrantIn(ctx context.Context, q *sqlc.Queries, p Person, slug string) error {
	var n int64
	var err error
	if slug == AllStores {
		n, err = q.GrantEveryStore(ctx, sqlc.GrantEveryStoreParams{PersonID: &p.ID})
	} else {
		n, err = q.GrantStore(ctx, sqlc.GrantStoreParams{PersonID: &p.ID, Slug: slug})
	}
	if err != nil {
		return fmt.Errorf("grant store %s to %s: %w", slug, p.Email, err)
	}
	if n > 0 {
		return a.log.RecordIn(ctx, q, storeGrant(audit.GrantGiven, p, slug))
	}
	if slug == AllStores {
		return nil
	}
	return StoreMustExist(ctx, q, slug)
}

// GrantGroupIn is GrantPersonGroup within a transaction.
func (a *Access) GrantGroupIn(ctx context.Context, q *sqlc.Queries, p Person, groupID int64) error {
	g, err := GroupByID(ctx, q, groupID)
	if err != nil {
		return err
	}
	n, err := q.GrantGroup(ctx, sqlc.GrantGroupParams{PersonID: &p.ID, GroupID: groupID})
	if err != nil {
		return fmt.Errorf("grant group %d to %s: %w", groupID, p.Email, err)
	}
	if n == 0 {
		return nil
	}
	return a.log.RecordIn(ctx, q, audit.Event{Action: audit.GrantGiven, Subject: p.Email, Details: locale.Sentences{locale.M("audit.detail.group", "name", g.Name)}})
}
