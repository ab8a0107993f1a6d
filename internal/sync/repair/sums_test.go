package repair

import (
	"testing"
	"time"

	"github.com/shopspring/decimal"
)

func at(hour int) time.Time { return time.Date(2026, time.November, 20, hour, 0, 0, 0, time.UTC) }

// seen is an answer that was true at some moment between begun and fetched, and the same since then.
func seen(days, begun, fetched, since int) sighting {
	return sighting{
		days: days, answer: days, orders: decimal.NewFromInt(5), revenue: decimal.NewFromInt(50), currency: "USD", timezone: "America/New_York",
		begun: at(begun), fetched: at(fetched), since: at(since),
	}
}

func with(s sighting, change func(*sighting)) sighting {
	change(&s)
	return s
}

func TestN64ACalmHoldsOnlyWhatWasTrueAllTheTime_N34_N49(t *testing.T) {
	t.Parallel()
	ten := calm{sighting: seen(10, 10, 11, 11), from: at(10), to: at(20), answers: []int{10}}
	for name, c := range map[string]struct {
		of   sighting
		want bool
	}{
		"the same window within it":           {seen(10, 12, 13, 13), true},
		"the same from before until after":    {seen(10, 22, 22, 8), true},
		"the same before it":                  {seen(10, 8, 9, 9), false},
		"the same after it":                   {seen(10, 22, 22, 21), false},
		"other orders":                        {with(seen(10, 12, 13, 13), func(s *sighting) { s.orders = decimal.NewFromInt(6) }), false},
		"other revenue":                       {with(seen(10, 12, 13, 13), func(s *sighting) { s.revenue = decimal.NewFromInt(51) }), false},
		"another currency":                    {with(seen(10, 12, 13, 13), func(s *sighting) { s.currency = "EUR" }), false},
		"another clock":                       {with(seen(10, 12, 13, 13), func(s *sighting) { s.timezone = "UTC" }), false},
		"a cached answer":                     {with(seen(10, 12, 13, 0), func(s *sighting) { s.cached = true }), false},
		"a longer window":                     {seen(11, 12, 13, 13), false},
		"a shorter window within it":          {seen(5, 12, 13, 13), true},
		"a shorter one that began before":     {seen(5, 9, 13, 13), false},
		"a shorter one that came after":       {seen(5, 19, 21, 21), false},
		"a shorter one of one of its answers": {with(seen(5, 9, 21, 21), func(s *sighting) { s.answer = 10 }), true},
		"a shorter one, the same until after": {seen(5, 22, 22, 12), true},
		"a shorter one, the same after it":    {seen(5, 23, 23, 21), false},
		"a shorter one, the same before it":   {seen(5, 9, 9, 5), false},
		"a shorter one from the cache":        {with(seen(5, 11, 22, 0), func(s *sighting) { s.cached = true }), false},
	} {
		if ten.holds(c.of) != c.want {
			t.Errorf("%s was true all the time: want %v", name, c.want)
		}
	}
}

func TestN64ADifferenceIsProvenOnlyByACalmThatHoldsBothAnswers(t *testing.T) {
	t.Parallel()
	ten := calm{sighting: seen(10, 10, 11, 11), from: at(10), to: at(20), answers: []int{10}}
	for name, c := range map[string]struct {
		long, short sighting
		proven      int // the hour; 0: not proven
	}{
		"both within it":           {seen(5, 12, 13, 13), seen(4, 14, 15, 15), 20},
		"the longer before it":     {seen(5, 8, 9, 9), seen(4, 14, 15, 15), 0},
		"the shorter after it":     {seen(5, 12, 13, 13), seen(4, 21, 22, 22), 0},
		"longer than what is calm": {seen(11, 12, 13, 13), seen(10, 14, 15, 15), 0},
		"one answer alone":         {seen(1, 8, 9, 9), sighting{}, 8},
	} {
		c.short.orders = decimal.Min(c.short.orders, decimal.NewFromInt(3))
		d := giftSums{calms: []calm{ten}}.difference(1, c.long, c.short)
		if (d.ProvenAt != nil) != (c.proven > 0) || c.proven > 0 && !d.ProvenAt.Equal(at(c.proven)) {
			t.Errorf("%s: proven at %v, want %d:00", name, d.ProvenAt, c.proven)
		}
		if want := c.long.orders.Sub(c.short.orders); !d.Orders.Equal(want) {
			t.Errorf("%s: %s orders, want %s", name, d.Orders, want)
		}
	}
	later, last := ten, ten
	later.to, last.to = at(21), at(22)
	if d := (giftSums{calms: []calm{ten, last, later}}).difference(1, seen(5, 12, 13, 13), seen(4, 14, 15, 15)); !d.ProvenAt.Equal(at(22)) {
		t.Errorf("proven at %v, want when the last calm ended", d.ProvenAt)
	}
}

func TestN64ACalmEndsWithAnotherAnswerAndNeverRestsOnTheCache_N49(t *testing.T) {
	t.Parallel()
	other := func(s *sighting) { s.orders = decimal.NewFromInt(6) }
	got := chains([]sighting{
		seen(10, 10, 11, 11), with(with(seen(10, 12, 13, 0), other), func(s *sighting) { s.cached = true }), seen(10, 15, 16, 16),
		with(seen(10, 17, 18, 18), other), seen(10, 19, 20, 20),
	})
	want := [][2]int{{11, 15}, {18, 17}, {20, 19}}
	if len(got) != len(want) {
		t.Fatalf("%d runs, want %d", len(got), len(want))
	}
	for i, w := range want {
		if !got[i].from.Equal(at(w[0])) || !got[i].to.Equal(at(w[1])) {
			t.Errorf("run %d is from %v to %v, want %v", i, got[i].from, got[i].to, w)
		}
	}
}
