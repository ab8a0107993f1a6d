package db

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
)

// Stored reads everything that an overview of the chosen window needs, in one round trip. inbox is the
// principal whose open alerts are also read; nil for none.
func (d *DB) Stored(ctx context.Context, s ScopedStore, c report.Choice, inbox *AlertPrincipal) (report.Stored, error) {
	window, against := c.Window, compared(c)
	both := windowsOf(s.id, window, against)
	days := both
	if answers.Adjacent(window, against) {
		w := answers.Beside(report.Window{Start: against.Start, End: window.End})
		days = windowsOf(s.id, w, w)
	}
	out := report.Stored{Store: s.Store, Paused: s.Paused, HistoryDays: s.HistoryDays}
	var (
		lists  []sqlc.TopList
		offers []sqlc.TopOffersOfWindowsRow
		rows   []sqlc.GiftCampaign
		kept   []sqlc.KeptDaysRow
		active sqlc.OffersActiveThroughoutRow
	)
	err := d.read(ctx, func(b *Batch) {
		askEach(b, &out.Credentials, (*sqlc.Queries).CredentialStates, one(s), credential)
		askEach(b, &out.Windows, (*sqlc.Queries).SummariesOfStores, sqlc.SummariesOfStoresParams{StoreIds: []int64{s.id, s.id}, Starts: []civil.Date{window.Start, against.Start}, Ends: []civil.Date{window.End, against.End}}, summary)
		askEach(b, &out.Days, (*sqlc.Queries).SummaryDays, sqlc.SummaryDaysParams{StoreID: s.id, Start: days.Start, Finish: days.Finish, AgainstStart: days.AgainstStart, AgainstFinish: days.AgainstFinish, Today: c.Today}, summaryDay)
		askEach(b, &out.StatWindows, (*sqlc.Queries).StatsOfWindows, both, stat)
		askEach(b, &out.StatDays, (*sqlc.Queries).StatDays, sqlc.StatDaysParams(days), statDay)
		ask(b, &lists, (*sqlc.Queries).TopListsOfWindows, sqlc.TopListsOfWindowsParams(both))
		ask(b, &offers, (*sqlc.Queries).TopOffersOfWindows, sqlc.TopOffersOfWindowsParams(both))
		askAll(b, &out.RankedDays, (*sqlc.Queries).RankingsOfDays, sqlc.RankingsOfDaysParams(both), rankedDays)
		askEach(b, &out.TopOfDays, (*sqlc.Queries).TopOfDays, sqlc.TopOfDaysParams{StoreID: s.id, FirstDay: window.Start, LastDay: window.End}, dayRow)
		if c.Against != nil {
			askEach(b, &out.EventsBefore, (*sqlc.Queries).StartsAndEnds, sqlc.StartsAndEndsParams{StoreID: s.id, FirstDay: against.Start, LastDay: against.End}, event)
			askEach(b, &out.TopOfDaysBefore, (*sqlc.Queries).TopOfDays, sqlc.TopOfDaysParams{StoreID: s.id, FirstDay: against.Start, LastDay: against.End}, dayRow)
		}
		askEach(b, &out.Coverage, (*sqlc.Queries).CoverageRows, one(s), cover)
		askFirst(b, &out.Lifetime, (*sqlc.Queries).LifetimeRow, s.id, lifetime)
		askEach(b, &out.Counts, (*sqlc.Queries).OfferCountRows, s.id, count)
		askEach(b, &out.Gift, (*sqlc.Queries).GiftWindows, sqlc.GiftWindowsParams{StoreID: s.id, Start: window.Start, Finish: window.End, Days: int32(window.Days())}, gift)
		askEach(b, &out.GiftDays, (*sqlc.Queries).GiftDayRows, sqlc.GiftDayRowsParams(both), gift)
		askEach(b, &out.GiftAgainst, (*sqlc.Queries).GiftWindows, sqlc.GiftWindowsParams{StoreID: s.id, Start: against.Start, Finish: against.End}, gift)
		askEach(b, &out.Health, (*sqlc.Queries).GiftHealthRows, s.id, health)
		askFirst(b, &out.Plan, (*sqlc.Queries).GiftPlanRow, s.id, plan)
		ask(b, &rows, (*sqlc.Queries).CampaignRows, sqlc.CampaignRowsParams{StoreID: s.id})
		askFirst(b, &out.CampaignList, (*sqlc.Queries).CampaignListRow, s.id, campaignList)
		askEach(b, &out.Ledger, (*sqlc.Queries).PullStates, s.id, pull)
		askFirst(b, &out.Check, (*sqlc.Queries).ChecksOfStores, sqlc.ChecksOfStoresParams{StoreIds: one(s), Starts: []civil.Date{window.Start}, Ends: []civil.Date{window.End}}, check)
		ask(b, &kept, (*sqlc.Queries).KeptDays, sqlc.KeptDaysParams{StoreID: s.id, Since: c.Today.AddDays(-s.HistoryDays)})
		ask(b, &out.PulledAt, (*sqlc.Queries).NewestPull, s.id)
		askEach(b, &out.Triggers, (*sqlc.Queries).DeletedTriggers, s.id, triggers)
		askEach(b, &out.Notes, (*sqlc.Queries).NotesOfStore, notesOf(s, window), note)
		askEach(b, &out.Suspects, (*sqlc.Queries).SuspectDays, one(s), suspect)
		ask(b, &active, (*sqlc.Queries).OffersActiveThroughout, sqlc.OffersActiveThroughoutParams{StoreID: s.id, FirstDay: window.Start.String(), Clock: s.Store.Timezone})
		askEach(b, &out.Events, (*sqlc.Queries).StartsAndEnds, sqlc.StartsAndEndsParams{StoreID: s.id, FirstDay: window.Start, LastDay: window.End}, event)
		askFirst(b, &out.Goal, (*sqlc.Queries).GoalsOfStores, goalsOn([]int64{s.id}, c.Today), storedGoal)
		askEach(b, &out.Goals, (*sqlc.Queries).GoalHistory, sqlc.GoalHistoryParams{StoreID: s.id, Most: mostGoals}, goalSet)
		if inbox != nil {
			askEach(b, &out.Alerts, (*sqlc.Queries).ShownOpenAlerts, inbox.openOnes(mostNext), nextToDo)
			ask(b, &out.Resolved, (*sqlc.Queries).CountEndedAlerts, inbox.ended())
		}
	})
	if err != nil {
		return report.Stored{}, fmt.Errorf("read overview of %s: %w", s.Slug, err)
	}
	out.TopLists, out.Campaigns = topLists(lists, offers), campaigns(rows, out.CampaignList)
	keepDays(&out, s, kept)
	if active.Known {
		out.ActiveThroughout = active.OfferIds
	}
	return out, nil
}

