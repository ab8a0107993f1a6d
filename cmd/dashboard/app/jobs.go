package app

import (
	"context"
	"time"

	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/cleanup"
	"github.com/storeglass/storeglass/internal/jobs"
)

// StartJobs starts everything that happens in the background. The base address is known
// by then.
func (a *App) StartJobs(ctx context.Context, r *Running) (err error) {
	sync, done, err := a.Syncer()
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			done()
		}
	}()
	sealer, err := a.Settings.Sealer()
	if err != nil {
		return err
	}
	if use, err := a.KeysInUse(ctx, sealer); err == nil && use.Lost.Tokens > 0 {
		a.Log.Error("stored upstream tokens were encrypted with another secret key and can't be used: see `dashboard doctor`", "tokens", use.Lost.Tokens)
	}
	set := jobs.NewSet()
	pulls, err := jobs.ParseSchedule(string(a.Settings.SyncCron))
	if err != nil {
		return err
	}
	sync.Jobs(set, pulls)
	alerts, err := a.alerts()
	if err != nil {
		return err
	}
	looks, err := jobs.ParseSchedule(string(a.Settings.AlertCron))
	if err != nil {
		return err
	}
	alerts.Jobs(set, looks)
	(&cleanup.Cleanup{DB: a.DB, AuditDays: int(a.Settings.AuditDays), Now: time.Now}).Jobs(set)
	if err := a.mailJobs(set); err != nil {
		return err
	}
	engine, err := jobs.Start(ctx, a.DB.Pool, a.Log, set)
	if err != nil {
		return words.Interrupted(ctx, err)
	}
	r.Started("background jobs", func(ctx context.Context) error {
		defer done()
		return engine.Stop(ctx)
	})
	return nil
}

// mailJobs brings what sends mails, where a mail server is set.
func (a *App) mailJobs(set *jobs.Set) error {
	post, err := a.WeeklySender()
	if err != nil {
		return err
	}
	if post == nil {
		a.Log.Info("no mails are sent, and alerts go to channels alone: DASHBOARD_SMTP_URL is not set")
		return nil
	}
	if a.Settings.BaseURL.URL == nil {
		a.Log.Warn("DASHBOARD_BASE_URL is not set: links in mails will only work on this machine", "links", a.Base())
	}
	weekly, err := jobs.ParseSchedule(string(a.Settings.SnapshotCron))
	if err != nil {
		return err
	}
	post.Jobs(set, weekly)
	out, err := a.Outbox()
	if err != nil {
		return err
	}
	out.Jobs(set)
	return nil
}
