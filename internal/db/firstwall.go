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

// TakeFirstWall turns off the first wall, for the one test that checks that the second suffices on its
// own. Stores are then looked up through owner. The testing.TB parameter keeps programs from calling
// it.
func (d *DB) TakeFirstWall(_ testing.TB, owner *pgxpool.Pool) {
	d.finder = owner
}

// behindFirstWall returns the visit unchanged, limited to what the grants allow. If the first wall was
// turned off, every scope includes every store, and anyone finds a store named in the URL. Only that
// store's id is looked up, so everything else in an answer has passed the second wall.
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