// keepDays adds the stored days. The store was read a moment earlier: its very first day may have
// arrived in between, and is then the first of these.
func keepDays(out *report.Stored, s ScopedStore, kept []sqlc.KeptDaysRow) {
	out.DaysKept = Each(kept, func(k sqlc.KeptDaysRow) civil.Date { return k.Day })
	out.FirstDay = s.FirstDay
	n := len(out.DaysKept)
	if n == 0 {
		return
	}
	out.LastDay = out.DaysKept[n-1]
	if !out.FirstDay.IsValid() || out.DaysKept[0].Before(out.FirstDay) {
		out.FirstDay = out.DaysKept[0]
	}
}

// windowsOf are the parameters of all statements that read two windows.
func windowsOf(store int64, w, against report.Window) sqlc.StatsOfWindowsParams {
	return sqlc.StatsOfWindowsParams{StoreID: store, Start: w.Start, Finish: w.End, AgainstStart: against.Start, AgainstFinish: against.End}
}

// one is the store alone, for statements that read several stores.
func one(s ScopedStore) []int64 { return []int64{s.id} }

// compared is the choice's comparison window, or one that matches no row if nothing is compared.
func compared(c report.Choice) report.Window {
	if c.Against != nil {
		return *c.Against
	}
	return report.OneDay(civil.Date{Year: 1, Month: 1, Day: 2})
}

