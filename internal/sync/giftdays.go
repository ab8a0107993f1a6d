package sync

import (
	"slices"
	"strconv"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report"
)

// How a day of the gift series is known that the service was not asked for in time:
// its windows end yesterday, so no past day can be asked for by itself.
const (
	reportedBasis   = "reported"
	previousBasis   = "previous"   // told by the answer for the day after
	differenceBasis = "difference" // the longer of two windows with one end, minus the shorter
)

// Pairs of days that show what `previous` is: it is documented as the window before,
// and not what that is for a single day.
const (
	pairsLooked = 30 // so many of the newest
	pairsNeeded = 3
)

// derivedDay is a day told afterwards, named like the columns of gift_windows. What
// could not be told is nil.
type derivedDay struct {
	Day                civil.Date       `json:"day"`
	Basis              string           `json:"basis"`
	Timezone           string           `json:"timezone"`
	Currency           string           `json:"currency"`
	Orders             *decimal.Decimal `json:"orders"`
	Revenue            *decimal.Decimal `json:"revenue"`
	ConversionRate     *decimal.Decimal `json:"conversion_rate"`
	ConversionRateUnit string           `json:"conversion_rate_unit"`
	AOVByFG            *decimal.Decimal `json:"aov_by_fg"`
	AOVStore           *decimal.Decimal `json:"aov_store"`
	FetchedAt          time.Time        `json:"fetched_at"`
}

// giftRepair is what completes the daily series.
type giftRepair struct {
	// days can be told from what is stored.
	days []derivedDay
	// spans are the first days of windows up to yesterday that tell others.
	spans []civil.Date
	// lost are days that two windows could not tell, each with the reason.
	lost map[civil.Date]string
}

// planRepair says how the days from first to the day before yesterday that are not
// stored can be told. rows are the stored
// windows, asked the ledger of the spans. It is pure.
//
// A run of k missed days takes k+1 windows with one end, of which those that are
// stored anyway (yesterday, 7, 30, 90, 365 days) need no call.
func planRepair(rows []db.GiftWindow, asked []db.Ledger, first, today civil.Date, loc *time.Location) giftRepair {
	windows := map[window]db.GiftWindow{}
	var ends []civil.Date
	for _, r := range rows {
		w := windowOfRow(r)
		windows[w] = r
		if w.WindowStart != w.WindowEnd && !slices.Contains(ends, w.WindowEnd) {
			ends = append(ends, w.WindowEnd)
		}
	}
	slices.SortFunc(ends, func(a, b civil.Date) int { return b.DaysSince(a) }) // the newest tells first
	spans := spansOf(asked, today, loc)
	proven := previousIsTheDayBefore(rows)
	yesterday := today.AddDays(-1)
	first = later(first, today.AddDays(-gift.MaxDays))
	r := giftRepair{lost: map[civil.Date]string{}}
	for d := yesterday.AddDays(-1); !d.Before(first); d = d.AddDays(-1) {
		next := d.AddDays(1)
		if _, known := windows[window{d, d}]; known {
			continue
		}
		if after, ok := windows[window{next, next}]; ok && proven {
			if day, ok := fromPrevious(after); ok {
				r.days = append(r.days, day)
				continue
			}
		}
		day, why := told(windows, ends, d, loc)
		switch {
		case day != nil:
			r.days = append(r.days, *day)
			continue
		case spans.given[d] || spans.given[next] || !d.After(spans.end):
			continue
		case why != "":
			r.lost[d] = why
			continue
		}
		for _, start := range []civil.Date{d, next} {
			_, stored := windows[window{start, yesterday}]
			if !stored && !spans.answered[start] && !askedAnyway(start, today) && !slices.Contains(r.spans, start) {
				r.spans = append(r.spans, start)
			}
		}
	}
	return r
}

// askedAnyway reports whether the window from a day to yesterday is one of those that
// are asked for every night.
func askedAnyway(start, today civil.Date) bool {
	return slices.Contains(policyOf[GiftWindow].names, strconv.Itoa(today.DaysSince(start)))
}

// told is the day as the difference of two windows that begin with it and after it
// and end on one day; why says what keeps two that there are from telling it.
func told(windows map[window]db.GiftWindow, ends []civil.Date, d civil.Date, loc *time.Location) (day *derivedDay, why string) {
	for _, end := range ends {
		longer, ok := windows[window{d, end}]
		if !ok {
			continue
		}
		shorter, ok := windows[window{d.AddDays(1), end}]
		if !ok {
			continue
		}
		if day, why = difference(longer, shorter, loc); day != nil {
			return day, ""
		}
	}
	return nil, why
}

