// Package trend is the chart of a store's days, weeks or months: its lines, tips, starts, ends and notes,
// and the same as a table. It works out no number.
package trend

import (
	"slices"
	"time"
	"unicode/utf8"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/chart"
)

// Panel is the daily history with its frame.
type Panel struct {
	Trend  overview.Trend
	Source components.Source
	Now    time.Time
	// Exports are the files of the same days.
	Exports components.Exports
	// Names are what is drawn.
	Names Names
	// Groupings are the ways to put the days together; nil if there is only one.
	Groupings []components.Grouping
	// Named are the starts and ends that the page names: the chart names them first.
	Named []report.Event
}

// Names say which messages name the metrics of a trend: "chart." and one of these.
type Names string

// The trends: of the shop's upsells, and of its gifts.
const (
	Upsold Names = "upsold"
	Gifts  Names = "gifts"
)

// value and orders name the two metrics; from is an amount "from 5 orders".
func (n Names) value(l locale.Locale) string  { return l.T("chart." + string(n) + ".value") }
func (n Names) orders(l locale.Locale) string { return l.T("chart." + string(n) + ".orders") }
func (n Names) from(l locale.Locale, amount string, orders int64) string {
	return l.T("chart."+string(n)+".from", "amount", amount, "n", orders)
}

// The keys of the two metrics; the first is shown unless the reader chooses the other.
const (
	valueKey  = "value"
	ordersKey = "orders"
)

// chart draws both metrics: value and orders, one shown at a time, never two axes.
func (t Panel) chart(l locale.Locale) chart.Chart {
	value := metric{
		key:        valueKey,
		of:         func(p overview.DayPoint) *decimal.Decimal { return p.Value },
		words:      func(v decimal.Decimal) string { return l.Money(v, t.Trend.Currency).String() },
		difference: func(v decimal.Decimal) string { return l.SignedMoney(v, t.Trend.Currency) },
		tick:       func(v decimal.Decimal) string { return l.AxisMoney(v, t.Trend.Currency) },
		axis:       report.RoundAxis,
	}
	orders := metric{
		key: ordersKey, orders: true,
		of:         func(p overview.DayPoint) *decimal.Decimal { return chart.Counted(p.Orders) },
		words:      func(v decimal.Decimal) string { return l.T("common.orders", "n", v) },
		difference: func(v decimal.Decimal) string { return chart.SignedCount(l, v) },
		tick:       l.Decimal,
		axis:       report.CountAxis,
	}
	return chart.Chart{ID: "trend", Label: t.words(l), Views: []chart.View{t.view(l, value), t.view(l, orders)}, Class: "tall"}
}

// metric is one number of a day, and how it is written.
type metric struct {
	key                     string
	orders                  bool
	of                      func(overview.DayPoint) *decimal.Decimal
	words, difference, tick func(decimal.Decimal) string
	axis                    func(highest decimal.Decimal) report.Axis
}

// at is the metric of a stored day; nil means a gap.
func (m metric) at(p overview.DayPoint) *decimal.Decimal {
	if !p.Stored {
		return nil
	}
	return m.of(p)
}

// whole is the metric of a point that counts all its days: part of a week is lower than the week
// and would look like a drop in the line.
func (m metric) whole(p overview.DayPoint) *decimal.Decimal {
	if p.Part() {
		return nil
	}
	return m.at(p)
}

// points are those of the window, and today if it is drawn.
func (t Panel) points() []overview.DayPoint {
	if t.Trend.Today == nil {
		return t.Trend.Days
	}
	return append(slices.Clone(t.Trend.Days), *t.Trend.Today)
}

// against is the comparison line, no longer than the window.
func (t Panel) against() []overview.DayPoint {
	if t.Trend.AgainstWindow == nil {
		return nil
	}
	return t.Trend.Against[:min(len(t.Trend.Against), len(t.Trend.Days))]
}