// Reply finds the last good (or last broken) reply of a pull; ErrNotFound if none is stored.
func (d *DB) Reply(ctx context.Context, s ScopedStore, pullKind, subject string, good bool) (sqlc.Reply, error) {
	r, err := d.q.ReplyOf(ctx, sqlc.ReplyOfParams{StoreID: s.id, Pull: pullKind, Subject: subject, Good: good})
	return r, Absent(err, ErrNotFound, "read reply")
}

// Pause stops all of the store's pulls until Resume.
func (d *DB) Pause(ctx context.Context, s ScopedStore, also ...Also) error {
	return d.InTx(ctx, func(q *sqlc.Queries) error { return q.PauseStore(ctx, s.id) }, also...)
}

// Resume lets pulls run again, including those whose credential was paused: someone says that the cause
// is fixed.
func (d *DB) Resume(ctx context.Context, s ScopedStore, also ...Also) error {
	return d.InTx(ctx, func(q *sqlc.Queries) error { return q.ResumeStore(ctx, s.id) }, also...)
}

// first is f of the first element; nil if there is none.
func first[A, B any](in []A, f func(A) B) *B {
	if len(in) == 0 {
		return nil
	}
	return new(f(in[0]))
}

// Each applies f to every element.
func Each[A, B any](in []A, f func(A) B) []B {
	out := make([]B, len(in))
	for i, a := range in {
		out[i] = f(a)
	}
	return out
}

// Known turns a statement's value for "no time" into Go's zero time.
func Known(t time.Time) time.Time {
	if t.Year() <= 1 {
		return time.Time{}
	}
	return t
}

func window(start, end civil.Date) report.Window { return report.Window{Start: start, End: end} }

func optionalWindow(start, end *civil.Date) *report.Window {
	if start == nil || end == nil {
		return nil
	}
	return new(window(*start, *end))
}

func credential(c sqlc.CredentialStatesRow) report.StoredCredential {
	return report.StoredCredential{
		Service: c.Service, Host: c.Host, State: c.State, Cause: OrZero(c.PausedCause), Said: OrZero(c.PausedSaid),
		PausedAt: OrZero(c.PausedAt), NextProbe: OrZero(c.NextProbeAt), OutageSince: OrZero(c.OutageSince),
	}
}

func summary(s sqlc.Summary) report.StoredSummary {
	return report.StoredSummary{
		Window:           window(s.WindowStart, s.WindowEnd),
		TotalUpsoldValue: s.TotalUpsoldValue, TotalUpsoldOrders: s.TotalUpsoldOrders, TotalOrders: s.TotalOrders,
		OfferViews: s.OfferViews, Currency: s.Currency, Source: s.Source, Partial: s.Partial, Flags: s.Flags,
		FetchedAt: s.FetchedAt, Revised: s.RevisedAt != nil,
	}
}

func summaryDay(s sqlc.SummaryDaysRow) report.StoredSummary {
	return report.StoredSummary{
		Window:           report.OneDay(s.WindowStart),
		TotalUpsoldValue: s.TotalUpsoldValue, TotalUpsoldOrders: s.TotalUpsoldOrders, TotalOrders: s.TotalOrders,
		OfferViews: s.OfferViews, Currency: s.Currency, Partial: s.Partial, FetchedAt: s.FetchedAt, Revised: s.Revised,
	}
}

func stat(s sqlc.PlacementStat) report.StoredStat {
	return report.StoredStat{
		Window: window(s.WindowStart, s.WindowEnd), Placement: s.Placement,
		Impressions: s.Impressions, Claims: s.Claims, Revenue: s.Revenue, Currency: s.Currency,
		ShopOfferCount: s.ShopOfferCount, Source: s.Source, Partial: s.Partial, FetchedAt: s.FetchedAt, Revised: s.RevisedAt != nil,
	}
}

