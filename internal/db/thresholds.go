package db

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/alerts"
)

// MaxThresholds is how many thresholds a store may have.
const MaxThresholds = 10

// Thresholds are those of a store, with the days that their previews look at.
func (d *DB) Thresholds(ctx context.Context, s ScopedStore, w report.Window) (all []alerts.Threshold, days []report.StoredSummary, stats []report.StoredStat, err error) {
	if all, err = d.q.thresholds(ctx, s.id); err == nil {
		days, stats, err = d.q.alertDays(ctx, s.id, w)
	}
	if err != nil {
		return nil, nil, nil, fmt.Errorf("read thresholds of %s: %w", s.Slug, err)
	}
	return all, days, stats, nil
}

func (q *Queries) thresholds(ctx context.Context, store int64) ([]alerts.Threshold, error) {
	rows, err := q.Thresholds(ctx, store)
	return Each(rows, func(r ThresholdsRow) alerts.Threshold {
		return alerts.Threshold{
			ID: r.ID, Metric: r.Metric, Placement: report.Placement(r.Placement), Kind: r.Kind, Amount: r.Amount, Currency: r.Currency,
			LeastOrders: int(r.LeastOrders), By: r.SetBy, SetAt: r.SetAt,
		}
	}), err
}

// SetThreshold keeps a new threshold of that person. The functions in with run in the same
// transaction. ErrNotFound when the store has as many as it may have.
func (d *DB) SetThreshold(ctx context.Context, s ScopedStore, t alerts.Threshold, person int64, with ...func(context.Context, *Queries) error) error {
	return d.InTx(ctx, func(q *Queries) error {
		_, err := q.InsertThreshold(ctx, InsertThresholdParams{
			StoreID: s.id, Most: MaxThresholds, Metric: t.Metric, Placement: string(t.Placement), Kind: t.Kind, Amount: t.Amount, Currency: t.Currency,
			LeastOrders: int32(t.LeastOrders), SetBy: person, SetAt: t.SetAt,
		})
		if err != nil {
			return Absent(err, ErrNotFound, "set threshold of %s", s.Slug)
		}
		return together(ctx, q, nil, with)
	})
}

// DeleteThreshold deletes a threshold and has its alert done by that person. The function
// runs in the same transaction. ErrNotFound when it is not there.
func (d *DB) DeleteThreshold(ctx context.Context, s ScopedStore, id, person int64, now time.Time, with func(context.Context, *Queries, alerts.Threshold) error) error {
	return d.InTx(ctx, func(q *Queries) error {
		all, err := q.thresholds(ctx, s.id)
		if err != nil {
			return err
		}
		rows, err := q.DeleteThreshold(ctx, DeleteThresholdParams{StoreID: s.id, ID: id, Now: now, Person: person})
		i := slices.IndexFunc(all, func(t alerts.Threshold) bool { return t.ID == id })
		if err = touched(rows, err, "delete threshold"); err != nil || i < 0 {
			return cmp.Or(err, ErrNotFound)
		}
		return with(ctx, q, all[i])
	})
}
