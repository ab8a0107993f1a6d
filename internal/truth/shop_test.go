package truth

import (
	"slices"
	"sync"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
)

// The four placements by their documented labels.
const (
	postPurchase = iota
	thankYou
	coupon
	orderStatus
	placements
)

var labels = [placements]string{"Post-purchase upsell", "Thank you page upsell", "Coupon offer", "Order status page upsell"}

// order is one order of a shop. Everything the services say is computed from orders and offer
// views.
type order struct {
	day civil.Date
	// known is when the services begin to count it; later than its day for a late order. gone
	// is when they stop, if ever.
	known, gone time.Time
	total       decimal.Decimal
	// offer is the index of the accepted offer, -1 for none, and value its revenue.
	offer int
	value decimal.Decimal
	// later: the first stage of the funnel was declined and a later one accepted.
	later bool
	gift  bool
}

// counted reports whether the services count the order at a moment.
func (o *order) counted(at time.Time) bool {
	return !o.known.After(at) && (o.gone.IsZero() || o.gone.After(at))
}

// offer is one upsell offer.
type offer struct {
	id, name  string
	placement int
	status    string
	created   string
	abTest    bool
	deleted   bool
}

// shop is one store's world.
type shop struct {
	slug, name, domain string
	currency, zone     string
	digits             int32
	loc                *time.Location
	clock              *clock
	offers             []offer
	campaigns          []campaign
	// viewed is how often a day shows offers before anyone orders.
	viewed int64

	mu     sync.Mutex
	orders map[civil.Date][]*order
	cache  map[civil.Date]cachedFacts
}

// campaign is one gift campaign.
type campaign struct{ id, name, status, start, end string }

func (s *shop) today() civil.Date { return civil.DateOf(s.clock.Now().In(s.loc)) }

// put adds orders to their days.
func (s *shop) put(orders ...*order) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range orders {
		s.orders[o.day] = append(s.orders[o.day], o)
		delete(s.cache, o.day)
	}
}

// late adds an order to a day now, which has an upsell and a gift.
func (s *shop) late(day civil.Date) *order {
	o := &order{day: day, known: s.clock.Now(), total: s.money(12_000), offer: -1, gift: len(s.campaigns) > 0}
	if i := slices.IndexFunc(s.offers, func(f offer) bool { return f.placement == thankYou && f.status == "active" }); i >= 0 {
		o.offer, o.value = i, s.money(3_450)
	}
	s.put(o)
	return o
}

// remove removes a day's nth order from now on. It reports whether there was one.
func (s *shop) remove(day civil.Date, nth int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.Now()
	for _, o := range s.orders[day] {
		if o.counted(now) {
			if nth--; nth < 0 {
				o.gone = now
				delete(s.cache, day)
				return true
			}
		}
	}
	return false
}

// change replaces a day's nth order with one of a different value.
func (s *shop) change(day civil.Date, nth int) bool {
	s.mu.Lock()
	now := s.clock.Now()
	var was *order
	for _, o := range s.orders[day] {
		if o.counted(now) {
			if nth--; nth < 0 {
				was = o
				break
			}
		}
	}
	s.mu.Unlock()
	if was == nil {
		return false
	}
	was.gone = now
	next := *was
	next.known, next.gone = now, time.Time{}
	next.total, next.value = was.total.Add(s.money(701)), was.value.Add(s.money(701))
	s.put(&next)
	return true
}

// changedSince reports whether what the services say about a window changed after a moment and
// up to now.
func (s *shop) changedSince(w window, since time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.Now()
	within := func(at time.Time) bool { return at.After(since) && !at.After(now) }
	for day, orders := range s.orders {
		if !w.holds(day) {
			continue
		}
		for _, o := range orders {
			if within(o.known) || within(o.gone) {
				return true
			}
		}
	}
	// A day that has begun since has offer views even without orders.
	return within(dayStart(s.todayAt(now), s.loc)) && w.holds(s.todayAt(now))
}

func (s *shop) todayAt(at time.Time) civil.Date { return civil.DateOf(at.In(s.loc)) }

// money is an amount of hundredths in the shop's currency, with its digits.
func (s *shop) money(hundredths int64) decimal.Decimal {
	return decimal.New(hundredths, -2).Round(s.digits)
}
