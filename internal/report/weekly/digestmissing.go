package weekly

import (
	"time"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/portfolio"
)

// lacks reports whether days of the week are missing from the row's numbers.
func (d *digest) lacks(r portfolio.Row) bool { return r.Summary.Provenance.Lacks(d.window.End) }

// awaited reports whether days of the week may still arrive before the mail stops waiting, whatever
// else the store needs.
func (d *digest) awaited(r portfolio.Row, until time.Time) bool {
	last, ok := r.UpsellPulls.Awaited(d.window, r.Store.Timezone, until)
	return ok && r.Summary.Provenance.Lacks(last)
}

// missing says which stores are less complete than the others, and why.
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
		d.Missing = append(d.Missing, d.T("digest.more_not_whole", "n", more))
	}
}

func (d *digest) missingOf(r portfolio.Row) (lines []string) {
	name, p := report.OneLine(r.Store.Name, report.NameLength), r.Summary.Provenance
	switch {
	case r.TwoCurrencies():
		return []string{d.T("digest.in_two_currencies", "store", name)}
	case r.Window() == nil:
		switch r.Summary.Empty.Cause {
		case report.CauseNeverConnected:
			return []string{d.T("digest.without.not_connected", "store", name)}
		case report.CauseFilling:
			return []string{d.T("digest.without.filling", "store", name)}
		}
		return []string{d.T("digest.without.no_day", "store", name)}
	}
	if ahead := p.Ahead(d.window); len(ahead) > 0 {
		lines = append(lines, d.T("digest.not_over", "store", name, "days", d.DayList(ahead), "n", len(ahead)))
	}
	if gaps := p.Missing; len(gaps) > 0 {
		lines = append(lines, d.T("digest.missing", "store", name, "days", d.DayList(gaps), "n", len(gaps)))
	}
	if len(lines) == 0 && r.Uncompared != "" {
		lines = append(lines, d.uncompared(r, name))
	}
	return lines
}

// uncompared says why the two weeks of a row without gaps aren't compared.
func (d *digest) uncompared(r portfolio.Row, store string) string {
	switch before := r.Summary.Previous; {
	case r.Stale:
		return d.T("digest.not_compared.last_good", "store", store)
	case !r.Summary.Provenance.Comparable():
		return d.T("digest.not_compared.not_over", "store", store)
	case before == nil:
		return d.T("digest.not_compared.not_stored", "store", store)
	case !before.Provenance.Comparable():
		return d.T("digest.not_compared.not_whole", "store", store)
	}
	return d.T("digest.not_compared.currency", "store", store)
}
