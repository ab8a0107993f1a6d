package storeadmin

import (
	"context"
	"errors"
	"fmt"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/stores"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// AddMadeUp implements stores.Admin. Shops that are connected already are left as they are,
// so a second try adds what the first one could not.
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

func (a *Admin) addMadeUp(ctx context.Context, person int64, shop stores.MadeUpShop) error {
	var checked []pulls.Checked
	for _, g := range shop.Services {
		token := upstream.NewSecret(g.Token)
		found, err := a.Sync.Discover(ctx, g.Service, g.Address, token)
		if err != nil {
			return err
		}
		checked = append(checked, pulls.Checked{Service: g.Service, BaseURL: g.Address, Token: token, Found: found})
	}
	slug, name := "made-up-"+shop.Slug, locale.T(ctx, "stores.made_up.name", "store", shop.Name)
	_, err := a.Sync.AddStore(ctx,
		db.InsertStoreParams{Slug: slug, Name: name, Timezone: shop.Timezone, HistoryDays: stores.DefaultHistoryDays}, checked, false,
		RecordingStore(a.Access, slug, name, checked),
		func(ctx context.Context, q *db.Queries) error { return a.Access.GrantPersonIn(ctx, q, person, slug) })
	if _, known := errors.AsType[*pulls.ShopKnown](err); known || errors.Is(err, pulls.ErrTaken) {
		return nil
	}
	return err
}