// difference is the first day of the longer window: orders and revenue add up over
// days, rates and averages don't (N2). why says what keeps it from being told.
func difference(longer, shorter db.GiftWindow, loc *time.Location) (day *derivedDay, why string) {
	askedOn := func(g db.GiftWindow) civil.Date { return civil.DateOf(g.FetchedAt.In(loc)) }
	switch {
	case !asMeant(longer) || !asMeant(shorter):
		return nil, "A window of it was answered for another period"
	case longer.Currency != shorter.Currency:
		return nil, "Its windows are in two currencies"
	case longer.Timezone != shorter.Timezone:
		return nil, "Its windows are on two clocks"
	case askedOn(longer) != askedOn(shorter):
		return nil, "Its windows were asked for on two days"
	case longer.Orders == nil || shorter.Orders == nil || longer.Revenue == nil || shorter.Revenue == nil:
		return nil, "A window of it has no value"
	}
	orders, revenue := longer.Orders.Sub(*shorter.Orders), longer.Revenue.Sub(*shorter.Revenue)
	if orders.IsNegative() || revenue.IsNegative() {
		return nil, "The longer window holds less than the shorter one"
	}
	fetched := longer.FetchedAt
	if shorter.FetchedAt.After(fetched) {
		fetched = shorter.FetchedAt
	}
	return &derivedDay{
		Day: civil.DateOf(longer.WindowStart), Basis: differenceBasis, Timezone: longer.Timezone, Currency: longer.Currency,
		Orders: &orders, Revenue: &revenue, FetchedAt: fetched,
	}, ""
}

// fromPrevious is the day before a reported one, by what that says of it.
func fromPrevious(next db.GiftWindow) (derivedDay, bool) {
	if !asMeant(next) || next.OrdersPrevious == nil || next.RevenuePrevious == nil {
		return derivedDay{}, false
	}
	return derivedDay{
		Day: civil.DateOf(next.WindowStart).AddDays(-1), Basis: previousBasis, Timezone: next.Timezone, Currency: next.Currency,
		Orders: next.OrdersPrevious, Revenue: next.RevenuePrevious, ConversionRate: next.ConversionRatePrevious,
		ConversionRateUnit: next.ConversionRateUnit, AOVByFG: next.AovByFgPrevious, AOVStore: next.AovStorePrevious,
		FetchedAt: next.FetchedAt,
	}, true
}

// previousIsTheDayBefore reports whether the days that were reported show it: of the
// newest pairs of neighbours, three or more agree and none disagrees. Two days
// without an order agree whatever `previous` is, so they show nothing.
func previousIsTheDayBefore(rows []db.GiftWindow) bool {
	days := map[civil.Date]db.GiftWindow{}
	var newest []civil.Date
	for _, r := range rows {
		if w := windowOfRow(r); w.WindowStart == w.WindowEnd && asMeant(r) {
			days[w.WindowStart] = r
			newest = append(newest, w.WindowStart)
		}
	}
	slices.SortFunc(newest, func(a, b civil.Date) int { return b.DaysSince(a) })
	pairs, agree := 0, 0
	for _, d := range newest {
		next := days[d]
		before, ok := days[d.AddDays(-1)]
		if !ok || before.Currency != next.Currency || before.Timezone != next.Timezone || next.OrdersPrevious == nil || next.RevenuePrevious == nil {
			continue
		}
		if pairs++; pairs > pairsLooked {
			break
		}
		if !agrees(before, next) {
			return false
		}
		if before.Orders != nil && before.Orders.IsPositive() {
			agree++
		}
	}
	return agree >= pairsNeeded
}

// agrees compares each figure of a day with what the next day calls its previous.
func agrees(day, next db.GiftWindow) bool {
	for _, pair := range [][2]*decimal.Decimal{
		{day.Orders, next.OrdersPrevious},
		{day.Revenue, next.RevenuePrevious},
		{day.ConversionRate, next.ConversionRatePrevious},
		{day.AovByFg, next.AovByFgPrevious},
		{day.AovStore, next.AovStorePrevious},
	} {
		if pair[0] != nil && pair[1] != nil && !pair[0].Equal(*pair[1]) {
			return false
		}
	}
	return true
}

// asMeant reports whether a row is the service's own answer for the period that was
// meant (N43).
func asMeant(g db.GiftWindow) bool {
	w := windowOfRow(g)
	return g.Basis == reportedBasis && int(g.AskedDays) == w.WindowEnd.DaysSince(w.WindowStart)+1 &&
		!slices.Contains(g.Flags, string(report.FlagWindowDiffers))
}

func windowOfRow(g db.GiftWindow) window {
	return window{civil.DateOf(g.WindowStart), civil.DateOf(g.WindowEnd)}
}

// askedSpans is what the ledger says of the windows that were asked for to tell days.
type askedSpans struct {
	// given: never again. answered: today, whatever became of it.
	given, answered map[civil.Date]bool
	// end is the last day before those that the service goes back to: nothing up to it
	// can be told. The zero date when there is none.
	end civil.Date
}

func spansOf(ledger []db.Ledger, today civil.Date, loc *time.Location) askedSpans {
	s := askedSpans{given: map[civil.Date]bool{}, answered: map[civil.Date]bool{}}
	for _, row := range ledger {
		d, err := civil.ParseDate(row.Subject)
		if err != nil {
			continue
		}
		s.given[d] = row.Outcome == string(refused)
		s.answered[d] = row.LastGoodAt != nil && report.Today(*row.LastGoodAt, loc) == today && row.DueAt == nil
		s.end = later(s.end, tooFarBack(row))
	}
	return s
}

// tooFarBack is the last day that the service no longer goes back to, by its answer for
// a span that began earlier; the zero date when the row says nothing of it.
func tooFarBack(row db.Ledger) civil.Date {
	if row.Outcome != string(refused) || row.AskedStart == nil || row.AppliedStart == nil || !row.AppliedStart.After(*row.AskedStart) {
		return civil.Date{}
	}
	return civil.DateOf(*row.AppliedStart).AddDays(-1)
}

func later(a, b civil.Date) civil.Date {
	if b.After(a) {
		return b
	}
	return a
}
