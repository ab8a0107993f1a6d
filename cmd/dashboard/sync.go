package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/internal/settings"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

type syncCommand struct {
	Store    string `required:"" placeholder:"S" help:"The store to update."`
	Full     bool   `help:"Load everything again, including days that no longer change."`
	Backfill int    `placeholder:"DAYS" help:"Keep this many past days from now on, and load the missing ones."`
}

// Run pulls until nothing is due, and retries earlier failures at once. It lists failing
// pulls, which make the exit code 1.
func (c syncCommand) Run(ctx context.Context, p *cli.Program) error {
	if c.Backfill < 0 || c.Backfill > stores.MaxHistoryDays {
		return cli.Usagef("--backfill %d is out of range: write 1 to %d", c.Backfill, stores.MaxHistoryDays)
	}
	return p.WithApp(ctx, settings.NeedsKey, app.SchemaOwn, func(a *app.App) error {
		sync, done, err := a.Syncer()
		if err != nil {
			return err
		}
		defer done()
		show := newProgress(p)
		result, err := sync.Run(ctx, c.Store, pulls.RunOptions{Full: c.Full, BackfillDays: c.Backfill, Progress: show.step})
		show.end()
		switch {
		case errors.Is(err, pulls.ErrUnknownStore):
			return words.UnknownStore(c.Store)
		case errors.Is(err, pulls.ErrRemoved):
			_, err = storeArg{c.Store}.live(ctx, a)
		}
		if err != nil {
			return err
		}
		for _, line := range result.Failures {
			p.Complain(line)
		}
		for _, service := range []string{pulls.Upsell, pulls.Gift} {
			if first, ends := result.HistoryEnds[service]; ends {
				p.Printf("%s: the %s service keeps no day before %s.\n", c.Store, service, locale.English.DayYear(first))
			}
		}
		if result.Failed > 0 {
			return fmt.Errorf("%d of %s failed: `dashboard store show %s` and its Sync page say what is tried again when",
				result.Failed, words.Count(result.Done+result.Failed, "pull"), c.Store)
		}
		if result.Done == 0 {
			p.Printf("%s: nothing was due.\n", c.Store)
			return nil
		}
		p.Printf("%s: %s, all good.\n", c.Store, words.Count(result.Done, "pull"))
		return nil
	})
}
