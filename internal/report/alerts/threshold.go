package alerts

import (
	"math"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/offers"
)

// ThresholdRule is the key of the rule for thresholds; each threshold is a subject of its own.
const ThresholdRule = "threshold"

// Threshold is a custom alert that someone set.
type Threshold struct {
	ID     int64
	Metric fact.ThresholdMetric
	// Placement or Offer is the one whose value is watched; if both are empty, it's the store's.
	Placement report.Placement
	Offer     WatchedOffer
	Kind      fact.ThresholdKind
	// Amount is in percent for a fall and for the success rate, otherwise in the metric's unit.
	Amount   decimal.Decimal
	Currency string
	// LeastOrders is how many orders a day must usually have. With fewer, a low day may be chance.
	LeastOrders int
	// By is who set it; empty if their account was deleted.
	By    string
	SetAt time.Time
}

// WatchedOffer is an offer whose value is watched.
type WatchedOffer struct {
	ID, Name  string
	Placement report.Placement
}

// WatchedDays are days of the watched offers. First is, by offer id, the first day with data about it:
// earlier days without revenue mean nothing.
type WatchedDays struct {
	report.StoredOfferDays
	First map[string]civil.Date
}

// WatchedIDs are the ids of the offers that thresholds watch.
func WatchedIDs(all []Threshold) (ids []string) {
	for _, t := range all {
		if t.Offer.ID != "" {
			ids = append(ids, t.Offer.ID)
		}
	}
	return ids
}

// StoredThresholds are a store's thresholds, plus what their page needs: the days for previews, and the
// offers that can be watched.
type StoredThresholds struct {
	Thresholds []Threshold
	Days       ThresholdDays
	Offers     []WatchedOffer
}

// ThresholdDays are a store's whole days, plus those of each placement and of the watched offers.
type ThresholdDays struct {
	Sums   []report.StoredSummary
	Stats  []report.StoredStat
	Offers WatchedDays
}

// PreviewDays is how many days back a preview goes.
const PreviewDays = 90

// PreviewHistory are the days that such a preview needs.
func PreviewHistory(today civil.Date) report.Window {
	h := History(today)
	h.Start = h.Start.AddDays(1 - PreviewDays)
	return h
}

// Preview is how often a threshold would have opened an alert.
type Preview struct {
	// Fired are the days that would have opened one, oldest first.
	Fired []civil.Date
	// Known is how many days could be judged, Few on how many too few orders were expected.
	Known, Few int
}

// Preview judges each of the last whole days just like the alert check.
func (t Threshold) Preview(today civil.Date, in ThresholdDays) (p Preview) {
	days, open := t.days(in), false
	for back := PreviewDays; back >= 1; back-- {
		day := today.AddDays(-back)
		switch v := t.judge(day, days); v.standing {
		case Unknown:
			if v.few {
				p.Few++
			}
		case Right:
			p.Known++
			open = false
		case Wrong:
			p.Known++
			if !open {
				p.Fired = append(p.Fired, day)
			}
			open = true
		}
	}
	return p
}

// verdict is a threshold's result for a day.
type verdict struct {
	standing Standing
	days     report.Window
	figure   decimal.Decimal
	// sum is the day, usual the median of n earlier days with the same weekday; n is 0 if unknown.
	sum, usual report.StoredSummary
	n          int
	// few: fewer orders are expected than the threshold requires.
	few bool
}

// judge judges a day, or the seven days that end on it. It doesn't depend on other days' verdicts, so a
// preview matches what the check would have said.
func (t Threshold) judge(last civil.Date, days map[civil.Date]report.StoredSummary) (v verdict) {
	v.days = report.WindowEnding(last, 1)
	if t.Kind == fact.ThresholdWeek {
		v.days = report.WindowEnding(last, 7)
	}
	var sums []report.StoredSummary
	expected, known := int64(0), true
	for day := v.days.Start; !day.After(last); day = day.AddDays(1) {
		sum, ok := days[day]
		if !ok {
			return v
		}
		sums = append(sums, sum)
		usual, n := usualDay(sum, days, func(s report.StoredSummary) (decimal.Decimal, bool) { return decimal.NewFromInt(s.TotalOrders), true })
		expected, known = expected+usual.TotalOrders, known && n > 0
	}
	if t.LeastOrders > 0 {
		if v.few = known && expected < int64(t.LeastOrders*len(sums)); v.few || !known {
			return v
		}
	}
	var ok bool
	if v.figure, ok = t.figure(sums...); !ok {
		return v
	}
	limit := t.Amount
	if v.sum = sums[0]; len(sums) == 1 {
		v.usual, v.n = usualDay(v.sum, days, func(s report.StoredSummary) (decimal.Decimal, bool) { return t.figure(s) })
	}
	below := v.figure.LessThan(limit)
	if t.Kind == fact.ThresholdFall {
		usual, _ := t.figure(v.usual)
		if v.n == 0 || !usual.IsPositive() {
			return v
		}
		below = v.figure.LessThanOrEqual(usual.Mul(decimal.NewFromInt(100).Sub(limit)).Shift(-2))
	}
	if v.standing = Right; below {
		v.standing = Wrong
	}
	return v
}

