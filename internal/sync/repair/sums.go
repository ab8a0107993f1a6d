package repair

import (
	"cmp"
	"slices"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/sync/plan"
)

// The gift service only answers windows that end yesterday, so the day n days back is the
// window of n days minus that of n-1. This is right only if nothing changed between the two
// answers (N64). Each answer also includes the window before it, at the same moment, and so
// gives the window of twice as many days.
//
// If a longer window had the same figures at two moments, so did every window inside it all the
// time between them: two answers that came in meanwhile give a proven day. The window of 2n
// days is seen with the one of n days, and again when it is asked for itself; a chain asked for
// in order of length proves itself, without ever needing an answer from the service's cache
// (N49).

// sighting is what one answer says about the last days up to its end.
type sighting struct {
	days               int
	orders, revenue    decimal.Decimal
	currency, timezone string
	// answer is the length of the window that was asked for.
	answer int
	// The figures were true at some moment between begun and fetched and, if several answers
	// agreed, all the time from since to begun.
	begun, fetched, since time.Time
	// cached: of the moment, only the day is known.
	cached bool
}

func (s sighting) same(t sighting) bool {
	return s.orders.Equal(t.orders) && s.revenue.Equal(t.revenue) && s.currency == t.currency && s.timezone == t.timezone
}

// calm is a time during which a window of that many days did not change.
type calm struct {
	sighting
	from, to time.Time
	// answers are the windows it was seen in; whatever else they said was true at some moment
	// of it.
	answers []int
}

// since reports whether a sighting is from a moment after it had begun.
func (c calm) since(s sighting) bool {
	return !s.begun.Before(c.from) || slices.Contains(c.answers, s.answer)
}

// holds reports whether the figures of a sighting were true all that time.
func (c calm) holds(s sighting) bool {
	switch {
	case s.cached || s.days > c.days:
		return false
	case s.days == c.days:
		return s.same(c.sighting) && !s.fetched.Before(c.from) && !s.since.After(c.to)
	case !s.begun.Before(c.from) && !s.fetched.After(c.to), slices.Contains(c.answers, s.answer):
		return true
	}
	return !s.since.After(s.begun) && !s.since.After(c.to) && !s.begun.Before(c.from)
}

// giftSums is what is known about the windows that end on one day.
type giftSums struct {
	end civil.Date
	// seen are the windows that were asked, by length.
	seen map[int]sighting
	// unfit are those whose answer can't be used, with the reason.
	unfit map[int]string
	// chains are the runs of equal sightings, by length, including windows derived from an
	// answer for their later half. Such a window can prove that nothing changed but gives no
	// figures, because the service may not keep that many days.
	chains map[int][]calm
	calms  []calm
}

// sumsTo collects what the answers say about windows that end on a day. wide: their previous
// figures may be read as the window before.
func sumsTo(rows []sqlc.GiftWindow, end civil.Date, wide bool, loc *time.Location) giftSums {
	s := giftSums{end: end, seen: map[int]sighting{}, unfit: map[int]string{}, chains: map[int][]calm{}}
	all := map[int][]sighting{}
	for _, r := range rows {
		w := windowOfRow(r)
		days := w.Days()
		switch {
		case w.End != end || r.Basis != reportedBasis:
			continue
		case !asMeant(r):
			s.unfit[days] = "other_period"
			continue
		case r.Orders == nil || r.Revenue == nil:
			s.unfit[days] = "no_value"
			continue
		}
		at := sightingOf(r, days, loc)
		s.seen[days] = at
		all[days] = append(all[days], at)
		if wide && r.OrdersPrevious != nil && r.RevenuePrevious != nil {
			at.days, at.orders, at.revenue = 2*days, at.orders.Add(*r.OrdersPrevious), at.revenue.Add(*r.RevenuePrevious)
			all[at.days] = append(all[at.days], at)
		}
	}
	for days, list := range all {
		slices.SortStableFunc(list, func(a, b sighting) int { return a.begun.Compare(b.begun) })
		s.chains[days] = chains(list)
		for _, c := range s.chains[days] {
			if !c.to.Before(c.from) {
				s.calms = append(s.calms, c)
			}
		}
	}
	return s
}

