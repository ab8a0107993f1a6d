package answers

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/overview"
)

const (
	// aboutSame is a change too small to act on, as a fraction; it gets no reason.
	aboutSame = 0.01
	// mostOfIt is the share of the change from which a factor counts as most of it. Beyond allOfIt, the
	// others went the other way.
	mostOfIt = 0.6
	allOfIt  = 1.25
	// clearDriver is how clearly the factor's days must have moved, daysKnown how many of each window's
	// days must be stored for that.
	clearDriver = 3.0
	daysKnown   = 0.8
)

// Verdict is what happened and why, in one sentence each.
type Verdict struct {
	// Direction of the upsold value; also Level if it's about the same.
	Direction locale.Direction
	// Share is the change as a fraction of the value before; nil if none is given.
	Share *decimal.Decimal
	// What is one sentence; empty without a number.
	What locale.Message
	// Change is the part of What that says by how much, "12.4% more"; empty if there is none.
	Change locale.Message
	// PerDay follows What if the windows differ in length.
	PerDay locale.Message
	// Why is one sentence, or empty: never a guess. Evidence says what it's based on.
	Why, Evidence locale.Message
	// Short is Why in a few words, for a list of stores.
	Short locale.Message
}

// amount is money inside a sentence: without cents from 100 on.
type amount struct {
	Amount   decimal.Decimal `json:"money"`
	Currency string          `json:"currency"`
}

// In implements [locale.Arg].
func (a amount) In(l locale.Locale) string {
	if a.Amount.Abs().GreaterThanOrEqual(decimal.NewFromInt(100)) {
		return l.WholeMoney(a.Amount, a.Currency)
	}
	return l.Money(a.Amount, a.Currency).String()
}

// about is an estimated amount: two significant digits, and no unnecessary cents.
type about struct {
	Amount   decimal.Decimal `json:"money"`
	Currency string          `json:"currency"`
}

// In implements [locale.Arg].
func (a about) In(l locale.Locale) string {
	x, places := a.Amount.Abs(), locale.Digits(a.Currency)
	for x.Round(places).Shift(places).GreaterThanOrEqual(decimal.NewFromInt(100)) {
		places--
	}
	return l.RoundMoney(x.Round(places), a.Currency)
}

func verdict(in Input, a Answer, d *finding) Verdict {
	v := happened(in)
	e := a.Explains
	switch {
	case e != nil:
		v.because(in, *e)
	case d != nil:
		v.mostOfIt(*d, a.Drivers)
	}
	return v
}

func happened(in Input) Verdict {
	v := Verdict{Direction: locale.NotCompared}
	now := in.Summary
	w := now.Provenance.Window
	if now.Empty != nil || w == nil {
		v.Direction = locale.NoNumber
		return v
	}
	value, when := amount{now.TotalUpsoldValue, now.Currency}, during(in.Choice, *w)
	nothing := soldNothing(now)
	_, before, ok := compared(in)
	switch {
	case now.Counted() < w.Days():
		v.What = locale.M("answers.what.days_missing", "value", value, "days", now.Counted(), "n", w.Days(), "dates", locale.Period{Start: w.Start, End: w.End})
		return v
	case now.Provenance.Has(report.FlagPartial):
		v.What = locale.M("answers.what.so_far", "value", value, "when", when)
		return v
	case !ok && nothing:
		v.What = locale.M("answers.what.nothing", "when", when)
		return v
	case !ok:
		v.What = locale.M("answers.what.alone", "value", value, "when", when)
		return v
	}
	then, was := earlier(in.Choice, *w, *before.Provenance.Window), before.TotalUpsoldValue
	v.Direction, v.Share = growth(now, before)
	switch {
	case nothing && was.IsZero():
		v.What = locale.M("answers.what.still_nothing", "when", when, "before", then)
		return v
	case nothing:
		v.What = locale.M("answers.what.nothing_after", "when", when, "was", amount{was, before.Currency}, "before", then)
		return v
	case v.Share == nil:
		v.What = locale.M("answers.what.after_nothing", "value", value, "when", when, "before", then)
		return v
	}
	v.Change = inWords(*v.Share)
	if v.Direction == locale.Level {
		v.What = locale.M("answers.what.same", "value", value, "when", when, "before", then)
	} else {
		v.What = locale.M("answers.what.changed", "value", value, "when", when, "change", v.Change, "before", then)
	}
	v.PerDay = perDayWords(*w, now, *before.Provenance.Window, before)
	return v
}

