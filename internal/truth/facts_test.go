package truth

import (
	"slices"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
)

// window is days of the store's clock, both ends included.
type window struct{ start, end civil.Date }

func (w window) days() int               { return w.end.DaysSince(w.start) + 1 }
func (w window) holds(d civil.Date) bool { return !d.Before(w.start) && !d.After(w.end) }
func (w window) before() window          { return ending(w.start.AddDays(-1), w.days()) }
func (w window) String() string          { return w.start.String() + ".." + w.end.String() }
func ending(d civil.Date, n int) window  { return window{d.AddDays(1 - n), d} }
func oneDay(d civil.Date) window         { return window{d, d} }
func latest(a, b civil.Date) civil.Date {
	if b.After(a) {
		return b
	}
	return a
}

// ever covers every day that a shop of these tests has.
var ever = window{civil.Date{Year: 2000, Month: 1, Day: 1}, civil.Date{Year: 2100, Month: 1, Day: 1}}

// earned is the results of one offer.
type earned struct {
	revenue decimal.Decimal
	claims  int64
}

// facts are what the orders of some days add up to.
type facts struct {
	orders, upsold int64
	value          decimal.Decimal
	views          [placements]int64
	claims         [placements]int64
	revenue        [placements]decimal.Decimal
	offers         map[int]earned
	// total is the value of all orders; gifts and giftTotal cover only those with a gift.
	total, giftTotal decimal.Decimal
	gifts            int64
}

// cachedFacts are a day's, from a moment until something happens on it.
type cachedFacts struct {
	from, until time.Time
	facts       facts
}

// facts adds up what the services count in a window, some days left out, at a moment.
func (s *shop) facts(w window, at time.Time, without ...civil.Date) facts {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum := facts{offers: map[int]earned{}}
	for day := range s.orders {
		if w.holds(day) && !slices.Contains(without, day) {
			sum.add(s.factsOf(day, at))
		}
	}
	return sum
}

func (f *facts) add(g facts) {
	f.orders += g.orders
	f.upsold += g.upsold
	f.value = f.value.Add(g.value)
	for p := range placements {
		f.views[p] += g.views[p]
		f.claims[p] += g.claims[p]
		f.revenue[p] = f.revenue[p].Add(g.revenue[p])
	}
	for i, e := range g.offers {
		was := f.offers[i]
		f.offers[i] = earned{was.revenue.Add(e.revenue), was.claims + e.claims}
	}
	f.total, f.giftTotal = f.total.Add(g.total), f.giftTotal.Add(g.giftTotal)
	f.gifts += g.gifts
}

// factsOf is one day's. Its caller holds the lock.
func (s *shop) factsOf(day civil.Date, at time.Time) facts {
	if c, ok := s.cache[day]; ok && !at.Before(c.from) && at.Before(c.until) {
		return c.facts
	}
	c := cachedFacts{from: at, until: at.AddDate(100, 0, 0), facts: facts{offers: map[int]earned{}}}
	next := func(t time.Time) {
		if t.After(at) && t.Before(c.until) {
			c.until = t
		}
	}
	begins := dayStart(day, s.loc)
	next(begins)
	f := &c.facts
	if len(s.offers) > 0 && !begins.After(at) {
		for p := range placements {
			f.views[p] = s.viewed + int64(day.Day*(p+3)%17)
		}
	}
	for _, o := range s.orders[day] {
		next(o.known)
		next(o.gone)
		if o.counted(at) {
			f.count(s, o)
		}
	}
	s.cache[day] = c
	return c.facts
}

func (f *facts) count(s *shop, o *order) {
	f.orders++
	f.total = f.total.Add(o.total)
	if o.gift {
		f.gifts++
		f.giftTotal = f.giftTotal.Add(o.total)
	}
	if o.offer < 0 {
		return
	}
	p := s.offers[o.offer].placement
	f.upsold++
	f.value = f.value.Add(o.value)
	f.views[p]++
	// Post-purchase counts claims of the first upsell only, and revenue of every one.
	claims := int64(1)
	if p == postPurchase && o.later {
		claims = 0
	}
	f.claims[p] += claims
	f.revenue[p] = f.revenue[p].Add(o.value)
	e := f.offers[o.offer]
	f.offers[o.offer] = earned{e.revenue.Add(o.value), e.claims + claims}
}

// seen is the impressions across all four placements.
func (f facts) seen() int64 {
	var n int64
	for _, v := range f.views {
		n += v
	}
	return n
}

// over is a / b to 16 digits, nil when b is zero.
func over(a decimal.Decimal, b int64) *decimal.Decimal {
	if b == 0 {
		return nil
	}
	d := a.DivRound(decimal.NewFromInt(b), 16)
	return &d
}

// acceptance is an offer's rate, a percentage of how often it was seen.
func (e earned) acceptance() decimal.Decimal {
	return decimal.NewFromInt(e.claims*100).DivRound(decimal.NewFromInt(e.claims*4+3), 1)
}

// giftMetrics are the gift service's five figures; nil if the divisor is zero.
func (s *shop) giftMetrics(f facts) map[string]*decimal.Decimal {
	orders := decimal.NewFromInt(f.gifts)
	revenue := f.giftTotal
	round := func(d *decimal.Decimal, digits int32) *decimal.Decimal {
		zero := decimal.Zero
		if d == nil {
			return &zero
		}
		r := d.Round(digits)
		return &r
	}
	return map[string]*decimal.Decimal{
		"orders": &orders, "revenue": &revenue,
		"conversionRate": round(over(orders.Shift(2), f.orders), 2),
		"aovByFG":        round(over(f.giftTotal, f.gifts), s.digits),
		"aovStore":       round(over(f.total, f.orders), s.digits),
	}
}
