package answers

import (
	"cmp"
	"math"
	"slices"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// What is compared around an event, and when the result is trusted. The figures in
// docs/developers/why-it-changed.md were measured with these.
const (
	// SideDays are compared on each side of an event, at least leastDays.
	SideDays  = 14
	leastDays = 5
	// leastSales is the minimum volume: what that many average upsells are worth, on the larger side.
	leastSales = 25
	// A step is clear beyond clearStep, for a campaign beyond campaignStep: nothing else shows that it
	// was the campaign.
	clearStep    = 2.4
	campaignStep = 3.6
	// ownShare is how much of the step the offer itself must have earned or lost, remains how much of
	// it may remain on the offer's other side.
	ownShare = 0.67
	remains  = 0.25
)

// BeforeAfter compares the same weekdays before and after an event, equally many on each side. The
// event's day itself is left out.
type BeforeAfter struct {
	Event report.Event
	// Reason says why nothing can be compared; Before and After are then empty.
	Reason EventReason
	// Before and After are the days, Days how many each has: 14, or fewer if fewer are over since.
	Before, After report.Window
	Days          int
	Currency      string
	// Offer is what the offer itself earned; its values are nil if unknown.
	Offer Pair
	// Placements each have their own revenue; they are never added up.
	Placements []PlacementPair
	// Store is the upsold value, Rate the success rate of all orders.
	Store, Rate Pair
	// Clear: the step is larger than chance would make it. Least and Most then bound it, per day,
	// adjusted for weekdays and the number of store orders.
	Clear       bool
	Least, Most decimal.Decimal
	// PerDay is the step in the placement's revenue, or in the store's for a gift campaign, as an
	// amount per day; nil if unknown.
	PerDay *decimal.Decimal
	// fits: the step is clear and the offer's own revenue confirms it.
	fits bool
	// own is what the offer itself gained or lost per day; ownKnown is false for a campaign.
	own      float64
	ownKnown bool
	step     float64
}

// Pair is a number on both sides of an event; nil if unknown.
type Pair struct{ Before, After *decimal.Decimal }

// PlacementPair is one placement's revenue on both sides.
type PlacementPair struct {
	Placement report.Placement
	Pair
}

// EventReason says why days around an event aren't compared.
type EventReason string

const (
	EventCompared EventReason = ""
	// TooRecent: fewer than five days are over since.
	TooRecent EventReason = "too_recent"
	// DaysMissing: a day on one side isn't stored.
	DaysMissing EventReason = "days_missing"
	// OtherCurrency: a day on one side is stored in another currency (N34).
	OtherCurrency EventReason = "currencies"
)

// In says why nothing is compared; empty if something is.
func (r EventReason) In(l locale.Locale) string {
	if r == EventCompared {
		return ""
	}
	return l.T("answers.uncompared."+string(r), "n", leastDays)
}

// Around are the days used to judge the window's events: the window, the one before if it's adjacent,
// and 14 more days on both sides, up to yesterday.
func (in Input) Around() report.Window {
	w := in.Choice.Window
	if now, before, ok := compared(in); ok && adjacent(now, before) {
		w.Start = before.Provenance.Window.Start
	}
	w = Beside(w)
	if yesterday := in.Choice.Today.AddDays(-1); w.End.After(yesterday) {
		w.End = yesterday
	}
	if in.Within != nil {
		w = w.Within(*in.Within)
	}
	return w
}

// Beside is the window with the days on both sides that its events are judged by.
func Beside(w report.Window) report.Window {
	return report.Window{Start: w.Start.AddDays(-SideDays - 1), End: w.End.AddDays(SideDays)}
}

// history is an input organized by day.
type history struct {
	Input
	days       map[civil.Date]*report.StoredSummary
	placements map[report.Placement]map[civil.Date]decimal.Decimal
	offers     map[string]map[civil.Date]decimal.Decimal
	ranked     map[civil.Date]bool
	// other are the days stored in another currency.
	other map[civil.Date]bool
	// first and last are the first and the last of days.
	first, last civil.Date
	// one is what an average upsell is worth.
	one float64
	// counted are the store's orders; value, orders, rate and average are adjusted for weekdays.
	counted, value, orders, rate, average series
}

func read(in Input) history {
	h := history{
		Input: in, days: make(map[civil.Date]*report.StoredSummary, len(in.Days)), placements: map[report.Placement]map[civil.Date]decimal.Decimal{},
		offers: map[string]map[civil.Date]decimal.Decimal{}, ranked: map[civil.Date]bool{}, other: map[civil.Date]bool{},
	}
	for i, d := range in.Days {
		day := d.Window.Start
		if d.Partial || d.Window.End != day {
			continue
		}
		if in.Within != nil && !in.Within.Contains(day) {
			continue
		}
		if d.Currency != in.Summary.Currency {
			h.other[day] = true
			continue
		}
		if len(h.days) == 0 || day.Before(h.first) {
			h.first = day
		}
		if day.After(h.last) {
			h.last = day
		}
		h.days[day] = &in.Days[i]
	}
	h.level()
	for _, d := range in.PlacementDays {
		if d.Partial || d.Window.End != d.Window.Start || d.Currency != in.Summary.Currency || d.Revenue == nil {
			continue
		}
		put(h.placements, d.Placement, d.Window.Start, *d.Revenue)
	}
	for _, d := range in.Offers.Ranked {
		h.ranked[d.Day] = d.Whole && d.Currency == in.Summary.Currency
	}
	for _, d := range in.Offers.Days {
		if d.Revenue != nil {
			put(h.offers, d.OfferID, d.Day, *d.Revenue)
		}
	}
	if a := in.Summary.AverageUpsoldValue; a != nil {
		h.one = a.InexactFloat64()
	}
	return h
}

// level fills in the series of the store's days.
func (h *history) level() {
	h.counted, h.value, h.rate, h.average = h.series(), h.series(), h.series(), h.series()
	for day, d := range h.days {
		value := d.TotalUpsoldValue.InexactFloat64()
		h.value.set(day, value)
		h.counted.set(day, float64(d.TotalOrders))
		if d.TotalOrders > 0 {
			h.rate.set(day, float64(d.TotalUpsoldOrders)/float64(d.TotalOrders))
		}
		if d.TotalUpsoldOrders > 0 {
			h.average.set(day, value/float64(d.TotalUpsoldOrders))
		}
	}
	h.orders, h.value, h.rate, h.average = h.counted.level(), h.value.level(), h.rate.level(), h.average.level()
}

// series has every day of the store, without numbers yet.
func (h *history) series() series { return newSeries(h.first, h.last) }

// of are the revenues of a placement's days.
func (h *history) of(p report.Placement) series {
	out := h.series()
	for d, v := range h.placements[p] {
		out.set(d, v.InexactFloat64())
	}
	return out
}

func put[K comparable](m map[K]map[civil.Date]decimal.Decimal, k K, day civil.Date, v decimal.Decimal) {
	if m[k] == nil {
		m[k] = map[civil.Date]decimal.Decimal{}
	}
	m[k][day] = v
}

// events compares the days around each event of the window.
func (h history) events() []BeforeAfter {
	out := []BeforeAfter{}
	for _, e := range h.Events {
		if h.Choice.Window.Contains(e.Day) {
			out = append(out, h.around(e))
		}
	}
	slices.SortStableFunc(out, func(a, b BeforeAfter) int {
		return cmp.Or(a.Event.Day.DaysSince(b.Event.Day), cmp.Compare(a.Event.OfferID, b.Event.OfferID), cmp.Compare(a.Event.Name, b.Event.Name))
	})
	return out
}

// sides picks equally many days with the same weekdays on both sides of an event. If there are fewer
// days after it, they are compared with those one or two whole weeks earlier.
func sides(day civil.Date, after int) (before, then report.Window) {
	back := 14
	switch {
	case after == SideDays || after == 7:
		back = after + 1 // the weeks that end the day before
	case after < 7:
		back = 7
	}
	first := day.AddDays(1)
	return report.Window{Start: first.AddDays(-back), End: first.AddDays(after - 1 - back)}, report.Window{Start: first, End: first.AddDays(after - 1)}
}

func (h history) around(e report.Event) BeforeAfter {
	b := BeforeAfter{Event: e, Currency: h.Summary.Currency, Placements: []PlacementPair{}}
	after := min(SideDays, h.last.DaysSince(e.Day))
	if after < leastDays {
		if b.Reason = TooRecent; h.other[h.last.AddDays(1)] {
			b.Reason = OtherCurrency
		}
		return b
	}
	before, then := sides(e.Day, after)
	for _, w := range []report.Window{before, then} {
		for d := range w.All() {
			if _, ok := h.days[d]; !ok {
				if b.Reason = DaysMissing; h.other[d] {
					b.Reason = OtherCurrency
				}
				return b
			}
		}
	}
	b.Before, b.After, b.Days = before, then, after
	b.Store, b.Rate = h.store(before, then)
	for _, p := range report.Placements {
		if days := h.placements[p]; p.ReportsRevenue() && days != nil {
			b.Placements = append(b.Placements, PlacementPair{p, pair(before, then, func(d civil.Date) (decimal.Decimal, bool) { v, ok := days[d]; return v, ok })})
		}
	}
	if !e.Gift && e.Placement.ReportsRevenue() {
		b.Offer = pair(before, then, func(d civil.Date) (decimal.Decimal, bool) { return h.offers[e.OfferID][d], h.ranked[d] })
	}
	h.judge(&b)
	return b
}

func pair(before, after report.Window, of func(civil.Date) (decimal.Decimal, bool)) (p Pair) {
	sum := func(w report.Window) *decimal.Decimal {
		total := decimal.Zero
		for d := range w.All() {
			v, ok := of(d)
			if !ok {
				return nil
			}
			total = total.Add(v)
		}
		return &total
	}
	return Pair{sum(before), sum(after)}
}

func (h history) store(before, after report.Window) (value, rate Pair) {
	value = pair(before, after, func(d civil.Date) (decimal.Decimal, bool) { return h.days[d].TotalUpsoldValue, true })
	share := func(w report.Window) *decimal.Decimal {
		var upsold, orders int64
		for d := range w.All() {
			upsold, orders = upsold+h.days[d].TotalUpsoldOrders, orders+h.days[d].TotalOrders
		}
		if orders == 0 {
			return nil
		}
		return new(decimal.NewFromInt(upsold).DivRound(decimal.NewFromInt(orders), 8))
	}
	return value, Pair{share(before), share(after)}
}

// judge decides whether the step at an event is clear, and whether the event caused it.
func (h history) judge(b *BeforeAfter) {
	e := b.Event
	sums, days, z := b.Store, h.value, campaignStep
	if !e.Gift {
		i := slices.IndexFunc(b.Placements, func(p PlacementPair) bool { return p.Placement == e.Placement })
		if i < 0 || b.Placements[i].Before == nil || b.Placements[i].After == nil {
			return
		}
		sums, z, days = b.Placements[i].Pair, clearStep, h.of(e.Placement)
	}
	n := decimal.NewFromInt(int64(b.Days))
	change := sums.After.Sub(*sums.Before).DivRound(n, 8)
	b.PerDay = &change
	b.step = change.InexactFloat64()
	if b.Offer.Before != nil && b.Offer.After != nil {
		b.own, b.ownKnown = b.Offer.After.Sub(*b.Offer.Before).DivRound(n, 8).InexactFloat64(), true
	}
	if decimal.Max(*sums.Before, *sums.After).InexactFloat64() < leastSales*h.one {
		return
	}
	if e.Gift {
		b.settle(days, z, h.one)
	} else { // more traffic alone must not look like an offer's effect; a campaign may bring some
		b.settle(h.perOrder(days), z, h.one)
	}
	b.fits = b.Clear && (e.Gift || h.ownDoing(*b))
}

// perOrder is what the days would be with the usual number of store orders.
func (h history) perOrder(days series) series {
	out, usual, n := h.series(), 0.0, 0.0
	for i, o := range h.counted.numbers {
		if v := days.numbers[i]; o > 0 && !math.IsNaN(v) {
			out.numbers[i] = v / o
			usual, n = usual+o, n+1
		}
	}
	for i := range out.numbers {
		out.numbers[i] *= usual / n
	}
	return out.level()
}

// settle decides whether the days have a step in the direction of the sums that is larger than chance
// would make it, and how large it may be.
func (b *BeforeAfter) settle(days series, z, one float64) {
	before, ok := days.of(b.Before.Start, b.Days)
	after, also := days.of(b.After.Start, b.Days)
	if !ok || !also {
		return
	}
	st := compare(before, after, one, alike(before, after))
	if b.Clear = st.size*b.step > 0 && st.beyond(z); b.Clear {
		least, most := st.between(z)
		digits := locale.Digits(b.Currency)
		b.Least, b.Most = decimal.NewFromFloat(least).Round(digits), decimal.NewFromFloat(most).Round(digits)
	}
}

// ownDoing: the offer that started earns about as much as was gained, or the one that ended had earned
// about as much as was lost.
func (h history) ownDoing(b BeforeAfter) bool {
	if !b.ownKnown || b.own*b.step <= 0 || math.Abs(b.own) < ownShare*math.Abs(b.step) {
		return false
	}
	there, gone := *b.Offer.After, *b.Offer.Before
	if !b.Event.Start {
		there, gone = gone, there
	}
	return gone.InexactFloat64() <= remains*there.InexactFloat64()
}
