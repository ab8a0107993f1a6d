package pulls

import (
	"context"
	"fmt"
	"slices"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/sync/plan"
)

// reconcile compares every reported window with its stored days once nothing is due: when a
// window is written, its days may not have been pulled yet. Changed days are found and pulled
// again.
func (d *drain) reconcile(ctx context.Context) (again bool, err error) {
	if d.reconciled {
		return false, nil
	}
	d.reconciled = true
	if d.cred.Service == Gift {
		return d.completeGiftDays(ctx)
	}
	if err := d.checkWindows(ctx, func(report.Window) bool { return true }); err != nil {
		return false, err
	}
	return d.heal(ctx)
}

// checkFilled compares a window once its first day was pulled: days come newest first. A new store's
// other pulls may be due for an hour before [drain.reconcile] compares it.
func (d *drain) checkFilled(ctx context.Context, pulled []plan.Pull) error {
	return d.checkWindows(ctx, func(w report.Window) bool {
		return slices.ContainsFunc(pulled, func(p plan.Pull) bool {
			return p.Kind == plan.SummaryDay && p.Window != nil && p.Window.Start == w.Start
		})
	})
}

// checkWindows compares those of the nightly windows with their stored days.
func (d *drain) checkWindows(ctx context.Context, those func(report.Window) bool) error {
	today := report.Today(d.Now(), d.loc)
	for _, n := range plan.SummaryWindow.Names() {
		w := plan.Named(n, today)
		if !those(w) {
			continue
		}
		if err := d.DB.Queries().CheckWindow(ctx, sqlc.CheckWindowParams{StoreID: d.store.ID, WindowStart: w.Start, WindowEnd: w.End}); err != nil {
			return fmt.Errorf("compare windows of %s: %w", d.store.Slug, err)
		}
	}
	return nil
}
