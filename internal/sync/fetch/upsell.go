package fetch

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
func (f Caller) Upsell(ctx context.Context, c *upsell.Client, p plan.Pull) (Answer, error) {
	a, err := f.upsell(ctx, c, p)
	if err != nil {
		return Answer{}, err
	}
	if p.Kind.OfRange() && a.Applied.Start == a.Applied.End && *a.Applied != *p.Window {
		// A window before the history may be answered for its first day alone. As a stored day,
		// that would be where "all stored days" begins.
		a.Numbers = Numbers{}
	}
	return a, nil
}

func (f Caller) upsell(ctx context.Context, c *upsell.Client, p plan.Pull) (Answer, error) {
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
	return Answer{}, fmt.Errorf("no call for a pull of kind %q", p.Kind)
}

// partial reports whether the window includes a day that wasn't over when we asked.
func (f Caller) partial(a Answer) bool { return !a.Applied.End.Before(report.Today(a.Begun(), f.Zone)) }

func (f Caller) dated(a Answer, p plan.Pull, applied upsell.Window) Answer {
	a.Asked, a.Applied = p.Window, windowOf(applied.Start, applied.End)
	if f.partial(a) {
		a.Flags = addFlag(a.Flags, report.FlagPartial)
	}
	a.Elsewhere = p.Kind.OfDay() && *a.Applied != *p.Window
	a.Replan = a.Elsewhere // older days aren't asked for then
	return a
}

func (f Caller) summary(ctx context.Context, c *upsell.Client, p plan.Pull, r upsell.Range) (Answer, error) {
	d, a, err := answered(c.Summary(ctx, r))
	if err != nil {
		return Answer{}, err
	}
	a = f.dated(a, p, d.AppliedWindow)
	a.Currency, a.Domain = string(d.Currency), d.ShopDomain
	if disagrees(d.UpsellSuccessRate, decimal.NewFromInt(d.TotalUpsoldOrders), d.TotalOrders) {
		a.Flags = addFlag(a.Flags, report.FlagRateDisagrees)
	}
	if p.Kind == plan.SummaryWindow {
		set(&a, (*sqlc.Queries).CheckWindow, sqlc.CheckWindowParams{StoreID: f.Store, WindowStart: a.Applied.Start, WindowEnd: a.Applied.End})
	}
	a.Numbers.summaries = []sqlc.Summary{{
		WindowStart: a.Applied.Start, WindowEnd: a.Applied.End, TotalUpsoldValue: d.TotalUpsoldValue, TotalUpsoldOrders: d.TotalUpsoldOrders, TotalOrders: d.TotalOrders,
		UpsellSuccessRate: d.UpsellSuccessRate, AverageUpsoldValue: d.AverageUpsoldValue, OfferViews: d.OfferViews,
		Currency: string(d.Currency), Source: string(d.AppliedWindow.Source), AskedStart: r.Start, AskedEnd: r.End,
		Partial: f.partial(a), Flags: a.Flags, FetchedAt: a.FetchedAt,
	}}
	return a, nil
}

func (f Caller) stats(ctx context.Context, c *upsell.Client, p plan.Pull, r upsell.Range) (Answer, error) {
	d, a, err := answered(c.Stats(ctx, r))
	if err != nil {
		return Answer{}, err
	}
	a = f.dated(a, p, d.AppliedWindow)
	a.Currency, a.Domain = string(d.Currency), d.ShopDomain
	list := make([]sqlc.PlacementStat, 0, len(d.Placements))
	for i, row := range d.Placements {
		if !row.Placement.Known() {
			a.Flags = addFlag(a.Flags, report.FlagUnknownValue)
		}
		list = append(list, sqlc.PlacementStat{
			WindowStart: a.Applied.Start, WindowEnd: a.Applied.End, Placement: report.Placement(row.Placement), Impressions: row.Impressions, Claims: row.Claims, Revenue: row.Revenue,
			Currency: string(d.Currency), ShopOfferCount: &d.ShopOfferCount, Source: string(d.AppliedWindow.Source),
			Partial: f.partial(a), Position: int16(i), FetchedAt: a.FetchedAt,
		})
	}
	if twice(list, func(s sqlc.PlacementStat) report.Placement { return s.Placement }) {
		return Answer{}, Broken(a, "a placement has two rows")
	}
	a.Numbers.stats = list
	return a, nil
}

