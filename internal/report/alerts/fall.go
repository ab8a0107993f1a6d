package alerts

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// What a day's figure is compared with, and when that counts as a fall. The false alarm rates in
// docs/developers/alerts.md were measured with these by TestFallsAreRarelyFoundWhereNothingFell.
const (
	// fallWeeks is how many weeks of whole days the history has; at least fallLeast of them must have the
	// same weekday.
	fallWeeks = 8
	fallLeast = 6
	// fallOrders is how many orders a day's rate needs, fallUpsold how many upsold orders the history
	// must suggest: below these, chance alone can explain anything.
	fallOrders = 50
	fallUpsold = 10
	// A single day is a fall beyond fallExtreme deviations, and a second day in a row beyond fallTwice;
	// and only if it's below fallShare of the expected figure.
	fallExtreme = 4.0
	fallTwice   = 2.6
	fallShare   = 0.7
	// The fall is over above either of these.
	fallOver, fallOverShare = 1.0, 0.9
	// fallLevel is how many previous days determine the current level.
	fallLevel = 14
	// fallHour is when a day is checked on the store's clock, so that late data has arrived.
	fallHour = 6
	// fallEnds is when a new level no longer counts as a fall.
	fallEnds = 14 * 24 * time.Hour
)

// History are the days that the rules look at: the last whole week, and the weeks before each of its days.
func History(today civil.Date) report.Window {
	return report.WindowEnding(today.AddDays(-1), 7*fallWeeks+7)
}

// fallDay is a whole day as a rule sees it.
type fallDay struct {
	date civil.Date
	// figure is what may fall. root transforms it to a scale on which chance deviates about equally
	// every day: by at least least, divided by the square root of weigh.
	figure, root, least, weigh float64
	// enough: there are enough orders to judge the day.
	enough, revised bool
	sum             *report.StoredSummary
}

// words is a day's figure as text.
func words(what string, day *report.StoredSummary) locale.Arg {
	if what == "value" {
		return locale.Money{Amount: day.TotalUpsoldValue, Currency: day.Currency}
	}
	return locale.Share{Fraction: decimal.NewFromInt(day.TotalUpsoldOrders).DivRound(decimal.NewFromInt(day.TotalOrders), 6)}
}

// whole is a day's figure as text, with what it's computed from.
func whole(what string, day *report.StoredSummary) locale.Message {
	if what == "value" {
		return locale.M("alert.fell.figure.value", "amount", words(what, day), "n", day.TotalUpsoldOrders)
	}
	return locale.M("alert.fell.figure.rate", "share", words(what, day), "upsold", day.TotalUpsoldOrders, "n", day.TotalOrders)
}

// likely is what a day's history suggests for it.
type likely struct {
	// deviation is how far below that the day is, in usual deviations; share is what fraction of it was
	// reached.
	deviation, share float64
	// lowest and highest are the history's, out of n days.
	lowest, highest fallDay
	// usual is the median of these n days.
	usual fallDay
	n     int
}

// expect compares a day with earlier days that are also before until; false, and no deviation, if there are too few.
func expect(d fallDay, days map[civil.Date]fallDay, until civil.Date) (likely, bool) {
	var l likely
	before := make([]fallDay, 0, 7*fallWeeks)
	var roots [7][]float64 // by weekday
	for back := 1; back <= 7*fallWeeks; back++ {
		if h, ok := days[d.date.AddDays(-back)]; ok && h.date.Before(until) {
			before = append(before, h)
			roots[weekday(h.date)] = append(roots[weekday(h.date)], h.root)
		}
	}
	alike := slices.DeleteFunc(sameWeekday(d.date, days), func(h fallDay) bool { return !h.date.Before(until) })
	if l.n = len(alike); l.n < fallLeast {
		return l, false
	}
	slices.SortFunc(alike, func(a, b fallDay) int { return cmp.Compare(a.figure, b.figure) })
	l.lowest, l.usual, l.highest = alike[0], alike[l.n/2], alike[l.n-1]
	var usual [7]float64
	for w, r := range roots {
		usual[w] = median(r)
	}
	// The recent level, and how far days usually are from their expected figure.
	var levels, residuals []float64
	weight := 0.0
	for i, h := range before {
		u := usual[weekday(h.date)]
		if i < fallLevel && u > 0 {
			levels = append(levels, h.root/u)
		}
		residuals = append(residuals, math.Abs(h.root-u)*math.Sqrt(h.weigh))
		weight += h.weigh
	}
	expected := usual[weekday(d.date)] * min(1, median(levels))
	if expected <= 0 {
		return l, false
	}
	// The median deviation scaled to a standard deviation, combining the day's own and that of the
	// median it's compared with.
	spread := max(1.4826*median(residuals), d.least)
	spread *= math.Sqrt(1/d.weigh + math.Pi/2*float64(len(before))/(float64(l.n)*weight))
	l.deviation = (expected - d.root) / spread
	l.share = square(d.root) / square(expected)
	return l, true
}

