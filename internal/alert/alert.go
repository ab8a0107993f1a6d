package alert

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/report"
)

// Alerts finds what is wrong and tells people. Any number of processes may do so at
// once on the same database.
type Alerts struct {
	DB *db.DB
	// Sender is nil where no mail server is set: people are told by channels alone.
	Sender *mail.Sender
	Hooks  *Hooks
	Sealer *access.Sealer
	// Base is the address of the pages, Host stands behind the @ of message ids.
	Base *url.URL
	Host string
	Now  func() time.Time
	Log  *slog.Logger
}

const (
	// lookAgain is when a store is looked at though nothing was pulled.
	lookAgain = 10 * time.Minute
	// kept is how long an outage stays in the history.
	kept = 400 * 24 * time.Hour
)

// Schedule says when the next round is.
type Schedule interface{ Next(time.Time) time.Time }

// Run makes a round at once and whenever the schedule says, until ctx ends.
func (a *Alerts) Run(ctx context.Context, s Schedule) {
	for {
		a.Round(ctx)
		wait := time.NewTimer(time.Until(s.Next(time.Now())))
		select {
		case <-ctx.Done():
			wait.Stop()
			return
		case <-wait.C:
		}
	}
}

// Round looks, packs what is to be told, and takes it on its way. What goes wrong is
// logged: it is tried again in the next one.
func (a *Alerts) Round(ctx context.Context) {
	if err := a.Look(ctx); err != nil && ctx.Err() == nil {
		a.Log.Error("not every store could be looked at for alerts", "error", err)
	}
	if err := a.Pack(ctx); err != nil && ctx.Err() == nil {
		a.Log.Error("not every alert could be packed", "error", err)
	}
	if err := a.Deliver(ctx); err != nil && ctx.Err() == nil {
		a.Log.Error("alerts wait for the next round", "error", err)
	}
}

// Look looks at every store that has changed, or was not looked at for a while. A store
// that can't be looked at stops no other; the errors come together.
func (a *Alerts) Look(ctx context.Context) error {
	now := a.Now()
	q := a.DB.Queries()
	ids, err := q.StoresToLook(ctx, now)
	if err != nil {
		return fmt.Errorf("list stores to look at: %w", err)
	}
	if len(ids) == 0 {
		return nil
	}
	days, err := q.MostCampaignDays(ctx)
	if err != nil {
		return fmt.Errorf("find how early campaigns are told of: %w", err)
	}
	var faults []error
	for _, id := range ids {
		if err := a.look(ctx, id, int(days)); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			faults = append(faults, fmt.Errorf("look at store %d: %w", id, err))
		}
	}
	old := now.Add(-kept)
	if err := errors.Join(q.ForgetOldAlerts(ctx, old), q.ForgetOldLetters(ctx, old)); err != nil {
		faults = append(faults, fmt.Errorf("forget old alerts: %w", err))
	}
	return errors.Join(faults...)
}

// look opens and closes a store's outages, in one transaction.
func (a *Alerts) look(ctx context.Context, id int64, campaignDays int) error {
	if err := a.DB.Queries().MakeLook(ctx, id); err != nil {
		return err
	}
	return a.DB.InTx(ctx, func(q *db.Queries) error {
		now := a.Now()
		look, err := q.LockLook(ctx, db.LockLookParams{StoreID: id, Now: now})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		in, err := q.StoredAlerts(ctx, id, look, now)
		if err != nil {
			return err
		}
		in.CampaignDays = campaignDays
		found, worked := report.FindAlerts(in, now)
		for _, step := range report.AlertSteps(in.Open, found, now) {
			if err := q.SaveAlertStep(ctx, id, step, now); err != nil {
				return err
			}
			if step.Kind == report.StepOpen || step.Kind == report.StepRecover {
				a.Log.Info("alert", "store", look.Slug, "rule", step.Rule, "what", step.Kind)
			}
		}
		body, err := json.Marshal(worked)
		if err != nil {
			return err
		}
		return q.SaveLook(ctx, db.SaveLookParams{StoreID: id, Revision: look.Revision, NextAt: now.Add(lookAgain), Worked: body})
	})
}
