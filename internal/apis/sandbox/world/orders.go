package world

import (
	"math"
	"math/rand/v2"
	"sort"
	"time"
)

// None is "no offer" in an order.
const None = -1

// order is one customer's order with what its buyer saw and took.
type order struct {
	minute int
	late   int   // days until it arrives, see Config.LateOrders
	Total  int64 // minor units, without upsells
	Shown  [Placements]int
	Took   [Placements]bool
	Earned [Placements]int64 // minor units over every slot; a coupon earns nothing here
	Gift   bool              // took a campaign's gift
}

// hours is the share of a day's orders by hour of the store's clock.
var hours = [24]int{9, 5, 3, 2, 2, 4, 9, 18, 30, 40, 46, 50, 54, 50, 46, 45, 46, 50, 56, 64, 68, 58, 38, 20}

// Orders makes up the orders of a day. They depend only on seed, store and day, and are in no
// particular order.
func (sh *Shop) Orders(day int, offers []Offer) []order {
	r := Draw(sh.Seed, sh.Slug, "orders", day)
	n := int(sh.level(day)*math.Exp(0.07*r.NormFloat64()) + 0.5)
	active := newShelf(offers, day)
	shifts := sh.shifts(day)
	out := make([]order, n)
	for i := range out {
		o := &out[i]
		o.minute = pickMinute(r)
		if r.Float64() < 0.03 {
			o.late = 1 + r.IntN(3)
		}
		o.Total = sh.Rounded(sh.Basket * math.Exp(0.55*r.NormFloat64()-0.15))
		for p := range Placements {
			o.Shown[p] = None
			seen, pick, take, more := r.Float64(), r.Float64(), r.Float64(), r.Float64()
			if seen >= sh.seen[p] || len(active[p].index) == 0 {
				continue
			}
			at := active[p].pick(pick)
			of := &offers[at]
			o.Shown[p] = at
			if take >= of.accept {
				continue
			}
			o.Took[p] = true
			if p == Coupon {
				continue
			}
			o.Earned[p] = of.price
			switch {
			case more < 0.10: // two of it
				o.Earned[p] += of.price
			case more < 0.32 && p == PostPurchase && of.Then != 0: // and the funnel's next upsell
				o.Earned[p] += of.thenPrice
			}
		}
		o.Gift = giftOf(shifts, o, r.Float64())
	}
	return out
}

// giftOf reports whether an order takes a gift from the campaigns running at its minute.
func giftOf(shifts []shift, o *order, luck float64) bool {
	at := shifts
	for o.minute > at[0].until {
		at = at[1:]
	}
	for i := range at[0].running {
		if c := &at[0].running[i]; luck < c.Rate && o.Total >= c.from {
			return true
		}
	}
	return false
}

// level is how many orders a day gets: a slowly flattening trend, the weekday, the season.
func (sh *Shop) level(day int) float64 {
	date := sh.Date(day)
	at := date.In(time.UTC)
	trend := 1 - 0.42*math.Exp(-float64(day+40)/330)
	season := 1 + sh.swing*math.Cos(2*math.Pi*float64(at.YearDay()-sh.peak)/365)
	if date.Month == time.November && date.Day >= 24 || date.Month == time.December && date.Day <= 18 {
		season *= 1.28
	}
	return sh.daily * trend * season * sh.week[at.Weekday()]
}

// Rounded turns major units into minor ones as shops price: whole yen, whole cents.
func (sh *Shop) Rounded(major float64) int64 {
	return int64(math.Round(major * math.Pow10(sh.Digits)))
}

func pickMinute(r *rand.Rand) int {
	at := r.IntN(hoursSum)
	for h, share := range hours {
		if at -= share; at < 0 {
			return h*60 + r.IntN(60)
		}
	}
	return 0
}

var hoursSum = func() (sum int) {
	for _, share := range hours {
		sum += share
	}
	return sum
}()

// shelf is what a placement shows on a day: offers and the running sum of their weights.
type shelf struct {
	index []int
	upto  []float64
}

func newShelf(offers []Offer, day int) (out [Placements]shelf) {
	for i := range offers {
		o := &offers[i]
		if !o.shownOn(day) || o.weight == 0 {
			continue
		}
		s := &out[o.At]
		sum := o.weight
		if len(s.upto) > 0 {
			sum += s.upto[len(s.upto)-1]
		}
		s.index, s.upto = append(s.index, i), append(s.upto, sum)
	}
	return out
}

func (s *shelf) pick(at float64) int {
	at *= s.upto[len(s.upto)-1]
	return s.index[min(sort.SearchFloat64s(s.upto, at), len(s.index)-1)]
}