// sightingOf is what a reported row says. An answer from the service's cache may be from any
// moment of its day.
func sightingOf(r sqlc.GiftWindow, days int, loc *time.Location) sighting {
	at := sighting{
		days: days, answer: days, orders: *r.Orders, revenue: *r.Revenue, currency: r.Currency, timezone: r.Timezone,
		begun: plan.MidnightAfter(civil.DateOf(r.FetchedAt.In(loc)).AddDays(-1), loc), fetched: r.FetchedAt, cached: true,
	}
	if r.BegunAt != nil && r.SameSince != nil {
		at.begun, at.since, at.cached = *r.BegunAt, *r.SameSince, false
		at.fetched = latest(at.begun, at.since)
	}
	return at
}

// chains are the runs of sightings of one window that agree. A run that ends before it begins
// was seen only once.
func chains(list []sighting) []calm {
	var out []calm
	for _, at := range list {
		if at.cached {
			continue
		}
		if n := len(out); n > 0 && out[n-1].same(at) {
			out[n-1].to = latest(out[n-1].to, at.begun)
			out[n-1].answers = append(out[n-1].answers, at.answer)
			continue
		}
		out = append(out, calm{sighting: at, from: at.since, to: at.begun, answers: []int{at.answer}})
	}
	return out
}

// tell derives the day that lies so many days back from the end, 1 for the end itself. why says
// what kept two existing windows from giving it.
func (s giftSums) tell(back int) (day *DerivedDay, why string) {
	for days, at := range s.seen {
		if days < back || !at.orders.IsZero() || !at.revenue.IsZero() {
			continue
		}
		// Nothing in a window means nothing on its days.
		if day == nil || at.begun.After(day.FetchedAt) {
			day = s.day(back, at, at.begun, true)
		}
	}
	if day != nil {
		return day, ""
	}
	long, whyLong := s.window(back)
	short, whyShort := s.window(back - 1)
	switch {
	case long == nil || short == nil:
		if (long != nil || whyLong != "") && (short != nil || whyShort != "") {
			why = cmp.Or(whyLong, whyShort)
		}
		return nil, why
	case back > 1 && long.currency != short.currency:
		return nil, "two_currencies"
	case back > 1 && long.timezone != short.timezone:
		return nil, "two_zones"
	}
	got := s.difference(back, *long, *short)
	switch {
	case !got.Orders.IsNegative() && !got.Revenue.IsNegative():
		return got, ""
	case got.ProvenAt != nil:
		return nil, "less_in_longer"
	}
	return nil, ""
}

// window is the window of that many days; the one of 0 days is empty.
func (s giftSums) window(days int) (at *sighting, why string) {
	if days == 0 {
		return &sighting{}, ""
	}
	if at, ok := s.seen[days]; ok {
		return &at, ""
	}
	return nil, s.unfit[days]
}

func (s giftSums) difference(back int, long, short sighting) *DerivedDay {
	at, proven := latest(long.fetched, short.fetched), false
	if short.days == 0 {
		at, proven = long.begun, true
	}
	for _, c := range s.calms {
		if c.days >= long.days && c.holds(long) && (short.days == 0 || c.holds(short)) && (!proven || c.to.After(at)) {
			at, proven = c.to, true
		}
	}
	long.orders, long.revenue = long.orders.Sub(short.orders), long.revenue.Sub(short.revenue)
	return s.day(back, long, at, proven)
}

// day is a derived day with the figures of a sighting. at is the last moment at which they were true
// if proven, otherwise when they were derived.
func (s giftSums) day(back int, of sighting, at time.Time, proven bool) *DerivedDay {
	t := DerivedDay{
		Day: s.end.AddDays(1 - back), Basis: differenceBasis, Timezone: of.timezone, Currency: of.currency,
		Orders: &of.orders, Revenue: &of.revenue, FetchedAt: at,
	}
	if proven {
		t.ProvenAt = &at
	}
	return &t
}

// newest is the last answer for the window of that many days; nil if only the service's cache
// answered.
func (s giftSums) newest(days int) *sighting {
	if at, ok := s.seen[days]; ok && !at.cached {
		return &at
	}
	return nil
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
