package pulls

import (
	"context"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/sync/plan"
)

// Upsell makes the call of one upsell pull and prepares what it writes.
func (f Fetcher) Upsell(ctx context.Context, c *upsell.Client, p plan.Pull) (answer, error) {
	var r upsell.Range
	if p.Window != nil {
		r = upsell.Range{Start: p.Window.Start, End: p.Window.End}
	}
	switch p.Kind {
	case plan.SummaryDay, plan.SummaryWindow, plan.SummaryRange:
		return f.summary(ctx, c, p, r)
	case plan.StatsDay, plan.StatsWindow, plan.StatsRange:
		return f.stats(ctx, c, p, r)
	case plan.TopDay, plan.TopHighest, plan.TopRange:
		return f.top(ctx, c, p, r, upsell.Highest)
	case plan.TopLowest, plan.TopDayLowest, plan.TopRangeLowest:
		return f.top(ctx, c, p, r, upsell.Lowest)
	case plan.CoverageNow:
		return f.coverage(ctx, c, r)
	case plan.LifetimeNow:
		return f.lifetime(ctx, c)
	case plan.OfferCountNow:
		return f.offerCount(ctx, c)
	case plan.OfferPage:
		return f.offerPage(ctx, c)
	case plan.OfferPriority:
		return f.priorityPage(ctx, c, p.Subject)
	case plan.OfferSetup:
		return f.offerSetup(ctx, c, p.Subject)
	case plan.OfferStages:
		return f.offerStages(ctx, c, p.Subject)
	case plan.OfferRecommendations:
		return f.offerRecommendations(ctx, c, p.Subject)
	}
	return answer{}, fmt.Errorf("no call for a pull of kind %q", p.Kind)
}

// partial reports whether the window includes a day that wasn't over when we asked.
func (f Fetcher) partial(a answer, applied *report.Window) bool {
	return !applied.End.Before(report.Today(a.begun(), f.Zone))
}

func (f Fetcher) dated(a answer, p plan.Pull, applied upsell.Window) answer {
	a.asked, a.applied = p.Window, windowOf(applied.Start, applied.End)
	if f.partial(a, a.applied) {
		a.flags = addFlag(a.flags, report.FlagPartial)
	}
	a.elsewhere = p.Kind.OfDay() && *a.applied != *p.Window
	a.replan = a.elsewhere // older days aren't asked for then
	return a
}

func (f Fetcher) summary(ctx context.Context, c *upsell.Client, p plan.Pull, r upsell.Range) (answer, error) {
	got, err := c.Summary(ctx, r)
	if err != nil {
		return answer{}, err
	}
	d := got.Data
	a := f.dated(from(got), p, d.AppliedWindow)
	a.currency, a.domain = string(d.Currency), d.ShopDomain
	if disagrees(d.UpsellSuccessRate, decimal.NewFromInt(d.TotalUpsoldOrders), d.TotalOrders) {
		a.flags = addFlag(a.flags, report.FlagRateDisagrees)
	}
	if p.Kind == plan.SummaryWindow {
		a.numbers = queued(func(b *db.Batch) {
			db.Queue(b, (*sqlc.Queries).CheckWindow, sqlc.CheckWindowParams{StoreID: f.Store, WindowStart: a.applied.Start, WindowEnd: a.applied.End})
		})
	}
	a.numbers.summaries = []sqlc.Summary{{
		WindowStart: a.applied.Start, WindowEnd: a.applied.End, TotalUpsoldValue: d.TotalUpsoldValue, TotalUpsoldOrders: d.TotalUpsoldOrders, TotalOrders: d.TotalOrders,
		UpsellSuccessRate: d.UpsellSuccessRate, AverageUpsoldValue: d.AverageUpsoldValue, OfferViews: d.OfferViews,
		Currency: string(d.Currency), Source: d.AppliedWindow.Source, AskedStart: r.Start, AskedEnd: r.End,
		Partial: f.partial(a, a.applied), Flags: a.flags, FetchedAt: a.fetchedAt,
	}}
	return a, nil
}

func (f Fetcher) stats(ctx context.Context, c *upsell.Client, p plan.Pull, r upsell.Range) (answer, error) {
	got, err := c.Stats(ctx, r)
	if err != nil {
		return answer{}, err
	}
	d := got.Data
	a := f.dated(from(got), p, d.AppliedWindow)
	a.currency, a.domain = string(d.Currency), d.ShopDomain
	list := make([]sqlc.PlacementStat, 0, len(d.Placements))
	for i, row := range d.Placements {
		if !row.Placement.Known() {
			a.flags = addFlag(a.flags, report.FlagUnknownValue)
		}
		list = append(list, sqlc.PlacementStat{
			WindowStart: a.applied.Start, WindowEnd: a.applied.End, Placement: report.Placement(row.Placement), Impressions: row.Impressions, Claims: row.Claims, Revenue: row.Revenue,
			Currency: string(d.Currency), ShopOfferCount: &d.ShopOfferCount, Source: d.AppliedWindow.Source,
			Partial: f.partial(a, a.applied), Position: int16(i), FetchedAt: a.fetchedAt,
		})
	}
	if twice(list, func(s sqlc.PlacementStat) report.Placement { return s.Placement }) {
		return answer{}, broken(a, "a placement has two rows")
	}
	a.numbers.stats = list
	return a, nil
}