func soldNothing(s overview.Summary) bool {
	return s.TotalUpsoldValue.IsZero() && s.TotalUpsoldOrders == 0
}

// growth is the change in upsold value as a fraction of the value before, and its direction. There is
// no fraction if nothing was sold before or nothing is sold now.
func growth(now, before overview.Summary) (locale.Direction, *decimal.Decimal) {
	was := before.TotalUpsoldValue
	switch nothing := soldNothing(now); {
	case nothing && was.IsZero():
		return locale.Level, nil
	case nothing:
		return locale.Down, nil
	case !was.IsPositive():
		return locale.NoBaseline, nil
	}
	share := now.TotalUpsoldValue.Sub(was).DivRound(was, 8)
	return directionOf(share), &share
}

// directionOf is the direction of a change; also Level if it's about the same.
func directionOf(share decimal.Decimal) locale.Direction {
	switch {
	case math.Abs(share.InexactFloat64()) < aboutSame:
		return locale.Level
	case share.IsPositive():
		return locale.Up
	}
	return locale.Down
}

// inWords puts a change in words; empty if it's about the same.
func inWords(share decimal.Decimal) locale.Message {
	size := locale.Share{Fraction: share.Abs()}
	switch directionOf(share) {
	case locale.Up:
		return locale.M("answers.change.more", "size", size)
	case locale.Down:
		return locale.M("answers.change.less", "size", size)
	}
	return locale.Message{}
}

// perDayWords compares the values per day if the windows differ in length.
func perDayWords(w report.Window, now overview.Summary, v report.Window, before overview.Summary) locale.Message {
	n, m := decimal.NewFromInt(int64(w.Days())), decimal.NewFromInt(int64(v.Days()))
	if n.Equal(m) {
		return locale.Message{}
	}
	share := now.TotalUpsoldValue.Mul(m).DivRound(before.TotalUpsoldValue.Mul(n), 8).Sub(decimal.NewFromInt(1))
	if directionOf(share) == locale.Level {
		return locale.M("answers.per_day.same", "days", w.Days(), "n", v.Days())
	}
	return locale.M("answers.per_day.changed", "change", inWords(share), "days", w.Days(), "n", v.Days())
}

// during names a window as part of a sentence: "in the last 30 days", "in October".
func during(c report.Choice, w report.Window) locale.Message {
	days := w.Days()
	switch {
	case w == report.OneDay(c.Today):
		return locale.M("answers.in.today")
	case w == report.OneDay(c.Today.AddDays(-1)):
		return locale.M("answers.in.yesterday")
	case days == 1:
		return locale.M("answers.in.day", "day", locale.Day{Date: w.Start, Year: w.Start.Year != c.Today.Year})
	case monthOf(w, c.Today) != "":
		return locale.M("answers.in.month." + monthOf(w, c.Today))
	case isWeek(c, w) && c.Today.DaysSince(w.End) <= 7:
		return locale.M("answers.in.last_week")
	case isWeek(c, w):
		return locale.M("answers.in.week", "dates", locale.Period{Start: w.Start, End: w.End})
	case w.End == c.Today.AddDays(-1) && c.Preset != report.AllTime && c.Preset != report.MonthToDate:
		return locale.M("answers.in.last_days", "n", days)
	}
	return locale.M("answers.in.period", "dates", locale.Period{Start: w.Start, End: w.End})
}

