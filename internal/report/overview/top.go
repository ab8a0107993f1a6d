package overview

import (
	"slices"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/report"
)

// topShown and lowestShown are how many of the highest and lowest earners a page shows.
const (
	topShown    = 5
	lowestShown = 3
)

// Top ranks the window's offers: as reported if the window's own ranking is complete, otherwise summed
// from its days if all their rankings are. A ranking that may lack offers is shown as received and
// marked as cut (N16, N68).
func (b Builder) Top() TopOffers {
	high, low := b.topLists(b.Choice.Window)
	switch {
	case high != nil && high.Whole:
		return b.topWhole(high, low)
	case b.daysRanked():
		return b.topStitched()
	case high != nil:
		return b.topCut(high, low)
	}
	return b.topMissing()
}

// topBefore is the comparison window's ranking; nil without a comparison.
func (b Builder) topBefore() *TopOffers {
	if b.Choice.Against == nil {
		return nil
	}
	b.Choice = report.Choice{Preset: report.Custom, Window: *b.Choice.Against, Comparison: report.CompareNone, Today: b.Choice.Today}
	b.In.TopOfDays, b.In.ActiveThroughout = b.In.TopOfDaysBefore, nil
	return new(b.Top())
}

// topLists are the two ends of a window's ranking. The lowest end is dropped if it's much older than
// the highest, or in another currency, since amounts in two currencies can't be ranked (N34).
func (b Builder) topLists(w report.Window) (high, low *report.StoredTopList) {
	for i, l := range b.In.TopLists {
		switch {
		case l.Window != w:
		case l.Direction == fact.Highest:
			high = &b.In.TopLists[i]
		default:
			low = &b.In.TopLists[i]
		}
	}
	if high == nil || low != nil && (low.Currency != high.Currency || low.FetchedAt.Before(high.FetchedAt.Add(-time.Hour))) {
		low = nil
	}
	return high, low
}

// topReported is what both kinds of reported rankings share.
func (b Builder) topReported(high, low *report.StoredTopList) TopOffers {
	t := TopOffers{Currency: high.Currency, ShopOfferCount: high.ShopOfferCount, Highest: []report.TopRow{}, Lowest: []report.TopRow{}}
	t.Provenance = b.Asked(b.Reported(EndpointTop, high.Window, high.Source, high.FetchedAt, high.Partial))
	t.Provenance.Pull, t.Provenance.Subject = b.replyOfTop(high.Window)
	rows := high.Rows
	if low != nil {
		t.Provenance.Seen(low.FetchedAt, false)
		rows = slices.Concat(rows, without(slices.Clone(low.Rows), rows))
	}
	t.AcceptanceUnit = acceptanceUnit(rows, b.statsOfTop(high.Window))
	return t
}

func (b Builder) topWhole(high, low *report.StoredTopList) TopOffers {
	t := b.topReported(high, low)
	all := high.Rows
	if low != nil {
		all = slices.Concat(all, without(falling(low.Rows), high.Rows))
	}
	b.rank(&t, all)
	t.Panel = b.Finish(t.Panel, "upsell", "top.highest", "top.lowest")
	return t
}

// topCut shows both ends as received: how many offers lie between them isn't known.
func (b Builder) topCut(high, low *report.StoredTopList) TopOffers {
	t := b.topReported(high, low)
	t.Provenance = t.Provenance.With(report.FlagCut)
	t.Highest = ranked(high.Rows)
	if low != nil {
		t.Lowest = without(falling(low.Rows), high.Rows)
	}
	b.unknownPlacements(&t)
	t.Panel = b.Finish(t.Panel, "upsell", "top.highest", "top.lowest")
	return t
}

// rankedDays are the days of the window that have a ranking.
func (b Builder) rankedDays() []report.StoredRankedDay {
	return slices.DeleteFunc(slices.Clone(b.In.RankedDays), func(d report.StoredRankedDay) bool { return !b.Choice.Window.Contains(d.Day) })
}

// daysRanked reports whether every day of the window has a complete ranking, all in one currency.
func (b Builder) daysRanked() bool {
	days := b.rankedDays()
	for _, d := range days {
		if !d.Whole || d.Currency != days[0].Currency {
			return false
		}
	}
	return len(days) == b.Choice.Window.Days()
}

