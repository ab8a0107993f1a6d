package main

import (
	"context"
	"fmt"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/settings"
)

type migrateCommand struct {
	Up     migrateUp     `cmd:"" help:"Bring the schema up to date."`
	Down   migrateDown   `cmd:"" help:"Undo the newest step and delete its data."`
	Status migrateStatus `cmd:"" help:"List the steps and when they were applied."`
}

type migrateUp struct{}

// Run prints how many steps were applied; none is fine.
func (migrateUp) Run(ctx context.Context, p *cli.Program) error {
	return p.WithApp(ctx, settings.NeedsNothing, app.SchemaLeft, func(a *app.App) error {
		missing, err := app.MissingSteps(ctx, a.Owner)
		if err != nil {
			return err
		}
		if err := db.Migrate(ctx, a.Owner); err != nil {
			return err
		}
		if missing == 0 {
			p.Printf("The schema is up to date.\n")
			return nil
		}
		p.Printf("%s applied; the schema is up to date.\n", words.Count(missing, "step"))
		return nil
	})
}

type migrateDown struct{ cli.Consent }

// Run reverts our newest step, never one of River's.
func (c migrateDown) Run(ctx context.Context, p *cli.Program) error {
	return p.WithApp(ctx, settings.NeedsNothing, app.SchemaLeft, func(a *app.App) error {
		newest, err := newestStep(ctx, a)
		if err != nil {
			return err
		}
		if newest == nil {
			p.Printf("There is no step to take back.\n")
			return nil
		}
		what := fmt.Sprintf("Taking back %s drops its tables and everything in them", newest.Name)
		if err := c.Ask(ctx, p, what, "down"); err != nil {
			return err
		}
		if err := db.MigrateDown(ctx, a.Owner); err != nil {
			return err
		}
		p.Printf("Taken back: %s\n", newest.Name)
		return nil
	})
}

func newestStep(ctx context.Context, a *app.App) (*db.MigrationState, error) {
	if err := db.RefuseNewSchema(ctx, a.Owner); err != nil {
		return nil, err // before anyone is asked to confirm
	}
	states, err := db.MigrationStatus(ctx, a.Owner)
	if err != nil {
		return nil, err
	}
	var newest *db.MigrationState
	for _, s := range states {
		if s.Set == "storeglass" && s.Applied {
			newest = &s
		}
	}
	return newest, nil
}

type migrateStatus struct{}

// Run lists every step that this program knows, and those that a newer one has applied.
func (migrateStatus) Run(ctx context.Context, p *cli.Program) error {
	return p.WithApp(ctx, settings.NeedsNothing, app.SchemaLeft, func(a *app.App) error {
		states, err := db.MigrationStatus(ctx, a.Owner)
		if err != nil {
			return err
		}
		w := p.Table("SET", "STEP", "NAME", "APPLIED")
		for _, s := range states {
			applied := "no"
			switch {
			case !s.Applied:
			case s.AppliedAt.IsZero():
				applied = "yes"
			default:
				applied = s.AppliedAt.Format("2006-01-02 15:04:05 UTC")
			}
			name := s.Name
			if s.Newer {
				name = "(a newer version's)"
			}
			w.Row(s.Set, s.Version, name, applied)
		}
		return w.Flush()
	})
}
