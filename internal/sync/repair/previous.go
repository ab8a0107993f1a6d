package repair

import (
	"slices"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/report"
)

// What `previous` is: documented is the window before, and not what that is for a single
// day, nor that it is of the same length. So it is believed as far as answers show it.
const (
	pairsLooked = 30 // so many of the newest pairs of days
	pairsNeeded = 3
	// pairsMoved of the pairs may differ in orders or revenue, one in so many: a late
	// order changes a day after it was asked, and the next day's answer has it.
	pairsMoved = 4
)

// previousIsTheDayBefore reports whether the days that were reported show it: of the
// newest pairs of neighbours, three or more agree, few differ in orders and revenue, and
// none only in another figure. Two days without an order agree whatever `previous` is,
// so they show nothing.
func previousIsTheDayBefore(rows []sqlc.GiftWindow) bool {
	days := map[civil.Date]sqlc.GiftWindow{}
	var newest []civil.Date
	for _, r := range rows {
		if w := windowOfRow(r); w.Start == w.End && asMeant(r) {
			days[w.Start] = r
			newest = append(newest, w.Start)
		}
	}
	slices.SortFunc(newest, func(a, b civil.Date) int { return b.DaysSince(a) })
	pairs, agree, moved := 0, 0, 0
	for _, d := range newest {
		next := days[d]
		before, ok := days[d.AddDays(-1)]
		if !ok || before.Currency != next.Currency || before.Timezone != next.Timezone || next.OrdersPrevious == nil || next.RevenuePrevious == nil {
			continue
		}
		if pairs++; pairs > pairsLooked {
			break
		}
		switch {
		case differ(before.Orders, next.OrdersPrevious) || differ(before.Revenue, next.RevenuePrevious):
			moved++
		case differ(before.ConversionRate, next.ConversionRatePrevious), differ(before.AovByFg, next.AovByFgPrevious),
			differ(before.AovStore, next.AovStorePrevious):
			return false
		case before.Orders != nil && before.Orders.IsPositive():
			agree++
		}
	}
	return agree >= pairsNeeded && moved*pairsMoved <= agree
}

// previousIsTheWindowBefore reports whether windows show it: three or more, with what was
// before them, are the window of twice their length, and more than those that are not.
func previousIsTheWindowBefore(rows []sqlc.GiftWindow) bool {
	windows := map[report.Window]sqlc.GiftWindow{}
	for _, r := range rows {
		if asMeant(r) {
			windows[windowOfRow(r)] = r
		}
	}
	agree, other := 0, 0
	for w, r := range windows {
		days := w.End.DaysSince(w.Start) + 1
		long, ok := windows[report.Window{Start: w.Start.AddDays(-days), End: w.End}]
		if !ok || r.Orders == nil || r.Revenue == nil || r.OrdersPrevious == nil || r.RevenuePrevious == nil || long.Orders == nil || long.Revenue == nil ||
			!r.OrdersPrevious.IsPositive() || long.Currency != r.Currency {
			continue
		}
		if long.Orders.Equal(r.Orders.Add(*r.OrdersPrevious)) && long.Revenue.Equal(r.Revenue.Add(*r.RevenuePrevious)) {
			agree++
		} else {
			other++
		}
	}
	return agree >= pairsNeeded && agree > other
}

// differ reports whether both figures are there and are not one.
func differ(a, b *decimal.Decimal) bool { return a != nil && b != nil && !a.Equal(*b) }
