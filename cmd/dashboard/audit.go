package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/settings"
)

type auditCommand struct {
	List   auditList   `cmd:"" help:"List what was recorded, newest first."`
	Counts auditCounts `cmd:"" help:"Show failed sign-ins and other attempts by strangers, counted per day."`
}

// auditFlags select records or counts.
type auditFlags struct {
	Who    string `placeholder:"TEXT" help:"Part of who did it, or their kind: person, token, share, command, nobody."`
	Action string `placeholder:"ACTION" help:"An action such as store.paused, or the start of several, such as sign-in."`
	Store  string `placeholder:"SLUG" help:"Only records about this store."`
	From   string `placeholder:"DAY" help:"First day in UTC, such as 2026-11-01."`
	To     string `placeholder:"DAY" help:"Last day in UTC."`
	Text   string `placeholder:"TEXT" help:"Part of a record's text."`
	Limit  int    `default:"100" help:"Most records to list; 0 lists all."`
	JSON   bool   `name:"json" help:"Print one JSON object per line."`
}

type auditList struct {
	auditFlags `embed:""`
}

// filter reads the flags.
func (c auditFlags) filter() (f audit.Filter, err error) {
	f = audit.Filter{Who: c.Who, About: c.Action, Store: c.Store, Text: c.Text}
	if c.Action != "" && !slices.ContainsFunc(audit.ActionGroups(), func(g audit.ActionGroup) bool {
		return g.About == c.Action || slices.Contains(g.Actions, audit.Action(c.Action))
	}) {
		return f, cli.Usagef("--action %q is not an action: write one such as store.paused, or its subject, such as store", c.Action)
	}
	if c.Limit < 0 {
		return f, cli.Usagef("--limit is below 0: write a number, or 0 for all")
	}
	if c.From != "" {
		if f.Since, err = time.Parse(time.DateOnly, c.From); err != nil {
			return f, cli.Usagef("--from %q is not a date: write it as 2026-11-01", c.From)
		}
	}
	if c.To != "" {
		last, err := time.Parse(time.DateOnly, c.To)
		if err != nil {
			return f, cli.Usagef("--to %q is not a date: write it as 2026-11-30", c.To)
		}
		f.Until = last.AddDate(0, 0, 1)
	}
	return f, nil
}

// auditPage is how many records are read at once.
const auditPage = 500

// Run reads page by page, so that a long log needs little memory.
func (c auditList) Run(ctx context.Context, p *cli.Program) error {
	f, err := c.filter()
	if err != nil {
		return err
	}
	return p.WithApp(ctx, settings.NeedsNothing, app.SchemaOwn, func(a *app.App) error {
		write, flush := c.writer(p)
		for left := c.Limit; c.Limit == 0 || left > 0; left -= auditPage {
			n := auditPage
			if c.Limit > 0 {
				n = min(n, left)
			}
			records, err := a.Audit.Records(ctx, f, n)
			if err != nil {
				return err
			}
			for _, r := range records {
				write(r)
			}
			if len(records) < n {
				break
			}
			f.After = records[len(records)-1]
		}
		return flush()
	})
}

// writer returns a func that writes one record, and a func that finishes the output.
func (c auditList) writer(p *cli.Program) (write func(audit.Record), flush func() error) {
	if c.JSON {
		return func(r audit.Record) { p.JSONLine(auditLine(r)) }, func() error { return nil }
	}
	w := p.Table("TIME", "WHO", "WHAT", "STORE", "SUBJECT", "FROM")
	return func(r audit.Record) {
		who := strings.TrimSpace(string(r.Actor.Kind) + " " + r.Actor.Name)
		w.Row(r.At.UTC().Format("2006-01-02 15:04:05 UTC"), who, r.Action.Words(locale.English), r.Store, r.Words(locale.English), r.Actor.Address)
	}, w.Flush
}

type auditJSON struct {
	At      time.Time `json:"at"`
	Actor   string    `json:"actor"`
	Name    string    `json:"name,omitempty"`
	Action  string    `json:"action"`
	Store   string    `json:"store,omitempty"`
	Subject string    `json:"subject,omitempty"`
	Address string    `json:"address,omitempty"`
	Request string    `json:"request,omitempty"`
}

func auditLine(r audit.Record) auditJSON {
	return auditJSON{
		At: r.At.UTC(), Actor: string(r.Actor.Kind), Name: r.Actor.Name, Action: string(r.Action), Store: r.Store,
		Subject: r.Words(locale.English), Address: r.Actor.Address, Request: r.Actor.Request,
	}
}