// topStitched sums the days' rankings. An acceptance rate can't be computed from days.
func (b Builder) topStitched() TopOffers {
	days := b.rankedDays()
	t := TopOffers{AcceptanceUnit: UnitUnknown, Currency: days[0].Currency, Highest: []report.TopRow{}, Lowest: []report.TopRow{}}
	t.Provenance = b.Asked(b.Stitched(EndpointTop, b.Choice.Window))
	for _, d := range days {
		t.Provenance.Seen(d.FetchedAt, false)
	}
	for _, c := range b.In.Counts {
		if c.Placement == "" {
			t.ShopOfferCount = &c.Total
		}
	}
	b.rank(&t, b.In.TopOfDays)
	t.Panel = b.Finish(t.Panel, "upsell", "top.day", "top.day.lowest")
	return t
}

// rank fills in a ranking that includes every earner, highest first.
func (b Builder) rank(t *TopOffers, all []report.TopRow) {
	n := len(all)
	t.Earned = &n
	t.Highest = ranked(all)
	if n > topShown {
		t.Highest, t.Lowest = all[:n-min(lowestShown, n-topShown)], all[n-min(lowestShown, n-topShown):]
	}
	if n == 0 {
		t.Highest = []report.TopRow{}
		t.Empty = b.nothingEarned(t.ShopOfferCount)
	}
	b.silent(t, all)
	b.unknownPlacements(t)
}

func (b Builder) unknownPlacements(t *TopOffers) {
	for _, r := range slices.Concat(t.Highest, t.Lowest) {
		if !r.Placement.Known() {
			t.Provenance = t.Provenance.With(report.FlagUnknownValue)
		}
	}
}

// topMissing says which days prevent the window from being ranked.
func (b Builder) topMissing() TopOffers {
	t := TopOffers{AcceptanceUnit: UnitUnknown, Panel: report.Panel{Provenance: b.Asked(b.Stitched(EndpointTop, b.Choice.Window))}, Highest: []report.TopRow{}, Lowest: []report.TopRow{}}
	whole, days := map[civil.Date]bool{}, b.rankedDays()
	for _, d := range days {
		whole[d.Day] = d.Whole
		if first := days[0]; d.Currency != first.Currency {
			t.Empty = b.TwoCurrencies(first.Currency, d.Currency, d.Day)
			return t
		}
	}
	for d := range b.Choice.Window.All() {
		switch is, stored := whole[d]; {
		case !stored:
			t.Provenance.Missed(d)
		case !is:
			t.Provenance.AddCut(d)
		}
	}
	t.Empty = b.topNotKept(t.Provenance.Missing)
	t.Panel = b.Finish(t.Panel, "upsell", "top.highest")
	return t
}

// Earners lists all offers that earned, highest first. known is false if some may be missing: the
// ranking is cut, lacks days or its window isn't over (N16).
func (t *TopOffers) Earners() (rows []report.TopRow, known bool) {
	if t == nil || t.Earned == nil || len(t.Provenance.Missing) > 0 || t.Provenance.Has(report.FlagPartial) {
		return nil, false
	}
	return slices.Concat(t.Highest, t.Lowest), true
}

// EarnersOfBoth lists those of this ranking and of the one before. known is false if either may be
// missing some, or if their currencies differ (N34).
func (t *TopOffers) EarnersOfBoth(before *TopOffers) (now, was []report.TopRow, known bool) {
	now, known = t.Earners()
	was, too := before.Earners()
	if !known || !too || t.Empty == nil && before.Empty == nil && t.Currency != before.Currency {
		return nil, nil, false
	}
	return now, was, true
}

// Earlier maps offers to what they earned in an earlier ranking.
type Earlier map[string]report.TopRow

// Earlier is what the offers earned in the ranking before; nil if the two can't be compared.
func (t *TopOffers) Earlier(before *TopOffers) Earlier {
	_, was, known := t.EarnersOfBoth(before)
	if !known {
		return nil
	}
	out := make(Earlier, len(was))
	for _, r := range was {
		out[r.OfferID] = r
	}
	return out
}

// Of is an offer's revenue in that ranking, zero if it earned nothing; nil if unknown or not reported (N13).
func (e Earlier) Of(id string, p report.Placement) *decimal.Decimal {
	if e == nil || !p.ReportsRevenue() {
		return nil
	}
	if r, earned := e[id]; earned {
		return r.Revenue
	}
	return new(decimal.Decimal)
}

func ranked(rows []report.TopRow) []report.TopRow {
	for i := range rows {
		rows[i].Rank = i + 1
	}
	return rows
}