func (f Fetcher) top(ctx context.Context, c *upsell.Client, p plan.Pull, r upsell.Range, order upsell.Order) (answer, error) {
	got, err := f.ranking(ctx, c, r, order)
	if err != nil {
		return answer{}, err
	}
	d := got.Data
	a := f.dated(from(got.Answer), p, d.AppliedWindow)
	a.currency, a.domain = string(d.Currency), d.ShopDomain
	if got.learned {
		a.numbers = queued(func(b *db.Batch) {
			db.Queue(b, (*sqlc.Queries).LearnRankingLimit, sqlc.LearnRankingLimitParams{ID: f.Credential, RankingLimit: new(int32(got.limit))})
		})
	}
	first, last, direction := a.applied.Start, a.applied.End, fact.RankingEnd(order)
	a.numbers.lists = []sqlc.TopList{{
		WindowStart: first, WindowEnd: last, Direction: direction, RowLimit: int32(got.limit), RowCount: int32(len(d.Offers)), ShopOfferCount: &d.ShopOfferCount, Currency: string(d.Currency),
		Source: d.AppliedWindow.Source, Partial: f.partial(a, a.applied), FetchedAt: a.fetchedAt,
	}}
	for i, o := range d.Offers {
		if gone := &a.numbers.deleted; o.IsDeleted {
			gone.OfferIds, gone.Ats = append(gone.OfferIds, o.ID), append(gone.Ats, a.fetchedAt)
		}
		a.numbers.ranks = append(a.numbers.ranks, sqlc.TopOffer{
			WindowStart: first, WindowEnd: last, Direction: direction, Place: int32(i + 1), OfferID: o.ID, Name: o.Name, Placement: report.Placement(o.Type), Status: string(o.Status), AbTest: o.ABTest,
			Revenue: o.Revenue, Claims: o.Claims, AcceptanceRate: o.AcceptanceRate, Deleted: o.IsDeleted, Url: db.Optional(o.URL),
		})
	}
	return a, nil
}

func (f Fetcher) coverage(ctx context.Context, c *upsell.Client, r upsell.Range) (answer, error) {
	got, err := c.Coverage(ctx, r)
	if err != nil {
		return answer{}, err
	}
	d := got.Data
	a := from(got)
	a.asked, a.applied = windowOf(r.Start, r.End), windowOf(d.AppliedWindow.Start, d.AppliedWindow.End)
	a.currency, a.domain = string(d.Currency), d.ShopDomain
	list := make([]sqlc.Coverage, 0, len(d.Placements))
	for i, row := range d.Placements {
		list = append(list, sqlc.Coverage{
			Position: int16(i), Placement: report.Placement(row.Placement), HasActive: row.HasActive, ActiveCount: row.ActiveCount, TotalCount: row.TotalCount,
			RecentRevenue: row.RecentRevenue, WindowStart: a.applied.Start, WindowEnd: a.applied.End,
		})
	}
	if twice(list, func(c sqlc.Coverage) report.Placement { return c.Placement }) {
		return answer{}, broken(a, "a placement has two rows")
	}
	a.numbers = queued(func(b *db.Batch) {
		db.Queue(b, (*sqlc.Queries).ReplaceCoverage, sqlc.ReplaceCoverageParams{
			StoreID: f.Store, FetchedAt: a.fetchedAt, Rows: db.Rows(list), Currency: string(d.Currency), Source: d.AppliedWindow.Source,
		})
	})
	return a, nil
}

func (f Fetcher) lifetime(ctx context.Context, c *upsell.Client) (answer, error) {
	got, err := c.Lifetime(ctx)
	if err != nil {
		return answer{}, err
	}
	d := got.Data
	a := from(got)
	a.currency, a.domain = string(d.Currency), d.ShopDomain
	if disagrees(d.ConversionRate, decimal.NewFromInt(d.UpsoldOrders), d.OfferViews) {
		a.flags = addFlag(a.flags, report.FlagRateDisagrees)
	}
	a.numbers = queued(func(b *db.Batch) {
		db.Queue(b, (*sqlc.Queries).UpsertLifetime, sqlc.UpsertLifetimeParams{
			StoreID: f.Store, TotalRevenue: d.TotalRevenue, OfferViews: d.OfferViews, UpsoldOrders: d.UpsoldOrders,
			ConversionRate: d.ConversionRate, RevenuePerVisit: d.RevenuePerVisit, Currency: string(d.Currency),
			Flags: a.flags, FetchedAt: a.fetchedAt,
		})
	})
	return a, nil
}

func (f Fetcher) offerCount(ctx context.Context, c *upsell.Client) (answer, error) {
	got, err := c.Count(ctx)
	if err != nil {
		return answer{}, err
	}
	d := got.Data
	a := from(got)
	a.domain = d.ShopDomain
	list := []sqlc.OfferCount{{Total: d.Total}}
	for i, t := range d.ByType {
		s := t.ByStatus
		list = append(list, sqlc.OfferCount{
			Position: int16(i + 1), Placement: report.Placement(t.Type), Total: t.Count, Active: s.Active, Scheduled: s.Scheduled, Expired: s.Expired,
		})
		list[0].Active += s.Active
		list[0].Scheduled += s.Scheduled
		list[0].Expired += s.Expired
	}
	if twice(list, func(c sqlc.OfferCount) report.Placement { return c.Placement }) {
		return answer{}, broken(a, "a placement is counted twice")
	}
	a.numbers = queued(func(b *db.Batch) {
		db.Queue(b, (*sqlc.Queries).ReplaceOfferCounts, sqlc.ReplaceOfferCountsParams{StoreID: f.Store, FetchedAt: a.fetchedAt, Rows: db.Rows(list)})
		db.Queue(b, (*sqlc.Queries).SettleWalk, sqlc.SettleWalkParams{StoreID: f.Store, At: &a.fetchedAt})
	})
	return a, nil
}
