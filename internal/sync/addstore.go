package pulls

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
)

// ErrTaken means that a store already uses this slug, or a removed one that can still be
// restored does.
var ErrTaken = errors.New("a store of this short name exists")

// AddStore saves a store with services that were checked earlier, and starts its first pulls,
// in one transaction. A shop that another store already has is refused unless again is set.
// Errors: ErrTaken, *TwoShops, *ShopKnown.
func (s *Syncer) AddStore(ctx context.Context, n sqlc.InsertStoreParams, services []Checked, again bool, also ...db.Also) (store sqlc.Store, err error) {
	err = s.DB.Tx(ctx, func(tx pgx.Tx, q *sqlc.Queries) error {
		if !again {
			if err := s.shopUnknown(ctx, q, services); err != nil {
				return err
			}
		}
		store, err = s.addStore(ctx, tx, q, n, services)
		return err
	}, also...)
	return store, err
}

func (s *Syncer) addStore(ctx context.Context, tx pgx.Tx, q *sqlc.Queries, n sqlc.InsertStoreParams, services []Checked) (sqlc.Store, error) {
	store, err := q.InsertStore(ctx, n)
	if db.Taken(err) {
		return store, fmt.Errorf("%w: %s", ErrTaken, n.Slug)
	}
	if err != nil {
		return store, fmt.Errorf("save store %s: %w", n.Slug, err)
	}
	bind := sqlc.BindStoreParams{ID: store.ID}
	var credentials []int64
	for _, c := range services {
		cred, err := s.save(ctx, q, store.ID, c)
		if err != nil {
			return store, err
		}
		credentials = append(credentials, cred.ID)
		bind.Currency = cmp.Or(bind.Currency, db.Optional(c.Found.Currency))
		bind.Domain = cmp.Or(bind.Domain, db.Optional(c.Found.Domain))
	}
	if err := q.BindStore(ctx, bind); err != nil {
		return store, fmt.Errorf("bind store %s to its shop: %w", n.Slug, err)
	}
	return store, start(ctx, tx, credentials...)
}
