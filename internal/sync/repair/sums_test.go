package repair

import (
	"testing"
	"time"

	"github.com/shopspring/decimal"
)

func TestN64ACalmHoldsOnlyWhatWasTrueAllTheTime_N34_N49(t *testing.T) {
	t.Parallel()
	at := func(hour int) time.Time { return time.Date(2026, time.November, 20, hour, 0, 0, 0, time.UTC) }
	// seen is an answer that was true at some moment between begun and fetched, and the same since then.
	seen := func(days int, begun, fetched, since int) sighting {
		return sighting{
			days: days, answer: days, orders: decimal.NewFromInt(5), revenue: decimal.NewFromInt(50), currency: "USD", timezone: "America/New_York",
			begun: at(begun), fetched: at(fetched), since: at(since),
		}
	}
	but := func(s sighting, change func(*sighting)) sighting {
		change(&s)
		return s
	}
	ten := calm{sighting: seen(10, 10, 11, 11), from: at(10), to: at(20), answers: []int{10}}
	for name, c := range map[string]struct {
		of   sighting
		want bool
	}{
		"the same window within it":           {seen(10, 12, 13, 13), true},
		"the same from before until after":    {seen(10, 22, 22, 8), true},
		"the same before it":                  {seen(10, 8, 9, 9), false},
		"the same after it":                   {seen(10, 22, 22, 21), false},
		"other orders":                        {but(seen(10, 12, 13, 13), func(s *sighting) { s.orders = decimal.NewFromInt(6) }), false},
		"other revenue":                       {but(seen(10, 12, 13, 13), func(s *sighting) { s.revenue = decimal.NewFromInt(51) }), false},
		"another currency":                    {but(seen(10, 12, 13, 13), func(s *sighting) { s.currency = "EUR" }), false},
		"another clock":                       {but(seen(10, 12, 13, 13), func(s *sighting) { s.timezone = "UTC" }), false},
		"a cached answer":                     {but(seen(10, 12, 13, 0), func(s *sighting) { s.cached = true }), false},
		"a longer window":                     {seen(11, 12, 13, 13), false},
		"a shorter window within it":          {seen(5, 12, 13, 13), true},
		"a shorter one that began before":     {seen(5, 9, 13, 13), false},
		"a shorter one that came after":       {seen(5, 19, 21, 21), false},
		"a shorter one of one of its answers": {but(seen(5, 9, 21, 21), func(s *sighting) { s.answer = 10 }), true},
		"a shorter one, the same until after": {seen(5, 22, 22, 12), true},
		"a shorter one, the same after it":    {seen(5, 23, 23, 21), false},
		"a shorter one, the same before it":   {seen(5, 9, 9, 5), false},
		"a shorter one from the cache":        {but(seen(5, 11, 22, 0), func(s *sighting) { s.cached = true }), false},
	} {
		if ten.holds(c.of) != c.want {
			t.Errorf("%s was true all the time: want %v", name, c.want)
		}
	}
}
