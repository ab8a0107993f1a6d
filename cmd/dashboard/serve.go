package main

import (
	"context"
	"log/slog"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/settings"
)

type serveCommand struct {
	Role string `enum:"all,web,worker" default:"all" help:"all, web (pages and JSON API only) or worker (pulls, mails and alerts only; run as many as you like)."`
}

// Run serves until a signal stops it, then drains.
func (c serveCommand) Run(ctx context.Context, p *cli.Program) error {
	s, err := p.Settings(settings.NeedsKey)
	if err != nil {
		return err
	}
	log := s.Log.Logger(p.Stderr, slog.LevelDebug)
	a, err := app.Open(ctx, s, log, app.SchemaUp)
	if err != nil {
		return words.Interrupted(ctx, err)
	}
	defer a.Close()
	a.Version = programVersion()
	r := app.NewRunning(log)
	defer r.Stop() // also stops what was started before a later step failed
	a.Watch(r)
	if s.MetricsListen != "" {
		at, err := r.ServeMetrics(string(s.MetricsListen))
		if err != nil {
			return err
		}
		p.Printf("Metrics are at %s/metrics\n", at)
	}
	if c.Role != "worker" { // before the worker: if the port is taken, nothing should start
		l, err := app.ListenOn("pages", "DASHBOARD_LISTEN", string(s.Listen))
		if err != nil {
			return err
		}
		if err := a.StartWeb(ctx, r, l); err != nil {
			return err
		}
		code, link, err := a.SetUpCode(ctx)
		if err != nil {
			return words.Interrupted(ctx, err)
		}
		p.Printf("Storeglass is at %s\n", a.Settings.BaseURL)
		if code != "" {
			p.Printf("Nobody has an account yet. Open the pages and enter the setup code %s\nor open this link: %s\n", code, link)
		}
	}
	if c.Role != "web" {
		if err := a.StartJobs(ctx, r); err != nil {
			return err
		}
	}
	log.Info("started", "role", c.Role, "version", programVersion())
	err = r.Wait(ctx)
	log.Info("stopped")
	return err
}
