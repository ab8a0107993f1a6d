package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/internal/report/weekly"
	"github.com/storeglass/storeglass/internal/settings"
)

type snapshotSubscribe struct {
	Address  string           `arg:"" help:"Mail address of an account with access to the store. An address without an account is asked first."`
	Store    string           `placeholder:"SLUG" help:"The store; without it, one mail about all stores of the account."`
	Day      settings.Weekday `default:"monday" help:"Weekday of the mail."`
	Hour     int              `default:"8" help:"Hour of the mail, 0 to 23, in the store's time zone."`
	Zone     string           `placeholder:"ZONE" help:"Time zone of the mail about all stores, such as Europe/Vienna."`
	Language string           `default:"en" help:"Language of the mail: en, de, fr or es."`
	PDF      bool             `help:"Also attach it as a PDF."`
}

// Run subscribes an account at once, and asks any other address by mail.
func (c snapshotSubscribe) Run(ctx context.Context, p *cli.Program, a *app.App) error {
	room, err := a.Subscriptions()
	if err != nil {
		return err
	}
	asked, err := room.SubscribeReader(ctx, weekly.Form{
		Slug: c.Store, Address: c.Address, Weekday: int(c.Day.Kept()), Hour: c.Hour, Zone: c.Zone, Language: c.Language, PDF: c.PDF,
	})
	if errors.Is(err, db.ErrNotFound) {
		return fmt.Errorf("%s has no access to a store %q: `dashboard store list` and `dashboard user list` show what there is", cli.Plain(c.Address), c.Store)
	}
	if refused, ok := errors.AsType[*stores.Refusal](err); ok {
		return cli.Usagef("%s", refused.First())
	}
	if err != nil {
		return err
	}
	if asked {
		p.Printf("%s has been asked. Mails begin when they say yes, within seven days.\n", cli.Plain(c.Address))
		return nil
	}
	p.Printf("%s gets it from now on.\n", cli.Plain(c.Address))
	return nil
}

type snapshotUnsubscribe struct {
	Address string `arg:"" help:"Mail address of the reader."`
	Store   string `placeholder:"SLUG" help:"The store; without it, the mail about all stores."`
}

func (c snapshotUnsubscribe) Run(ctx context.Context, p *cli.Program, a *app.App) error {
	room, err := a.Subscriptions()
	if err != nil {
		return err
	}
	err = room.UnsubscribeReader(ctx, c.Address, c.Store)
	if errors.Is(err, db.ErrNotFound) {
		return fmt.Errorf("%s has no such subscription", cli.Plain(c.Address))
	}
	if err != nil {
		return err
	}
	p.Printf("No more of these mails go to %s.\n", cli.Plain(c.Address))
	return nil
}