// earlier names the comparison window.
func earlier(c report.Choice, w, v report.Window) locale.Message {
	switch {
	case monthOf(v, c.Today) != "" && monthOf(w, c.Today) != "":
		return locale.M("answers.in.month." + monthOf(v, c.Today))
	case v == w.Previous() && isWeek(c, w):
		return locale.M("answers.in.week_before")
	case v == w.Previous() && v.Days() == 1:
		return locale.M("answers.in.day_before")
	case v == w.Previous():
		return locale.M("answers.in.days_before", "n", v.Days())
	case c.Comparison == report.CompareYear:
		return locale.M("answers.in.year_before")
	}
	return locale.M("answers.in.period", "dates", locale.Period{Start: v.Start, End: v.End})
}

// monthOf is the month that a window spans, in lower-case English; empty if it isn't one, or so long
// ago that the year is needed.
func monthOf(w report.Window, today civil.Date) string {
	last := civil.Date{Year: w.End.Year, Month: w.End.Month, Day: 1}
	if w.Start != last || w.End.AddDays(1).Day != 1 || today.DaysSince(w.Start) > 334 || w.End.After(today) {
		return ""
	}
	return strings.ToLower(time.Month(w.Start.Month).String())
}

// isWeek reports whether a past window was chosen by its dates and is a calendar week in some country.
func isWeek(c report.Choice, w report.Window) bool {
	begins := w.Start.In(time.UTC).Weekday()
	return w.Days() == 7 && w.End.Before(c.Today) && (c.Preset == report.Custom || c.Preset == report.LastWeek) &&
		(begins == time.Saturday || begins == time.Sunday || begins == time.Monday)
}

// notable: the upsold value moved enough, in total and per day, to be worth a reason.
func notable(now, before overview.Summary) bool {
	was := before.TotalUpsoldValue.InexactFloat64()
	if was <= 0 {
		return false
	}
	days := float64(now.Provenance.Window.Days()) / float64(before.Provenance.Window.Days())
	whole, daily := now.TotalUpsoldValue.InexactFloat64()/was-1, gained(now, before)/(was*days)
	return min(math.Abs(whole), math.Abs(daily)) >= aboutSame && whole*daily > 0
}

func (v *Verdict) because(in Input, e BeforeAfter) {
	day, name, kind, way := dayOf(in, e.Event), nameOf(e.Event), kind(e.Event), ".less"
	if e.PerDay.IsPositive() {
		way = ".more"
	}
	size := about{e.PerDay.Abs(), e.Currency}
	if e.Event.Gift {
		v.Why = locale.M("answers.since.campaign."+kind+way, "name", name, "day", day, "amount", size)
	} else {
		v.Why = locale.M("answers.since.offer."+kind+way, "name", name, "day", day, "place", place(e.Event.Placement), "amount", size)
	}
	v.Short = locale.M("answers.brief.event."+kind, "name", name, "day", day)
	v.Evidence = locale.M("answers.evidence", "n", e.Days, "before", locale.Period{Start: e.Before.Start, End: e.Before.End}, "after", locale.Period{Start: e.After.Start, End: e.After.End})
}

// kind is the part of a message's id that says whether something started or ended.
func kind(e report.Event) string {
	if e.Start {
		return "started"
	}
	return "ended"
}

func nameOf(e report.Event) string { return locale.Name(report.OneLine(e.Name, report.NameLength)) }

func dayOf(in Input, e report.Event) locale.Day {
	return locale.Day{Date: e.Day, Year: e.Day.Year != in.Choice.Today.Year}
}

// finding is the factor that accounts for most of the change.
type finding struct {
	// factor is "orders", "rate" or "value"; share is its part of the change.
	factor string
	share  float64
}

