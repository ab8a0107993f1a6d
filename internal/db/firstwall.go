package db

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/storeglass/storeglass/internal/report"
)

// TakeFirstWall turns off the first wall, for the one test that checks whether the second is
// enough on its own. Stores are then looked up through owner. A program has no testing.TB.
func (d *DB) TakeFirstWall(_ testing.TB, owner *pgxpool.Pool) {
	d.finder = owner
}

// behindFirstWall gives the visit as it is: what the grants hold, and no more. Where the
// first wall was taken away, every scope is every store's, and a store named in the
// address is found for everyone. Of that store nothing but the id is looked up, so that
// whatever else an answer holds came through the second wall.
func (d *DB) behindFirstWall(ctx context.Context, v Visit, slug string) (Visit, error) {
	if d.finder == nil {
		return v, nil
	}
	v.Scope = Scope{every: true}
	v.store = nil
	if slug == "" {
		return v, nil
	}
	var id int64
	err := d.finder.QueryRow(ctx, `select id from stores where slug = $1`, slug).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return v, nil
	}
	if err != nil {
		return v, fmt.Errorf("look for store %q: %w", slug, err)
	}
	v.store = &ScopedStore{
		id: id, location: time.UTC, HistoryDays: 90,
		Store: report.Store{Slug: slug, Name: "A store", Timezone: "UTC", Currency: "USD"},
	}
	return v, nil
}
