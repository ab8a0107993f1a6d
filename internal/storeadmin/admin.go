// Package storeadmin manages stores for signed-in people: it tries pasted tokens at the
// services, keeps them encrypted until they are saved, replaces and deletes tokens, removes
// stores and restores them. It uses the worker's database, which sees every store, since
// pages may write none of this; so each method first checks what the person may do. It
// never hands out a token, and phrases every refusal for the person who
// asked.
package storeadmin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/golang-sql/civil"
	"golang.org/x/sync/errgroup"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/limit"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/stores"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// lookPatience is how long a person waits for services at most. It is shorter than for a
// pull, since a page waits.
const lookPatience = 15 * time.Second

// Config is what an Admin works with.
type Config struct {
	Sync *pulls.Syncer
	// DB is the worker's database; Access, Audit and Limits use it.
	DB     *db.DB
	Access *access.Access
	Audit  *audit.Log
	Limits *limit.Limits
	// Pages is the web server's database. What a person holds is checked there too, with the
	// session in the context.
	Pages *db.DB
	// MadeUp are the made-up shops to explore Storeglass with.
	MadeUp []stores.MadeUpShop
	// Patience is how long a person waits for services at most; 0 means 15 seconds.
	Patience time.Duration
}

// Admin implements stores.Admin.
type Admin struct{ Config }

// New makes an Admin.
func New(c Config) *Admin {
	c.Patience = cmp.Or(c.Patience, lookPatience)
	return &Admin{c}
}

// may refuses people who may not connect services, including disabled people.
func (a *Admin) may(ctx context.Context, person int64) (sqlc.Person, error) {
	return access.Allowed(ctx, a.DB, person, access.Connect)
}

// held returns the store with that slug, if the person may connect services and holds it.
func (a *Admin) held(ctx context.Context, person int64, slug string) (sqlc.Store, error) {
	if _, err := a.may(ctx, person); err != nil {
		return sqlc.Store{}, err
	}
	_, store, err := access.HeldStore(ctx, a.DB, a.Pages, person, slug)
	return store, err
}

// asking limits how long a person waits for services, and how often they may call them.
func (a *Admin) asking(ctx context.Context, person int64) (context.Context, context.CancelFunc, error) {
	if err := a.countProbe(ctx, person, "", "checks"); err != nil {
		return ctx, nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, a.Patience)
	return ctx, cancel, nil
}

// countProbe counts one probe by a person: "checks" of services, or "names" that may be
// taken. about is the field that a refusal is about.
func (a *Admin) countProbe(ctx context.Context, person int64, about, what string) error {
	err := a.Limits.TakeProbe(ctx, person)
	if many, ok := fault.As(err); ok {
		return stores.Refuse(about, locale.From(ctx).T("connect.refused.too_many."+what, "wait", waitWords(ctx, many.After)))
	}
	return err
}

// Discover implements stores.Admin. It calls both services at the same time.
func (a *Admin) Discover(ctx context.Context, person int64, given []stores.Given) (string, error) {
	if _, err := a.may(ctx, person); err != nil {
		return "", err
	}
	asking, cancel, err := a.asking(ctx, person)
	if err != nil {
		return "", err
	}
	defer cancel()
	services, errs := make([]pulls.Checked, len(given)), make([]error, len(given))
	var group errgroup.Group
	for i, g := range given {
		group.Go(func() error {
			token := upstream.NewSecret(g.Token)
			found, err := a.Sync.Discover(asking, g.Service, g.Address, token)
			services[i], errs[i] = pulls.Checked{Service: g.Service, BaseURL: g.Address, Token: token, Found: found}, err
			return nil
		})
	}
	_ = group.Wait() // errors are in errs
	refused := &stores.Refusal{Reasons: map[string]string{}}
	for i, err := range errs {
		if err == nil {
			continue
		}
		words, ok := a.words(ctx, given[i].Service, given[i].Address, err)
		if !ok {
			return "", err
		}
		a.Sync.Log.Info("a service was not connected", "person", person, "service", given[i].Service, "error", err)
		refused.Reasons[given[i].Service] = words
	}
	if len(refused.Reasons) > 0 {
		return "", refused
	}
	id, err := a.Sync.KeepPending(ctx, person, services)
	return id, a.shopRefused(ctx, person, err)
}

