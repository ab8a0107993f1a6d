// Package pulls keeps each store's history correct and up to date: it decides what to pull
// (package plan) and within which budget (the gate), runs the pulls, and writes numbers, raw
// reply and ledger row in one transaction, the outcome last.
//
// Any pull may run twice: writes set a value for a key. Any process may die at any moment: its
// claims become free again, and at most its last call is repeated. Any number of processes may
// run at once: each pull is claimed by one, and only the holder of the newest claim can commit.
//
// It never shows anything, and it never adds two numbers.
package pulls

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	gosync "sync"
	"sync/atomic"
	"time"

	"github.com/riverqueue/river"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/sync/fetch"
	"github.com/storeglass/storeglass/internal/sync/plan"
)

// The two services.
const (
	Upsell = plan.Upsell
	Gift   = plan.Gift
)

// Sealer encrypts upstream tokens for the database.
type Sealer interface {
	Seal(plain, aad []byte) (sealed []byte, keyID string)
	Open(sealed []byte, keyID string, aad []byte) ([]byte, error)
	// Stale reports whether it is sealed with an older key.
	Stale(keyID string) bool
	// BudgetKeys are the names that a token's budget may have, the current one first.
	BudgetKeys(token string) [][]byte
}

// Config configures a Syncer.
type Config struct {
	DB        *db.DB
	Transport *upstream.Transport
	// Allow holds the addresses that an upstream may have besides public https ones.
	Allow  upstream.AllowList
	Sealer Sealer
	Log    *slog.Logger
	// Now is the clock that decides what is due; nil means the machine's.
	Now func() time.Time
	// Purging is called before a removed store is deleted, in the same
	// transaction; may be nil.
	Purging func(context.Context, *sqlc.Queries, sqlc.Store) error
	// Checking is the job that looks for problems in a store once pulls have ended; nil means
	// none.
	Checking func(store int64) river.JobArgs
}

// Syncer pulls. It is safe for concurrent use, by any number of processes.
type Syncer struct {
	Config

	mu      gosync.Mutex
	budgets map[string]*budget
}

// New makes a Syncer.
func New(c Config) *Syncer {
	if c.Now == nil {
		c.Now = time.Now
	}
	now := c.Now
	c.Now = func() time.Time { return now().Truncate(time.Microsecond) } // as the database keeps it
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return &Syncer{Config: c, budgets: map[string]*budget{}}
}

// budgetOf is this process's view of a token's budget. ensure makes its rows in the database
// and runs only once.
func (s *Syncer) budgetOf(key []byte, ensure func() error) (*budget, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b, ok := s.budgets[string(key)]; ok {
		return b, nil
	}
	if err := ensure(); err != nil {
		return nil, err
	}
	b := &budget{db: s.DB, key: key}
	s.budgets[string(key)] = b
	return b, nil
}

// work is everything needed to work on one credential: store, clock, token, budget.
type work struct {
	*Syncer
	store  sqlc.Store
	cred   sqlc.Credential
	loc    *time.Location
	token  upstream.Secret
	budget *budget
	// learned is the credential's ranking limit, shared by calls that run at once; 0 if
	// unknown.
	learned *atomic.Int32
}

// ErrRemoved means that the store was removed, and nothing is pulled for it.
var ErrRemoved = errors.New("the store was removed")

// begin loads a credential to work on. Error: ErrRemoved.
func (s *Syncer) begin(ctx context.Context, credentialID int64) (*work, error) {
	q := s.DB.Queries()
	cred, err := q.CredentialByID(ctx, credentialID)
	if err != nil {
		return nil, fmt.Errorf("load credential %d: %w", credentialID, err)
	}
	store, err := q.StoreByID(ctx, cred.StoreID)
	if err != nil {
		return nil, fmt.Errorf("load store %d: %w", cred.StoreID, err)
	}
	if store.RemovedAt != nil {
		return nil, fmt.Errorf("%w: %s", ErrRemoved, store.Slug)
	}
	loc, err := report.Zone(store.Timezone)
	if err != nil {
		return nil, fmt.Errorf("time zone of %s: %w", store.Slug, err)
	}
	token, err := s.Sealer.Open(cred.TokenSealed, cred.KeyID, place(store.ID, cred.Service))
	if err != nil {
		return nil, fmt.Errorf("open the %s token of %s: %w: add the key that encrypted it to DASHBOARD_SECRET_KEY, or enter the token again with `dashboard store set %s --%s-token`",
			cred.Service, store.Slug, err, store.Slug, cred.Service)
	}
	b, err := s.budgetOf(cred.Budget, func() error { return s.DB.EnsureSlotsOf(ctx, cred) })
	if err != nil {
		return nil, err
	}
	w := &work{Syncer: s, store: store, cred: cred, loc: loc, token: upstream.NewSecret(string(token)), budget: b, learned: &atomic.Int32{}}
	if cred.RankingLimit != nil {
		w.learned.Store(*cred.RankingLimit)
	}
	return w, nil
}

// place binds a sealed token to its store and service.
func place(storeID int64, service string) []byte {
	return fmt.Appendf(nil, "credential:%d:%s", storeID, service)
}

// fetch makes a pull's call through the gate.
func (w *work) fetch(ctx context.Context, p plan.Pull, g upstream.Gate) (fetch.Answer, error) {
	base, err := upstream.CheckBase(w.cred.BaseUrl, w.Allow)
	if err != nil {
		return fetch.Answer{}, &upstream.Failure{Kind: upstream.OurFault, Op: "pull " + string(p.Kind), Message: err.Error(), Err: err}
	}
	f := fetch.Caller{DB: w.DB, Store: w.store.ID, Credential: w.cred.ID, Zone: w.loc, Now: w.Now, Limit: w.learned}
	var a fetch.Answer
	switch w.cred.Service {
	case Upsell:
		a, err = f.Upsell(ctx, upsell.New(w.Transport, base, w.token, g), p)
	case Gift:
		if err := w.spareKeys(ctx); err != nil {
			return fetch.Answer{}, err
		}
		a, err = f.Gift(ctx, gift.New(w.Transport, base, w.token, g), p)
	}
	if err != nil {
		return fetch.Answer{}, err
	}
	return a, fetch.WrongShop(a, db.OrZero(w.cred.ShopDomain))
}
