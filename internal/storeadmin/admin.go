// Package storeadmin looks after stores for people who are signed in: it asks services with
// what someone pasted, keeps that sealed until it is saved, replaces and forgets tokens,
// removes stores and brings them back. It works where the worker does, above the wall
// between stores, since pages may write none of this; so everything here begins with
// looking whether the person may. It never hands out a token, and words every refusal
// for the person who asked.
package storeadmin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/golang-sql/civil"
	"golang.org/x/sync/errgroup"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/stores"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// lookPatience is how long a person waits for services at most: shorter than a pull may
// take, since a page hangs meanwhile.
const lookPatience = 15 * time.Second

// Config is what an Admin works with.
type Config struct {
	Sync *pulls.Syncer
	// DB is the database as the worker has it, and Access is on it.
	DB     *db.DB
	Access *access.Access
	// Pages is the database as the web server has it: what a person holds is asked there
	// once more, with the session in the context.
	Pages *db.DB
	// MadeUp are the shops to look around with.
	MadeUp []stores.MadeUpShop
	// Patience is how long a person waits for services at most; 0 is 15 seconds.
	Patience time.Duration
}

// Admin implements stores.Admin.
type Admin struct{ Config }

// New makes an Admin.
func New(c Config) *Admin {
	if c.Patience == 0 {
		c.Patience = lookPatience
	}
	return &Admin{c}
}

// may refuses who may not connect services; that is who is disabled, too.
func (a *Admin) may(ctx context.Context, person int64) (sqlc.Person, error) {
	return access.Allowed(ctx, a.DB, person, access.Connect)
}

// held is the store of that slug, if the person may connect services and holds it.
func (a *Admin) held(ctx context.Context, person int64, slug string) (sqlc.Store, error) {
	if _, err := a.may(ctx, person); err != nil {
		return sqlc.Store{}, err
	}
	_, store, err := access.HeldStore(ctx, a.DB, a.Pages, person, slug)
	return store, err
}

// asking bounds a person's wait, and how often that person may ask.
func (a *Admin) asking(ctx context.Context, person int64) (context.Context, context.CancelFunc, error) {
	if err := a.countProbe(ctx, person, "", "checks"); err != nil {
		return ctx, nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, a.Patience)
	return ctx, cancel, nil
}

// countProbe counts one probe by a person of what is someone else's: "checks" of services, or
// "names" that are taken. about is what its refusal is about.
func (a *Admin) countProbe(ctx context.Context, person int64, about, what string) error {
	err := a.Access.TakeProbe(ctx, person)
	if many, ok := fault.As(err); ok {
		return refusal(about, locale.From(ctx).T("connect.refused.too_many."+what, "wait", waitWords(ctx, many.After)))
	}
	return err
}

// Discover implements stores.Admin. Both services are asked at once.
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
	_ = group.Wait() // each error is beside its service
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

// shopRefused words why a shop can't be added. Who may see the store that has it gets
// there; who may not learns nothing of it.
func (a *Admin) shopRefused(ctx context.Context, person int64, err error) error {
	if two, ok := errors.AsType[*pulls.TwoShops](err); ok {
		return refusal("", locale.T(ctx, "connect.refused.two_shops", "first", two.First, "second", two.Second))
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
	return refusal("", locale.T(ctx, "connect.refused.known_hidden"))
}

// Pending implements stores.Admin.
func (a *Admin) Pending(ctx context.Context, person int64, id string) (stores.Connection, error) {
	if _, err := a.may(ctx, person); err != nil {
		return stores.Connection{}, err
	}
	c, err := a.Sync.Pending(ctx, person, id)
	return c, gone(err)
}

// gone turns what is not there for the person into what pages know of that.
func gone(err error) error {
	if errors.Is(err, pulls.ErrNoPending) || errors.Is(err, pulls.ErrUnknownStore) || errors.Is(err, pulls.ErrRemoved) {
		return db.ErrNotFound
	}
	return err
}

// Save implements stores.Admin. The store, its grant, the records and the first jobs
// are one transaction.
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
		RecordingStore(a.Access, form.Slug, name, added),
		func(ctx context.Context, q *sqlc.Queries) error {
			return a.Access.GrantPersonIn(ctx, q, person, form.Slug)
		})
	if errors.Is(err, pulls.ErrTaken) {
		return "", a.slugTaken(ctx, person, form.Slug)
	}
	return store.Slug, gone(a.shopRefused(ctx, person, err))
}

