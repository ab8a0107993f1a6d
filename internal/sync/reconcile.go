package sync

import (
	"context"
	"fmt"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report"
)

// reconcile compares every reported window with its stored days when nothing is
// due any more: at its own commit its days may not have been pulled yet. A drift
// wakes the window and its days once. The gift service can't be asked for a past day:
// what is missing of its days is told from what there is.
func (d *drain) reconcile(ctx context.Context) (again bool, err error) {
	if d.reconciled {
		return false, nil
	}
	d.reconciled = true
	if d.cred.Service == Gift {
		return d.completeGiftDays(ctx)
	}
	today := report.Today(d.Now(), d.loc)
	q := d.db.Queries()
	for _, n := range policyOf[SummaryWindow].names {
		w := named(n, today)
		if err := q.CheckWindow(ctx, db.CheckWindowParams{StoreID: d.store.ID, WindowStart: day(w.Start), WindowEnd: day(w.End)}); err != nil {
			return false, fmt.Errorf("compare windows of %s: %w", d.store.Slug, err)
		}
	}
	drifted, err := q.DriftedWindows(ctx, d.store.ID)
	if err != nil {
		return false, fmt.Errorf("read drift of %s: %w", d.store.Slug, err)
	}
	for _, w := range drifted {
		d.Log.Warn("stitched and reported windows differ: pulling the days again", "store", d.store.Slug,
			"start", w.WindowStart.Format(time.DateOnly), "end", w.WindowEnd.Format(time.DateOnly))
		err := q.WakeDrift(ctx, db.WakeDriftParams{
			StoreID: d.store.ID, FirstDay: w.WindowStart.Format(time.DateOnly), LastDay: w.WindowEnd.Format(time.DateOnly),
			AppliedStart: &w.WindowStart, AppliedEnd: &w.WindowEnd,
		})
		if err != nil {
			return false, fmt.Errorf("wake days of %s: %w", d.store.Slug, err)
		}
	}
	return len(drifted) > 0, nil
}
