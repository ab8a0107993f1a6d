package main

import (
	"context"
	"errors"
	"fmt"
	netmail "net/mail"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/settings"
	"github.com/storeglass/storeglass/internal/weekly"
)

type snapshotSend struct {
	Store string `placeholder:"SLUG" help:"Send a test about this store, to --to."`
	To    string `placeholder:"ADDRESS" help:"Who gets the test."`
	Week  string `placeholder:"YYYY-MM-DD" help:"The first day of the test's week; default: last week."`
	Again int64  `placeholder:"ID" help:"Send this mail again with today's numbers; ids are in snapshot list."`
}

// Help is shown by --help below the flags.
func (snapshotSend) Help() string {
	return "Without flags it does what the worker does by schedule: it sends what is due now."
}

func (c snapshotSend) Run(ctx context.Context, p *cli.Program) error {
	test := c.Store != "" || c.To != "" || c.Week != ""
	switch {
	case test && c.Again != 0:
		return cli.Usagef("--again sends one mail to its reader: leave out --store, --to and --week")
	case test && (c.Store == "" || c.To == ""):
		return cli.Usagef("a test needs --store and --to")
	}
	first, err := parseWeek(c.Week)
	if err != nil {
		return err
	}
	if to, err := netmail.ParseAddress(c.To); test && (err != nil || to.Address != c.To) {
		return cli.Usagef("--to %q is not a mail address: write it as ada@example.com", c.To)
	}
	return p.WithApp(ctx, settings.NeedsNothing, app.SchemaOwn, func(a *app.App) error {
		post, err := a.WeeklySender()
		if err != nil {
			return err
		}
		if post == nil {
			return errNoMailServer
		}
		if test {
			return c.test(ctx, p, a, post, first)
		}
		return c.round(ctx, p, a, post)
	})
}

// test sends a mail that nobody subscribed to.
func (c snapshotSend) test(ctx context.Context, p *cli.Program, a *app.App, post *weekly.Sender, first civil.Date) error {
	order, err := orderOf(ctx, a, c.Store, first, time.Now())
	if err != nil {
		return err
	}
	order.To = c.To
	content, err := post.Composer.Compose(ctx, order)
	if err != nil {
		return err
	}
	if err := post.Courier.Send(ctx, content.Message(c.To)); err != nil {
		return err
	}
	p.Printf("Sent to %s: %s\n", c.To, cli.Plain(content.Subject))
	if !content.Complete {
		p.Notef("Not every day of that week is stored; a mail by subscription would wait for them for some hours.\n")
	}
	return nil
}

// round sends what is due, after making the mail due that is to be sent again, if any.
func (c snapshotSend) round(ctx context.Context, p *cli.Program, a *app.App, post *weekly.Sender) error {
	began := time.Now()
	if c.Again != 0 {
		err := weekly.Resend(ctx, a.DB.Queries(), c.Again, began)
		if errors.Is(err, db.ErrNotFound) {
			return fmt.Errorf("mail %d can't be sent again: it is on its way still, its subscription has ended, or there is none; `dashboard snapshot list` lists them", c.Again)
		}
		if err != nil {
			return err
		}
	}
	_, owed := post.Schedule(ctx)
	delivered := post.Deliver(ctx)
	n, err := a.DB.Queries().CountMails(ctx, began)
	if err != nil {
		return errors.Join(owed, delivered, err)
	}
	p.Printf("%s sent, %d refused, %d on the way.\n", words.Count(int(n.Sent), "mail"), n.Refused, n.LeftOver)
	return errors.Join(owed, delivered)
}