func (t Panel) view(l locale.Locale, m metric) chart.View {
	days, points := t.Trend.Days, t.points()
	v := chart.View{Key: m.key, Rules: t.rules(l), Tip: func(at int) chart.Tip { return t.tip(l, m, at) }}
	for _, p := range points {
		v.Names = append(v.Names, t.pointName(l, p))
	}
	v.Ticks = ticks(days, v.Names)
	for i, d := range days {
		if !d.Stored {
			v.Miss(i)
		}
	}
	now := chart.Line{Style: chart.Now, Values: read(days, m.whole)}
	if t.Trend.Trouble != nil {
		now.Style = chart.Stale
	}
	highest := decimal.Zero
	for _, g := range t.goals(m) {
		v.Lines = append(v.Lines, chart.Line{Style: chart.Goal, Values: g})
	}
	if then := t.against(); len(then) > 0 {
		line := chart.Line{Style: chart.Then, Values: read(then, m.at)}
		for i, p := range then {
			if p.Part() && p.DaysCounted < days[i].DaysCounted {
				line.Values[i] = nil
			}
		}
		v.Lines = append(v.Lines, line)
	}
	if today := t.Trend.Today; today != nil && m.at(*today) != nil {
		v.Lines = append(v.Lines, chart.Line{Style: chart.Today, Values: t.dashed(m)})
	} else if t.hasParts() {
		v.Lines = append(v.Lines, chart.Line{Style: chart.Today, Values: t.parts(m)})
	}
	v.Lines = append(v.Lines, now)
	for _, line := range v.Lines {
		for _, value := range line.Values {
			if value != nil {
				highest = decimal.Max(highest, *value)
			}
		}
	}
	axis := m.axis(highest)
	v.Max = axis.Max
	for tick := decimal.Zero; tick.LessThanOrEqual(axis.Max); tick = tick.Add(axis.Step) {
		v.Axis = append(v.Axis, m.tick(tick))
	}
	v.Dots = t.dots(m, now)
	if at := len(days); at < len(points) && m.at(points[at]) != nil {
		if height := freeHeight(v, *m.at(points[at])); height != nil {
			v.Words = append(v.Words, chart.Words{At: at, Value: *height, Text: l.T("chart.today_so_far"), Side: chart.Before})
		}
	}
	v.Words = append(v.Words, t.missingWords(l, v)...)
	return v
}

func read(days []overview.DayPoint, of func(overview.DayPoint) *decimal.Decimal) []*decimal.Decimal {
	out := make([]*decimal.Decimal, len(days))
	for i, d := range days {
		out[i] = of(d)
	}
	return out
}

// dashed is the stroke from the last day to today: gaps, then those two.
func (t Panel) dashed(m metric) []*decimal.Decimal {
	n := len(t.Trend.Days)
	out := make([]*decimal.Decimal, n+1)
	out[n-1], out[n] = m.at(t.Trend.Days[n-1]), m.at(*t.Trend.Today)
	return out
}

// hasParts reports whether a week or month is drawn that lacks days.
func (t Panel) hasParts() bool {
	return slices.ContainsFunc(t.Trend.Days, func(p overview.DayPoint) bool { return p.Stored && p.Part() })
}

// parts is the stroke to weeks or months that lack days, and from them: gaps elsewhere.
func (t Panel) parts(m metric) []*decimal.Decimal {
	days := t.Trend.Days
	out := make([]*decimal.Decimal, len(days))
	for i, p := range days {
		if p.Part() || i > 0 && days[i-1].Part() || i+1 < len(days) && days[i+1].Part() {
			out[i] = m.at(p)
		}
	}
	return out
}

// dots mark the last day, a day alone between two gaps, which has no line, days that were
// filled in later, weeks that lack days, and today.
func (t Panel) dots(m metric, now chart.Line) (dots []chart.Dot) {
	n := len(now.Values)
	for i, value := range now.Values {
		if value == nil {
			if part := m.at(t.Trend.Days[i]); part != nil {
				dots = append(dots, chart.Dot{At: i, Value: *part, Style: chart.Today, Hollow: true})
			}
			continue
		}
		repaired := t.Trend.Days[i].Repaired
		before, after := i > 0 && now.Values[i-1] != nil, i+1 < n && now.Values[i+1] != nil
		if i == n-1 || repaired || !before && !after {
			dots = append(dots, chart.Dot{At: i, Value: *value, Style: now.Style, Hollow: repaired})
		}
	}
	if today := t.Trend.Today; today != nil && m.at(*today) != nil {
		dots = append(dots, chart.Dot{At: n, Value: *m.at(*today), Style: chart.Today, Hollow: true})
	}
	return dots
}

// goals are the months' goals on the days of their months; a week or a month has the goal of
// all its days.
func (t Panel) goals(m metric) (lines [][]*decimal.Decimal) {
	for _, g := range t.Trend.Goals {
		if g.Orders != m.orders {
			continue
		}
		line := make([]*decimal.Decimal, len(t.Trend.Days))
		for i, p := range t.Trend.Days {
			line[i] = goalAt(g, p)
		}
		lines = append(lines, line)
	}
	return lines
}

