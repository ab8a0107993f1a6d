package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/stores"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

type storeCommand struct {
	Add     storeAdd     `cmd:"" help:"Connect a store, after checking addresses and tokens."`
	List    storeList    `cmd:"" help:"List the stores."`
	Show    storeShow    `cmd:"" help:"Show a store and its credentials."`
	Set     storeSet     `cmd:"" help:"Change a store's name, time zone, history, address or token."`
	Pause   storePause   `cmd:"" help:"Stop updating a store until it is resumed."`
	Resume  storeResume  `cmd:"" help:"Continue after a pause or a fixed credential."`
	Check   storeCheck   `cmd:"" help:"Check refused credentials now; accepted ones continue."`
	Remove  storeRemove  `cmd:"" help:"Remove a store. You can restore it for 30 days."`
	Restore storeRestore `cmd:"" help:"Restore a removed store."`
}

// storeArg is the store that a command works on.
type storeArg struct {
	Slug string `arg:"" help:"The store's short name, as in its address."`
}

// find looks the store up.
func (c storeArg) find(ctx context.Context, a *app.App) (sqlc.Store, error) {
	store, err := a.DB.Queries().StoreBySlug(ctx, c.Slug)
	return store, db.Absent(err, words.UnknownStore(c.Slug), "find store %s", c.Slug)
}

// live is find for commands that don't work on removed stores.
func (c storeArg) live(ctx context.Context, a *app.App) (sqlc.Store, error) {
	store, err := c.find(ctx, a)
	if err == nil && store.RemovedAt != nil {
		err = removedStore(store)
	}
	return store, err
}

func storeMustExist(ctx context.Context, a *app.App, slug string) error {
	if slug == "*" {
		return nil
	}
	_, err := storeArg{slug}.find(ctx, a)
	return err
}

func checkSlug(slug string) error {
	switch {
	case stores.IsSlug(slug):
		return nil
	case stores.IsPage(slug):
		return cli.Usagef("--slug %q is reserved: choose another", slug)
	}
	return cli.Usagef("--slug %q is not a short name: use a-z, 0-9 and dashes, at most 64, such as north-shop", slug)
}

// checkTimezone accepts IANA names only.
func checkTimezone(name string) error {
	if !report.IsTimezone(name) {
		return cli.Usagef("--timezone %q is not a time zone: write an IANA name, such as America/New_York", name)
	}
	return nil
}

func checkHistory(days int) error {
	if days < 1 || days > stores.MaxHistoryDays {
		return cli.Usagef("--history-days %d is out of range: write 1 to %d", days, stores.MaxHistoryDays)
	}
	return nil
}

type storeList struct{}

// Run lists stores by slug, with the state of each service.
func (storeList) Run(ctx context.Context, p *cli.Program, a *app.App) error {
	stores, err := a.DB.Queries().AllStores(ctx)
	if err != nil {
		return fmt.Errorf("list stores: %w", err)
	}
	if len(stores) == 0 {
		where := ""
		if a.Server != nil { // DATABASE_URL may have been forgotten
			where = " in " + a.Settings.DataDir
		}
		p.Notef("There is no store yet%s: connect one with `dashboard store add`.\n", where)
		return nil
	}
	w := p.Table("SLUG", "NAME", "TIME ZONE", "CURRENCY", "HISTORY", "SERVICES")
	for _, s := range stores {
		creds, err := a.DB.Queries().CredentialsOfStore(ctx, s.ID)
		if err != nil {
			return fmt.Errorf("read credentials of %s: %w", s.Slug, err)
		}
		w.Row(s.Slug, s.Name, s.Timezone, db.OrZero(s.Currency), words.Count(int(s.HistoryDays), "day"), serviceStates(s, creds))
	}
	return w.Flush()
}

func serviceStates(s sqlc.Store, creds []sqlc.Credential) string {
	if len(creds) == 0 {
		return "none connected"
	}
	words := make([]string, len(creds))
	for i, c := range creds {
		words[i] = c.Service + " " + string(c.State)
	}
	line := strings.Join(words, ", ")
	if s.RemovedAt != nil {
		return line + " (store removed)"
	}
	if s.PausedAt != nil {
		line += " (store paused)"
	}
	return line
}

type storeShow struct{ storeArg }

// Run shows everything but the tokens. Of those it shows only the last characters.
func (c storeShow) Run(ctx context.Context, p *cli.Program, a *app.App) error {
	store, err := c.find(ctx, a)
	if err != nil {
		return err
	}
	creds, err := a.DB.Queries().CredentialsOfStore(ctx, store.ID)
	if err != nil {
		return fmt.Errorf("read credentials of %s: %w", store.Slug, err)
	}
	w := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
	row := func(name, value string) { _, _ = fmt.Fprintf(w, "%s\t%s\n", name, value) }
	row("store", store.Slug)
	row("name", cli.Plain(store.Name))
	row("time zone", store.Timezone)
	row("currency", cli.Cell(db.OrZero(store.Currency)))
	row("domain", cli.Cell(db.OrZero(store.Domain)))
	row("history", words.Count(int(store.HistoryDays), "day"))
	if store.PausedAt != nil {
		row("paused", "since "+words.Moment(store.PausedAt))
	}
	if store.RemovedAt != nil {
		row("removed", words.Moment(store.RemovedAt)+" by "+cli.Cell(db.OrZero(store.RemovedBy))+", deleted "+words.Moment(new(pulls.DeletedAt(store))))
	}
	for _, cred := range creds {
		row("", "")
		row(cred.Service, string(cred.State))
		row("  address", cred.BaseUrl)
		row("  token", "ends in "+cred.TokenTail)
		if stored := pulls.Stored(cred); stored.Stopped() {
			row("  refused", "since "+words.Moment(cred.PausedAt))
			row("  why", stored.Words(locale.English, time.Now(), time.UTC))
			row("  next check", words.Moment(cred.NextProbeAt))
			continue
		}
		row("  next look", words.Moment(cred.NextDueAt))
	}
	return w.Flush()
}

type storePause struct{ storeArg }

// Run pauses the store; stored numbers stay and can be read.
func (c storePause) Run(ctx context.Context, p *cli.Program, a *app.App) error {
	return c.turn(ctx, p, a, audit.StorePaused, (*sqlc.Queries).PauseStore, "%[1]s is paused: the worker doesn't update it until `dashboard store resume %[1]s`.\n")
}

type storeResume struct{ storeArg }

// Run resumes the store and its paused credentials, which the next pull checks first.
func (c storeResume) Run(ctx context.Context, p *cli.Program, a *app.App) error {
	return c.turn(ctx, p, a, audit.StoreResumed, (*sqlc.Queries).ResumeStore, "%[1]s is resumed: its credentials are checked with the next pull.\n")
}

// turn makes a change that needs only the store's id, and records it.
func (c storeArg) turn(ctx context.Context, p *cli.Program, a *app.App, did audit.Action, do func(*sqlc.Queries, context.Context, int64) error, said string) error {
	store, err := c.live(ctx, a)
	if err != nil {
		return err
	}
	err = a.Recorded(ctx, audit.Event{Action: did, Store: store.Slug}, func(q *sqlc.Queries) error { return do(q, ctx, store.ID) })
	if err != nil {
		return fmt.Errorf("%s, %s: %w", store.Slug, did, err)
	}
	p.Printf(said, store.Slug)
	return nil
}
