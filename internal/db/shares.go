package db

import (
	"context"
	"encoding/hex"
	"time"

	"github.com/storeglass/storeglass/internal/db/sqlc"
)

// VisitByShare is VisitBySession for the holder of a share link: tokenHash is the SHA-256 of the link's
// secret. The visit includes only the link's store. It returns ErrNotFound if there is no such link or
// it no longer works.
func (d *DB) VisitByShare(ctx context.Context, tokenHash []byte, now time.Time) (Visit, sqlc.VisitByShareRow, error) {
	who := principal{askShare, hex.EncodeToString(tokenHash), now}
	r, err := d.q.VisitByShare(who.in(ctx), sqlc.VisitByShareParams{TokenHash: tokenHash, Now: now})
	if err != nil {
		return Visit{}, sqlc.VisitByShareRow{}, Absent(err, ErrNotFound, "read share link")
	}
	v := Visit{Scope: Scope{stores: []int64{r.Store.ID}}, principal: who, Branding: r.BrandingRevision}
	v, err = d.visitTo(ctx, v, r.Store, r.FirstDay, r.Store.Slug)
	return v, r, err
}

// AddShare saves a share link for the store. It returns ErrNotFound if the store is gone by then.
func (d *DB) AddShare(ctx context.Context, s ScopedStore, p sqlc.InsertShareParams, also ...Also) error {
	p.StoreID = s.id
	return d.InTx(ctx, func(q *sqlc.Queries) error {
		n, err := q.InsertShare(ctx, p)
		return Touched(n, err, "make share link")
	}, also...)
}

// Shares lists the store's share links, working ones first.
func (d *DB) Shares(ctx context.Context, s ScopedStore, now time.Time) ([]sqlc.ListSharesRow, error) {
	rows, err := d.q.ListShares(ctx, sqlc.ListSharesParams{StoreID: s.id, Now: now})
	return rows, Tried(err, "list share links of %s", s.Slug)
}

// RevokeShare revokes one of the store's share links and calls with, with its label, in the same
// transaction. It returns ErrNotFound if the store has no such link (anymore).
func (d *DB) RevokeShare(ctx context.Context, s ScopedStore, id int64, now time.Time, with func(ctx context.Context, q *sqlc.Queries, label string) error) error {
	return d.InTx(ctx, func(q *sqlc.Queries) error {
		r, err := q.RevokeShare(ctx, sqlc.RevokeShareParams{ID: id, StoreID: s.id, Now: &now})
		if err != nil {
			return Absent(err, ErrNotFound, "revoke share link %d of %s", id, s.Slug)
		}
		return with(ctx, q, r.Label)
	})
}