func statDay(s sqlc.StatDaysRow) report.StoredStat {
	return report.StoredStat{
		Window: report.OneDay(s.WindowStart), Placement: s.Placement,
		Impressions: s.Impressions, Claims: s.Claims, Revenue: s.Revenue, Currency: s.Currency,
		Partial: s.Partial, FetchedAt: s.FetchedAt, Revised: s.Revised,
	}
}

func topLists(lists []sqlc.TopList, rows []sqlc.TopOffersOfWindowsRow) []report.StoredTopList {
	return Each(lists, func(l sqlc.TopList) report.StoredTopList {
		out := report.StoredTopList{
			Window: window(l.WindowStart, l.WindowEnd), Direction: l.Direction,
			ShopOfferCount: l.ShopOfferCount, Currency: l.Currency, Source: l.Source, Partial: l.Partial, Whole: l.Whole, FetchedAt: l.FetchedAt,
		}
		for _, r := range rows {
			if r.Direction == l.Direction && r.WindowStart == l.WindowStart && r.WindowEnd == l.WindowEnd {
				out.Rows = append(out.Rows, topRow(r, r.InventoryCurrency != nil && *r.InventoryCurrency == l.Currency))
			}
		}
		return out
	})
}

// topRow has an all-time revenue only in the ranking's currency.
func topRow(r sqlc.TopOffersOfWindowsRow, sameCurrency bool) report.TopRow {
	row := report.TopRow{
		OfferID: r.OfferID, Name: r.Name, Placement: r.Placement, Status: cmp.Or(r.InventoryStatus, r.Status),
		ABTest: r.AbTest, Revenue: r.Revenue, RevenueAllTime: r.InventoryRevenue, Claims: r.Claims,
		AcceptanceRate: r.AcceptanceRate, Deleted: r.Deleted,
	}
	if !sameCurrency {
		row.RevenueAllTime = nil
	}
	if r.Deleted { // all that is known about a deleted offer is what the ranking says
		row.Status, row.RevenueAllTime = "", nil
	} else {
		row.URL = safeURL(OrZero(r.Url))
	}
	return row
}

// dayRow is a row summed from days, which can't have an acceptance rate.
func dayRow(r sqlc.TopOfDaysRow) report.TopRow {
	row := sqlc.TopOffersOfWindowsRow{
		OfferID: r.OfferID, Name: r.Name, Placement: r.Placement, Status: r.Status, AbTest: r.AbTest,
		Deleted: r.Deleted, Url: r.Url, InventoryStatus: r.InventoryStatus, InventoryRevenue: r.InventoryRevenue,
	}
	if r.HasRevenue {
		row.Revenue = &r.Revenue
	}
	if r.HasClaims {
		row.Claims = &r.Claims
	}
	return topRow(row, r.SameCurrency)
}

// safeURL accepts only absolute https addresses.
func safeURL(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || strings.ContainsAny(raw, "\r\n\t\\ ") {
		return ""
	}
	return u.String()
}

func cover(c sqlc.Coverage) report.StoredCover {
	return report.StoredCover{
		Placement: c.Placement, HasActive: c.HasActive, ActiveCount: c.ActiveCount, TotalCount: c.TotalCount,
		RecentRevenue: c.RecentRevenue, Currency: c.Currency, Window: window(c.WindowStart, c.WindowEnd), Source: c.Source, FetchedAt: c.FetchedAt,
	}
}

