package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/goal"
	pulls "github.com/storeglass/storeglass/internal/sync"
	"github.com/storeglass/storeglass/internal/sync/plan"
	"github.com/storeglass/storeglass/web/site"
)

const (
	demoPerson      = "demo@storeglass.example"
	demoLinkLife    = 12 * time.Hour
	demoHistoryDays = 90
)

// connectDemo connects the made-up stores, and returns them. It skips what is already
// connected, and reconnects a store whose address changed, keeping its data.
func connectDemo(ctx context.Context, a *app.App, world *sandbox.Server, base string) ([]sqlc.Store, error) {
	sync, done, err := a.Syncer()
	if err != nil {
		return nil, err
	}
	defer done()
	var stores []sqlc.Store
	for _, shop := range world.Stores() {
		store, err := demoStore(ctx, a, shop)
		if err != nil {
			return nil, err
		}
		stores = append(stores, store)
		if err := setDemoGoal(ctx, a, store, shop.Slug); err != nil {
			return nil, err
		}
		creds, err := a.DB.Queries().CredentialsOfStore(ctx, store.ID)
		if err != nil {
			return nil, fmt.Errorf("read credentials of %s: %w", store.Slug, err)
		}
		for _, conn := range []pulls.Checked{
			{Service: pulls.Upsell, BaseURL: base + shop.UpsellPath, Token: upstream.NewSecret(shop.UpsellToken)},
			{Service: pulls.Gift, BaseURL: base + shop.GiftPath, Token: upstream.NewSecret(shop.GiftKey)},
		} {
			if connected(creds, conn, sync.Sealer) {
				continue
			}
			if _, err := sync.Connect(ctx, store.ID, conn.Service, conn.BaseURL, conn.Token); err != nil {
				return nil, words.ServiceError(conn.Service, conn.BaseURL, err)
			}
		}
	}
	return stores, nil
}

// connected reports whether the credential is stored and can be decrypted.
func connected(creds []sqlc.Credential, want pulls.Checked, sealer pulls.Sealer) bool {
	for _, c := range creds {
		if c.Service == want.Service {
			return c.BaseUrl == want.BaseURL && !pulls.Stored(c).Stopped() && !sealer.Stale(c.KeyID) &&
				bytes.Equal(c.Budget, sealer.BudgetKeys(want.Token.Reveal())[0])
		}
	}
	return false
}

func demoStore(ctx context.Context, a *app.App, shop sandbox.Store) (sqlc.Store, error) {
	store, err := a.DB.Queries().StoreBySlug(ctx, shop.Slug)
	if err == nil || !errors.Is(err, pgx.ErrNoRows) {
		return store, err
	}
	store, err = a.DB.Queries().InsertStore(ctx, sqlc.InsertStoreParams{
		Slug: shop.Slug, Name: shop.Name, Timezone: shop.Timezone, HistoryDays: demoHistoryDays,
	})
	if err != nil {
		return store, fmt.Errorf("add demo store %s: %w", shop.Slug, err)
	}
	return store, nil
}

// demoGoals are monthly goals for the made-up stores, close to what they sell. Lumen's is within reach in every month.
var demoGoals = map[string]report.StoredGoal{
	"fernhollow": {Kind: fact.GoalValue, Amount: decimal.NewFromInt(54000), Currency: "USD"},
	"lumen":      {Kind: fact.GoalValue, Amount: decimal.NewFromInt(10000), Currency: "EUR"},
	"kumo":       {Kind: fact.GoalOrders, Amount: decimal.NewFromInt(1000)},
}

// setDemoGoal sets a store's goal from this month on, unless someone has set one.
func setDemoGoal(ctx context.Context, a *app.App, store sqlc.Store, slug string) error {
	set, ok := demoGoals[slug]
	if !ok {
		return nil
	}
	had, err := a.DB.Queries().GoalHistory(ctx, sqlc.GoalHistoryParams{StoreID: store.ID, Most: 1})
	if err != nil || len(had) > 0 {
		return err
	}
	zone, err := report.Zone(store.Timezone)
	if err != nil {
		return err
	}
	set.SetAt = time.Now()
	set.From = goal.MonthOf(report.Today(set.SetAt, zone)).Start
	return db.SetGoal(ctx, a.DB.Queries(), store.ID, set, 0)
}

// demoLink makes a fresh sign-in link for a person with all rights.
func demoLink(ctx context.Context, a *app.App) (string, error) {
	person, err := a.Access.CreatePerson(ctx, demoPerson, "Demo", access.Admin)
	if errors.Is(err, fault.Conflict) {
		person, err = a.Access.PersonByEmail(ctx, demoPerson)
	}
	if err != nil {
		return "", err
	}
	if err := a.Access.GrantPerson(ctx, person.ID, access.AllStores); err != nil {
		return "", err
	}
	secret, _, err := a.SignIn.CreateLink(ctx, person, demoLinkLife)
	if err != nil {
		return "", err
	}
	return site.SignInLink(a.Base(), secret), nil
}

// awaitFirstPages returns when the first page of every store has its numbers.
func awaitFirstPages(ctx context.Context, a *app.App, stores []sqlc.Store) error {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		filled, err := firstPagesFilled(ctx, a, stores)
		if err != nil || filled {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

func firstPagesFilled(ctx context.Context, a *app.App, stores []sqlc.Store) (bool, error) {
	for _, store := range stores {
		for _, service := range []string{pulls.Upsell, pulls.Gift} {
			rows, err := a.DB.Queries().LedgerOfCredential(ctx, sqlc.LedgerOfCredentialParams{StoreID: store.ID, Service: service})
			if err != nil {
				return false, err
			}
			ledger := plan.NewLedger(rows)
			for _, p := range report.FirstPulls {
				if p.Service == service && ledger[plan.Key{Kind: plan.Kind(p.Pull), Subject: p.Subject}].LastGoodAt == nil {
					return false, nil
				}
			}
		}
	}
	return true, nil
}
