package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/cmd/dashboard/doctor"
	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/settings"
)

type doctorCommand struct {
	Offline bool `help:"Don't call any service or Chromium; check only what is stored."`
}

// Run checks everything it can reach, and goes on after failures.
func (c doctorCommand) Run(ctx context.Context, p *cli.Program) error {
	s, err := p.Settings(settings.NeedsKey)
	if err != nil {
		return err // every line says what to write
	}
	findings := []doctor.Finding{{What: "settings", Words: "ok"}}
	if missing, none := doctor.NoDatabase(s); none {
		return printFindings(p, append(findings, missing, doctor.Mail(ctx, s), doctor.Printer(ctx, s, c.Offline)))
	}
	a, err := app.Open(ctx, s, s.Log.Logger(p.Stderr, slog.LevelError), app.SchemaLeft)
	if err != nil {
		findings = append(findings, doctor.Finding{What: "database", Words: withRemedy(err).Error(), Bad: true})
		return printFindings(p, append(findings, doctor.Key(s), doctor.Mail(ctx, s)))
	}
	defer a.Close()
	findings = append(findings, doctor.Database(ctx, a), doctor.Key(s))
	schema := doctor.Schema(ctx, a)
	findings = append(findings, schema)
	if !schema.Bad {
		walls := doctor.Walls(ctx, a)
		findings = append(findings, walls)
		if err := a.OpenDB(ctx); err == nil {
			findings = append(findings, doctor.OlderKeys(ctx, a))
			findings = append(findings, doctor.Credentials(ctx, a, c.Offline)...)
			findings = append(findings, doctor.Alerts(ctx, a))
		} else if !walls.Bad {
			findings = append(findings, doctor.Finding{What: "stores", Words: withRemedy(err).Error(), Bad: true})
		}
	}
	findings = append(findings, doctor.Clock(ctx, a), doctor.Mail(ctx, s), doctor.Printer(ctx, s, c.Offline))
	if signature, set := doctor.Signature(ctx, s, c.Offline); set {
		findings = append(findings, signature)
	}
	if sso, set := doctor.SSO(ctx, a, c.Offline); set {
		findings = append(findings, sso)
	}
	return words.Interrupted(ctx, printFindings(p, findings))
}

func printFindings(p *cli.Program, findings []doctor.Finding) error {
	bad := 0
	for _, f := range findings {
		mark := "ok  "
		if f.Bad {
			mark = "DO  "
			bad++
		}
		p.Printf("%s %-22s %s\n", mark, f.What, strings.Join(strings.Fields(f.Words), " "))
	}
	if bad > 0 {
		return fmt.Errorf("%s to do: see the lines that begin with DO", words.Count(bad, "thing"))
	}
	return nil
}
