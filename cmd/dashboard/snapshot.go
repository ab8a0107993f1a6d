package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/settings"
)

type snapshotCommand struct {
	List        snapshotList        `cmd:"" help:"List weekly mails and whether they arrived."`
	Subscribe   snapshotSubscribe   `cmd:"" help:"Subscribe an account, or ask an address whether it wants the mail."`
	Unsubscribe snapshotUnsubscribe `cmd:"" help:"Unsubscribe an account or address."`
	Send        snapshotSend        `cmd:"" help:"Send the mails that are due, a test, or one mail again."`
	Bounce      snapshotBounce      `cmd:"" help:"Read a bounce report from standard input."`
	Preview     snapshotPreview     `cmd:"" help:"Write a week's mail to files, without sending it."`
}

type snapshotList struct {
	Store string `placeholder:"SLUG" help:"Mails about this store only."`
	State string `enum:",waiting,ready,sent,refused,given-up,suppressed,ended" default:"" placeholder:"STATE" help:"Only mails in this state: waiting, ready, sent, refused, given-up, suppressed or ended."`
	Most  int32  `default:"100" placeholder:"N" help:"How many to list, newest first."`
}

// Run lists mails, latest due date first.
func (c snapshotList) Run(ctx context.Context, p *cli.Program) error {
	if c.Most < 1 {
		return cli.Usagef("--most %d is out of range: write 1 or more", c.Most)
	}
	return p.WithApp(ctx, settings.NeedsNothing, app.SchemaOwn, func(a *app.App) error {
		if c.Store != "" {
			if _, err := (storeArg{c.Store}).live(ctx, a); err != nil {
				return err
			}
		}
		mails, err := a.DB.Queries().ListDeliveries(ctx, sqlc.ListDeliveriesParams{
			Every: true, Slug: c.Store, State: strings.ReplaceAll(c.State, "-", " "),
			BeforeAt: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), Most: c.Most,
		})
		if err != nil {
			return fmt.Errorf("list weekly mails: %w", err)
		}
		w := p.Table("ID", "STORE", "WEEK", "READER", "STATE", "TRIES", "DUE", "SENT", "REASON")
		for _, m := range mails {
			w.Row(m.ID, cmp.Or(m.Slug, "every store"), m.Week.String(), m.Address, m.State, m.Tries, words.Moment(&m.DueAt), words.Moment(m.SentAt), m.Reason.In(locale.English))
		}
		return w.Flush()
	})
}

// errNoMailServer says what to set.
var errNoMailServer = errors.New("no mail server is set: set DASHBOARD_SMTP_URL and DASHBOARD_MAIL_FROM")
