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

	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/jobs"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/report/alerts"
)

// Alerts finds problems with stores and notifies people. Any number of processes may do so
// at once on the same database.
type Alerts struct {
	DB *db.DB
	// Courier is nil where no mail server is set: people are then notified by channels only.
	Courier *mail.Courier
	Hooks   *Hooks
	Sealer  *seal.Sealer
	// Base is the address of the pages; Host follows the @ in message ids.
	Base *url.URL
	Host string
	Now  func() time.Time
	Log  *slog.Logger
}

const (
	// checkAgain is when a store is checked again even if nothing was pulled.
	checkAgain = 10 * time.Minute
)

// Check checks the stores that have changed or weren't checked for a while, until its turn
// is over; only limits it to those stores. A store that can't be checked doesn't keep the
// others from being checked; the errors are joined.
func (a *Alerts) Check(ctx context.Context, only ...int64) error {
	now := a.Now()
	q := a.DB.Queries()
	ids, err := q.StoresToCheck(ctx, sqlc.StoresToCheckParams{Now: now, Chosen: append([]int64{}, only...)})
	if err != nil {
		return fmt.Errorf("list stores to check: %w", err)
	}
	if len(ids) == 0 {
		return nil
	}
	days, err := q.MostCampaignDays(ctx)
	if err != nil {
		return fmt.Errorf("find how early campaigns are announced: %w", err)
	}
	var faults []error
	for more := jobs.Turn(ctx); len(ids) > 0 && more(); ids = ids[1:] {
		id := ids[0]
		if err := a.check(ctx, id, int(days)); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			faults = append(faults, fmt.Errorf("check store %d: %w", id, err))
		}
	}
	return errors.Join(faults...)
}

// check opens and closes a store's outages, in one transaction.
func (a *Alerts) check(ctx context.Context, id int64, campaignDays int) error {
	if err := a.DB.Queries().MakeAlertCheck(ctx, id); err != nil {
		return err
	}
	return a.DB.Tx(ctx, func(tx pgx.Tx, q *sqlc.Queries) error {
		now := a.Now()
		row, err := q.LockAlertCheck(ctx, sqlc.LockAlertCheckParams{StoreID: id, Now: now})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		in, err := db.StoredAlerts(ctx, tx, id, row, now)
		if err != nil {
			return err
		}
		in.CampaignDays = campaignDays
		found, worked := alerts.Find(in, now)
		for _, step := range alerts.Steps(in.Open, found, now) {
			if err := db.SaveAlertStep(ctx, q, id, step, now); err != nil {
				return err
			}
			if step.Kind == alerts.StepOpen || step.Kind == alerts.StepRecover {
				a.Log.Info("alert", "store", row.Slug, "rule", step.Rule, "what", step.Kind)
			}
		}
		body, err := json.Marshal(worked)
		if err != nil {
			return err
		}
		return q.SaveAlertCheck(ctx, sqlc.SaveAlertCheckParams{StoreID: id, Revision: row.Revision, NextAt: now.Add(checkAgain), Worked: body})
	})
}
