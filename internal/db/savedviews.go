package db

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/storeglass/storeglass/internal/db/sqlc"
)

// MaxSavedViews is how many views one person may keep.
const MaxSavedViews = 50

// Why a view can't be saved.
var (
	// ErrTooManyViews: the person already has the maximum number.
	ErrTooManyViews = errors.New("too many saved views")
	// ErrNameTaken: another of the person's views has that name.
	ErrNameTaken = errors.New("the name is taken")
)

// SavedViews are the person's views, sorted by name.
func (d *DB) SavedViews(ctx context.Context, person int64) ([]sqlc.SavedView, error) {
	views, err := d.q.SavedViewsOf(ctx, person)
	return views, Tried(err, "read saved views of person %d", person)
}

// SaveView saves a query under a name, replacing any view with that name.
func (d *DB) SaveView(ctx context.Context, person int64, name, query string) (id int64, err error) {
	id, err = d.q.SaveView(ctx, sqlc.SaveViewParams{PersonID: person, Name: name, Query: query, Most: MaxSavedViews})
	return id, Absent(err, ErrTooManyViews, "save view of person %d", person)
}

// RenameView renames one of the person's views.
func (d *DB) RenameView(ctx context.Context, person, id int64, name string) error {
	n, err := d.q.RenameView(ctx, sqlc.RenameViewParams{ID: id, PersonID: person, Name: name})
	if Taken(err) {
		return ErrNameTaken
	}
	return Touched(n, err, "rename view")
}

// OpenView makes one of the person's views the list's default; if open is false, the list starts with
// all stores again.
func (d *DB) OpenView(ctx context.Context, person, id int64, open bool) error {
	return d.InTx(ctx, func(q *sqlc.Queries) error {
		views, err := q.SavedViewsOf(ctx, person)
		if err != nil || !slices.ContainsFunc(views, func(v sqlc.SavedView) bool { return v.ID == id }) {
			return cmp.Or(Tried(err, "find view"), ErrNotFound)
		}
		if err := q.CloseViews(ctx, person); err != nil {
			return fmt.Errorf("close views of person %d: %w", person, err)
		}
		if !open {
			return nil
		}
		n, err := q.OpenView(ctx, sqlc.OpenViewParams{ID: id, PersonID: person})
		return Touched(n, err, "open view")
	})
}

// DeleteView deletes one of the person's views.
func (d *DB) DeleteView(ctx context.Context, person, id int64) error {
	n, err := d.q.DeleteView(ctx, sqlc.DeleteViewParams{ID: id, PersonID: person})
	return Touched(n, err, "delete view")
}
