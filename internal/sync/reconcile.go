package pulls

import (
	"context"
	"fmt"

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
	today := report.Today(d.Now(), d.loc)
	q := d.db.Queries()
	for _, n := range plan.SummaryWindow.Names() {
		w := plan.Named(n, today)
		if err := q.CheckWindow(ctx, sqlc.CheckWindowParams{StoreID: d.store.ID, WindowStart: w.Start, WindowEnd: w.End}); err != nil {
			return false, fmt.Errorf("compare windows of %s: %w", d.store.Slug, err)
		}
	}
	return d.heal(ctx)
}
