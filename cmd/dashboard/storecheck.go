package main

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/cmd/dashboard/doctor"
	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/settings"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

type storeCheck struct {
	Slug string `arg:"" optional:"" help:"The store's short name, as in its address."`
	All  bool   `help:"Check the refused credentials of every store."`
}

// Run calls the service once for each refused credential. Those that work are used again.
func (c storeCheck) Run(ctx context.Context, p *cli.Program) error {
	if (c.Slug == "") == !c.All {
		return cli.Usagef("no store is given: write its name, or --all")
	}
	return p.WithApp(ctx, settings.NeedsNothing, app.SchemaOwn, func(a *app.App) error {
		if c.Slug != "" {
			if _, err := (storeArg{c.Slug}).live(ctx, a); err != nil {
				return err
			}
		}
		all, err := a.DB.Queries().StoppedCredentials(ctx)
		if err != nil {
			return fmt.Errorf("list refused credentials: %w", err)
		}
		var rows []sqlc.StoppedCredentialsRow
		for _, r := range all {
			if c.All || r.Slug == c.Slug {
				rows = append(rows, r)
			}
		}
		if len(rows) == 0 {
			p.Printf("No credential is refused.\n")
			return nil
		}
		return checkAll(ctx, a, p, rows)
	})
}

// checksAtOnce is how many services are called at the same time; each has its own budget.
const checksAtOnce = 8

func checkAll(ctx context.Context, a *app.App, p *cli.Program, rows []sqlc.StoppedCredentialsRow) error {
	sync, done, err := a.Syncer()
	if err != nil {
		return err
	}
	defer done()
	lines, refused := make([]string, len(rows)), make([]bool, len(rows))
	var group errgroup.Group
	group.SetLimit(checksAtOnce)
	for i, r := range rows {
		group.Go(func() error {
			lines[i], refused[i] = checkOne(ctx, sync, r)
			return nil
		})
	}
	_ = group.Wait() // errors are in lines
	n := 0
	for i := range rows {
		p.Printf("%s\n", lines[i])
		if refused[i] {
			n++
		}
	}
	if n > 0 {
		return fmt.Errorf("%s not accepted", words.Count(n, "credential"))
	}
	return nil
}

func checkOne(ctx context.Context, sync *pulls.Syncer, r sqlc.StoppedCredentialsRow) (line string, refused bool) {
	ctx, cancel := context.WithTimeout(ctx, doctor.ProbeTime)
	defer cancel()
	what := r.Slug + " " + r.Service + ": "
	got, err := sync.Recheck(ctx, r.ID)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return what + "no answer within " + doctor.ProbeTime.String(), true
	case err != nil:
		return what + err.Error(), true
	case !got.Answers:
		return what + got.Words, true
	case r.StorePaused:
		return what + "accepted again; the store itself is paused until `dashboard store resume " + r.Slug + "`", false
	}
	return what + "accepted again", false
}
