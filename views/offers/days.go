package offers

import (
	"slices"
	"strconv"

	"github.com/a-h/templ"
	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/chart"
)

// DaysPanel is an offer's days as bars.
type DaysPanel struct {
	History   offers.History
	Placement report.Placement
	Source    components.Source
	Exports   components.Exports
	// Said: the page already says why the days are old.
	Said bool
	// Events are starts and ends that are marked.
	Events []report.Event
}

// view is the days as bars.
func (p DaysPanel) view(l locale.Locale) chart.View {
	v := chart.View{Key: "days", Slim: true, Tip: func(at int) chart.Tip { return p.dayTip(l, p.History.Days[at]) }}
	for _, d := range p.History.Days {
		v.Bar(l.Day(d.Day), p.drawn(d), d.Stored && !p.other(d))
	}
	for _, e := range p.Events {
		if i := slices.IndexFunc(p.History.Days, func(d offers.Day) bool { return d.Day == e.Day }); i >= 0 {
			v.Rules = append(v.Rules, i)
		}
	}
	v.Max = report.RoundTop(v.Highest())
	return v
}

// drawn is what a day's bar shows: the value, or the claims if no value is reported.
func (p DaysPanel) drawn(d offers.Day) *decimal.Decimal {
	if p.Placement.ReportsRevenue() || d.Revenue != nil {
		return d.Revenue
	}
	return chart.Counted(d.Claims)
}

// other reports whether a day's value is in another currency than the axis, which can't show both (N34).
func (p DaysPanel) other(d offers.Day) bool {
	return d.Revenue != nil && d.Currency != p.History.Currency
}

// eventText says that the offer started or ended on a day.
func eventText(l locale.Locale, e report.Event) string {
	if e.Start {
		return l.T("offers.schedule.started", "day", l.Day(e.Day))
	}
	return l.T("offers.schedule.ended", "day", l.Day(e.Day))
}

// axis names the highest round number: "$600 a day".
func (p DaysPanel) axis(l locale.Locale, v chart.View) string {
	switch {
	case v.Blank() && slices.ContainsFunc(p.History.Days, p.other):
		return l.T("state.two_currencies")
	case v.Highest().IsZero():
		return l.T("offers.days.nothing_sold")
	case !p.Placement.ReportsRevenue():
		return l.T("placement.axis_claims", "n", v.Max)
	}
	return l.T("offers.days.a_day", "amount", l.RoundMoney(v.Max, p.History.Currency))
}

// flags are the starts, ends and notes over the bars. There are two points to a bar: its
// beginning and its middle.
func (p DaysPanel) flags(l locale.Locale) (points int, signs []chart.Sign) {
	days := p.History.Days
	w := report.Window{Start: days[0].Day, End: days[len(days)-1].Day}
	middle := func(d civil.Date) int { return 2*d.DaysSince(w.Start) + 1 }
	for _, n := range report.NoteMarks(p.History.Notes, w, middle) {
		signs = append(signs, chart.Sign{At: n.From, Until: n.To, Symbol: "m-note", Text: n.Text})
	}
	for _, e := range p.Events {
		if w.Contains(e.Day) {
			signs = append(signs, chart.Sign{At: middle(e.Day), Until: middle(e.Day), Symbol: markOf(e), Text: eventText(l, e)})
		}
	}
	slices.SortStableFunc(signs, func(a, b chart.Sign) int { return a.At - b.At })
	return 2*len(days) + 1, signs
}

func (p DaysPanel) chart(l locale.Locale, v chart.View) templ.Component {
	days := p.History.Days
	w := report.Window{Start: days[0].Day, End: days[len(days)-1].Day}
	class := "medium p-" + p.Placement.Key()
	if p.History.Trouble != nil {
		class = "medium stale"
	}
	label := l.T("offers.days.described", "dates", l.Dates(w.Start, w.End), "axis", p.axis(l, v))
	if n := len(p.History.Provenance.Missing); n > 0 {
		label += " " + l.T("chart.missing_days", "n", n, "days", components.MissingWords(l, p.History.Provenance.Missing, w.End))
	}
	return chart.Chart{ID: "offer-days", Label: label + " " + l.T("chart.same_as_table"), Views: []chart.View{v}, Class: class}.Component()
}

// dayTip is the tooltip of one day: zero, or missing (N1).
func (p DaysPanel) dayTip(l locale.Locale, d offers.Day) chart.Tip {
	tip := chart.Tip{Title: l.DayLong(d.Day)}
	if !d.Stored {
		tip.Rows = []chart.TipRow{{Name: l.T("offers.value"), Value: l.T("offers.days.not_known")}}
		return tip
	}
	tip.Rows = []chart.TipRow{
		{Name: l.T("offers.value"), Value: l.MoneyOrDash(d.Revenue, d.Currency).String()},
		{Name: l.T("offers.claims"), Value: l.CountOrDash(d.Claims)},
	}
	if d.Revenue != nil && d.Revenue.IsZero() && d.Claims == nil {
		tip.Notes = append(tip.Notes, l.T("offers.days.not_ranked"))
	}
	tip.Notes = append(tip.Notes, notesOn(p.History.Notes, d.Day)...)
	for _, e := range p.Events {
		if e.Day == d.Day {
			tip.Notes = append(tip.Notes, eventText(l, e))
		}
	}
	return tip
}

// notesOn are what people noted about a day.
func notesOn(notes []report.DayNote, day civil.Date) (texts []string) {
	for _, n := range notes {
		if n.Days().Contains(day) {
			texts = append(texts, n.Text)
		}
	}
	return texts
}

// tick is the name of a day below the bars.
type tick struct {
	day civil.Date
	// x is its place, anchor the end of its text that is there.
	x, anchor string
	// between is true for neither the first nor the last.
	between bool
}

// ticks name some days below the bars, each under its own.
func (p DaysPanel) ticks() (out []tick) {
	n := len(p.History.Days)
	steps := min(4, n-1)
	for i := range steps + 1 {
		at := i * (n - 1) / max(steps, 1)
		t := tick{day: p.History.Days[at].Day, x: "0", anchor: "start", between: i > 0 && i < steps}
		switch {
		case at == n-1 && n > 1:
			t.x, t.anchor = "100%", "end"
		case at > 0:
			t.x, t.anchor = strconv.Itoa((2*at+1)*50/n)+"%", "middle"
		}
		out = append(out, t)
	}
	return out
}
