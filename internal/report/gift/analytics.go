package gift

import (
	"slices"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/report"
)

// Analytics is the gift service's answer for exactly the chosen window. If its days end differently than
// ours, it's the answer for the same number of days under its own label; if it never answered for the
// window, what the stored days add up to.
func (b Builder) Analytics() Analytics {
	w := b.Choice.Window
	today := w.End == b.Choice.Today
	of := func(fits func(report.StoredGift) bool) int {
		return slices.IndexFunc(b.In.Gift, func(g report.StoredGift) bool { return g.IncludesToday == today && fits(g) })
	}
	i := of(func(g report.StoredGift) bool { return g.Window == w })
	if i < 0 && (today || w.End == b.Choice.Today.AddDays(-1)) {
		i = of(func(g report.StoredGift) bool { return g.AskedDays == w.Days() && b.answeredToday(g) })
	}
	switch {
	case i >= 0:
		return b.Answer(b.TodayAlone(b.In.Gift[i]))
	case today:
		p := b.Provenance(endpointAnalytics, report.Reported)
		p.Window = &w
		return b.empty(p)
	}
	return b.stitched()
}

// answeredToday reports whether the answer arrived on the store's current day. An earlier one is about
// earlier days than what the service calls "yesterday" now (N67).
func (b Builder) answeredToday(s report.StoredGift) bool { return b.IsToday(s.FetchedAt) }

// TodayAlone subtracts yesterday from an answer that covers yesterday and today, if yesterday is known
// not to have changed in between. Rates can't be derived this way.
func (b Builder) TodayAlone(s report.StoredGift) report.StoredGift {
	yesterday := s.Window.End.AddDays(-1)
	if !s.IncludesToday || s.Window.Start != yesterday || s.Begun.IsZero() {
		return s
	}
	for _, y := range b.In.GiftDays {
		if y.Window != report.OneDay(yesterday) || y.Begun.IsZero() || y.Since.After(s.Begun) || y.Begun.Before(s.Since) || y.Currency != s.Currency {
			continue
		}
		orders, revenue := minus(s.Orders.Value, y.Orders.Value), minus(s.Revenue.Value, y.Revenue.Value)
		if orders == nil || revenue == nil || orders.IsNegative() || revenue.IsNegative() {
			return s
		}
		s.Window, s.OfToday = report.OneDay(s.Window.End), true
		s.Orders, s.Revenue = report.GiftMetric{Value: orders}, report.GiftMetric{Value: revenue}
		s.ConversionRate, s.AOVByFG, s.AOVStore = report.GiftMetric{Unit: s.ConversionRate.Unit}, report.GiftMetric{}, report.GiftMetric{}
	}
	return s
}

// minus is a - b; nil if either is nil.
func minus(a, b *decimal.Decimal) *decimal.Decimal {
	if a == nil || b == nil {
		return nil
	}
	return new(a.Sub(*b))
}

// Answer turns one stored answer into the panel. An answer for a single day may be derived.
func (b Builder) Answer(s report.StoredGift) Analytics {
	p := b.Reported(endpointAnalytics, s.Window, "", s.FetchedAt, s.IncludesToday)
	p.Pull, p.Subject = b.replyOf(s.Window)
	p.Timezone, p.TimezoneFrom = s.Timezone, "gift"
	for _, f := range s.Flags {
		p = p.With(f)
	}
	if s.Cached {
		p = p.With(report.FlagCached)
	}
	if s.Revised {
		p = p.With(report.FlagRevised)
	}
	if s.Window != b.Choice.Window {
		p = p.With(report.FlagWindowDiffers)
	}
	if s.Derived() {
		p.Basis, p.Pull, p.Subject = report.Derived, "", ""
		p.AddRepaired()
	}
	if s.OfToday {
		p.Basis, p.Pull, p.Subject = report.Derived, "", ""
	}
	if s.Unproven {
		p = p.With(report.FlagUnproven)
	}
	g := Analytics{
		Panel: report.Panel{Provenance: b.Asked(p)}, Currency: s.Currency, Compared: !s.IncludesToday && !s.Derived(),
		Orders: s.Orders, Revenue: s.Revenue, ConversionRate: s.ConversionRate, AOVByFG: s.AOVByFG, AOVStore: s.AOVStore,
	}
	unknown := !knownPercentage(s.ConversionRate.Unit)
	g.ConversionRate.Withheld = unknown && s.ConversionRate.Value != nil
	for _, m := range g.metrics() {
		if (s.Derived() || s.OfToday) && m.Value == nil {
			m.Withheld, m.Reason = false, b.T("state.filled_in_gift_day")
		}
	}
	b.compare(&g) // nothing is compared with a partial day (N45)
	if m := &g.ConversionRate; unknown {
		m.Value, m.Previous, m.ChangePercent = nil, nil, nil // programs get no number either (N48)
	}
	g.Panel = b.Finish(g.Panel, "gift", "gift.window")
	return g
}