// sameWeekday are the same weekdays of the previous weeks, newest first.
func sameWeekday[D any](day civil.Date, days map[civil.Date]D) (alike []D) {
	for back := 7; back <= 7*fallWeeks; back += 7 {
		if d, ok := days[day.AddDays(-back)]; ok {
			alike = append(alike, d)
		}
	}
	return alike
}

func weekday(day civil.Date) time.Weekday { return day.In(time.UTC).Weekday() }

func square(x float64) float64 { return x * x }

func median(in []float64) float64 {
	s := slices.Sorted(slices.Values(in))
	n := len(s)
	if n == 0 {
		return 0
	}
	return (s[(n-1)/2] + s[n/2]) / 2
}

// fall is a rule's finding about a fall in what: "rate" or "value". While an outage lasts, days are
// compared with those before it.
func (b finder) fall(rule, what string, days map[civil.Date]fallDay) []Finding {
	last, ok := days[b.today.AddDays(-1)]
	if !ok || b.Now.In(b.alerts.Location).Hour() < fallHour {
		return b.asItWas(rule)
	}
	f := Finding{Title: locale.M("alerts.rule." + rule + ".title"), Href: b.path(""), Since: last.date.In(b.alerts.Location)}
	until, beyond, o := last.date, fallExtreme, b.alerts.open(rule, "")
	if o != nil {
		if b.Now.Sub(o.Since) > fallEnds { // a level that has lasted two weeks is the new normal
			return nil
		}
		beyond = fallTwice
		if began := civil.DateOf(o.Since.In(b.alerts.Location)); began.Before(until) {
			until = began
		}
		f.Since = o.Since
	}
	fell := func(d fallDay, l likely, beyond float64) bool {
		return d.enough && !d.revised && l.deviation > beyond && l.share < fallShare
	}
	fellBefore := func() bool {
		before := days[last.date.AddDays(-1)]
		l, _ := expect(before, days, until)
		return fell(before, l, fallTwice)
	}
	l, known := expect(last, days, until)
	switch {
	case fell(last, l, beyond):
	case o == nil && fell(last, l, fallTwice) && fellBefore():
	case o != nil && known && last.enough && (l.deviation < fallOver || l.share > fallOverShare):
		f.Standing, f.Title = Right, locale.M("alert.fell.back."+what)
		f.Text = locale.Sentences{wasOn(what, last)}
		return []Finding{f}
	default:
		return b.asItWas(rule)
	}
	f.Standing, f.Do = Wrong, locale.M("alert.do.fell."+what)
	f.Text = locale.Sentences{wasOn(what, last)}
	if l.usual.figure > 0 && last.figure < l.usual.figure {
		size := locale.Percent{Percent: int64(math.Round(100 * (1 - last.figure/l.usual.figure)))}
		f.Title = locale.M("alert.fell.below."+what, "size", size)
		f.Text = append(f.Text, locale.M("alert.fell.usual", "size", size, "weekday", weekdayName(last.date, 1), "usual", words(what, l.usual.sum)))
		f.Stake = lost(what, last.sum, l.usual.sum)
	}
	if f.Stake != nil {
		f.Effect = lessThanUsual(*f.Stake, last.sum)
	}
	f.Text = append(f.Text,
		locale.M("alert.fell.between", "n", l.n, "weekdays", weekdayName(last.date, l.n), "lowest", words(what, l.lowest.sum), "highest", words(what, l.highest.sum)),
		locale.M("alert.fell.check"))
	f.Evidence = locale.Args{
		"day": locale.Day{Date: last.date, Year: true}, "days": l.n, "figure": whole(what, last.sum), "usual": whole(what, l.usual.sum), "lowest": whole(what, l.lowest.sum), "highest": whole(what, l.highest.sum),
		"deviation": decimal.NewFromFloat(l.deviation).Round(1),
	}
	return []Finding{f}
}

