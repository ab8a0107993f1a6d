package answers

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
)

// leastOrders is how many upsold orders a store needs in one of its windows: below, anything
// is a large change.
const leastOrders = 10

// StoreAnswer is one store of an agency's list.
type StoreAnswer struct {
	// Key names the store to the caller.
	Key    string
	Input  Input
	Answer Answer
}

// MostMoved are the n stores that grew and fell most, by percent: amounts of several
// currencies have no order (N34). Those that are not compared, sold too little or are about
// the same are in neither.
func MostMoved(stores []StoreAnswer, n int) (up, down []StoreAnswer) {
	for _, s := range stores {
		now, before, ok := compared(s.Input)
		if !ok || max(now.TotalUpsoldOrders, before.TotalUpsoldOrders) < leastOrders {
			continue
		}
		switch s.Answer.Verdict.Direction {
		case locale.Up:
			up = append(up, s)
		case locale.Down:
			down = append(down, s)
		}
	}
	for _, list := range []*[]StoreAnswer{&up, &down} {
		slices.SortFunc(*list, func(a, b StoreAnswer) int {
			return cmp.Or(growth(b).Abs().Cmp(growth(a).Abs()), cmp.Compare(a.Key, b.Key))
		})
		*list = (*list)[:min(n, len(*list))]
	}
	return up, down
}

// growth is the change as a fraction; a store that sold nothing any more lost all.
func growth(s StoreAnswer) decimal.Decimal {
	if g := s.Answer.Verdict.Share; g != nil {
		return *g
	}
	return decimal.NewFromInt(-1)
}
