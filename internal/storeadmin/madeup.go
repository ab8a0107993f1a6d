package storeadmin

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/stores"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// AddMadeUp implements stores.Admin. It skips shops that are already connected, so a second
// try adds what the first one couldn't, and restores removed ones.
func (a *Admin) AddMadeUp(ctx context.Context, person int64) error {
	if _, err := access.Allowed(ctx, a.DB, person, access.Manage); err != nil {
		return err
	}
	for _, shop := range a.MadeUp {
		if err := a.addMadeUp(ctx, person, shop); err != nil {
			return fmt.Errorf("add the made-up store %s: %w", shop.Slug, err)
		}
	}
	return nil
}

// madeUpSlug is the short name of a made-up shop's store.
func madeUpSlug(shop stores.MadeUpShop) string { return "made-up-" + shop.Slug }

func (a *Admin) addMadeUp(ctx context.Context, person int64, shop stores.MadeUpShop) error {
	err := a.Restore(ctx, person, madeUpSlug(shop))
	if err == nil {
		return a.Access.GrantPerson(ctx, person, madeUpSlug(shop))
	}
	if !errors.Is(err, db.ErrNotFound) {
		return err
	}
	var checked []pulls.Checked
	for _, g := range shop.Services {
		token := upstream.NewSecret(g.Token)
		found, err := a.Sync.Discover(ctx, g.Service, g.Address, token)
		if err != nil {
			return err
		}
		checked = append(checked, pulls.Checked{Service: g.Service, BaseURL: g.Address, Token: token, Found: found})
	}
	slug, name := madeUpSlug(shop), locale.T(ctx, "stores.made_up.name", "store", shop.Name)
	_, err = a.Sync.AddStore(ctx,
		sqlc.InsertStoreParams{Slug: slug, Name: name, Timezone: shop.Timezone, HistoryDays: stores.DefaultHistoryDays}, checked, false,
		RecordingStore(a.Audit, slug, name, checked),
		func(ctx context.Context, q *sqlc.Queries) error { return a.Access.GrantPersonIn(ctx, q, person, slug) })
	if _, known := errors.AsType[*pulls.ShopKnown](err); known || errors.Is(err, pulls.ErrTaken) {
		return nil
	}
	return err
}

// MadeUpStores implements stores.Admin. It leaves out a store with such a name that someone
// connected to a real shop.
func (a *Admin) MadeUpStores(ctx context.Context, person int64) (slugs []string, err error) {
	if _, err := access.Allowed(ctx, a.DB, person, access.Manage); err != nil {
		return nil, err
	}
	held, err := a.heldStores(ctx, person)
	if err != nil {
		return nil, err
	}
	for _, store := range held {
		i := slices.IndexFunc(a.MadeUp, func(shop stores.MadeUpShop) bool { return madeUpSlug(shop) == store.Slug })
		if i < 0 {
			continue
		}
		connected, err := a.DB.Queries().CredentialsOfStore(ctx, store.ID)
		if err != nil {
			return nil, fmt.Errorf("read credentials of %s: %w", store.Slug, err)
		}
		if !slices.ContainsFunc(connected, func(c sqlc.Credential) bool { return !of(a.MadeUp[i], c) }) {
			slugs = append(slugs, store.Slug)
		}
	}
	return slugs, nil
}

// of reports whether a credential is for the shop's made-up services.
func of(shop stores.MadeUpShop, c sqlc.Credential) bool {
	return slices.ContainsFunc(shop.Services, func(g stores.Given) bool {
		at, err := url.Parse(g.Address)
		return err == nil && at.Host == c.Host
	})
}

// RemoveMadeUp implements stores.Admin. Each is removed like any other store. If that stops
// halfway, the next try removes the rest.
func (a *Admin) RemoveMadeUp(ctx context.Context, person int64) error {
	slugs, err := a.MadeUpStores(ctx, person)
	if err != nil {
		return err
	}
	for _, slug := range slugs {
		if err := a.Remove(ctx, person, slug); err != nil && !errors.Is(err, db.ErrNotFound) {
			return fmt.Errorf("remove the made-up store %s: %w", slug, err)
		}
	}
	return nil
}
