package main

import (
	"context"

	"github.com/storeglass/storeglass/internal/jobs"
)

// startJobs starts everything that happens in the background. The base address is known
// by then.
func (h *house) startJobs(ctx context.Context, r *running) (err error) {
	sync, done, err := h.syncer()
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			done()
		}
	}()
	if n := h.sealedElsewhere(ctx); n > 0 {
		h.log.Error("stored upstream tokens were sealed with another secret key and can't be used: see `dashboard doctor`", "tokens", n)
	}
	set := jobs.NewSet()
	pulls, err := jobs.ParseSchedule(string(h.settings.SyncCron))
	if err != nil {
		return err
	}
	sync.Jobs(set, pulls)
	alerts, err := h.alerts()
	if err != nil {
		return err
	}
	looks, err := jobs.ParseSchedule(string(h.settings.AlertCron))
	if err != nil {
		return err
	}
	alerts.Jobs(set, looks)
	if err := h.mailJobs(set); err != nil {
		return err
	}
	engine, err := jobs.Start(ctx, h.db.Pool, h.log, set)
	if err != nil {
		return interrupted(ctx, err)
	}
	r.started("background jobs", func(ctx context.Context) error {
		defer done()
		return engine.Stop(ctx)
	})
	return nil
}

// mailJobs brings what sends mails, where a mail server is set.
func (h *house) mailJobs(set *jobs.Set) error {
	post, err := h.post()
	if err != nil {
		return err
	}
	if post == nil {
		h.log.Info("no mails are sent, and alerts go to channels alone: DASHBOARD_SMTP_URL is not set")
		return nil
	}
	if h.settings.BaseURL.URL == nil {
		h.log.Warn("DASHBOARD_BASE_URL is not set: links in mails will only work on this machine", "links", h.base())
	}
	weekly, err := jobs.ParseSchedule(string(h.settings.SnapshotCron))
	if err != nil {
		return err
	}
	post.Jobs(set, weekly)
	out, err := h.outbox()
	if err != nil {
		return err
	}
	out.Jobs(set)
	return nil
}
