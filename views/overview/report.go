package overview

import (
	"slices"
	"strconv"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/goal"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/trend"
)

// reports: the page is a client's report, which shows the placements' results before the days.
func (p Page) reports() bool { return p.Shared != nil && p.explained() }

// from is who wrote the message: "Maya Hollis, Harbor & Pine Studio".
func (p Page) from() string {
	if p.Brand.Name == "" || p.Shared.From == "" {
		return p.Shared.From
	}
	return p.Shared.From + ", " + p.Brand.Name
}

// period names the window over the report: "October 2026" for a month, otherwise its days.
func (p Page) period() string {
	w := p.Overview.Choice.Window
	if w == goal.MonthOf(w.Start) {
		return p.T("goal.form.month", "month", goal.MonthName(w.Start.Month), "year", strconv.Itoa(w.Start.Year))
	}
	return p.Locale.Dates(w.Start, w.End)
}

// figuresFrom says where the report's figures come from, and from when.
func (p Page) figuresFrom() string {
	of := p.Overview.Summary.Provenance
	at := of.FetchedLast.In(p.Overview.Now.Location())
	return p.T("share.report.source", "basis", of.Basis.In(p.Locale), "day", p.Locale.DayYear(civil.DateOf(at)), "time", p.Locale.Time(at),
		"clock", p.Locale.Clock(p.Overview.Store.Timezone), "currency", p.Overview.Summary.Currency)
}

// mostNext is how many starts, ends and notes a report announces.
const mostNext = 8

// next is what begins and ends after the window, and what was noted about those days.
func (p Page) next() (out []trend.Happening) {
	for _, e := range p.Next {
		kind := "end"
		if e.Start {
			kind = "start"
		}
		if e.Gift {
			kind = "gift_" + kind
		}
		out = append(out, trend.Happening{Day: e.Day, When: p.Locale.DayNear(e.Day, p.Overview.Choice.Today), Text: p.T("share.next."+kind, "name", locale.Name(components.Named(p.Locale, e.Name)))})
	}
	for _, n := range p.NextNotes {
		out = append(out, trend.Happening{Day: n.Start, When: components.NoteDays(p.Locale, n, p.Overview.Choice.Today), Text: n.Text})
	}
	slices.SortStableFunc(out, func(a, b trend.Happening) int { return a.Day.DaysSince(b.Day) })
	return out[:min(len(out), mostNext)]
}