// goalAt is a goal at a point that lies within its month; nil elsewhere.
func goalAt(g overview.DailyGoal, p overview.DayPoint) *decimal.Decimal {
	last := p.Last()
	if p.Day.Before(g.Start) || last.After(g.End) {
		return nil
	}
	goal := g.PerDay.Mul(decimal.NewFromInt(int64(last.DaysSince(p.Day) + 1)))
	if g.Orders {
		goal = goal.Round(1)
	}
	return &goal
}

// dayName names a day of the window, with its year if the window spans two.
func (t Panel) dayName(l locale.Locale, d civil.Date) string {
	if days := t.Trend.Days; days[0].Day.Year != days[len(days)-1].Day.Year {
		return l.DayYear(d)
	}
	return l.Day(d)
}

// ticks chooses the days that are named: every day of a short window, every seventh of a month,
// the first of a month in a long one; at most eight weeks or months, fewer if
// their names are long: a phone shows every second of these, and has room for one or two.
func ticks(days []overview.DayPoint, names []string) []int {
	n := len(days)
	step := 1
	switch {
	case n > 0 && days[0].Until != nil:
		most, longest := 8, 0
		for _, name := range names[:n] {
			longest = max(longest, utf8.RuneCountInString(name))
		}
		switch {
		case longest > 16:
			most = 2
		case longest > 15:
			most = 3
		case longest > 12 && n > most:
			most = 4
		}
		step = (n + most - 1) / most
	case n > 120:
		var out []int
		every := n/240 + 1
		for i, d := range days {
			if d.Day.Day == 1 && int(d.Day.Month-1)%every == 0 {
				out = append(out, i)
			}
		}
		return out
	case n > 45:
		step = 14
	case n > 10:
		step = 7
	}
	var out []int
	for i := 0; i < n; i += step {
		out = append(out, i)
	}
	return out
}

// The room that the words about today need, as shares of the chart: half of a line of type
// in height, and in width what they take on a phone.
const (
	halfLine   = 0.055
	wordsShare = 0.3
)

// freeHeight is the height at which no line runs through the words to the left of a value at
// the end: the value's own, or the next above or below it; nil if there is none.
func freeHeight(v chart.View, value decimal.Decimal) *decimal.Decimal {
	top := chart.Drawn(v.Max)
	last := len(v.Names) - 1
	first := last - int(wordsShare*float64(last)) - 1
	free := func(height float64) bool {
		if height < halfLine || height > 1-halfLine {
			return false
		}
		for _, line := range v.Lines {
			for i := max(first, 1); i < len(line.Values); i++ {
				a, b := line.Values[i-1], line.Values[i]
				if a == nil || b == nil {
					continue
				}
				from, to := chart.Drawn(*a)/top, chart.Drawn(*b)/top
				if i == last { // the words end before the dot
					to = from + 0.75*(to-from)
				}
				if min(from, to)-halfLine < height && height < max(from, to)+halfLine {
					return false
				}
			}
		}
		return true
	}
	own := chart.Drawn(value) / top
	for move := 0.0; move < 1; move += 0.02 {
		for _, height := range []float64{own - move, own + move} {
			if free(height) {
				return new(decimal.NewFromFloat(height).Mul(v.Max).Round(6))
			}
		}
	}
	return nil
}

// missingWords name the longest run of days that are missing; other runs are only hatched.
func (t Panel) missingWords(l locale.Locale, v chart.View) []chart.Words {
	if len(v.Missing) == 0 {
		return nil
	}
	run := slices.MaxFunc(v.Missing, func(a, b chart.Run) int { return (a.To - a.From) - (b.To - b.From) })
	w := chart.Words{At: (run.From + run.To) / 2, Value: v.Max, Side: chart.Below}
	w.Text = l.T("chart.days_missing", "days", l.DatesNear(t.Trend.Days[run.From].Day, t.Trend.Days[run.To].Last(), civil.DateOf(t.Now)))
	switch last := len(v.Names) - 1; {
	case w.At*5 < last:
		w.At, w.Side = run.From, chart.After
	case w.At*5 > last*4:
		w.At, w.Side = run.To, chart.Before
	}
	return []chart.Words{w}
}
