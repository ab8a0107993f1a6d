//go:build chaos

package truth

import "testing"

// lateAges are how many days ago the orders that arrive late were made.
var lateAges = []int{1, 6, 8, 30, 70, 120}

func TestLateOrdersAreRightAfterTwoNightsN61(t *testing.T) {
	eachStore(t, func(t *testing.T, k kind) {
		h, l := filled(t, k, 135)
		for _, age := range lateAges {
			l.late(l.today().AddDays(-age))
		}
		h.moment(l, "late orders, before the night")
		h.nights(l, "late orders")
	})
}

func TestChangedAndRemovedOrdersAreRightAfterTwoNights(t *testing.T) {
	eachStore(t, func(t *testing.T, k kind) {
		h, l := filled(t, k, 100)
		for _, age := range []int{3, 12, 45, 75} {
			l.change(l.today().AddDays(-age), 0)
			l.remove(l.today().AddDays(-age-2), 0)
		}
		h.moment(l, "orders changed and removed, before the night")
		h.nights(l, "orders changed and removed")
	})
}

func TestAnotherLateOrderOfADayIsSeenTooN63(t *testing.T) {
	eachStore(t, func(t *testing.T, k kind) {
		h, l := filled(t, k, 100)
		day := l.today().AddDays(-41)
		for range 2 {
			l.late(day)
			h.night(l)
			h.moment(l, "a late order, one night on")
		}
		l.late(day)
		h.clock.add(3 * hour)
		h.sync(l)
		h.moment(l, "a third one on the same day")
		h.nights(l, "three late orders of one day")
	})
}
