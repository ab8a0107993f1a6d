package trend

import (
	"slices"
	"strings"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/chart"
)

// inOrder are all marks by day.
func (t Panel) inOrder() []report.Mark {
	return slices.SortedStableFunc(slices.Values(t.Trend.Marks), func(a, b report.Mark) int { return a.Day.DaysSince(b.Day) })
}

func (t Panel) lane() overview.Lane { return t.Trend.Lane(t.Named) }

// signs are the lane as it is drawn, numbered like the list below it.
func (t Panel) signs(l locale.Locale) (signs []chart.Sign) {
	for i, d := range t.lane().Days {
		if at := t.at(d.Day); at >= 0 {
			signs = append(signs, chart.Sign{At: at, Until: at, Symbol: "m-" + markKind(d.Mark), Text: laneText(l, d), Number: i + 1})
		}
	}
	return signs
}

// flags are the notes over the chart.
func (t Panel) flags() (signs []chart.Sign) {
	days := t.Trend.Days
	for _, n := range report.NoteMarks(t.Trend.Notes, report.Window{Start: days[0].Day, End: days[len(days)-1].Last()}, t.at) {
		signs = append(signs, chart.Sign{At: n.From, Until: n.To, Symbol: "m-note", Text: n.Text})
	}
	return signs
}

// rules are the points with an upright line: those of the lane and of notes.
func (t Panel) rules(l locale.Locale) (at []int) {
	for _, s := range append(t.signs(l), t.flags()...) {
		at = append(at, s.At)
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// Happening is what happened, or will, on a day or some days.
type Happening struct {
	Day        civil.Date
	When, Text string
}

// Happened are the days of the lane and the notes in words, by day.
func (t Panel) Happened(l locale.Locale) (out []Happening) {
	for _, d := range t.lane().Days {
		out = append(out, Happening{d.Day, l.Day(d.Day), laneText(l, d)})
	}
	for _, n := range t.Trend.Notes {
		out = append(out, Happening{n.Start, components.NoteDays(l, n, civil.DateOf(t.Now)), n.Text})
	}
	slices.SortStableFunc(out, func(a, b Happening) int { return a.Day.DaysSince(b.Day) })
	return out
}

// laneText is a day's mark in words: "Gaiters ended +2".
func laneText(l locale.Locale, d overview.LaneDay) string {
	text := markText(l, d.Mark)
	if d.More == 0 {
		return text
	}
	return l.T("chart.mark_more", "text", text, "n", d.More)
}

// restText counts what the lane leaves out.
func restText(l locale.Locale, lane overview.Lane) string {
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
