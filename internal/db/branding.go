package db

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/db/sqlc"
)

// Brand replaces our own name, colour and logo;
// what is empty is our own.
type Brand struct {
	Name string
	// Accent is '#rrggbb'.
	Accent string
	// Logo is a PNG.
	Logo []byte
	// Revision grows with every change; 0 is our own, and a draft.
	Revision int64
}

// Branding is what everyone sees; the zero Brand when it is our own.
func (d *DB) Branding(ctx context.Context) (Brand, error) {
	r, err := d.q.Branding(ctx)
	if errors.Is(err, pgx.ErrNoRows) {
		return Brand{}, nil
	}
	if err != nil {
		return Brand{}, fmt.Errorf("read branding: %w", err)
	}
	return Brand(r), nil
}

// BrandingDraft is what a person is trying out; ErrNotFound when it is nothing.
func (d *DB) BrandingDraft(ctx context.Context, personID int64) (Brand, error) {
	r, err := d.q.BrandingDraft(ctx, personID)
	if err != nil {
		return Brand{}, Absent(err, ErrNotFound, "read draft of branding")
	}
	return Brand{Name: r.Name, Accent: r.Accent, Logo: r.Logo}, nil
}

// SaveBrandingDraft keeps what a person is trying out, in place of what they tried before.
func (d *DB) SaveBrandingDraft(ctx context.Context, personID int64, b Brand) error {
	err := d.q.SaveBrandingDraft(ctx, sqlc.SaveBrandingDraftParams{PersonID: personID, Name: b.Name, Accent: b.Accent, Logo: b.Logo})
	if err != nil {
		return fmt.Errorf("save draft of branding: %w", err)
	}
	return nil
}

// DropBrandingDraft forgets it; nothing to forget is no error.
func (d *DB) DropBrandingDraft(ctx context.Context, personID int64) error {
	if err := d.q.DeleteBrandingDraft(ctx, personID); err != nil {
		return fmt.Errorf("drop draft of branding: %w", err)
	}
	return nil
}

// PublishBranding shows everyone what the person tried out. What with does happens
// in the same transaction. ErrNotFound when there is no draft.
func (d *DB) PublishBranding(ctx context.Context, personID int64, at time.Time, with func(context.Context, *sqlc.Queries, Brand) error) error {
	return d.InTx(ctx, func(q *sqlc.Queries) error {
		r, err := q.PublishBranding(ctx, sqlc.PublishBrandingParams{PersonID: personID, At: at})
		if err != nil {
			return Absent(err, ErrNotFound, "publish branding")
		}
		return with(ctx, q, Brand(r))
	})
}
