package main

import (
	"context"
	"errors"
	"time"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/weekly"
)

type snapshotBounce struct{}

// Help is shown by --help below the flags.
func (snapshotBounce) Help() string {
	return "Have the mail server of the sender's address hand every mail to this command: reports that an address is gone end the mails to it, anything else is left alone."
}

// Run reads one mail. A mail that isn't a report about ours isn't an error: the mail server
// would send a bounce about the failure.
func (snapshotBounce) Run(ctx context.Context, p *cli.Program, a *app.App) error {
	back, err := weekly.Bounced(ctx, a.DB, p.Stdin, time.Now())
	switch {
	case errors.Is(err, mail.ErrNoBounce):
		p.Notef("Left alone: %s.\n", cli.Plain(cli.OneLine(err.Error())))
		return nil
	case errors.Is(err, db.ErrNotFound):
		p.Notef("Left alone: this is a report about a mail that was not sent from here, or was sent again since.\n")
		return nil
	case err != nil:
		return err
	}
	for _, b := range back {
		words := "more mails are sent there"
		if b.Suppressed {
			words = "nothing is sent there any more"
		}
		p.Printf("%s: %s; %s.\n", b.Address, b.Reason.In(locale.English), words)
	}
	return nil
}
