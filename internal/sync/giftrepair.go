package pulls

import (
	"context"
	"fmt"
	"slices"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/sync/plan"
	"github.com/storeglass/storeglass/internal/sync/repair"
)

// completeGiftDays stores the days of the gift series that can be computed or corrected from
// stored rows, and asks for the windows that the other days need. Then the reported 30 and 90
// days are compared with the sums of their days.
func (d *drain) completeGiftDays(ctx context.Context) (again bool, err error) {
	today := report.Today(d.Now(), d.loc)
	in, err := d.giftStored(ctx, today)
	if err != nil {
		return false, err
	}
	got := repair.GiftDays(in)
	if err := d.keep(ctx, got, in); err != nil {
		return false, fmt.Errorf("complete the gift days of %s: %w", d.store.Slug, err)
	}
	for _, n := range []string{"30", "90"} {
		w := plan.Named(n, today)
		err := d.DB.Queries().CheckGiftWindow(ctx, sqlc.CheckGiftWindowParams{
			StoreID: d.store.ID, WindowStart: w.Start, WindowEnd: w.End, CheckedAt: d.Now(),
		})
		if err != nil {
			return false, fmt.Errorf("compare the gift windows of %s: %w", d.store.Slug, err)
		}
	}
	// What is due but still missing has failed; its next try is scheduled.
	return slices.ContainsFunc(got.Spans, func(start civil.Date) bool {
		return !slices.ContainsFunc(in.Ledger, func(row sqlc.Ledger) bool { return row.Subject == start.String() && row.DueAt != nil })
	}), nil
}

// giftStored reads the rows that gift days are computed from.
func (d *drain) giftStored(ctx context.Context, today civil.Date) (in repair.Stored, err error) {
	q := d.DB.Queries()
	in = repair.Stored{First: today.AddDays(-int(d.store.HistoryDays)), Today: today, Now: d.Now(), Loc: d.loc}
	// Read what was asked before what came in: in the other order, a span that another process
	// stores in between would be asked for twice.
	if in.Ledger, err = d.pullsOf(ctx, plan.GiftSpan); err != nil {
		return in, fmt.Errorf("read the gift spans of %s: %w", d.store.Slug, err)
	}
	if in.Suspects, err = q.SuspectsOf(ctx, sqlc.SuspectsOfParams{StoreID: d.store.ID, Service: Gift}); err != nil {
		return in, fmt.Errorf("read the suspected gift days of %s: %w", d.store.Slug, err)
	}
	in.Rows, err = q.GiftSeries(ctx, sqlc.GiftSeriesParams{StoreID: d.store.ID, EndsSince: today.AddDays(-repair.EndsKept), FirstDay: today.AddDays(-gift.MaxDays)})
	return in, db.Tried(err, "read the gift days of %s", d.store.Slug)
}

// keep stores the derived days and updates the spans' ledger rows.
func (d *drain) keep(ctx context.Context, got repair.GiftRepair, in repair.Stored) error {
	planned := make([]int64, len(got.Spans))
	for i, start := range got.Spans {
		for _, row := range in.Ledger {
			switch {
			case row.Subject != start.String():
			case row.DueAt != nil: // it's due or being pulled, and may be done by now: don't make it due again
				planned[i] = -1
			default:
				planned[i] = row.Claim
			}
		}
	}
	type lostDay struct {
		Day    string         `json:"day"`
		Reason locale.Message `json:"reason"`
	}
	var lost []lostDay
	for day, why := range got.Lost {
		lost = append(lost, lostDay{day.String(), locale.M("sync.lost." + why)})
		d.Log.Warn("a gift day can't be derived", "store", d.store.Slug, "day", day, "reason", why)
	}
	for _, w := range got.Drifts {
		d.Log.Info("gift windows differ from the sum of their days", "store", d.store.Slug, "start", w.Start, "end", w.End)
	}
	return d.DB.Write(context.WithoutCancel(ctx), func(b *db.Batch) {
		db.Queue(b, (*sqlc.Queries).LockStore, d.store.ID)
		changed := d.keepDays(b, got)
		changed = d.keepSuspects(b, got, in) || changed
		db.Queue(b, (*sqlc.Queries).AskSpans, sqlc.AskSpansParams{StoreID: d.store.ID, Days: subjectsOf(got.Spans), Planned: planned, At: d.Now()})
		if len(lost) > 0 {
			db.Queue(b, (*sqlc.Queries).GiveUpDays, sqlc.GiveUpDaysParams{StoreID: d.store.ID, Days: db.Rows(lost), At: d.Now()})
		}
		if changed || len(lost) > 0 {
			db.Queue(b, (*sqlc.Queries).TouchStore, sqlc.TouchStoreParams{ID: d.store.ID})
		}
	})
}

// keepDays queues the derived days, and reports whether there are any.
func (d *drain) keepDays(b *db.Batch, got repair.GiftRepair) bool {
	if len(got.Days) > 0 {
		db.Queue(b, (*sqlc.Queries).TellDays, sqlc.TellDaysParams{StoreID: d.store.ID, Rows: db.Rows(got.Days), NoticedAt: d.Now()})
		db.Queue(b, (*sqlc.Queries).DropOutdatedGiftWindows, sqlc.DropOutdatedGiftWindowsParams{
			StoreID: d.store.ID, Days: db.Each(got.Days, func(t repair.DerivedDay) civil.Date { return t.Day }),
			Yesterday: report.Today(d.Now(), d.loc).AddDays(-1),
		})
	}
	proven := sqlc.ProveDaysParams{StoreID: d.store.ID}
	for derived, at := range got.Proven {
		proven.Days, proven.Moments = append(proven.Days, derived), append(proven.Moments, at)
	}
	if len(proven.Days) > 0 {
		db.Queue(b, (*sqlc.Queries).ProveDays, proven)
	}
	return len(got.Days)+len(got.Proven) > 0
}

// keepSuspects queues which days now differ from a reported window and which others were
// derived again, and reports whether anything changed.
func (d *drain) keepSuspects(b *db.Batch, got repair.GiftRepair, in repair.Stored) bool {
	noticed := sqlc.NoticeGiftDaysParams{StoreID: d.store.ID, NoticedAt: d.Now()}
	for _, w := range got.Drifts {
		noticed.FirstDays, noticed.LastDays = append(noticed.FirstDays, w.Start), append(noticed.LastDays, w.End)
	}
	before := slices.ContainsFunc(in.Suspects, func(s sqlc.SuspectDay) bool { return s.NoticedBy == Gift })
	if len(got.Drifts) > 0 || before {
		db.Queue(b, (*sqlc.Queries).NoticeGiftDays, noticed)
	}
	healed := sqlc.HealGiftDaysParams{StoreID: d.store.ID}
	for _, s := range got.Healed {
		healed.FirstDays, healed.LastDays = append(healed.FirstDays, s.FirstDay), append(healed.LastDays, s.LastDay)
		healed.NoticedBys, healed.NoticedAts = append(healed.NoticedBys, s.NoticedBy), append(healed.NoticedAts, s.NoticedAt)
	}
	if len(got.Healed) > 0 {
		db.Queue(b, (*sqlc.Queries).HealGiftDays, healed)
	}
	return len(got.Drifts)+len(got.Healed) > 0 || before
}

// subjectsOf are days as ledger subjects.
func subjectsOf(days []civil.Date) []string { return db.Each(days, civil.Date.String) }