// falling reverses a list that was answered lowest first.
func falling(rows []report.TopRow) []report.TopRow {
	out := make([]report.TopRow, len(rows))
	for i, r := range rows {
		out[len(rows)-1-i] = r
	}
	return out
}

// without drops the offers that another list already shows.
func without(rows, shown []report.TopRow) []report.TopRow {
	return slices.DeleteFunc(rows, func(r report.TopRow) bool {
		return slices.ContainsFunc(shown, func(s report.TopRow) bool { return s.OfferID == r.OfferID })
	})
}

// soldNothing lists the offers that were active on every day of the window and aren't in its complete
// ranking. The to-do's count and the list behind it both use it, so they always agree (N73).
func (b Builder) soldNothing(all []report.TopRow) []string {
	if b.In.ActiveThroughout == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(b.In.ActiveThroughout), func(id string) bool {
		return slices.ContainsFunc(all, func(r report.TopRow) bool { return r.OfferID == id })
	})
}

// SoldNothing lists the offers that the overview's to-do counts for the chosen window. known is false
// if the ranking may lack offers.
func SoldNothing(in report.Stored, c report.Choice, now time.Time) (ids []string, known bool) {
	ids = Builder{report.Builder{In: in, Choice: c, Now: now}}.Top().SoldNothing
	return ids, ids != nil
}

// silent counts the offers that could have earned but didn't: all existing ones, minus coupon offers,
// minus those in the ranking that still exist.
func (b Builder) silent(t *TopOffers, all []report.TopRow) {
	t.SoldNothing = b.soldNothing(all)
	var total, coupons *int64
	for _, c := range b.In.Counts {
		switch c.Placement {
		case "":
			total = &c.Total
		case report.Coupon:
			coupons = &c.Total
		}
	}
	if total == nil || coupons == nil {
		return
	}
	t.Coupons = coupons
	existing := int64(0)
	for _, r := range all {
		if !r.Deleted && r.Placement != report.Coupon {
			existing++
		}
	}
	if n := int(*total - *coupons - existing); n >= 0 {
		t.Silent = &n
	}
}

func (b Builder) replyOfTop(w report.Window) (pull, subject string) {
	for _, l := range b.In.Ledger {
		if (l.Pull == "top.highest" || l.Pull == "top.range") && l.Applied != nil && *l.Applied == w {
			return l.Pull, l.Subject
		}
	}
	return "", ""
}

func (b Builder) topNotKept(days []civil.Date) *report.Empty {
	if failed := b.Failed("upsell", "top.highest", "top.range", "top.day"); failed != nil && b.Choice.Window.Days() <= report.LongestUpsell {
		return failed
	}
	if !b.Connected("upsell") || len(b.In.DaysKept) == 0 || b.In.Asking {
		return b.NotPulled("upsell", "top.highest", b.T("state.on_the_way.ranking"))
	}
	return &report.Empty{Cause: report.CauseNotKept, Title: b.T("state.no_ranking.title"), Text: b.T("state.no_ranking.text", "days", b.DayList(days)), Action: b.T("panel.show_30_days"), Href: "?window=" + string(report.Last30)}
}

func (b Builder) nothingEarned(offers *int64) *report.Empty {
	if offers != nil && *offers == 0 {
		return &report.Empty{Cause: report.CauseNoOffers, Title: b.T("state.no_offers.title"), Text: b.T("state.no_offers.text")}
	}
	return &report.Empty{Cause: report.CauseNothing, Title: b.T("state.nothing_earned.title"), Text: b.T("state.nothing_earned.text")}
}

func (b Builder) lifetime() Lifetime {
	l := Lifetime{Panel: report.Panel{Provenance: b.Provenance(endpointLifetime, report.Reported)}}
	if r := b.In.Lifetime; r == nil {
		l.Empty = b.NotPulled("upsell", "lifetime", b.T("state.on_the_way.all_time"))
	} else {
		l.Provenance = b.Current(endpointLifetime, "lifetime", r.FetchedAt)
		for _, f := range r.Flags {
			l.Provenance = l.Provenance.With(f)
		}
		l.Currency, l.TotalRevenue, l.OfferViews, l.UpsoldOrders = r.Currency, r.TotalRevenue, r.OfferViews, r.UpsoldOrders
		l.ConversionRate = ratio(decimal.NewFromInt(r.UpsoldOrders), r.OfferViews)
		l.RevenuePerVisit = ratio(r.TotalRevenue, r.OfferViews)
	}
	l.Panel = b.Finish(l.Panel, "upsell", "lifetime")
	return l
}
