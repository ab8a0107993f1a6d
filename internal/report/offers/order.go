package offers

import (
	"cmp"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/report"
)

// order compares two rows. Unknown values come last in both directions. Revenue in another currency
// comes after the store's own (N34).
func order(sort, currency string) func(a, b TableRow) int {
	sort, reversed := strings.CutSuffix(sort, report.SortReversed)
	by, known := orderBy(sort, currency)
	return func(a, b TableRow) int {
		c := by(a, b)
		if reversed {
			c = -c
		}
		return cmp.Or(cmp.Compare(rank(!known(a)), rank(!known(b))), c, strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), strings.Compare(a.ID, b.ID))
	}
}

func orderBy(sort, currency string) (by func(a, b TableRow) int, known func(TableRow) bool) {
	switch sort {
	case report.SortNewest:
		return func(a, b TableRow) int { return strings.Compare(b.CreatedAt, a.CreatedAt) }, func(r TableRow) bool { return r.CreatedAt != "" }
	case report.SortOldest:
		return func(a, b TableRow) int { return strings.Compare(a.CreatedAt, b.CreatedAt) }, func(r TableRow) bool { return r.CreatedAt != "" }
	case report.SortRevenue:
		return func(a, b TableRow) int {
			return cmp.Or(byCurrency(a, b, currency), larger(a.RevenueAllTime, b.RevenueAllTime))
		}, func(r TableRow) bool { return r.RevenueAllTime != nil }
	case report.SortRevenueLow:
		return func(a, b TableRow) int {
			return cmp.Or(byCurrency(a, b, currency), larger(b.RevenueAllTime, a.RevenueAllTime))
		}, func(r TableRow) bool { return r.RevenueAllTime != nil }
	case report.SortPriority:
		return func(a, b TableRow) int { return cmp.Compare(place(a), place(b)) }, func(r TableRow) bool { return r.Priority != nil }
	case report.SortChange:
		return func(a, b TableRow) int { return larger(a.Change(), b.Change()) }, func(r TableRow) bool { return r.Change() != nil }
	case report.SortClaims:
		return moreClaims, func(r TableRow) bool { return r.Claims != nil }
	case report.SortAcceptance:
		return func(a, b TableRow) int { return larger(a.Rate, b.Rate) }, func(r TableRow) bool { return r.Rate != nil }
	case report.SortStatus:
		return func(a, b TableRow) int { return cmp.Compare(statusPlace(a), statusPlace(b)) }, func(r TableRow) bool { return r.Status != "" && !r.Deleted }
	case report.SortPlacement:
		return func(a, b TableRow) int { return cmp.Compare(placementPlace(a), placementPlace(b)) }, func(TableRow) bool { return true }
	case report.SortName:
		return func(a, b TableRow) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) }, func(TableRow) bool { return true }
	case report.SortEvent:
		return func(a, b TableRow) int {
			if a.Event == nil || b.Event == nil {
				return 0
			}
			return b.Event.Day.DaysSince(a.Event.Day)
		}, func(r TableRow) bool { return r.Event != nil }
	}
	return byValue, func(r TableRow) bool { return r.Revenue != nil || !r.Reports() }
}

// byValue puts offers with sales first, then those that report claims but no revenue, then zeros.
func byValue(a, b TableRow) int {
	return cmp.Or(cmp.Compare(valuePlace(a), valuePlace(b)), larger(a.Revenue, b.Revenue), moreClaims(a, b))
}

func valuePlace(r TableRow) int {
	switch {
	case !r.Reports():
		return 1
	case r.Revenue != nil && r.Revenue.IsZero():
		return 2
	}
	return 0
}

// byCurrency puts the store's own currency first.
func byCurrency(a, b TableRow, own string) int {
	return cmp.Or(cmp.Compare(rank(a.Currency != own), rank(b.Currency != own)), strings.Compare(a.Currency, b.Currency))
}

func place(r TableRow) int {
	if r.Priority == nil {
		return 0
	}
	return *r.Priority
}

func larger(a, b *decimal.Decimal) int {
	if a == nil || b == nil {
		return 0
	}
	return b.Cmp(*a)
}

func moreClaims(a, b TableRow) int {
	if a.Claims == nil || b.Claims == nil {
		return cmp.Compare(rank(a.Claims == nil), rank(b.Claims == nil))
	}
	return cmp.Compare(*b.Claims, *a.Claims)
}

func rank(last bool) int {
	if last {
		return 1
	}
	return 0
}

// statusPlace orders the documented states; others come after them.
func statusPlace(r TableRow) int {
	if i := slices.Index(report.OfferStatuses, r.Status); i >= 0 {
		return i
	}
	return len(report.OfferStatuses)
}

func placementPlace(r TableRow) int {
	if i := slices.Index(report.Placements, r.Placement); i >= 0 {
		return i
	}
	return len(report.Placements)
}
