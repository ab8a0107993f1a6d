package pulls

import (
	"context"
	"time"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/sync/plan"
)

// giftAnalytics files the answer under the period it names, whatever was asked for (N43). A
// window that includes the current day is kept apart from history (N45).
func (f Fetcher) giftAnalytics(ctx context.Context, c *gift.Client, p plan.Pull, n int, today bool) (answer, error) {
	got, err := c.Analytics(ctx, n, today)
	if err != nil {
		return answer{}, err
	}
	d := got.Data
	a := from(got)
	a.currency, a.domain = string(d.Currency), d.Domain
	a.asked, a.applied = p.Window, windowOf(d.Period.Start, d.Period.End)
	if a.asked != nil && *a.asked != *a.applied {
		a.flags = addFlag(a.flags, report.FlagWindowDiffers)
	}
	m := d.Metrics
	begun, proven := new(a.begun().Truncate(time.Microsecond)), a.begun().Truncate(time.Microsecond)
	if d.Cached { // it was computed at some point on this day (N49)
		begun, proven = nil, plan.MidnightAfter(report.Today(a.fetchedAt, f.Zone).AddDays(-1), f.Zone)
	}
	a.numbers = queued(func(b *db.Batch) {
		db.Queue(b, (*sqlc.Queries).UpsertGiftWindow, sqlc.UpsertGiftWindowParams{
			StoreID: f.Store, WindowStart: a.applied.Start, WindowEnd: a.applied.End,
			IncludesToday: d.Period.IncludesToday, AskedDays: int32(n), Timezone: d.Period.Timezone,
			Currency: string(d.Currency), Cached: d.Cached,
			Orders: m.Orders.Value, OrdersPrevious: m.Orders.Previous, OrdersChange: m.Orders.ChangePercent,
			Revenue: m.Revenue.Value, RevenuePrevious: m.Revenue.Previous, RevenueChange: m.Revenue.ChangePercent,
			ConversionRate: m.ConversionRate.Value, ConversionRatePrevious: m.ConversionRate.Previous,
			ConversionRateChange: m.ConversionRate.ChangePercent, ConversionRateUnit: m.ConversionRate.Unit,
			AovByFg: m.AOVByFG.Value, AovByFgPrevious: m.AOVByFG.Previous, AovByFgChange: m.AOVByFG.ChangePercent,
			AovStore: m.AOVStore.Value, AovStorePrevious: m.AOVStore.Previous, AovStoreChange: m.AOVStore.ChangePercent,
			Flags: a.flags, FetchedAt: a.fetchedAt, BegunAt: begun, ProvenAt: proven,
		})
	})
	return a, nil
}

// giftSpan asks for a window whose only purpose is to derive its first day. An answer for
// another period gives no day: the service's history doesn't go back that far, so spans that
// begin earlier aren't asked for.
func (f Fetcher) giftSpan(ctx context.Context, c *gift.Client, p plan.Pull) (answer, error) {
	a, err := f.giftAnalytics(ctx, c, p, p.Window.Days(), false)
	if err == nil && *a.applied != *a.asked {
		a.elsewhere, a.replan, a.numbers = true, true, numbers{}
	}
	return a, err
}
