package report

import (
	"time"

	"github.com/golang-sql/civil"
)

// lacks reports whether days of the week are not in the row's numbers.
func (d *digest) lacks(r PortfolioRow) bool { return r.Summary.Provenance.lacks(d.window.End) }

// awaited reports whether days of the week may still come before the mail's patience is
// over, whatever else the store needs.
func (d *digest) awaited(r PortfolioRow, until time.Time) bool {
	last, ok := r.UpsellPulls.awaited(d.window, r.Store.Timezone, until)
	return ok && r.Summary.Provenance.lacks(last)
}

// missing says which stores are not as whole as the others, and why.
func (d *digest) missing() {
	var more int64
	for _, r := range d.rows {
		switch lines := d.missingOf(r); {
		case len(lines) == 0:
		case more > 0 || len(d.Missing)+len(lines) > 2*weekTodos:
			more++
		default:
			d.Missing = append(d.Missing, lines...)
		}
	}
	if more > 0 {
		d.Missing = append(d.Missing, d.say.MoreNotWhole(more))
	}
}

func (d *digest) missingOf(r PortfolioRow) (lines []string) {
	name, p := OneLine(r.Store.Name, weekName), r.Summary.Provenance
	switch {
	case r.twoCurrencies():
		return []string{d.say.StoreInTwoCurrencies(name)}
	case r.Window() == nil:
		return []string{d.say.StoreWithout(name, r.Summary.Empty.Cause)}
	}
	if ahead := p.ahead(d.window); len(ahead) > 0 {
		lines = append(lines, d.say.StoreNotOver(name, d.Tongue.DayList(ahead), len(ahead)))
	}
	if gaps := p.Missing; len(gaps) > 0 {
		lines = append(lines, d.say.StoreMissing(name, d.Tongue.DayList(gaps), len(gaps)))
	}
	if len(lines) == 0 && r.Summary.Empty == nil && r.Uncompared != "" {
		lines = append(lines, d.say.StoreNotCompared(name, r.uncompared()))
	}
	return lines
}

// ahead are the days of a week behind the number's window: they are not over yet.
func (p Provenance) ahead(week Window) (days []civil.Date) {
	for day := p.Window.End.AddDays(1); !day.After(week.End); day = day.AddDays(1) {
		days = append(days, day)
	}
	return days
}

// uncompared sorts why a row without gaps has no comparison.
func (r PortfolioRow) uncompared() uncompared {
	before := r.Summary.Previous
	switch {
	case r.Stale:
		return isLastGood
	case !r.Summary.Provenance.Comparable():
		return isNotWhole
	case before == nil:
		return beforeNotStored
	case !before.Provenance.Comparable():
		return beforeNotWhole
	}
	return beforeOtherwise
}
