package db

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/storeglass/storeglass/internal/db/sqlc"
)

// MaxSavedViews is how many views one person may keep.
const MaxSavedViews = 50

// The ways in which a view can't be saved.
var (
	// ErrTooManyViews: the person keeps as many as may be kept.
	ErrTooManyViews = errors.New("too many saved views")
	// ErrNameTaken: another view of the person has the name.
	ErrNameTaken = errors.New("the name is taken")
)

// SavedViews are the person's views by name.
func (d *DB) SavedViews(ctx context.Context, person int64) ([]sqlc.SavedView, error) {
	views, err := d.q.SavedViewsOf(ctx, person)
	if err != nil {
		return nil, fmt.Errorf("read saved views of person %d: %w", person, err)
	}
	return views, nil
}

// SaveView keeps a query under a name, in place of what that name meant.
func (d *DB) SaveView(ctx context.Context, person int64, name, query string) (id int64, err error) {
	id, err = d.q.SaveView(ctx, sqlc.SaveViewParams{PersonID: person, Name: name, Query: query, Most: MaxSavedViews})
	if err != nil {
		return 0, Absent(err, ErrTooManyViews, "save view of person %d", person)
	}
	return id, nil
}

// RenameView gives a view of the person another name.
func (d *DB) RenameView(ctx context.Context, person, id int64, name string) error {
	n, err := d.q.RenameView(ctx, sqlc.RenameViewParams{ID: id, PersonID: person, Name: name})
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok && pg.Code == "23505" { // unique_violation
		return ErrNameTaken
	}
	return touched(n, err, "rename view")
}

// OpenView makes a view of the person the one that the list opens with; open false
// lets it open with all stores.
func (d *DB) OpenView(ctx context.Context, person, id int64, open bool) error {
	return d.InTx(ctx, func(q *sqlc.Queries) error {
		if _, err := q.SavedView(ctx, sqlc.SavedViewParams{ID: id, PersonID: person}); err != nil {
			return Absent(err, ErrNotFound, "find view")
		}
		if err := q.CloseViews(ctx, person); err != nil {
			return fmt.Errorf("close views of person %d: %w", person, err)
		}
		if !open {
			return nil
		}
		n, err := q.OpenView(ctx, sqlc.OpenViewParams{ID: id, PersonID: person})
		return touched(n, err, "open view")
	})
}

// DeleteView forgets a view of the person.
func (d *DB) DeleteView(ctx context.Context, person, id int64) error {
	n, err := d.q.DeleteView(ctx, sqlc.DeleteViewParams{ID: id, PersonID: person})
	return touched(n, err, "delete view")
}

// touched is ErrNotFound for a statement that met no row.
func touched(rows int64, err error, what string) error {
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", what, err)
	case rows == 0:
		return ErrNotFound
	}
	return nil
}
