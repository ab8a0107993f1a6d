package db

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/db/sqlc"
)

// Brand replaces our own name, color and logo; empty fields keep ours.
type Brand struct {
	Name string
	// Accent has the form '#rrggbb'.
	Accent string
	// Logo is a PNG.
	Logo []byte
	// Revision grows with every change; it's 0 for our own branding and for drafts.
	Revision int64
}

// Branding is what everyone sees; the zero Brand if it's our own.
func (d *DB) Branding(ctx context.Context) (Brand, error) {
	r, err := d.q.Branding(ctx)
	if errors.Is(err, pgx.ErrNoRows) {
		return Brand{}, nil
	}
	return Brand(r), Tried(err, "read branding")
}

// BrandingDraft is what a person is trying out; ErrNotFound if they have no draft.
func (d *DB) BrandingDraft(ctx context.Context, personID int64) (Brand, error) {
	r, err := d.q.BrandingDraft(ctx, personID)
	return Brand{Name: r.Name, Accent: r.Accent, Logo: r.Logo}, Absent(err, ErrNotFound, "read draft of branding")
}

// SaveBrandingDraft saves what a person is trying out, replacing their previous draft.
func (d *DB) SaveBrandingDraft(ctx context.Context, personID int64, b Brand) error {
	err := d.q.SaveBrandingDraft(ctx, sqlc.SaveBrandingDraftParams{PersonID: personID, Name: b.Name, Accent: b.Accent, Logo: b.Logo})
	return Tried(err, "save draft of branding")
}

// DropBrandingDraft deletes a person's draft. It isn't an error if there is none.
func (d *DB) DropBrandingDraft(ctx context.Context, personID int64) error {
	return Tried(d.q.DeleteBrandingDraft(ctx, personID), "drop draft of branding")
}

// PublishBranding makes the person's draft visible to everyone. with runs in the same transaction. It
// returns ErrNotFound if there is no draft.
func (d *DB) PublishBranding(ctx context.Context, personID int64, with func(context.Context, *sqlc.Queries, Brand) error) error {
	return d.InTx(ctx, func(q *sqlc.Queries) error {
		r, err := q.PublishBranding(ctx, personID)
		if err != nil {
			return Absent(err, ErrNotFound, "publish branding")
		}
		return with(ctx, q, Brand(r))
	})
}