// shopRefused says why a shop can't be added. People who may see the store that has it are
// led there; others learn nothing about it.
func (a *Admin) shopRefused(ctx context.Context, person int64, err error) error {
	if two, ok := errors.AsType[*pulls.TwoShops](err); ok {
		return stores.Refuse("", locale.T(ctx, "connect.refused.two_shops", "first", two.First, "second", two.Second))
	}
	known, ok := errors.AsType[*pulls.ShopKnown](err)
	if !ok {
		return err
	}
	for _, store := range known.Stores {
		if _, _, err := access.HeldStore(ctx, a.DB, a.Pages, person, store.Slug); err == nil {
			return &stores.Refusal{
				Reasons: map[string]string{"": locale.T(ctx, "connect.refused.known", "store", locale.Name(store.Name))},
				Action:  locale.T(ctx, "connect.refused.to_settings"), Href: "/stores/" + store.Slug + "/settings",
			}
		} else if !errors.Is(err, db.ErrNotFound) {
			return err
		}
	}
	removed, err := a.Removed(ctx, person)
	if err != nil {
		return err
	}
	for _, store := range known.Stores {
		if slices.ContainsFunc(removed, func(r stores.Removed) bool { return r.Slug == store.Slug }) {
			return &stores.Refusal{
				Reasons: map[string]string{"": locale.T(ctx, "connect.refused.known_removed", "store", locale.Name(store.Name))},
				Action:  locale.T(ctx, "connect.refused.to_removed"), Href: "/stores/removed",
			}
		}
	}
	return stores.Refuse("", locale.T(ctx, "connect.refused.known_hidden"))
}

// Pending implements stores.Admin.
func (a *Admin) Pending(ctx context.Context, person int64, id string) (stores.Connection, error) {
	if _, err := a.may(ctx, person); err != nil {
		return stores.Connection{}, err
	}
	c, err := a.Sync.Pending(ctx, person, id)
	return c, gone(err)
}

// gone turns errors for things that don't exist for the person into what pages expect.
func gone(err error) error {
	if errors.Is(err, pulls.ErrNoPending) || errors.Is(err, pulls.ErrUnknownStore) || errors.Is(err, pulls.ErrRemoved) {
		return db.ErrNotFound
	}
	return err
}

// Save implements stores.Admin. The store, its grant, the audit records and the first jobs
// are written in one transaction.
func (a *Admin) Save(ctx context.Context, person int64, id string, form stores.Form) (string, error) {
	if _, err := a.may(ctx, person); err != nil {
		return "", err
	}
	if wrong := form.Wrong(locale.From(ctx)); len(wrong) > 0 {
		return "", &stores.Refusal{Reasons: wrong}
	}
	c, err := a.Sync.Pending(ctx, person, id)
	if err != nil {
		return "", gone(err)
	}
	name := strings.TrimSpace(form.Name)
	added := make([]pulls.Checked, len(c.Services))
	for i, s := range c.Services {
		added[i] = pulls.Checked{Service: s.Service, BaseURL: s.Address}
	}
	store, err := a.Sync.SavePending(ctx, person, id,
		sqlc.InsertStoreParams{Slug: form.Slug, Name: name, Timezone: form.Timezone, HistoryDays: int32(form.HistoryDays)},
		RecordingStore(a.Audit, form.Slug, name, added),
		func(ctx context.Context, q *sqlc.Queries) error {
			return a.Access.GrantPersonIn(ctx, q, person, form.Slug)
		})
	if errors.Is(err, pulls.ErrTaken) {
		return "", a.slugTaken(ctx, person, form.Slug)
	}
	return store.Slug, gone(a.shopRefused(ctx, person, err))
}

// slugTaken says whether the name will become free. It counts as a probe, so that nobody
// can find out by trial which stores exist.
func (a *Admin) slugTaken(ctx context.Context, person int64, slug string) error {
	if err := a.countProbe(ctx, person, "slug", "names"); err != nil {
		return err
	}
	store, err := a.DB.Queries().StoreBySlug(ctx, slug)
	if err == nil && store.RemovedAt != nil {
		return stores.Refuse("slug", locale.T(ctx, "connect.refused.name_kept", "day", locale.From(ctx).DayYear(civil.DateOf(pulls.DeletedAt(store)))))
	}
	return stores.Refuse("slug", locale.T(ctx, "connect.refused.name_taken"))
}

// Connect implements stores.Admin.
func (a *Admin) Connect(ctx context.Context, person int64, slug string, given stores.Given) (replaced bool, err error) {
	store, err := a.held(ctx, person, slug)
	if err != nil {
		return false, err
	}
	asking, cancel, err := a.asking(ctx, person)
	if err != nil {
		return false, err
	}
	defer cancel()
	_, err = a.Sync.Connect(asking, store.ID, given.Service, given.Address, upstream.NewSecret(given.Token),
		RecordingCredential(a.Audit, store, given.Service, given.Address),
		func(ctx context.Context, q *sqlc.Queries) error {
			creds, err := q.CredentialsOfStore(ctx, store.ID)
			replaced = slices.ContainsFunc(creds, func(c sqlc.Credential) bool { return c.Service == given.Service && c.Version > 1 })
			return err
		})
	return replaced, a.refused(ctx, slug, given.Service, given.Address, err)
}

// Check implements stores.Admin.
func (a *Admin) Check(ctx context.Context, person int64, slug, service string) error {
	store, err := a.held(ctx, person, slug)
	if err != nil {
		return err
	}
	asking, cancel, err := a.asking(ctx, person)
	if err != nil {
		return err
	}
	defer cancel()
	_, err = a.Sync.CheckAgain(asking, store.ID, service)
	return a.refused(ctx, slug, service, "", err)
}

