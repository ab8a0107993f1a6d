package components

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// TrendPanel is the daily history with its frame.
type TrendPanel struct {
	Trend  report.Trend
	Source Source
	Now    time.Time
	// Exports are the files of the same days.
	Exports Exports
	// Names are what is drawn.
	Names TrendNames
	// Groupings are the ways to put the days together; nil where there is one.
	Groupings []Grouping
	// Named are the starts and ends that the page names: the chart names them first.
	Named []report.Event
}

// TrendNames say which messages name the metrics of a trend: "chart." and one of these.
type TrendNames string

// The trends: of the shop's upsells, and of its gifts.
const (
	Upsold TrendNames = "upsold"
	Gifts  TrendNames = "gifts"
)

// value and orders name the two metrics; from is an amount "from 5 orders".
func (n TrendNames) value(l locale.Locale) string  { return l.T("chart." + string(n) + ".value") }
func (n TrendNames) orders(l locale.Locale) string { return l.T("chart." + string(n) + ".orders") }
func (n TrendNames) from(l locale.Locale, amount string, orders int64) string {
	return l.T("chart."+string(n)+".from", "amount", amount, "n", orders)
}

// chartData is what charts.js draws from. It travels as escaped JSON; names of
// offers in it are text and never become code.
type chartData struct {
	Metrics []chartMetric `json:"metrics"`
	// Days and Then name the points of the two lines.
	Days []string `json:"days"`
	Then []string `json:"then,omitempty"`
	// Ticks are the points whose day stands under the axis.
	Ticks []int `json:"ticks"`
	// Missing are runs of days that are not stored, first and last point.
	Missing []chartRun `json:"missing,omitempty"`
	// Repaired are the points whose day was derived from later answers.
	Repaired []int        `json:"repaired,omitempty"`
	Marks    []chartMark  `json:"marks,omitempty"`
	Notes    []chartNote  `json:"notes,omitempty"`
	Today    *chartMoment `json:"today,omitempty"`
	// Stale draws the last good numbers in the faint colour.
	Stale bool `json:"stale,omitempty"`
}

type chartMetric struct {
	Key    string         `json:"key"`
	Title  string         `json:"title"`
	Option map[string]any `json:"option"`
	// Axis holds the words of the y ticks from zero up; Words and ThenWords those of the points.
	Axis      []string `json:"axis"`
	Words     []string `json:"words"`
	ThenWords []string `json:"thenWords,omitempty"`
}

type chartRun struct {
	From int    `json:"from"`
	To   int    `json:"to"`
	Text string `json:"text"`
}

type chartMark struct {
	At   int    `json:"at"`
	Kind string `json:"kind"` // "start", "end", "gift" or "gift-end"
	Text string `json:"text"`
	// Number is its number in the list below.
	Number int `json:"number"`
}

// chartNote is a note's first and last point.
type chartNote struct {
	From int    `json:"from"`
	To   int    `json:"to"`
	Text string `json:"text"`
}

type chartMoment struct {
	At    int    `json:"at"`
	Text  string `json:"text"`
	Short string `json:"short"`
}

// data prepares both metrics: value and orders, one shown at a time, never two axes.
func (t TrendPanel) data(l locale.Locale) chartData {
	days := t.Trend.Days
	d := chartData{Days: make([]string, 0, len(days)+1), Ticks: ticks(days), Stale: t.Trend.Trouble != nil}
	for i, day := range days {
		d.Days = append(d.Days, t.pointName(l, day))
		if day.Repaired {
			d.Repaired = append(d.Repaired, i)
		}
	}
	if today := t.Trend.Today; today != nil {
		name := l.Day(today.Day)
		d.Today = &chartMoment{len(days), l.T("chart.today_not_counted", "day", name), l.T("chart.today_so_far")}
		d.Days = append(d.Days, name)
	}
	for _, day := range t.against() {
		d.Then = append(d.Then, t.pointName(l, day))
	}
	d.Missing = missingRuns(l, days, civil.DateOf(t.Now))
	d.Marks, d.Notes = t.marks(l), t.notes()
	d.Metrics = []chartMetric{
		t.metric(l, "value", t.by(l, t.Names.value(l)), func(p report.DayPoint) *decimal.Decimal { return p.Value },
			func(v decimal.Decimal) string { return l.Money(v, t.Trend.Currency).String() },
			func(v decimal.Decimal) string { return l.AxisMoney(v, t.Trend.Currency) }),
		t.metric(l, "orders", t.by(l, t.Names.orders(l)), func(p report.DayPoint) *decimal.Decimal { return Counted(p.Orders) },
			func(v decimal.Decimal) string { return l.T("common.orders", "n", v) },
			func(v decimal.Decimal) string { return l.Decimal(v) }),
	}
	return d
}

