package access

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
)

// MaxName is the longest name of a group, token or share link, in characters.
const MaxName = 60

// CleanName returns the name as it is stored. fault.Invalid.
func CleanName(name string) (string, error) {
	name = strings.TrimSpace(name)
	if name == "" || utf8.RuneCountInString(name) > MaxName || !utf8.ValidString(name) || strings.ContainsFunc(name, locale.Unshowable) {
		return "", fault.New(fault.Invalid, "name", "fault.name", "n", MaxName)
	}
	return name, nil
}

// Group is the stores of one client, brand or team. A grant for a group covers the stores
// that are in it at each request.
type Group struct {
	ID   int64
	Name string
}

// GroupByName finds a group, ignoring case. fault.NotFound.
func (a *Access) GroupByName(ctx context.Context, name string) (Group, error) {
	g, err := a.q.GroupByName(ctx, strings.TrimSpace(name))
	return Group{ID: g.ID, Name: g.Name}, db.Absent(err, fmt.Errorf("%s: %w", name, fault.Missing("group")), "find group %s", name)
}

// AddGroup creates an empty group. fault.Invalid, fault.Conflict.
func (a *Access) AddGroup(ctx context.Context, name string) (g Group, err error) {
	if name, err = CleanName(name); err != nil {
		return Group{}, err
	}
	err = a.db.InTx(ctx, func(q *sqlc.Queries) error {
		made, err := q.InsertGroup(ctx, name)
		if err != nil {
			return err
		}
		g = Group{ID: made.ID, Name: made.Name}
		return a.log.RecordIn(ctx, q, audit.Event{Action: audit.GroupAdded, Subject: name})
	})
	if db.Taken(err) {
		return Group{}, fmt.Errorf("group %s: %w", name, fault.New(fault.Conflict, "name", "fault.name_taken"))
	}
	return g, db.Tried(err, "make group %s", name)
}

// withGroup runs f in a transaction on the locked group. fault.NotFound.
func (a *Access) withGroup(ctx context.Context, id int64, f func(*sqlc.Queries, Group) error) error {
	return a.db.InTx(ctx, func(q *sqlc.Queries) error {
		g, err := q.GroupByIDForUpdate(ctx, id)
		if err != nil {
			return db.Absent(err, fmt.Errorf("group %d: %w", id, fault.Missing("group")), "find group %d", id)
		}
		return f(q, Group{ID: g.ID, Name: g.Name})
	})
}

// RenameGroup gives a group another name. fault.Invalid, fault.NotFound, fault.Conflict.
func (a *Access) RenameGroup(ctx context.Context, id int64, name string) error {
	name, err := CleanName(name)
	if err != nil {
		return err
	}
	err = a.withGroup(ctx, id, func(q *sqlc.Queries, g Group) error {
		if g.Name == name {
			return nil
		}
		if err := q.RenameGroup(ctx, sqlc.RenameGroupParams{ID: id, Name: name}); err != nil {
			return err
		}
		return a.log.RecordIn(ctx, q, audit.Event{Action: audit.GroupRenamed, Subject: g.Name + " → " + name})
	})
	if db.Taken(err) {
		return fmt.Errorf("group %s: %w", name, fault.New(fault.Conflict, "name", "fault.name_taken"))
	}
	return err
}

// RemoveGroup deletes a group and its grants; its stores stay. Call GroupLosses first
// to see who loses access. fault.NotFound.
func (a *Access) RemoveGroup(ctx context.Context, id int64) error {
	return a.withGroup(ctx, id, func(q *sqlc.Queries, g Group) error {
		if err := q.DeleteGroup(ctx, id); err != nil {
			return fmt.Errorf("delete group %s: %w", g.Name, err)
		}
		return a.log.RecordIn(ctx, q, audit.Event{Action: audit.GroupRemoved, Subject: g.Name})
	})
}

// AddStoreToGroup lets everyone who holds the group see the store with that slug, from
// their next request on. Adding it twice changes nothing. fault.NotFound.
func (a *Access) AddStoreToGroup(ctx context.Context, id int64, slug string) error {
	return a.withGroup(ctx, id, func(q *sqlc.Queries, g Group) error {
		store, err := StoreBySlug(ctx, q, slug)
		if err != nil {
			return err
		}
		n, err := q.AddStoreToGroup(ctx, sqlc.AddStoreToGroupParams{GroupID: id, StoreID: store.ID})
		if err != nil || n == 0 {
			return db.Tried(err, "put store %s into group %s", slug, g.Name)
		}
		return a.log.RecordIn(ctx, q, audit.Event{Action: audit.GroupStoreAdded, Store: slug, Subject: g.Name})
	})
}

// TakeStoreFromGroup removes the store and reports whether it was in the group. fault.NotFound.
func (a *Access) TakeStoreFromGroup(ctx context.Context, id int64, slug string) (had bool, err error) {
	err = a.withGroup(ctx, id, func(q *sqlc.Queries, g Group) error {
		n, err := q.TakeStoreFromGroup(ctx, sqlc.TakeStoreFromGroupParams{GroupID: id, Slug: slug})
		if err != nil {
			return fmt.Errorf("take store %s out of group %s: %w", slug, g.Name, err)
		}
		if had = n > 0; !had {
			return nil
		}
		return a.log.RecordIn(ctx, q, audit.Event{Action: audit.GroupStoreRemoved, Store: slug, Subject: g.Name})
	})
	return had, err
}

// GroupDetail is a group with its stores and its holders.
type GroupDetail struct {
	Group
	// Stores are slugs; StoreNames are their names in the same order.
	Stores, StoreNames []string
	// PersonIDs and PersonNames are the holders who aren't disabled. Admins are included
	// only if they have a grant for the group.
	PersonIDs   []int64
	PersonNames []string
	// Tokens are the names of live API tokens.
	Tokens []string
}

// Groups lists the groups by name.
func (a *Access) Groups(ctx context.Context) ([]GroupDetail, error) { return a.groups(ctx, 0) }

// Group returns one group by id. fault.NotFound.
func (a *Access) Group(ctx context.Context, id int64) (GroupDetail, error) {
	return only(ctx, "group", id, a.groups)
}

func (a *Access) groups(ctx context.Context, id int64) ([]GroupDetail, error) {
	rows, err := a.q.GroupList(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("list groups: %w", err)
	}
	return db.Each(rows, func(r sqlc.GroupListRow) GroupDetail {
		return GroupDetail{
			Group: Group{ID: r.ID, Name: r.Name}, Stores: r.Slugs, StoreNames: r.StoreNames,
			PersonIDs: r.PersonIds, PersonNames: r.PersonNames, Tokens: r.TokenNames,
		}
	}), nil
}

// Loss is what someone would no longer see without a group.
type Loss struct {
	// Name is a person's, or a token's.
	Name  string
	Token bool
	// Stores are slugs; StoreNames are their names in the same order.
	Stores, StoreNames []string
}

// GroupLosses lists who would lose access to which stores if the group were deleted:
// the stores that they see through nothing else.
func (a *Access) GroupLosses(ctx context.Context, id int64) ([]Loss, error) {
	rows, err := a.q.GroupLosses(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("look who holds group %d: %w", id, err)
	}
	return db.Each(rows, func(r sqlc.GroupLossesRow) Loss {
		return Loss{Name: r.Name, Token: r.Token, Stores: r.Slugs, StoreNames: r.StoreNames}
	}), nil
}
