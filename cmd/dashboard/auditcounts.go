package main

import (
	"context"
	"fmt"
	"math"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/settings"
)

type auditCounts struct {
	auditFlags `embed:""`
}

// Run prints a line for each day and action, or as JSON an object for each count.
func (c auditCounts) Run(ctx context.Context, p *cli.Program) error {
	f, err := c.filter()
	if err != nil {
		return err
	}
	return p.WithApp(ctx, settings.NeedsNothing, app.SchemaOwn, func(a *app.App) error {
		most := math.MaxInt32
		if c.JSON && c.Limit > 0 {
			most = c.Limit
		}
		counts, err := a.Audit.Counts(ctx, f, most)
		if err != nil {
			return err
		}
		if c.JSON {
			for _, n := range counts {
				p.JSONLine(n)
			}
			return nil
		}
		days := audit.CountedDays(counts)
		if c.Limit > 0 {
			days = days[:min(len(days), c.Limit)]
		}
		w := p.Table("DAY", "WHAT", "MOST FROM", "MOST ABOUT")
		for _, d := range days {
			w.Row(d.Day, d.Words(locale.English), busiest(d.Networks), busiest(d.Abouts))
		}
		return w.Flush()
	})
}

func busiest(list []audit.Counted) string {
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf("%s (%s)", list[0].What, locale.English.Count(list[0].Times))
}
