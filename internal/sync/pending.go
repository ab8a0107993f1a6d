package pulls

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/report/stores"
)

// PendingLife is how long a checked connection waits to be saved.
const PendingLife = 15 * time.Minute

// ErrNoPending means that the connection doesn't exist, belongs to another person, or has
// expired. It deliberately doesn't say which.
var ErrNoPending = errors.New("no such connection waits to be saved")

// TwoShops means that the tokens belong to two shops, whose numbers would be mixed.
type TwoShops struct{ First, Second string }

func (e *TwoShops) Error() string {
	return "the two tokens belong to two shops, " + e.First + " and " + e.Second
}

// ShopKnown is the refusal to add a shop twice.
type ShopKnown struct {
	// Stores already hold the shop's numbers, including removed ones that can be restored. The
	// person asking may not be allowed to see any of them.
	Stores []sqlc.Store
}

func (e *ShopKnown) Error() string { return "the shop is connected already" }

// sealedService is the sealed part of a service until it is saved.
type sealedService struct {
	Service string `json:"service"`
	BaseURL string `json:"base_url"`
	Token   string `json:"token"`
}

// KeepPending stores checked services, sealed, until the person saves them, and returns the id
// by which that person finds them. Errors: *TwoShops, *ShopKnown.
func (s *Syncer) KeepPending(ctx context.Context, personID int64, services []Checked) (id string, err error) {
	if err := s.shopUnknown(ctx, s.DB.Queries(), services); err != nil {
		return "", err
	}
	var found []stores.CheckedService
	var sealed []sealedService
	for _, c := range services {
		base, err := upstream.CheckBase(c.BaseURL, s.Allow)
		if err != nil {
			return "", err
		}
		found = append(found, stores.CheckedService{Found: c.Found, Address: base.String(), Tail: c.Token.Tail()})
		sealed = append(sealed, sealedService{c.Service, base.String(), c.Token.Reveal()})
	}
	says, err := json.Marshal(found)
	if err != nil {
		return "", err
	}
	plain, err := json.Marshal(sealed)
	if err != nil {
		return "", err
	}
	id = rand.Text()
	box, keyID := s.Sealer.Seal(plain, pendingPlace(id, personID))
	err = s.DB.Queries().InsertPending(ctx, sqlc.InsertPendingParams{
		IDHash: pendingHash(id), PersonID: personID, Found: says, Sealed: box, KeyID: keyID, ExpiresAt: s.Now().Add(PendingLife),
	})
	return id, db.Tried(err, "keep a connection of person %d", personID)
}

// Pending returns what the person's services said. Error: ErrNoPending.
func (s *Syncer) Pending(ctx context.Context, personID int64, id string) (stores.Connection, error) {
	p, err := s.DB.Queries().PendingByID(ctx, sqlc.PendingByIDParams{IDHash: pendingHash(id), PersonID: personID, Now: s.Now()})
	if err != nil {
		return stores.Connection{}, db.Absent(err, ErrNoPending, "find a connection of person %d", personID)
	}
	c := stores.Connection{Until: p.ExpiresAt}
	if err := json.Unmarshal(p.Found, &c.Services); err != nil {
		return c, fmt.Errorf("read a connection of person %d: %w", personID, err)
	}
	if p.StoreID != nil {
		store, err := s.DB.Queries().StoreByID(ctx, *p.StoreID)
		if err != nil {
			return c, fmt.Errorf("load store %d: %w", *p.StoreID, err)
		}
		c.Slug = store.Slug
	}
	return c, nil
}

// SavePending turns the person's connection into a store and starts its first pulls, in one
// transaction. Saving it twice returns the same store. also runs in the same transaction.
// Errors: ErrNoPending, *ShopKnown, ErrTaken.
func (s *Syncer) SavePending(ctx context.Context, personID int64, id string, n sqlc.InsertStoreParams, also ...db.Also) (store sqlc.Store, err error) {
	err = s.DB.Tx(ctx, func(tx pgx.Tx, q *sqlc.Queries) error {
		p, err := q.LockPending(ctx, sqlc.LockPendingParams{IDHash: pendingHash(id), PersonID: personID, Now: s.Now()})
		if err != nil {
			return db.Absent(err, ErrNoPending, "find a connection of person %d", personID)
		}
		if p.StoreID != nil {
			store, err = q.StoreByID(ctx, *p.StoreID)
			return err
		}
		services, err := s.openPending(id, p)
		if err != nil {
			return err
		}
		if err := s.shopUnknown(ctx, q, services); err != nil {
			return err
		}
		if store, err = s.addStore(ctx, tx, q, n, services); err != nil {
			return err
		}
		if err := q.UsePending(ctx, sqlc.UsePendingParams{IDHash: p.IDHash, StoreID: &store.ID}); err != nil {
			return fmt.Errorf("use up a connection of person %d: %w", personID, err)
		}
		for _, more := range also {
			if err := more(ctx, q); err != nil {
				return err
			}
		}
		return nil
	})
	return store, err
}

// openPending unseals the stored services. If no key opens them anymore, it returns
// ErrNoPending.
func (s *Syncer) openPending(id string, p sqlc.PendingConnection) ([]Checked, error) {
	plain, err := s.Sealer.Open(p.Sealed, p.KeyID, pendingPlace(id, p.PersonID))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoPending, err)
	}
	var sealed []sealedService
	if err := json.Unmarshal(plain, &sealed); err != nil {
		return nil, fmt.Errorf("read what was sealed: %w", err)
	}
	var found []stores.CheckedService
	if err := json.Unmarshal(p.Found, &found); err != nil {
		return nil, fmt.Errorf("read what was found: %w", err)
	}
	services := make([]Checked, len(sealed))
	for i, v := range sealed {
		services[i] = Checked{v.Service, v.BaseURL, upstream.NewSecret(v.Token), found[i].Found}
	}
	return services, nil
}

// oneShop returns the shop that the services belong to; empty if none names it.
func oneShop(services []Checked) (domain string, err error) {
	for _, c := range services {
		switch {
		case c.Found.Domain == "":
		case domain == "":
			domain = c.Found.Domain
		case !strings.EqualFold(domain, c.Found.Domain):
			return "", &TwoShops{domain, c.Found.Domain}
		}
	}
	return domain, nil
}

// shopUnknown refuses services of a shop whose numbers a store already has. Within a
// transaction, it keeps others from adding a store until the transaction ends. Errors:
// *ShopKnown, *TwoShops.
func (s *Syncer) shopUnknown(ctx context.Context, q *sqlc.Queries, services []Checked) error {
	domain, err := oneShop(services)
	if err != nil {
		return err
	}
	if err := q.LockShops(ctx); err != nil {
		return fmt.Errorf("lock shops: %w", err)
	}
	var budgets [][]byte
	for _, c := range services {
		budgets = append(budgets, s.Sealer.BudgetKeys(c.Token.Reveal())...)
	}
	stores, err := q.StoresOfShop(ctx, sqlc.StoresOfShopParams{Domain: domain, Budgets: budgets})
	if err != nil {
		return fmt.Errorf("look for stores of %s: %w", domain, err)
	}
	if len(stores) > 0 {
		return &ShopKnown{stores}
	}
	return nil
}

func pendingHash(id string) []byte {
	h := sha256.Sum256([]byte(id))
	return h[:]
}

// pendingPlace binds sealed data to its row and its person.
func pendingPlace(id string, personID int64) []byte {
	return fmt.Appendf(nil, "pending:%x:%d", pendingHash(id), personID)
}
