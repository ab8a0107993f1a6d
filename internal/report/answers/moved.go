package answers

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
)

// leastOrders is how many upsold orders a store needs in one of its windows: with fewer, any change
// looks large.
const leastOrders = 10

// mover is a store in an agency's list that grew or fell.
type mover struct {
	at   int
	size decimal.Decimal
}

// MostMoved are the indices of the n stores that grew and fell the most, in percent: amounts in several
// currencies can't be ranked (N34). Stores that aren't compared, sold too little or are about the same
// are in neither.
func MostMoved(stores []Input, n int) (up, down []int) {
	var grew, fell []mover
	for i, s := range stores {
		now, before, ok := compared(s)
		if !ok || max(now.TotalUpsoldOrders, before.TotalUpsoldOrders) < leastOrders {
			continue
		}
		m := mover{i, decimal.NewFromInt(1)} // a store that no longer sells anything lost everything
		direction, share := growth(now, before)
		if share != nil {
			m.size = share.Abs()
		}
		switch direction {
		case locale.Up:
			grew = append(grew, m)
		case locale.Down:
			fell = append(fell, m)
		}
	}
	return largest(grew, n), largest(fell, n)
}

// largest are the indices of the n that moved most.
func largest(all []mover, n int) []int {
	slices.SortStableFunc(all, func(a, b mover) int { return b.size.Cmp(a.size) })
	out := make([]int, min(n, len(all)))
	for i := range out {
		out[i] = all[i].at
	}
	return out
}
