package fetch

import (
	"context"
	"time"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/sync/plan"
)

// giftAnalytics files the answer under the period it names, whatever was asked for (N43). A
// window that includes the current day is kept apart from history (N45).
func (f Caller) giftAnalytics(ctx context.Context, c *gift.Client, p plan.Pull, n int, today bool) (Answer, error) {
	d, a, err := answered(c.Analytics(ctx, n, today))
	if err != nil {
		return Answer{}, err
	}
	a.Currency, a.Domain = string(d.Currency), d.Domain
	a.Asked, a.Applied = p.Window, windowOf(d.Period.Start, d.Period.End)
	if a.Asked != nil && *a.Asked != *a.Applied {
		a.Flags = addFlag(a.Flags, report.FlagWindowDiffers)
	}
	m := d.Metrics
	begun, proven := new(a.Begun().Truncate(time.Microsecond)), a.Begun().Truncate(time.Microsecond)
	if d.Cached { // it was computed at some point on this day (N49)
		begun, proven = nil, plan.MidnightAfter(report.Today(a.FetchedAt, f.Zone).AddDays(-1), f.Zone)
	}
	set(&a, (*sqlc.Queries).UpsertGiftWindow, sqlc.UpsertGiftWindowParams{
		StoreID: f.Store, WindowStart: a.Applied.Start, WindowEnd: a.Applied.End,
		IncludesToday: d.Period.IncludesToday, AskedDays: int32(n), Timezone: d.Period.Timezone,
		Currency: string(d.Currency), Cached: d.Cached,
		Orders: m.Orders.Value, OrdersPrevious: m.Orders.Previous, OrdersChange: m.Orders.ChangePercent,
		Revenue: m.Revenue.Value, RevenuePrevious: m.Revenue.Previous, RevenueChange: m.Revenue.ChangePercent,
		ConversionRate: m.ConversionRate.Value, ConversionRatePrevious: m.ConversionRate.Previous,
		ConversionRateChange: m.ConversionRate.ChangePercent, ConversionRateUnit: m.ConversionRate.Unit,
		AovByFg: m.AOVByFG.Value, AovByFgPrevious: m.AOVByFG.Previous, AovByFgChange: m.AOVByFG.ChangePercent,
		AovStore: m.AOVStore.Value, AovStorePrevious: m.AOVStore.Previous, AovStoreChange: m.AOVStore.ChangePercent,
		Flags: a.Flags, FetchedAt: a.FetchedAt, BegunAt: begun, ProvenAt: proven,
	})
	return a, nil
}

// giftSpan asks for a window whose only purpose is to derive its first day. An answer for
// another period gives no day: the service's history doesn't go back that far, so spans that
// begin earlier aren't asked for.
func (f Caller) giftSpan(ctx context.Context, c *gift.Client, p plan.Pull) (Answer, error) {
	a, err := f.giftAnalytics(ctx, c, p, p.Window.Days(), false)
	if err == nil && *a.Applied != *a.Asked {
		a.Elsewhere, a.Replan, a.Numbers = true, true, Numbers{}
	}
	return a, err
}