// knownPercentage reports whether the unit says that the number already is a percentage. An unknown
// unit could mean anything (N48).
func knownPercentage(unit string) bool {
	return unit == report.Percentage || unit == "percent" || unit == "%"
}

func (g *Analytics) metrics() []*report.GiftMetric {
	return []*report.GiftMetric{&g.Orders, &g.Revenue, &g.ConversionRate, &g.AOVByFG, &g.AOVStore}
}

func (b Builder) replyOf(w report.Window) (pull, subject string) {
	for _, l := range b.In.Ledger {
		if (l.Pull == "gift.window" || l.Pull == "gift.range" || l.Pull == "gift.today") && l.Applied != nil && *l.Applied == w {
			return l.Pull, l.Subject
		}
	}
	return "", ""
}

// empty is the panel when there is no answer.
func (b Builder) empty(p report.Provenance) Analytics {
	g := Analytics{Panel: report.Panel{Provenance: b.Asked(p), Empty: b.notKept()}}
	g.Panel = b.Finish(g.Panel, "gift", "gift.window", "gift.today")
	return g
}

func (b Builder) notKept() *report.Empty {
	if failed := b.Failed("gift", "gift.window", "gift.range"); failed != nil {
		return failed
	}
	if elsewhere := b.Elsewhere(b.Choice.Window, "gift", "gift.window", "gift.range"); elsewhere != nil {
		return elsewhere
	}
	known := false
	for _, l := range b.In.Ledger {
		known = known || l.Pull == "gift.window" && !l.LastGoodAt.IsZero()
	}
	if !known || b.In.Asking {
		return b.NotPulled("gift", "gift.window", b.T("state.on_the_way.gift_result"))
	}
	return &report.Empty{Cause: report.CauseNotKept, Title: b.T("state.no_gift_answer.title"), Text: b.T("state.no_gift_answer.text"), Action: b.T("panel.show_30_days"), Href: "?window=" + string(report.Last30)}
}

// stitched adds up orders and revenue from stored days. They are compared only if both windows are
// complete.
func (b Builder) stitched() Analytics {
	w := b.Choice.Window
	now := b.sum(w)
	if now.p.Replies == 0 {
		return b.empty(now.p)
	}
	average := b.T("state.no_gift_average")
	g := Analytics{
		Panel: report.Panel{Provenance: b.Asked(now.p), Empty: now.mixed}, Currency: now.currency,
		Orders: report.GiftMetric{Value: now.orders}, Revenue: report.GiftMetric{Value: now.revenue},
		ConversionRate: report.GiftMetric{Reason: b.T("state.no_gift_rate")}, AOVByFG: report.GiftMetric{Reason: average}, AOVStore: report.GiftMetric{Reason: average},
	}
	g.Compared = now.p.Comparable() && now.mixed == nil
	b.compare(&g)
	g.Panel = b.Finish(g.Panel, "gift", "gift.window")
	return g
}