func gift(g sqlc.GiftWindow) report.StoredGift {
	metric := func(v, p, c *decimal.Decimal, unit string) report.GiftMetric {
		return report.GiftMetric{Value: v, Previous: p, ChangePercent: c, Unit: unit}
	}
	return report.StoredGift{
		Window: window(g.WindowStart, g.WindowEnd), AskedDays: int(g.AskedDays), IncludesToday: g.IncludesToday,
		Timezone: g.Timezone, Currency: g.Currency, Cached: g.Cached,
		Orders:         metric(g.Orders, g.OrdersPrevious, g.OrdersChange, ""),
		Revenue:        metric(g.Revenue, g.RevenuePrevious, g.RevenueChange, ""),
		ConversionRate: metric(g.ConversionRate, g.ConversionRatePrevious, g.ConversionRateChange, g.ConversionRateUnit),
		AOVByFG:        metric(g.AovByFg, g.AovByFgPrevious, g.AovByFgChange, ""),
		AOVStore:       metric(g.AovStore, g.AovStorePrevious, g.AovStoreChange, ""),
		Basis:          g.Basis,
		Flags:          g.Flags, FetchedAt: g.FetchedAt, Revised: g.RevisedAt != nil,
		Unproven: g.Basis != fact.GiftReported && g.ProvenAt == nil, Since: OrZero(g.SameSince), Begun: OrZero(g.BegunAt),
	}
}

func event(r sqlc.StartsAndEndsRow) report.Event { return report.Event(r) }
func count(c sqlc.OfferCount) report.StoredCount {
	return report.StoredCount{Placement: c.Placement, Total: c.Total}
}

func lifetime(r sqlc.LifetimeRowRow) report.StoredLifetime { return report.StoredLifetime(r) }
func plan(r sqlc.GiftPlanRowRow) report.StoredJSON         { return report.StoredJSON(r) }
func campaignList(r sqlc.CampaignListRowRow) report.StoredCampaignList {
	return report.StoredCampaignList(r)
}
func health(r sqlc.GiftHealthRowsRow) report.StoredHealth { return report.StoredHealth(r) }

func triggers(r sqlc.DeletedTriggersRow) report.StoredDeletedTriggers {
	return report.StoredDeletedTriggers{Placement: r.Placement, Offers: r.Offers, IDs: r.OfferIds, OfferID: r.OfferID, Name: r.Name, Setup: r.Body}
}

// campaigns marks those that are no longer in the newest list (N52).
func campaigns(rows []sqlc.GiftCampaign, list *report.StoredCampaignList) []report.Campaign {
	return Each(rows, func(c sqlc.GiftCampaign) report.Campaign {
		out := report.Campaign{
			ID: c.CampaignID, Name: c.Name, Status: c.Status, Type: c.Type, TargetPage: c.TargetPage,
			StartDate: OrZero(c.StartDate), EndDate: OrZero(c.EndDate), Code: OrZero(c.Code), FirstSeen: c.FirstSeenAt,
		}
		if list != nil && !list.Capped && c.LastListedAt.Before(list.FetchedAt) {
			out.LastListed = &c.LastListedAt
		}
		return out
	})
}

func pull(l sqlc.Ledger) report.StoredPull {
	return report.StoredPull{
		Service: l.Service, Pull: l.Pull, Subject: l.Subject, Lane: l.Lane, Outcome: l.Outcome, Text: l.OutcomeText,
		TriedAt: OrZero(l.TriedAt), LastGoodAt: OrZero(l.LastGoodAt), FailingSince: OrZero(l.FailingSince), DueAt: OrZero(l.DueAt),
		Attempts: int(l.Attempts), Asked: optionalWindow(l.AskedStart, l.AskedEnd), Applied: optionalWindow(l.AppliedStart, l.AppliedEnd),
		Flags: l.Flags,
	}
}

func suspect(s sqlc.SuspectDaysRow) report.Suspect {
	return report.Suspect{Service: s.Service, Days: window(s.FirstDay, s.LastDay), NoticedAt: s.NoticedAt, Unexplained: s.Unexplained}
}

func check(c sqlc.WindowCheck) report.StoredCheck {
	return report.StoredCheck{
		Window: window(c.WindowStart, c.WindowEnd),
		Check: report.Check{
			Agrees: c.Agrees, Days: int(c.DaysStored), Missing: int(c.DaysMissing),
			Reported: c.ReportedValue, Stitched: c.StitchedValue, At: c.CheckedAt,
		},
	}
}
