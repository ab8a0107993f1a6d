package report

import (
	"time"

	"github.com/golang-sql/civil"
)

// lacks reports whether days of the week are not in the row's numbers.
func (d *digest) lacks(r PortfolioRow) bool { return d.lacksUntil(r, d.window.End) }

// lacksUntil is lacks for the days of the week up to one.
func (d *digest) lacksUntil(r PortfolioRow, last civil.Date) bool {
	if last.Before(d.window.Start) {
		return false
	}
	p := r.Summary.Provenance
	if p.Window == nil || p.Window.End.Before(last) || p.Has(FlagPartial) {
		return true
	}
	return len(p.Missing) > 0 && !p.Missing[0].After(last)
}

// awaited reports whether days of the week may still come before the mail's patience is
// over, whatever else the store needs. They don't where nobody asks for them: no upsell
// service is connected, a person paused the store, or the token was refused before the
// week began and has not been renewed. A day that ends on the store's clock after the
// patience is not waited for (N72).
func (d *digest) awaited(r PortfolioRow, until time.Time) bool {
	loc, err := Zone(r.Store.Timezone)
	if err != nil || !r.Pulled || !r.RefusedAt.IsZero() && r.RefusedAt.Before(d.window.Start.In(loc)) {
		return false
	}
	last := d.window.End
	if !until.IsZero() {
		if over := Today(until, loc).AddDays(-1); over.Before(last) {
			last = over
		}
	}
	return d.lacksUntil(r, last)
}

// missing says which stores are not as whole as the others, and why.
func (d *digest) missing() {
	for _, r := range d.rows {
		for _, line := range d.missingOf(r) {
			if len(d.Missing) == 2*weekTodos {
				d.Missing = append(d.Missing, d.say.MoreNotWhole())
				return
			}
			d.Missing = append(d.Missing, line)
		}
	}
}

func (d *digest) missingOf(r PortfolioRow) (lines []string) {
	name, p := oneLine(r.Store.Name, weekName), r.Summary.Provenance
	switch {
	case r.twoCurrencies():
		return []string{d.say.StoreInTwoCurrencies(name)}
	case !r.hasNumbers():
		return []string{d.say.StoreWithout(name, r.Summary.Empty.Cause)}
	}
	var ahead []civil.Date
	for day := p.Window.End.AddDays(1); !day.After(d.window.End); day = day.AddDays(1) {
		ahead = append(ahead, day)
	}
	if len(ahead) > 0 {
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
