package truth

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
)

// kind is how a shop of these tests differs from others.
type kind struct {
	slug, name, currency, zone string
	digits                     int32
	offers                     int
	orders                     int // per day
	upsold                     int // out of ten orders
	quiet                      int // days without an order, up to the first today
	hostile                    bool
	// sleeps: no order comes in the first four hours of a day, so that the first sync of a
	// night is still right when its last failed call has been retried.
	sleeps bool
}

// The five stores of the scenarios.
var (
	newYork  = kind{slug: "newyork", name: "Harbor Goods", currency: "USD", zone: "America/New_York", digits: 2, offers: 60, orders: 9, upsold: 6}
	berlin   = kind{slug: "berlin", name: "Spreewaren", currency: "EUR", zone: "Europe/Berlin", digits: 2, offers: 1130, orders: 34, upsold: 8}
	tokyo    = kind{slug: "tokyo", name: "Kissa", currency: "JPY", zone: "Asia/Tokyo", offers: 9, orders: 4, upsold: 5, quiet: 40}
	bahrain  = kind{slug: "bahrain", name: "Manama Mart", currency: "BHD", zone: "Asia/Bahrain", digits: 3, orders: 5}
	lordHowe = kind{slug: "lordhowe", name: "=1+1\u202e <b>\"Howe\"</b> & Söhne", currency: "USD", zone: "Australia/Lord_Howe", digits: 2, offers: 14, orders: 6, upsold: 6, hostile: true}
	allFive  = []kind{newYork, berlin, tokyo, bahrain, lordHowe}
)

// hostileNames are texts that break pages, files and mails that don't escape them.
var hostileNames = []string{
	"=HYPERLINK(\"http://x\")", "<script>alert(1)</script>", "'; drop table orders; --", "\u202eoffer\u202c", "{{7*7}}", "a\tb", "%s%n", "ẞ🧦\u200d",
}

// openFor is how many days before the clock's the shop took its first order, and
// sellsFor how many days after it orders are still to come.
const sellsFor = 12

// build makes a shop whose orders are the same in every run.
func (k kind) build(c *clock, openFor int) *shop {
	loc, err := time.LoadLocation(k.zone)
	if err != nil {
		panic(err)
	}
	s := &shop{
		slug: k.slug, name: k.name, domain: k.slug + ".example", currency: k.currency, zone: k.zone, digits: k.digits, loc: loc, clock: c,
		viewed: int64(k.offers), orders: map[civil.Date][]*order{}, cache: map[civil.Date]cachedFacts{},
		campaigns: []campaign{
			{"c1", "Free mug", "active", "2026-01-10T00:00:00", ""},
			{"c2", "Summer towel", "expired", "2026-06-01T00:00:00", "2026-08-31T23:59:59"},
		},
	}
	if k.hostile {
		s.campaigns[0].name = hostileNames[1]
	}
	r := rand.New(rand.NewPCG(7, uint64(k.offers*1000+k.orders)))
	today := s.today()
	s.offers = k.makeOffers(r, today)
	if k.offers == 0 {
		s.campaigns = nil
	}
	for day := today.AddDays(-openFor); !day.After(today.AddDays(sellsFor)); day = day.AddDays(1) {
		s.orders[day] = nil
		if d := today.DaysSince(day); d >= 0 && d < k.quiet || d < 0 && k.quiet > 0 {
			continue
		}
		begins, ends := dayStart(day, loc), dayStart(day.AddDays(1), loc)
		if k.sleeps {
			begins = begins.Add(4 * hour)
		}
		for range k.orders - 2 + r.IntN(5) {
			at := begins.Add(time.Duration(r.Int64N(int64(ends.Sub(begins)))))
			s.put(k.makeOrder(r, s, day, at))
		}
	}
	return s
}

func (k kind) makeOffers(r *rand.Rand, today civil.Date) []offer {
	var out []offer
	for i := range k.offers {
		o := offer{id: fmt.Sprintf("%s-%04d", k.slug, i), name: fmt.Sprintf("Offer %d", i), placement: i % placements, status: "expired", abTest: i%11 == 0}
		if k.hostile {
			o.name = hostileNames[i%len(hostileNames)]
		}
		switch {
		case i%6 == 0 || i < 12:
			o.status = "active"
		case i%25 == 1:
			o.status = "scheduled"
		}
		o.created = fmt.Sprintf("%sT%02d:%02d:00", today.AddDays(-200-r.IntN(300)), i%24, i%60)
		o.deleted = i > 12 && i%29 == 0
		out = append(out, o)
	}
	return out
}

func (k kind) makeOrder(r *rand.Rand, s *shop, day civil.Date, at time.Time) *order {
	o := &order{day: day, known: at, total: s.money(2_000 + r.Int64N(15_000)), offer: -1, gift: r.IntN(3) == 0 && len(s.campaigns) > 0}
	if len(s.offers) == 0 || r.IntN(10) >= k.upsold {
		return o
	}
	for { // early offers sell more
		share := r.Float64()
		o.offer = int(share * share * float64(len(s.offers)))
		if s.offers[o.offer].status != "scheduled" {
			break
		}
	}
	o.value, o.later = s.money(100+r.Int64N(5_000)), r.IntN(4) == 0
	return o
}

// number writes a decimal as a JSON number.
func number(d decimal.Decimal) any { return rawNumber(d.String()) }
