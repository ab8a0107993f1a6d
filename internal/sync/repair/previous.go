package repair

import (
	"slices"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/report"
)

// The documentation says that `previous` is the window before, but not what that means for a
// single day, nor that it has the same length. So we trust it only as far as answers confirm
// it.
const (
	pairsLooked = 30 // how many of the newest pairs of days to look at
	pairsNeeded = 3
	// pairsMoved: at most one pair in this many may differ in orders or revenue, because a late
	// order can change a day after it was asked for, and the next day's answer includes it.
	pairsMoved = 4
)

// previousIsTheDayBefore reports whether the reported days confirm that `previous` is the day
// before: of the newest pairs of neighbors, at least three agree, few differ in orders and
// revenue, and none differ only in another figure. Two days without an order agree whatever
// `previous` means, so they prove nothing.
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

// previousIsTheWindowBefore reports whether the windows confirm that `previous` is the window
// before: at least three, together with their previous figure, equal the window of twice their
// length, and more do than don't.
func previousIsTheWindowBefore(rows []sqlc.GiftWindow) bool {
	windows := map[report.Window]sqlc.GiftWindow{}
	for _, r := range rows {
		if asMeant(r) {
			windows[windowOfRow(r)] = r
		}
	}
	agree, other := 0, 0
	for w, r := range windows {
		days := w.Days()
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

// differ reports whether both figures are there and unequal.
func differ(a, b *decimal.Decimal) bool { return a != nil && b != nil && !a.Equal(*b) }
