//go:build chaos

package truth

import (
	"math/rand/v2"
	"sync/atomic"
	"testing"
)

// selling lets every seventh call bring a late order, half of them for yesterday.
func (h *house) selling(l *lodged) {
	var calls atomic.Int64
	h.services.onCall = func(string, string) {
		n := calls.Add(1)
		if n%7 != 0 {
			return
		}
		age := 1
		if n%2 == 0 {
			age = 1 + rand.New(rand.NewPCG(3, uint64(n))).IntN(80)
		}
		l.late(l.today().AddDays(-age))
	}
}

func TestAFirstFillWhileTheStoreSellsIsRightAfterTwoNightsN64(t *testing.T) {
	eachStore(t, func(t *testing.T, k kind) {
		h := newHouse(t, start)
		h.withoutDetails()
		l := h.lodge(k, 97, readings[k.slug])
		h.selling(l)
		h.during(l, "first fill while selling")
		h.services.onCall = nil
		h.moment(l, "first fill while selling, done")
		h.nights(l, "first fill while selling")
	})
}