// dayName names a day of the window, with its year where the window holds two.
func (t TrendPanel) dayName(l locale.Locale, d civil.Date) string {
	if days := t.Trend.Days; days[0].Day.Year != days[len(days)-1].Day.Year {
		return l.DayYear(d)
	}
	return l.Day(d)
}

// against is the comparison line, no longer than the window.
func (t TrendPanel) against() []report.DayPoint {
	return t.Trend.Against[:min(len(t.Trend.Against), len(t.Trend.Days))]
}

// Counted is a count as a number to draw; nil stays none.
func Counted(n *int64) *decimal.Decimal {
	if n == nil {
		return nil
	}
	d := decimal.NewFromInt(*n)
	return &d
}

// points are numbers as JSON text, null for a gap: exact, and cheap to encode.
type points []byte

func (p points) add(v *decimal.Decimal) points {
	if len(p) == 0 {
		p = append(p, '[')
	} else {
		p = append(p, ',')
	}
	if v == nil {
		return append(p, "null"...)
	}
	return append(p, v.String()...)
}

// MarshalJSON closes the list.
func (p points) MarshalJSON() ([]byte, error) {
	if len(p) == 0 {
		return []byte("[]"), nil
	}
	return append(p[:len(p):len(p)], ']'), nil
}

type pick func(report.DayPoint) *decimal.Decimal

func (t TrendPanel) metric(l locale.Locale, key, title string, of pick, words, axisWords func(decimal.Decimal) string) chartMetric {
	m := chartMetric{Key: key, Title: title}
	highest := decimal.Zero
	read := func(days []report.DayPoint) (p points, text []string) {
		p, text = make(points, 0, 10*len(days)+1), make([]string, 0, len(days)+1)
		for _, day := range days {
			var v *decimal.Decimal
			if day.Stored {
				v = of(day)
			}
			p = p.add(v)
			if v == nil {
				text = append(text, l.T("chart.missing"))
				continue
			}
			if day.Repaired {
				text = append(text, l.T("chart.value_filled_in", "value", words(*v)))
			} else {
				text = append(text, words(*v))
			}
			if v.GreaterThan(highest) {
				highest = *v
			}
		}
		return p, text
	}
	now, nowText := read(t.Trend.Days)
	then, thenText := read(t.against())
	m.Words, m.ThenWords = nowText, thenText
	var dashed points
	if today := t.Trend.Today; today != nil && of(*today) != nil {
		v := of(*today)
		if v.GreaterThan(highest) {
			highest = *v
		}
		dashed = t.dashed(of)
		m.Words = append(m.Words, l.T("chart.value_so_far", "value", words(*v)))
	}
	axis := report.RoundAxis(highest)
	if key == "orders" {
		axis = report.CountAxis(highest)
	}
	for v := decimal.Zero; v.LessThanOrEqual(axis.Max); v = v.Add(axis.Step) {
		m.Axis = append(m.Axis, axisWords(v))
	}
	m.Option = lineOption(l, axis, now, then, dashed, t.Trend, civil.DateOf(t.Now))
	return m
}

// dashed is the stroke from the last day to today: gaps, then those two.
func (t TrendPanel) dashed(of pick) points {
	var p points
	last := len(t.Trend.Days) - 1
	for i, day := range t.Trend.Days {
		if i == last && day.Stored {
			p = p.add(of(day))
			continue
		}
		p = p.add(nil)
	}
	return p.add(of(*t.Trend.Today))
}

// frame is what every line chart shares, made once by go-echarts.
var frame = sync.OnceValue(func() map[string]any {
	line := charts.NewLine()
	line.SetGlobalOptions(
		charts.WithInitializationOpts(opts.Initialization{Theme: "none"}),
		charts.WithXAxisOpts(opts.XAxis{Type: "category"}),
		charts.WithAnimation(false),
	)
	line.Validate()
	option := line.JSON()
	for _, unused := range []string{"title", "legend", "toolbox", "tooltip"} {
		delete(option, unused)
	}
	return option
})

