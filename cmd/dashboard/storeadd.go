package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/settings"
	"github.com/storeglass/storeglass/internal/storeadmin"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

type storeAdd struct {
	Slug        string `required:"" placeholder:"S" help:"Short name for addresses and commands, such as north-shop."`
	Name        string `required:"" placeholder:"N" help:"Name shown on pages."`
	Timezone    string `placeholder:"TZ" help:"The store's time zone as an IANA name; optional if the gift service reports it."`
	UpsellURL   string `name:"upsell-url" placeholder:"U" help:"Base address of the Upsell Data API; its token comes from STORE_UPSELL_TOKEN or a prompt."`
	GiftURL     string `name:"gift-url" placeholder:"G" help:"Base address of the Gift Store API; its token comes from STORE_GIFT_TOKEN or a prompt."`
	HistoryDays int    `name:"history-days" default:"90" help:"How many past days to load."`
	Again       bool   `help:"Add the shop even if another store here already has it."`
}

// Help is shown by --help below the flags.
func (storeAdd) Help() string {
	return "One service alone is fine. Both are asked once before anything is saved, and what they answer is named back."
}

// Run validates everything it can before any call, then checks both services, then
// saves.
func (c storeAdd) Run(ctx context.Context, p *cli.Program) error {
	if err := c.check(); err != nil {
		return err
	}
	conns, err := connections(ctx, p, c.UpsellURL, c.GiftURL)
	if err != nil {
		return err
	}
	return p.WithApp(ctx, settings.NeedsKey, app.SchemaOwn, func(a *app.App) error {
		switch store, err := a.DB.Queries().StoreBySlug(ctx, c.Slug); {
		case err == nil && store.RemovedAt != nil:
			return removedStore(store)
		case err == nil:
			return fmt.Errorf("store %q exists: change it with `dashboard store set %s`, or choose another --slug", c.Slug, c.Slug)
		case !errors.Is(err, pgx.ErrNoRows):
			return fmt.Errorf("look for store %s: %w", c.Slug, err)
		}
		sync, done, err := a.Syncer()
		if err != nil {
			return err
		}
		defer done()
		if err := checkConnections(ctx, p, sync, conns); err != nil {
			return err
		}
		zone, err := c.zone(p, conns)
		if err != nil {
			return err
		}
		store, err := sync.AddStore(ctx, sqlc.InsertStoreParams{
			Slug: c.Slug, Name: strings.TrimSpace(c.Name), Timezone: zone, HistoryDays: int32(c.HistoryDays),
		}, conns, c.Again, storeadmin.RecordingStore(a.Audit, c.Slug, c.Name, conns))
		if known, ok := errors.AsType[*pulls.ShopKnown](err); ok {
			return shopKnown(known.Stores)
		}
		if err != nil {
			return err
		}
		p.Printf("Added %s (%s, %s). Pull its numbers now with: dashboard sync --store %s\n", store.Slug, store.Name, store.Timezone, store.Slug)
		return nil
	})
}

// shopKnown says which store already has the shop.
func shopKnown(stores []sqlc.Store) error {
	first := stores[0]
	if first.RemovedAt != nil {
		return fmt.Errorf("this shop is already connected as the removed store %s: bring it back with `dashboard store restore %s`, or add it a second time with --again", first.Slug, first.Slug)
	}
	return fmt.Errorf("this shop is already connected as %s: `dashboard store set %s` changes it; --again adds it a second time", first.Slug, first.Slug)
}

func (c storeAdd) check() error {
	if err := checkSlug(c.Slug); err != nil {
		return err
	}
	if strings.TrimSpace(c.Name) == "" {
		return cli.Usagef("--name is empty: write the name shown on pages")
	}
	if c.Timezone != "" {
		if err := checkTimezone(c.Timezone); err != nil {
			return err
		}
	}
	if c.UpsellURL == "" && c.GiftURL == "" {
		return cli.Usagef("no service is given: write --upsell-url, --gift-url or both")
	}
	return checkHistory(c.HistoryDays)
}

// zone is the store's time zone: the given one, or else the gift service's.
func (c storeAdd) zone(p *cli.Program, conns []pulls.Checked) (string, error) {
	named := ""
	for _, conn := range conns {
		named = cmp.Or(conn.Found.Timezone, named)
	}
	switch {
	case c.Timezone == "" && named == "":
		return "", cli.Usagef("no service names the store's time zone: write --timezone, such as America/New_York")
	case c.Timezone == "":
		return named, checkTimezone(named)
	case named != "" && named != c.Timezone:
		p.Complain(fmt.Sprintf("warning: the gift service says that the store's clock is %s, not %s: days will begin at another hour than there", named, c.Timezone))
	}
	return c.Timezone, nil
}

// connections reads the token for every service whose address is given.
func connections(ctx context.Context, p *cli.Program, upsellURL, giftURL string) ([]pulls.Checked, error) {
	var conns []pulls.Checked
	for _, c := range []pulls.Checked{{Service: pulls.Upsell, BaseURL: upsellURL}, {Service: pulls.Gift, BaseURL: giftURL}} {
		if c.BaseURL == "" {
			continue
		}
		var err error
		if c.Token, err = p.Token(ctx, c.Service); err != nil {
			return nil, err
		}
		conns = append(conns, c)
	}
	return conns, nil
}

// checkConnections calls each service once and prints what it found. It refuses tokens of
// two different stores, whose numbers would be mixed.
func checkConnections(ctx context.Context, p *cli.Program, sync *pulls.Syncer, conns []pulls.Checked) error {
	domain := ""
	for i := range conns {
		c := &conns[i]
		found, err := sync.Check(ctx, c.Service, c.BaseURL, c.Token)
		if err != nil {
			return words.ServiceError(c.Service, c.BaseURL, err)
		}
		c.Found = found
		p.Printf("%-7s %s\n", c.Service+":", words.Found(found))
		if found.Domain == "" {
			continue
		}
		if domain != "" && !strings.EqualFold(domain, found.Domain) {
			return fmt.Errorf("the two tokens belong to two stores, %s and %s: give two tokens of one store", domain, found.Domain)
		}
		domain = found.Domain
	}
	return nil
}