// lost estimates how much more money a day would have brought had it been a usual one, whose figure is
// higher; nil if none.
func lost(what string, day, usual *report.StoredSummary) *decimal.Decimal {
	less := usual.TotalUpsoldValue.Sub(day.TotalUpsoldValue)
	if what == "rate" { // the usual fraction of the day's own orders, each worth the usual amount
		upsold := decimal.NewFromInt(usual.TotalUpsoldOrders * day.TotalOrders).Div(decimal.NewFromInt(usual.TotalOrders))
		less = upsold.Sub(decimal.NewFromInt(day.TotalUpsoldOrders)).Mul(usual.TotalUpsoldValue).Div(decimal.NewFromInt(usual.TotalUpsoldOrders))
	}
	if less = less.Round(0); !less.IsPositive() || usual.Currency != day.Currency {
		return nil
	}
	return &less
}

func lessThanUsual(amount decimal.Decimal, day *report.StoredSummary) locale.Sentences {
	on := day.Window.End
	return locale.Sentences{
		locale.M("alert.effect.less", "amount", locale.Money{Amount: amount, Currency: day.Currency, Rounded: true}),
		locale.M("alert.effect.against", "weekday", weekdayName(on, 1), "day", locale.Day{Date: on}),
	}
}

func wasOn(what string, d fallDay) locale.Message {
	return locale.M("alert.fell.was."+what, "weekday", weekdayName(d.date, 1), "day", locale.Day{Date: d.date}, "figure", whole(what, d.sum))
}

// weekdayName is the weekday's name, singular or plural.
func weekdayName(d civil.Date, n int) locale.Message {
	return locale.M("alert.weekday."+strings.ToLower(weekday(d).String()), "n", n)
}

// rate is the share of orders that accepted an offer. The arcsine transform (Anscombe) makes its
// deviations comparable; days weigh by their orders.
func (b finder) rate() []Finding {
	days := map[civil.Date]fallDay{}
	for i := range b.alerts.Days {
		s := &b.alerts.Days[i]
		if s.Partial || s.TotalOrders <= 0 || s.TotalUpsoldOrders > s.TotalOrders {
			continue
		}
		n, k := float64(s.TotalOrders), float64(s.TotalUpsoldOrders)
		days[s.Window.Start] = fallDay{
			date: s.Window.Start, sum: s, figure: k / n, root: 2 * math.Asin(math.Sqrt((k+0.375)/(n+0.75))), least: 1, weigh: n,
			enough: s.TotalOrders >= fallOrders, revised: s.Revised,
		}
	}
	b.enough(days, func(d fallDay, rate float64) bool { return d.enough && rate*d.weigh >= fallUpsold })
	return b.fall("rate-fell", "rate", days)
}

// value is a day's money, in one currency. The square root makes its deviations comparable.
func (b finder) value() []Finding {
	days, upsold := map[civil.Date]fallDay{}, map[civil.Date]float64{}
	currency := ""
	var orders []float64 // the value of one order
	for _, s := range b.alerts.Days {
		if s.Window.End == b.today.AddDays(-1) {
			currency = s.Currency
		}
		if s.TotalUpsoldOrders > 0 {
			orders = append(orders, s.TotalUpsoldValue.InexactFloat64()/float64(s.TotalUpsoldOrders))
		}
	}
	least := max(0.01, math.Sqrt(max(0, median(orders)))/2) // as if every order were worth the same
	for i := range b.alerts.Days {
		s := &b.alerts.Days[i]
		if s.Partial || s.TotalUpsoldValue.IsNegative() || s.Currency != currency {
			continue
		}
		v := s.TotalUpsoldValue.InexactFloat64()
		upsold[s.Window.Start] = float64(s.TotalUpsoldOrders)
		days[s.Window.Start] = fallDay{
			date: s.Window.Start, sum: s, figure: v, root: math.Sqrt(v), least: least, weigh: 1, revised: s.Revised,
		}
	}
	b.enough(days, func(d fallDay, _ float64) bool {
		return median(sameWeekday(d.date, upsold)) >= fallUpsold
	})
	return b.fall("value-fell", "value", days)
}

// enough marks the two newest days that have enough volume to judge; usual is the median figure of the
// same weekday.
func (b finder) enough(days map[civil.Date]fallDay, is func(d fallDay, usual float64) bool) {
	for back := 1; back <= 2; back++ {
		d, ok := days[b.today.AddDays(-back)]
		if !ok {
			continue
		}
		var usual []float64
		for _, h := range sameWeekday(d.date, days) {
			usual = append(usual, h.figure)
		}
		d.enough = is(d, median(usual))
		days[d.date] = d
	}
}