// driver is the factor that accounts for most of the change and whose days clearly moved; nil if there
// is none. Windows of different lengths are compared per day.
func (h history) driver() *finding {
	now, before, ok := compared(h.Input)
	if !ok || undivided(h.Input) != Divided || doubted(now) || doubted(before) || !notable(now, before) {
		return nil
	}
	if max(now.TotalUpsoldOrders, before.TotalUpsoldOrders) < leastSales {
		return nil
	}
	w, v := *now.Provenance.Window, *before.Provenance.Window
	ratio := func(a, b int64) float64 { return math.Log(float64(a) / float64(b)) }
	days := ratio(int64(w.Days()), int64(v.Days()))
	total := math.Log(now.TotalUpsoldValue.InexactFloat64()/before.TotalUpsoldValue.InexactFloat64()) - days
	orders := ratio(now.TotalOrders, before.TotalOrders) - days
	rate := ratio(now.TotalUpsoldOrders, before.TotalUpsoldOrders) - ratio(now.TotalOrders, before.TotalOrders)
	perDay := float64(before.TotalOrders) / float64(v.Days())
	var best *finding
	for _, f := range []struct {
		name  string
		share float64
		days  series
		one   float64
	}{
		{"orders", orders / total, h.orders, 1},
		{"rate", rate / total, h.rate, 1 / perDay},
		{"value", (total - orders - rate) / total, h.average, 0},
	} {
		if f.share < mostOfIt || best != nil && best.share >= f.share {
			continue
		}
		best = &finding{f.name, f.share}
		a, enough := f.days.within(v)
		b, also := f.days.within(w)
		st := step{}
		if enough && also {
			both := slices.Concat(a, b) // don't let a level change within a window count as its days being alike
			at := breakAt(both, leastDays)
			st = compare(a, b, f.one, alike(both[:at], both[at:]))
		}
		if st.size*f.share*total <= 0 || !st.beyond(clearDriver) {
			best = &finding{"", f.share} // if the largest factor isn't clear, there is nothing to say
		}
	}
	if best == nil || best.factor == "" {
		return nil
	}
	return best
}

// within are the numbers of a window's days; false if too few have one.
func (s series) within(w report.Window) (out []float64, enough bool) {
	for d := range w.All() {
		if day, ok := s.of(d, 1); ok {
			out = append(out, day...)
		}
	}
	return out, len(out) >= leastDays && float64(len(out)) >= daysKnown*float64(w.Days())
}

func (v *Verdict) mostOfIt(f finding, d Drivers) {
	var now, before any
	way, brief := ".lower", f.factor
	switch f.factor {
	case "orders":
		now, before = d.Orders.After.IntPart(), d.Orders.Before.IntPart()
		if d.Orders.After.GreaterThan(d.Orders.Before) {
			way = ".higher"
		}
		if d.PerDay != nil { // counts of unequal windows would mislead
			now, before = d.Orders.After.DivRound(decimal.NewFromInt(int64(d.PerDay.DaysAfter)), 0).IntPart(), d.Orders.Before.DivRound(decimal.NewFromInt(int64(d.PerDay.DaysBefore)), 0).IntPart()
			way, brief = way+"_per_day", "orders_per_day"
		}
	case "rate":
		now, before = locale.Share{Fraction: d.Rate.After}, locale.Share{Fraction: d.Rate.Before}
		if d.Rate.After.GreaterThan(d.Rate.Before) {
			way = ".higher"
		}
	case "value":
		digits := locale.Digits(d.Currency)
		now, before = locale.Money{Amount: d.Value.After.Round(digits), Currency: d.Currency}, locale.Money{Amount: d.Value.Before.Round(digits), Currency: d.Currency}
		if d.Value.After.GreaterThan(d.Value.Before) {
			way = ".higher"
		}
	}
	if f.share > allOfIt {
		v.Why = locale.M("answers.outweighs."+f.factor+way, "after", now, "before", before)
	} else {
		v.Why = locale.M("answers.most."+f.factor+way, "after", now, "before", before)
	}
	v.Short = locale.M("answers.brief.factor."+brief, "before", before, "after", now)
}