// usualDay is the median of the same weekdays in previous weeks by their figure, out of n; n is 0 if
// too few of them have it.
func usualDay(of report.StoredSummary, days map[civil.Date]report.StoredSummary, figure func(report.StoredSummary) (decimal.Decimal, bool)) (usual report.StoredSummary, n int) {
	alike := slices.DeleteFunc(sameWeekday(of.Window.Start, days), func(s report.StoredSummary) bool {
		_, ok := figure(s)
		return !ok || s.Currency != of.Currency
	})
	if len(alike) < fallLeast {
		return usual, 0
	}
	slices.SortFunc(alike, func(a, b report.StoredSummary) int {
		x, _ := figure(a)
		y, _ := figure(b)
		return x.Cmp(y)
	})
	return alike[len(alike)/2], len(alike)
}

// part reports whether the threshold watches only a part of the store.
func (t Threshold) part() bool { return t.Placement != "" || t.Offer.ID != "" }

// days are the whole days by date, with the placement's or offer's value instead of the store's.
// Revised days are left out, as for falls, and so are those in another currency.
func (t Threshold) days(in ThresholdDays) map[civil.Date]report.StoredSummary {
	values, out := map[string]map[civil.Date]decimal.Decimal{}, map[civil.Date]report.StoredSummary{}
	for _, s := range in.Sums {
		if s.Partial || s.Revised || t.Currency != "" && s.Currency != t.Currency {
			continue
		}
		if t.part() {
			of, read := values[s.Currency]
			if !read {
				of = t.values(in, s.Currency)
				values[s.Currency] = of
			}
			value, stored := of[s.Window.Start]
			if !stored {
				continue
			}
			s.TotalUpsoldValue = value
		}
		out[s.Window.Start] = s
	}
	return out
}

// values are the placement's or offer's values by day, if known.
func (t Threshold) values(in ThresholdDays, currency string) map[civil.Date]decimal.Decimal {
	if t.Offer.ID != "" {
		first, known := in.Offers.First[t.Offer.ID]
		if !known {
			return nil
		}
		return offers.Values(in.Offers.StoredOfferDays, t.Offer.ID, t.Offer.Placement, currency, first)
	}
	out := map[civil.Date]decimal.Decimal{}
	for _, s := range in.Stats {
		if s.Placement == t.Placement && s.Currency == currency && s.Revenue != nil && !s.Partial && !s.Revised {
			out[s.Window.Start] = *s.Revenue
		}
	}
	return out
}

// figure is the metric of the days, computed from their parts; false if it can't be computed.
func (t Threshold) figure(days ...report.StoredSummary) (decimal.Decimal, bool) {
	value, upsold, orders, views := decimal.Zero, int64(0), int64(0), int64(0)
	for _, d := range days {
		value, upsold, orders = value.Add(d.TotalUpsoldValue), upsold+d.TotalUpsoldOrders, orders+d.TotalOrders
		if d.OfferViews != nil {
			views += *d.OfferViews
		} else if t.Metric == fact.ThresholdViews {
			return decimal.Zero, false
		}
	}
	switch t.Metric {
	case fact.ThresholdValue:
		return value, true
	case fact.ThresholdOrders:
		return decimal.NewFromInt(upsold), true
	case fact.ThresholdViews:
		return decimal.NewFromInt(views), true
	case fact.ThresholdRate:
		if orders > 0 && upsold <= orders {
			return decimal.NewFromInt(100*upsold).DivRound(decimal.NewFromInt(orders), 4), true
		}
	case fact.ThresholdAverage:
		if upsold > 0 {
			return value.DivRound(decimal.NewFromInt(upsold), 4), true
		}
	}
	return decimal.Zero, false
}

