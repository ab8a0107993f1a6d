package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/goal"
	"github.com/storeglass/storeglass/internal/settings"
	"github.com/storeglass/storeglass/internal/storeadmin"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

type storeSet struct {
	storeArg
	storeGoal
	Name        *string `placeholder:"N" help:"Name shown on pages."`
	Timezone    *string `placeholder:"TZ" help:"The store's time zone as an IANA name; what depends on it is loaded again."`
	HistoryDays *int    `name:"history-days" placeholder:"DAYS" help:"How many past days to load."`
	UpsellURL   string  `name:"upsell-url" placeholder:"U" help:"New address of the Upsell Data API; the token is asked for again."`
	GiftURL     string  `name:"gift-url" placeholder:"G" help:"New address of the Gift Store API; the token is asked for again."`
	UpsellToken bool    `name:"upsell-token" help:"Replace the upsell token; it comes from STORE_UPSELL_TOKEN or a prompt."`
	GiftToken   bool    `name:"gift-token" help:"Replace the gift token; it comes from STORE_GIFT_TOKEN or a prompt."`
}

// Run changes what is given. A new address requires the token again, so that people who may
// change addresses can't have a stored token sent to one of their choice.
func (c storeSet) Run(ctx context.Context, p *cli.Program) error {
	if err := c.check(); err != nil {
		return err
	}
	need := settings.NeedsNothing
	if c.connects() {
		need = settings.NeedsKey
	}
	return p.WithApp(ctx, need, app.SchemaOwn, func(a *app.App) error {
		store, err := c.live(ctx, a)
		if err != nil {
			return err
		}
		set, err := c.read(store)
		if err != nil {
			return err
		}
		if c.connects() {
			if err := c.reconnect(ctx, p, a, store); err != nil {
				return err
			}
		}
		if err := c.update(ctx, a, store); err != nil {
			return err
		}
		if set != nil {
			if err := c.save(ctx, a, store, *set); err != nil {
				return err
			}
		}
		p.Printf("%s is changed.\n", store.Slug)
		return nil
	})
}

func (c storeSet) connects() bool {
	return c.UpsellURL != "" || c.GiftURL != "" || c.UpsellToken || c.GiftToken
}

func (c storeSet) check() error {
	if c.GoalFrom != "" && c.Goal == "" {
		return cli.Usagef("--goal-from needs --goal")
	}
	if c.Name == nil && c.Timezone == nil && c.HistoryDays == nil && c.Goal == "" && !c.connects() {
		return cli.Usagef("nothing to change: see `dashboard store set --help`")
	}
	if c.Name != nil && strings.TrimSpace(*c.Name) == "" {
		return cli.Usagef("--name is empty: write the name shown on pages")
	}
	if c.Timezone != nil {
		if err := checkTimezone(*c.Timezone); err != nil {
			return err
		}
	}
	if c.HistoryDays != nil {
		return checkHistory(*c.HistoryDays)
	}
	return nil
}

// reconnect checks and saves the services whose address or token changes.
func (c storeSet) reconnect(ctx context.Context, p *cli.Program, a *app.App, store sqlc.Store) error {
	creds, err := a.DB.Queries().CredentialsOfStore(ctx, store.ID)
	if err != nil {
		return fmt.Errorf("read credentials of %s: %w", store.Slug, err)
	}
	urls := map[string]string{pulls.Upsell: c.UpsellURL, pulls.Gift: c.GiftURL}
	for service, again := range map[string]bool{pulls.Upsell: c.UpsellToken, pulls.Gift: c.GiftToken} {
		if !again || urls[service] != "" {
			continue
		}
		for _, cred := range creds {
			if cred.Service == service {
				urls[service] = cred.BaseUrl
			}
		}
		if urls[service] == "" {
			return cli.Usagef("the %s service of %s is not connected: give its address with --%s-url", service, store.Slug, service)
		}
	}
	conns, err := connections(ctx, p, urls[pulls.Upsell], urls[pulls.Gift])
	if err != nil {
		return err
	}
	sync, done, err := a.Syncer()
	if err != nil {
		return err
	}
	defer done()
	if err := checkConnections(ctx, p, sync, conns); err != nil {
		return err
	}
	for _, conn := range conns {
		if _, err := sync.Connect(ctx, store.ID, conn.Service, conn.BaseURL, conn.Token, storeadmin.RecordingCredential(a.Audit, store, conn.Service, conn.BaseURL)); err != nil {
			return words.ServiceError(conn.Service, conn.BaseURL, err)
		}
	}
	return nil
}

// update writes the row.
func (c storeSet) update(ctx context.Context, a *app.App, store sqlc.Store) error {
	to := sqlc.UpdateStoreParams{ID: store.ID, Name: store.Name, Timezone: store.Timezone, HistoryDays: store.HistoryDays}
	if c.Name != nil {
		to.Name = strings.TrimSpace(*c.Name)
	}
	if c.Timezone != nil {
		to.Timezone = *c.Timezone
	}
	if c.HistoryDays != nil {
		to.HistoryDays = int32(*c.HistoryDays)
	}
	return pulls.New(pulls.Config{DB: a.DB, Log: a.Log}).ChangeStore(ctx, to, storeadmin.RecordingChange(a.Audit, store, to))
}

// storeGoal holds the flags of a monthly goal.
type storeGoal struct {
	Goal     string `placeholder:"G" help:"Monthly goal: an upsold value such as 54000 in the store's currency, orders as in \"1200 orders\", or none."`
	GoalFrom string `name:"goal-from" placeholder:"YYYY-MM" help:"The month that the goal begins in; this month if left out."`
}

// read makes the goal from the flags, as the page's form does; nil if none is given.
func (c storeGoal) read(store sqlc.Store) (*report.StoredGoal, error) {
	if c.Goal == "" {
		return nil, nil
	}
	zone, err := report.Zone(store.Timezone)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	today := report.Today(now, zone)
	form := goal.Form{Kind: string(fact.GoalValue), Amount: c.Goal, From: goal.MonthOf(today).Start.String()}
	if c.GoalFrom != "" {
		form.From = c.GoalFrom + "-01"
	}
	if orders, is := strings.CutSuffix(c.Goal, " orders"); is {
		form.Kind, form.Amount = string(fact.GoalOrders), orders
	} else if c.Goal == string(fact.GoalNone) {
		form.Kind = string(fact.GoalNone)
	}
	set, wrong := form.Read(locale.English, db.OrZero(store.Currency), today)
	for _, field := range []struct{ name, flag string }{{"kind", "--goal"}, {"amount", "--goal"}, {"from", "--goal-from"}} {
		if why := wrong[field.name]; why != "" {
			return nil, cli.Usagef("%s: %s", field.flag, why)
		}
	}
	set.SetAt = now
	return &set, nil
}

// save sets the goal and records it.
func (c storeGoal) save(ctx context.Context, a *app.App, store sqlc.Store, set report.StoredGoal) error {
	err := a.Recorded(ctx, audit.Event{Action: audit.StoreGoalSet, Store: store.Slug, Subject: goal.Record(set)}, func(q *sqlc.Queries) error {
		return db.SetGoal(ctx, q, store.ID, set, 0)
	})
	return db.Tried(err, "set the goal of %s", store.Slug)
}
