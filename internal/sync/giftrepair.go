package sync

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report"
)

// endsKept is how many days back windows are looked at that tell a day: those of a
// drain that a midnight cut through still belong together.
const endsKept = 3

// completeGiftDays stores the missing days of the gift series that can be told from
// what is stored, and asks for the windows that tell the others. Then the reported
// 30 and 90 days are compared with their days.
func (d *drain) completeGiftDays(ctx context.Context) (again bool, err error) {
	q, today := d.db.Queries(), report.Today(d.Now(), d.loc)
	first := today.AddDays(-int(d.store.HistoryDays))
	// First what was asked, then what came in: the other way round, a span that another
	// process stores meanwhile would be asked for twice.
	asked, err := q.GiftSpans(ctx, d.store.ID)
	if err != nil {
		return false, fmt.Errorf("read the gift spans of %s: %w", d.store.Slug, err)
	}
	stored, err := q.GiftSeries(ctx, db.GiftSeriesParams{StoreID: d.store.ID, EndsSince: day(today.AddDays(-endsKept)), FirstDay: day(first)})
	if err != nil {
		return false, fmt.Errorf("read the gift days of %s: %w", d.store.Slug, err)
	}
	repair := planRepair(stored, asked, first, today, d.loc)
	if err := d.keep(ctx, repair, asked); err != nil {
		return false, fmt.Errorf("complete the gift days of %s: %w", d.store.Slug, err)
	}
	for _, n := range []string{"30", "90"} {
		w := named(n, today)
		err := q.CheckGiftWindow(ctx, db.CheckGiftWindowParams{
			StoreID: d.store.ID, WindowStart: day(w.Start), WindowEnd: day(w.End), CheckedAt: d.Now(),
		})
		if err != nil {
			return false, fmt.Errorf("compare the gift windows of %s: %w", d.store.Slug, err)
		}
	}
	// What is due already and still missing has failed: its time comes.
	return slices.ContainsFunc(repair.spans, func(start civil.Date) bool {
		return !slices.ContainsFunc(asked, func(row db.Ledger) bool { return row.Subject == start.String() && row.DueAt != nil })
	}), nil
}

// keep stores the days that were told and brings the ledger of the spans up to date.
func (d *drain) keep(ctx context.Context, repair giftRepair, asked []db.Ledger) error {
	planned := make([]int64, len(repair.spans))
	for i, start := range repair.spans {
		for _, row := range asked {
			switch {
			case row.Subject != start.String():
			case row.DueAt != nil: // somebody's turn, and maybe over by now: not to be woken
				planned[i] = -1
			default:
				planned[i] = row.Claim
			}
		}
	}
	lost := slices.Collect(maps.Keys(repair.lost))
	reasons := make([]string, len(lost))
	for i, day := range lost {
		reasons[i] = repair.lost[day]
		d.Log.Warn("a gift day can't be told", "store", d.store.Slug, "day", day, "reason", reasons[i])
	}
	return d.db.Write(context.WithoutCancel(ctx), func(q *db.Queries) {
		_ = q.LockStore(ctx, d.store.ID)
		if len(repair.days) > 0 {
			_ = q.InsertDerivedDays(ctx, db.InsertDerivedDaysParams{StoreID: d.store.ID, Rows: rows(repair.days)})
		}
		_ = q.AskSpans(ctx, db.AskSpansParams{StoreID: d.store.ID, Days: subjectsOf(repair.spans), Planned: planned, At: d.Now()})
		if len(lost) > 0 {
			_ = q.GiveUpDays(ctx, db.GiveUpDaysParams{StoreID: d.store.ID, Days: subjectsOf(lost), Reasons: reasons, At: d.Now()})
		}
		if len(repair.days)+len(lost) > 0 {
			_ = q.TouchStore(ctx, db.TouchStoreParams{ID: d.store.ID})
		}
	})
}

// subjectsOf are days as the ledger names them.
func subjectsOf(days []civil.Date) []string {
	out := make([]string, len(days))
	for i, d := range days {
		out[i] = d.String()
	}
	return out
}
