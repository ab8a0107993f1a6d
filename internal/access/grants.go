package access

import (
	"context"
	"fmt"

	"github.com/storeglass/storeglass/internal/db"
)

// GrantPerson lets a person see the store of that slug, or AllStores. Granting
// twice changes nothing. ErrNoStore.
func (a *Access) GrantPerson(ctx context.Context, personID int64, slug string) error {
	return grantPerson(ctx, a.q, personID, slug)
}

func grantPerson(ctx context.Context, q *db.Queries, personID int64, slug string) error {
	if slug == AllStores {
		if err := q.GrantPersonEveryStore(ctx, personID); err != nil {
			return fmt.Errorf("grant every store to person %d: %w", personID, err)
		}
		return nil
	}
	n, err := q.GrantPerson(ctx, db.GrantPersonParams{PersonID: personID, Slug: slug})
	if err != nil {
		return fmt.Errorf("grant store %s to person %d: %w", slug, personID, err)
	}
	if n == 0 {
		return storeMustExist(ctx, q, slug)
	}
	return nil
}

// grantGroup lets a person see the stores of the group. ErrNoGroup.
func grantGroup(ctx context.Context, q *db.Queries, personID, groupID int64) error {
	n, err := q.GrantPersonGroup(ctx, db.GrantPersonGroupParams{PersonID: personID, GroupID: groupID})
	if err != nil {
		return fmt.Errorf("grant group %d to person %d: %w", groupID, personID, err)
	}
	if n > 0 {
		return nil
	}
	ok, err := q.GroupExists(ctx, groupID)
	if err != nil {
		return fmt.Errorf("look for group %d: %w", groupID, err)
	}
	if !ok {
		return fmt.Errorf("group %d: %w", groupID, ErrNoGroup)
	}
	return nil
}

// RevokePerson takes that grant back; it reports whether there was one. A
// person with AllStores keeps seeing a store whose single grant is revoked.
func (a *Access) RevokePerson(ctx context.Context, personID int64, slug string) (bool, error) {
	var n int64
	var err error
	if slug == AllStores {
		n, err = a.q.RevokePersonEveryStore(ctx, personID)
	} else {
		n, err = a.q.RevokePerson(ctx, db.RevokePersonParams{PersonID: personID, Slug: slug})
	}
	if err != nil {
		return false, fmt.Errorf("revoke store %s from person %d: %w", slug, personID, err)
	}
	return n > 0, nil
}

func storeMustExist(ctx context.Context, q *db.Queries, slug string) error {
	ok, err := q.StoreExists(ctx, slug)
	if err != nil {
		return fmt.Errorf("look for store %s: %w", slug, err)
	}
	if !ok {
		return fmt.Errorf("%s: %w", slug, ErrNoStore)
	}
	return nil
}