// lineOption fills the frame: shape and data, no colours (the page's style sheet
// has them) and no functions.
func lineOption(l locale.Locale, axis report.Axis, now, then, dashed points, t report.Trend, today civil.Date) map[string]any {
	var series charts.MultiSeries
	add := func(id, name string, p points) {
		series = append(series, charts.SingleSeries{Id: id, Name: name, Type: "line", ConnectNulls: opts.Bool(false), ShowSymbol: opts.Bool(false), Data: p})
	}
	if len(then) > 0 && t.AgainstWindow != nil {
		add("then", l.DatesNear(t.AgainstWindow.Start, t.AgainstWindow.End, today), then)
	}
	add("now", l.T("chart.this_window"), now)
	if dashed != nil {
		add("today", l.T("chart.today_so_far"), dashed)
	}
	option := maps.Clone(frame())
	option["yAxis"] = []opts.YAxis{{Type: "value", Min: 0, Max: json.Number(axis.Max.String())}}
	option["series"] = series
	return option
}

// ticks chooses the days that are named: every day of a short window, each
// seventh of a month, the first of a month in a long one; at most eight weeks or months.
func ticks(days []report.DayPoint) []int {
	n := len(days)
	step := 1
	switch {
	case n > 0 && days[0].Until != nil:
		step = (n + 7) / 8
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

func missingRuns(l locale.Locale, days []report.DayPoint, today civil.Date) []chartRun {
	var out []chartRun
	for i := 0; i < len(days); i++ {
		if days[i].Stored {
			continue
		}
		from := i
		for i+1 < len(days) && !days[i+1].Stored {
			i++
		}
		out = append(out, chartRun{from, i, l.T("chart.days_missing", "days", l.DatesNear(days[from].Day, days[i].Last(), today))})
	}
	return out
}

// inOrder are all marks by day.
func (t TrendPanel) inOrder() []report.Mark {
	return slices.SortedStableFunc(slices.Values(t.Trend.Marks), func(a, b report.Mark) int { return a.Day.DaysSince(b.Day) })
}

func (t TrendPanel) lane() report.Lane { return t.Trend.Lane(t.Named) }

// marks are the signs in the lane, numbered like the list below it.
func (t TrendPanel) marks(l locale.Locale) (out []chartMark) {
	if len(t.Trend.Days) == 0 {
		return nil
	}
	for i, d := range t.lane().Days {
		if at := t.at(d.Day); at >= 0 {
			out = append(out, chartMark{at, markKind(d.Mark), laneText(l, d), i + 1})
		}
	}
	return out
}

// notes are the flags over the chart.
func (t TrendPanel) notes() (out []chartNote) {
	days := t.Trend.Days
	if len(days) == 0 {
		return nil
	}
	all := report.Window{Start: days[0].Day, End: days[len(days)-1].Last()}
	for _, n := range t.Trend.Notes {
		if n.Days().Overlaps(all) {
			shown := n.Days().Within(all)
			out = append(out, chartNote{t.at(shown.Start), t.at(shown.End), n.Text})
		}
	}
	return out
}

// laneText is a day's mark in words: "Gaiters ended +2".
func laneText(l locale.Locale, d report.LaneDay) string {
	text := markText(l, d.Mark)
	if d.More == 0 {
		return text
	}
	return l.T("chart.mark_more", "text", text, "n", d.More)
}

// restText counts what the lane leaves out.
func restText(l locale.Locale, lane report.Lane) string {
	if lane.RestDay != nil {
		return l.T("chart.rest_on_day", "n", lane.Rest, "day", l.Day(*lane.RestDay))
	}
	return l.T("chart.rest", "n", lane.Rest)
}

func markKind(m report.Mark) string {
	switch {
	case m.Gift && m.Start:
		return "gift"
	case m.Gift:
		return "gift-end"
	case m.Start:
		return "start"
	}
	return "end"
}

// markText says what happened: "Candle set started", "5 offers started", "Winter gift (gift) ended".
func markText(l locale.Locale, m report.Mark) string {
	name := locale.Name(m.Name)
	if m.Offers > 1 {
		name = l.T("offers.matched.all", "n", m.Offers)
	}
	return l.T("chart.mark."+strings.ReplaceAll(markKind(m), "-", "_"), "name", name)
}