// CheckAll implements stores.Admin.
func (a *Admin) CheckAll(ctx context.Context, person int64) (int, error) {
	if _, err := a.may(ctx, person); err != nil {
		return 0, err
	}
	held, err := a.heldStores(ctx, person)
	if err != nil {
		return 0, err
	}
	return a.Sync.RecheckSoon(ctx, db.Each(held, func(s sqlc.Store) int64 { return s.ID }))
}

// heldStores are all stores that the person holds according to both databases.
func (a *Admin) heldStores(ctx context.Context, person int64) ([]sqlc.Store, error) {
	scope, err := a.DB.ScopeOfPerson(ctx, person)
	if err != nil {
		return nil, err
	}
	granted, err := a.DB.Stores(ctx, scope)
	if err != nil {
		return nil, err
	}
	seen, err := a.Pages.Queries().AllStores(ctx) // what the database lets the session see
	if err != nil {
		return nil, fmt.Errorf("list stores: %w", err)
	}
	return slices.DeleteFunc(seen, func(s sqlc.Store) bool {
		return !slices.ContainsFunc(granted, func(g db.ScopedStore) bool { return g.Slug == s.Slug })
	}), nil
}

// refused phrases what a service, or our own rules, rejected.
func (a *Admin) refused(ctx context.Context, slug, service, address string, err error) error {
	if err == nil {
		return nil
	}
	words, ok := a.words(ctx, service, address, err)
	if !ok {
		return gone(err)
	}
	a.Sync.Log.Info("a service was not connected", "store", slug, "service", service, "error", err)
	return stores.Refuse(service, words)
}

// Disconnect implements stores.Admin.
func (a *Admin) Disconnect(ctx context.Context, person int64, slug, service string) error {
	store, err := a.held(ctx, person, slug)
	if err != nil {
		return err
	}
	err = a.Sync.Disconnect(ctx, store.ID, service, a.Audit.Recording(audit.Event{Action: audit.CredentialRemoved, Store: slug, Subject: service}))
	if errors.Is(err, pulls.ErrNotConnected) { // just done by someone else
		return nil
	}
	return gone(err)
}

// Change implements stores.Admin.
func (a *Admin) Change(ctx context.Context, person int64, slug string, form stores.Form) error {
	store, err := a.held(ctx, person, slug)
	if err != nil {
		return err
	}
	if wrong := form.WrongWithoutSlug(locale.From(ctx)); len(wrong) > 0 {
		return &stores.Refusal{Reasons: wrong}
	}
	to := sqlc.UpdateStoreParams{ID: store.ID, Name: strings.TrimSpace(form.Name), Timezone: form.Timezone, HistoryDays: int32(form.HistoryDays)}
	return gone(a.Sync.ChangeStore(ctx, to, RecordingChange(a.Audit, store, to)))
}

// Remove implements stores.Admin.
func (a *Admin) Remove(ctx context.Context, person int64, slug string) error {
	store, err := a.held(ctx, person, slug)
	if err != nil {
		return err
	}
	p, err := a.may(ctx, person)
	if err != nil {
		return err
	}
	return gone(a.Sync.Remove(ctx, store.ID, pulls.RemovedBy{Name: p.Name, Person: &p.ID},
		a.Audit.Recording(audit.Event{Action: audit.StoreRemoved, Store: slug})))
}

// Removed implements stores.Admin. An administrator may restore every store, others only
// what they removed themselves and would still hold.
func (a *Admin) Removed(ctx context.Context, person int64) ([]stores.Removed, error) {
	p, err := a.may(ctx, person)
	if err != nil {
		return nil, err
	}
	removed, err := a.Sync.Removed(ctx)
	if err != nil {
		return nil, err
	}
	held, err := a.DB.ScopeOfPerson(ctx, person)
	if err != nil {
		return nil, err
	}
	out := []stores.Removed{}
	for _, s := range removed {
		if access.Role(p.Role) != access.Admin {
			if s.RemovedByPerson == nil || *s.RemovedByPerson != person || !held.Holds(s.ID) {
				continue
			}
		}
		store := report.Store{Slug: s.Slug, Name: s.Name, Timezone: s.Timezone, Domain: db.OrZero(s.Domain)}
		out = append(out, stores.Removed{Store: store, At: *s.RemovedAt, Until: pulls.DeletedAt(s), By: db.OrZero(s.RemovedBy)})
	}
	return out, nil
}

// Restore implements stores.Admin.
func (a *Admin) Restore(ctx context.Context, person int64, slug string) error {
	removed, err := a.Removed(ctx, person)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(removed, func(r stores.Removed) bool { return r.Slug == slug }) {
		return db.ErrNotFound
	}
	store, err := a.DB.Queries().StoreBySlug(ctx, slug)
	if err != nil {
		return fmt.Errorf("find store %s: %w", slug, err)
	}
	return gone(a.Sync.Restore(ctx, store.ID, a.Audit.Recording(audit.Event{Action: audit.StoreRestored, Store: slug})))
}
