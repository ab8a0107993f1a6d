package pulls

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
)

// Checked is a service that answered: its address and token, and what it said.
type Checked struct {
	Service, BaseURL string
	Token            upstream.Secret
	Found            Found
}

// Connect checks a service's address and token with a live call, then seals the token and saves
// both, replacing any earlier ones. Nothing is saved if the check fails. A token of a shop
// other than the one the store is bound to is refused with *OtherShop.
//
// Pulls under way with the old token write nothing and are made again with the new one, at once
// where a worker runs.
func (s *Syncer) Connect(ctx context.Context, storeID int64, service, baseURL string, token upstream.Secret, also ...db.Also) (Found, error) {
	found, err := s.Check(ctx, service, baseURL, token)
	if err != nil {
		return found, err
	}
	return found, s.DB.Tx(ctx, func(tx pgx.Tx, q *sqlc.Queries) error {
		store, err := s.lockStore(ctx, q, storeID)
		if err != nil {
			return err
		}
		if err := sameShop(ctx, q, store, found.Domain); err != nil {
			return err
		}
		cred, err := s.save(ctx, q, store.ID, Checked{service, baseURL, token, found})
		if err != nil {
			return err
		}
		return start(ctx, tx, cred.ID)
	}, also...)
}

// CheckAgain calls a store's connected service now, for a person. If a paused service answers,
// its pulls resume, at once where a worker runs. Errors are those of [Syncer.Probe] and
// ErrNotConnected.
func (s *Syncer) CheckAgain(ctx context.Context, storeID int64, service string) (Found, error) {
	creds, err := s.DB.Queries().CredentialsOfStore(ctx, storeID)
	if err != nil {
		return Found{}, fmt.Errorf("read credentials of store %d: %w", storeID, err)
	}
	for _, c := range creds {
		if c.Service != service {
			continue
		}
		found, err := s.Probe(ctx, c.ID)
		if err != nil || !stopped(c) {
			return found, err
		}
		return found, s.DB.Tx(ctx, func(tx pgx.Tx, q *sqlc.Queries) error {
			n, err := q.ResumeCredential(ctx, sqlc.ResumeCredentialParams{ID: c.ID, Version: c.Version})
			if err != nil || n == 0 {
				return err
			}
			return start(ctx, tx, c.ID)
		})
	}
	return Found{}, fmt.Errorf("%w: %s", ErrNotConnected, service)
}

// Disconnect deletes a service's address and token. Pulled data stays; pulls under way no
// longer write anything.
func (s *Syncer) Disconnect(ctx context.Context, storeID int64, service string, also ...db.Also) error {
	return s.DB.InTx(ctx, func(q *sqlc.Queries) error {
		store, err := s.lockStore(ctx, q, storeID)
		if err != nil {
			return err
		}
		if err := q.FencePulls(ctx, sqlc.FencePullsParams{StoreID: store.ID, Service: service}); err != nil {
			return fmt.Errorf("fence the %s pulls of %s: %w", service, store.Slug, err)
		}
		n, err := q.DeleteCredential(ctx, sqlc.DeleteCredentialParams{StoreID: store.ID, Service: service})
		if err != nil {
			return fmt.Errorf("disconnect the %s service of %s: %w", service, store.Slug, err)
		}
		if n == 0 {
			return fmt.Errorf("%w: %s of %s", ErrNotConnected, service, store.Slug)
		}
		return nil
	}, also...)
}

// ErrNotConnected means that the service isn't connected to the store.
var ErrNotConnected = errors.New("the service is not connected")

// OtherShop means that the token belongs to another shop than the one that the store is bound to.
type OtherShop struct{ Found, Store, Bound string }

func (e *OtherShop) Error() string {
	return fmt.Sprintf("the token belongs to another shop: it is %s, the store %s is bound to %s", e.Found, e.Store, e.Bound)
}

// sameShop refuses a shop other than the one the store's numbers come from (N35), so that one
// history never mixes two shops.
func sameShop(ctx context.Context, q *sqlc.Queries, store sqlc.Store, domain string) error {
	bound := []*string{store.Domain}
	creds, err := q.CredentialsOfStore(ctx, store.ID)
	if err != nil {
		return fmt.Errorf("read credentials of %s: %w", store.Slug, err)
	}
	for _, c := range creds {
		bound = append(bound, c.ShopDomain)
	}
	for _, want := range bound {
		if want != nil && domain != "" && !strings.EqualFold(*want, domain) {
			return &OtherShop{domain, store.Slug, *want}
		}
	}
	return nil
}

// sameShopAs is sameShop for a store that isn't locked yet.
func (s *Syncer) sameShopAs(ctx context.Context, storeID int64, domain string) error {
	store, err := s.DB.Queries().StoreByID(ctx, storeID)
	if err != nil {
		return fmt.Errorf("load store %d: %w", storeID, err)
	}
	return sameShop(ctx, s.DB.Queries(), store, domain)
}

// save seals a checked token and saves the credential. Pulls under way with the old token write
// nothing: what a service says about a replaced token must not be attributed to the new one.
func (s *Syncer) save(ctx context.Context, q *sqlc.Queries, storeID int64, c Checked) (sqlc.Credential, error) {
	base, err := upstream.CheckBase(c.BaseURL, s.Allow)
	if err != nil {
		return sqlc.Credential{}, err
	}
	if err := q.FencePulls(ctx, sqlc.FencePullsParams{StoreID: storeID, Service: c.Service}); err != nil {
		return sqlc.Credential{}, fmt.Errorf("fence the %s pulls: %w", c.Service, err)
	}
	if err := q.LockBudgetNames(ctx); err != nil {
		return sqlc.Credential{}, fmt.Errorf("wait for budgets to be renamed: %w", err)
	}
	budget, err := s.budgetName(ctx, q, c.Token.Reveal())
	if err != nil {
		return sqlc.Credential{}, err
	}
	sealed, keyID := s.Sealer.Seal([]byte(c.Token.Reveal()), place(storeID, c.Service))
	cred, err := q.UpsertCredential(ctx, sqlc.UpsertCredentialParams{
		StoreID: storeID, Service: c.Service, BaseUrl: base.String(), TokenSealed: sealed, KeyID: keyID,
		Budget: budget, TokenTail: c.Token.Tail(), ShopDomain: db.Optional(c.Found.Domain), State: "good",
	})
	return cred, db.Tried(err, "save the %s credential", c.Service)
}

// lockStore locks the store against everyone who claims its pulls or changes it. It doesn't
// lock the store's row: a pull being written holds its ledger row and locks the store's row
// last, so every fence uses that order, too. Errors: ErrRemoved, ErrUnknownStore.
func (s *Syncer) lockStore(ctx context.Context, q *sqlc.Queries, storeID int64) (sqlc.Store, error) {
	if err := q.LockStore(ctx, storeID); err != nil {
		return sqlc.Store{}, fmt.Errorf("lock store %d: %w", storeID, err)
	}
	store, err := q.StoreByID(ctx, storeID)
	if err != nil {
		return store, db.Absent(err, fmt.Errorf("%w: %d", ErrUnknownStore, storeID), "load store %d", storeID)
	}
	if store.RemovedAt != nil {
		return store, fmt.Errorf("%w: %s", ErrRemoved, store.Slug)
	}
	return store, nil
}