// slugTaken says whether the name comes free by itself. It counts as a probe: nobody
// may find out by trying which stores there are.
func (a *Admin) slugTaken(ctx context.Context, person int64, slug string) error {
	if err := a.countProbe(ctx, person, "slug", "names"); err != nil {
		return err
	}
	store, err := a.DB.Queries().StoreBySlug(ctx, slug)
	if err == nil && store.RemovedAt != nil {
		return refusal("slug", locale.T(ctx, "connect.refused.name_kept", "day", locale.From(ctx).DayYear(civil.DateOf(pulls.DeletedAt(store)))))
	}
	return refusal("slug", locale.T(ctx, "connect.refused.name_taken"))
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
		RecordingCredential(a.Access, store, given.Service, given.Address),
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

// heldStores are all stores that the person holds, by both walls.
func (a *Admin) heldStores(ctx context.Context, person int64) ([]sqlc.Store, error) {
	scope, err := a.DB.ScopeOfPerson(ctx, person)
	if err != nil {
		return nil, err
	}
	granted, err := a.DB.Stores(ctx, scope)
	if err != nil {
		return nil, err
	}
	seen, err := a.Pages.Queries().AllStores(ctx) // what the database itself lets the session see
	if err != nil {
		return nil, fmt.Errorf("list stores: %w", err)
	}
	return slices.DeleteFunc(seen, func(s sqlc.Store) bool {
		return !slices.ContainsFunc(granted, func(g db.ScopedStore) bool { return g.Slug == s.Slug })
	}), nil
}

// refused words what a service, or our own rules, said no to.
func (a *Admin) refused(ctx context.Context, slug, service, address string, err error) error {
	if err == nil {
		return nil
	}
	words, ok := a.words(ctx, service, address, err)
	if !ok {
		return gone(err)
	}
	a.Sync.Log.Info("a service was not connected", "store", slug, "service", service, "error", err)
	return refusal(service, words)
}

// Disconnect implements stores.Admin.
func (a *Admin) Disconnect(ctx context.Context, person int64, slug, service string) error {
	store, err := a.held(ctx, person, slug)
	if err != nil {
		return err
	}
	err = a.Sync.Disconnect(ctx, store.ID, service, a.Access.Recording(access.Event{Action: access.CredentialRemoved, Store: slug, Subject: service}))
	if errors.Is(err, pulls.ErrNotConnected) { // by someone else, a moment before
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
	return gone(a.Sync.ChangeStore(ctx, to, RecordingChange(a.Access, store, to)))
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
		a.Access.Recording(access.Event{Action: access.StoreRemoved, Store: slug})))
}

// Removed implements stores.Admin: an administrator may bring back every store,
// anyone else what they removed themselves and would still hold.
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
		r := stores.Removed{Store: report.Store{Slug: s.Slug, Name: s.Name, Timezone: s.Timezone}, At: *s.RemovedAt, Until: pulls.DeletedAt(s)}
		if s.Domain != nil {
			r.Domain = *s.Domain
		}
		if s.RemovedBy != nil {
			r.By = *s.RemovedBy
		}
		out = append(out, r)
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
	return gone(a.Sync.Restore(ctx, store.ID, a.Access.Recording(access.Event{Action: access.StoreRestored, Store: slug})))
}

func refusal(about, words string) *stores.Refusal {
	return &stores.Refusal{Reasons: map[string]string{about: words}}
}