// written is a figure of the metric as an argument for messages.
func (t Threshold) written(figure decimal.Decimal, currency string) any {
	switch {
	case t.inMoney():
		return locale.Money{Amount: figure, Currency: currency}
	case t.Metric == fact.ThresholdRate:
		return locale.Share{Fraction: figure.Shift(-2)}
	}
	return figure.IntPart()
}

func (t Threshold) inMoney() bool {
	return t.Metric == fact.ThresholdValue || t.Metric == fact.ThresholdAverage
}

var metricNames = map[fact.ThresholdMetric]locale.Message{
	fact.ThresholdValue: locale.M("figure.upsold_value"), fact.ThresholdOrders: locale.M("figure.upsold_orders"), fact.ThresholdRate: locale.M("figure.success_rate"),
	fact.ThresholdAverage: locale.M("figure.average_value"), fact.ThresholdViews: locale.M("figure.offer_views"),
}

// What names what is watched: "Upsold value, Thank you page upsell".
func (t Threshold) What() locale.Message {
	what := metricNames[t.Metric]
	switch {
	case t.Offer.ID != "":
		return locale.M("alert.threshold.of", "what", what, "of", locale.Name(t.Offer.Name))
	case t.Placement != "":
		return locale.M("alert.threshold.of", "what", what, "of", t.Placement.Name())
	}
	return what
}

// limit is the amount as an argument for messages.
func (t Threshold) limit() any {
	if t.Kind == fact.ThresholdFall {
		return locale.Percent{Percent: t.Amount.IntPart()}
	}
	return t.written(t.Amount, t.Currency)
}

// Says is the threshold in one line: "Upsold value: 30% or more below usual".
func (t Threshold) Says() locale.Message {
	return locale.M("alert.threshold.says."+string(t.Kind), "what", t.What(), "limit", t.limit())
}

// thresholds checks those that people set; deleted ones have no finding and are gone.
func (b finder) thresholds() []Finding {
	_, stopped := b.stopped(ThresholdRule)
	days := ThresholdDays{b.alerts.Days, b.alerts.StatDays, b.alerts.OfferDays}
	var out []Finding
	for _, t := range b.alerts.Thresholds {
		f := Finding{Subject: strconv.FormatInt(t.ID, 10), Href: b.path("")}
		switch {
		case t.Placement != "":
			f.Href = b.path("/placements")
		case t.Offer.ID != "":
			f.Href = b.path("/offers/" + url.PathEscape(t.Offer.ID))
		}
		if !stopped && b.Now.In(b.alerts.Location).Hour() >= fallHour {
			t.find(&f, t.judge(b.today.AddDays(-1), t.days(days)), b.alerts.Location)
		}
		out = append(out, f)
	}
	return out
}

// find turns a verdict into a finding.
func (t Threshold) find(f *Finding, v verdict, loc *time.Location) {
	last, figure := v.days.End, t.written(v.figure, v.sum.Currency)
	f.Standing, f.Title = v.standing, locale.M("alert.threshold.back", "what", t.What())
	f.Text = locale.Sentences{locale.M("alert.threshold.was.day", "weekday", weekdayName(last, 1), "day", locale.Day{Date: last}, "figure", figure)}
	if t.Kind == fact.ThresholdWeek {
		f.Text[0] = locale.M("alert.threshold.was.week", "days", locale.Period(v.days), "figure", figure)
	}
	if v.standing != Wrong {
		return
	}
	f.Since, f.Title = last.In(loc), t.Says()
	f.Evidence = locale.Args{"day": locale.Day{Date: last, Year: true}, "figure": figure}
	if v.n > 0 {
		usual, _ := t.figure(v.usual)
		f.Evidence["usual"], f.Evidence["days"] = t.written(usual, v.usual.Currency), v.n
		if usual.IsPositive() && v.figure.LessThan(usual) {
			size := locale.Percent{Percent: int64(math.Round(100 - 100*v.figure.Div(usual).InexactFloat64()))}
			f.Text = append(f.Text, locale.M("alert.fell.usual", "size", size, "weekday", weekdayName(last, 1), "usual", f.Evidence["usual"]))
			t.costs(f, v)
		}
	}
	f.Text = append(f.Text, locale.M("alert.fell.check"))
}

// costs estimates what an unusually low day costs, if that's known in money.
func (t Threshold) costs(f *Finding, v verdict) {
	if t.Metric != fact.ThresholdValue && t.Metric != fact.ThresholdRate {
		return
	}
	if f.Stake = lost(string(t.Metric), &v.sum, &v.usual); f.Stake != nil {
		f.Effect = lessThanUsual(*f.Stake, &v.sum)
	}
}
