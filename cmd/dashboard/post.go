package main

import (
	"context"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/paper"
	"github.com/storeglass/storeglass/internal/snapshot"
	storesync "github.com/storeglass/storeglass/internal/sync"
)

// editor writes the weekly mails.
func (h *house) editor() *snapshot.Editor {
	return &snapshot.Editor{DB: h.db, Base: h.base(), Printer: h.printer(), Log: h.log}
}

// printer prints weekly mails, one at a time in the whole process; nil where no Chromium
// is installed.
func (h *house) printer() *paper.Printer {
	if h.paper == nil {
		h.paper, _ = paper.Find(string(h.settings.Chromium)) // the doctor tells why there is none
	}
	return h.paper
}

// post takes the weekly mails to their readers; nil where no mail server is set.
func (h *house) post() (*snapshot.Post, error) {
	sender, err := h.settings.sender()
	if sender == nil || err != nil {
		return nil, err
	}
	_, host, _ := strings.Cut(sender.From.Address, "@")
	return &snapshot.Post{DB: h.db, Composer: h.editor(), Sender: sender, Base: h.base(), Host: host, Now: time.Now, Log: h.log}, nil
}

// startPost starts what sends the weekly mails by schedule. The base address is known by
// then.
func (h *house) startPost(ctx context.Context, r *running) error {
	post, err := h.post()
	if err != nil {
		return err
	}
	if post == nil {
		h.log.Info("weekly mails are not sent: DASHBOARD_SMTP_URL is not set")
		return nil
	}
	schedule, err := storesync.ParseSchedule(string(h.settings.SnapshotCron))
	if err != nil {
		return err
	}
	if h.settings.BaseURL.URL == nil {
		h.log.Warn("DASHBOARD_BASE_URL is not set: links in the weekly mails will only work on this machine", "links", h.base())
	}
	// As the worker, it ends when it is told to, not with ctx.
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		post.Run(ctx, schedule)
	}()
	r.started("weekly mails", func(ctx context.Context) error {
		stop()
		select {
		case <-done:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	return nil
}