// daySum is what the stored days of a window add up to.
type daySum struct {
	p               report.Provenance
	currency        string
	orders, revenue *decimal.Decimal // nil if any stored day lacks it: the sum would be too low (N47)
	mixed           *report.Empty    // set when the days hold two currencies (N34)
}

func (b Builder) sum(w report.Window) daySum {
	s := daySum{p: b.Stitched(endpointAnalytics, w), orders: new(decimal.Decimal), revenue: new(decimal.Decimal)}
	for d, g := range b.days(w) {
		if g == nil {
			s.p.Missed(d)
			continue
		}
		if s.currency != "" && s.currency != g.Currency {
			s.mixed = b.TwoCurrencies(s.currency, g.Currency, d)
			return s
		}
		s.currency = g.Currency
		s.p.Timezone, s.p.TimezoneFrom = g.Timezone, "gift"
		s.p.Seen(g.FetchedAt, g.Revised)
		if g.Derived() {
			s.p.AddRepaired()
		}
		if g.Unproven {
			s.p = s.p.With(report.FlagUnproven)
		}
		s.orders, s.revenue = plus(s.orders, g.Orders.Value), plus(s.revenue, g.Revenue.Value)
	}
	return s
}

// plus is a + b; nil if either is nil.
func plus(a, b *decimal.Decimal) *decimal.Decimal {
	if a == nil || b == nil {
		return nil
	}
	return new(a.Add(*b))
}

// days yields every day of the window with its stored row, or nil if the day isn't stored (N1).
func (b Builder) days(w report.Window) func(yield func(civil.Date, *report.StoredGift) bool) {
	return func(yield func(civil.Date, *report.StoredGift) bool) {
		rows := make(map[civil.Date]*report.StoredGift, len(b.In.GiftDays))
		for i, g := range b.In.GiftDays {
			rows[g.Window.Start] = &b.In.GiftDays[i]
		}
		for d := range w.All() {
			if !yield(d, rows[d]) {
				return
			}
		}
	}
}

// History is the window day by day.
func (b Builder) History() History {
	w := b.Choice.Window
	h := History{Panel: report.Panel{Provenance: b.Asked(b.Stitched(endpointAnalytics, w))}, Days: make([]Day, 0, w.Days()), Notes: b.In.Notes}
	for d, g := range b.days(w) {
		if g == nil {
			if d != b.Choice.Today { // today isn't over, so it's no gap in the history
				h.Provenance.Missed(d)
				h.Days = append(h.Days, Day{Day: d, Flags: []report.Flag{}})
			}
			continue
		}
		h.Provenance.Seen(g.FetchedAt, g.Revised)
		h.Provenance.Timezone, h.Provenance.TimezoneFrom = g.Timezone, "gift"
		day := Day{
			Day: d, Stored: true, Basis: report.Reported, Orders: g.Orders.Value, Revenue: g.Revenue.Value, Currency: g.Currency,
			FetchedAt: g.FetchedAt, Flags: append([]report.Flag{}, g.Flags...), Revised: g.Revised,
		}
		if g.Derived() {
			day.Basis, day.From = report.Derived, g.Basis
			h.Provenance.AddRepaired()
		}
		if g.Unproven {
			h.Provenance = h.Provenance.With(report.FlagUnproven)
			day.Flags = append(day.Flags, report.FlagUnproven)
		}
		if g.Revised {
			day.Flags = append(day.Flags, report.FlagRevised)
		}
		if h.Currency != "" && h.Currency != g.Currency && h.Mixed == nil { // each day keeps its own currency; one axis can't show both
			h.Mixed = b.TwoCurrencies(h.Currency, g.Currency, d)
		}
		h.Currency = g.Currency
		h.Days = append(h.Days, day)
	}
	if h.Provenance.Replies == 0 {
		h.Empty = b.notKept()
	}
	h.Marks = b.CampaignMarks(w)
	h.Panel = b.Finish(h.Panel, "gift", "gift.window")
	return h
}