func (f Caller) top(ctx context.Context, c *upsell.Client, p plan.Pull, r upsell.Range, order upsell.Order) (Answer, error) {
	got, err := f.ranking(ctx, c, r, order)
	if err != nil {
		return Answer{}, err
	}
	d := got.Data
	a := f.dated(from(got.Answer), p, d.AppliedWindow)
	a.Currency, a.Domain = string(d.Currency), d.ShopDomain
	if got.learned {
		set(&a, (*sqlc.Queries).LearnRankingLimit, sqlc.LearnRankingLimitParams{ID: f.Credential, RankingLimit: new(int32(got.limit))})
	}
	first, last, direction := a.Applied.Start, a.Applied.End, fact.RankingEnd(order)
	a.Numbers.lists = []sqlc.TopList{{
		WindowStart: first, WindowEnd: last, Direction: direction, RowLimit: int32(got.limit), RowCount: int32(len(d.Offers)), ShopOfferCount: &d.ShopOfferCount, Currency: string(d.Currency),
		Source: string(d.AppliedWindow.Source), Partial: f.partial(a), FetchedAt: a.FetchedAt,
	}}
	for i, o := range d.Offers {
		if gone := &a.Numbers.deleted; o.IsDeleted {
			gone.OfferIds, gone.Ats = append(gone.OfferIds, o.ID), append(gone.Ats, a.FetchedAt)
		}
		a.Numbers.ranks = append(a.Numbers.ranks, sqlc.TopOffer{
			WindowStart: first, WindowEnd: last, Direction: direction, Place: int32(i + 1), OfferID: o.ID, Name: o.Name, Placement: report.Placement(o.Type), Status: string(o.Status), AbTest: o.ABTest,
			Revenue: o.Revenue, Claims: o.Claims, AcceptanceRate: o.AcceptanceRate, Deleted: o.IsDeleted, Url: db.Optional(o.URL),
		})
	}
	if twice(a.Numbers.ranks, func(r sqlc.TopOffer) string { return r.OfferID }) {
		return Answer{}, Broken(a, "an offer is ranked twice")
	}
	return a, nil
}

func (f Caller) coverage(ctx context.Context, c *upsell.Client, r upsell.Range) (Answer, error) {
	d, a, err := answered(c.Coverage(ctx, r))
	if err != nil {
		return Answer{}, err
	}
	a.Asked, a.Applied = windowOf(r.Start, r.End), windowOf(d.AppliedWindow.Start, d.AppliedWindow.End)
	a.Currency, a.Domain = string(d.Currency), d.ShopDomain
	list := make([]sqlc.Coverage, 0, len(d.Placements))
	for i, row := range d.Placements {
		list = append(list, sqlc.Coverage{
			Position: int16(i), Placement: report.Placement(row.Placement), HasActive: row.HasActive, ActiveCount: row.ActiveCount, TotalCount: row.TotalCount,
			RecentRevenue: row.RecentRevenue, WindowStart: a.Applied.Start, WindowEnd: a.Applied.End,
		})
	}
	if twice(list, func(c sqlc.Coverage) report.Placement { return c.Placement }) {
		return Answer{}, Broken(a, "a placement has two rows")
	}
	set(&a, (*sqlc.Queries).ReplaceCoverage, sqlc.ReplaceCoverageParams{
		StoreID: f.Store, FetchedAt: a.FetchedAt, Rows: db.Rows(list), Currency: string(d.Currency), Source: string(d.AppliedWindow.Source),
	})
	return a, nil
}

func (f Caller) lifetime(ctx context.Context, c *upsell.Client) (Answer, error) {
	d, a, err := answered(c.Lifetime(ctx))
	if err != nil {
		return Answer{}, err
	}
	a.Currency, a.Domain = string(d.Currency), d.ShopDomain
	if disagrees(d.ConversionRate, decimal.NewFromInt(d.UpsoldOrders), d.OfferViews) {
		a.Flags = addFlag(a.Flags, report.FlagRateDisagrees)
	}
	set(&a, (*sqlc.Queries).UpsertLifetime, sqlc.UpsertLifetimeParams{
		StoreID: f.Store, TotalRevenue: d.TotalRevenue, OfferViews: d.OfferViews, UpsoldOrders: d.UpsoldOrders,
		ConversionRate: d.ConversionRate, RevenuePerVisit: d.RevenuePerVisit, Currency: string(d.Currency),
		Flags: a.Flags, FetchedAt: a.FetchedAt,
	})
	return a, nil
}

func (f Caller) offerCount(ctx context.Context, c *upsell.Client) (Answer, error) {
	d, a, err := answered(c.Count(ctx))
	if err != nil {
		return Answer{}, err
	}
	a.Domain = d.ShopDomain
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
		return Answer{}, Broken(a, "a placement is counted twice")
	}
	set(&a, (*sqlc.Queries).ReplaceOfferCounts, sqlc.ReplaceOfferCountsParams{StoreID: f.Store, FetchedAt: a.FetchedAt, Rows: db.Rows(list)})
	set(&a, (*sqlc.Queries).SettleWalk, sqlc.SettleWalkParams{StoreID: f.Store, At: &a.FetchedAt})
	return a, nil
}
