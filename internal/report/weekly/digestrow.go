package weekly

import (
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/portfolio"
)

// days is the window of the rows with numbers. shared is false if it differs between rows; the heading
// then doesn't name it (N71). The provenance is nil if no row has numbers.
func (d *digest) days(rows []portfolio.Row) (p *report.Provenance, shared bool) {
	for _, r := range rows {
		if r.Window() == nil {
			continue
		}
		own := &r.Summary.Provenance
		if p != nil && (*own.Window != *p.Window || own.Covered(d.Locale) != p.Covered(d.Locale)) {
			return nil, false
		}
		p = own
	}
	return p, true
}

// label is the window above the rows, with what all of them have in common.
func (d *digest) label(rows []portfolio.Row) string {
	p, shared := d.days(rows)
	dates := d.Dates(d.window.Start, d.window.End)
	switch {
	case !shared:
		dates = report.UpperFirst(d.T("digest.week_of", "dates", dates)) + " · " + d.T("digest.days_by_store")
	case p != nil && len(rows) == 1:
		own, rest := p.Words(d.Locale)
		return own + rest
	case p != nil:
		dates = d.Dates(p.Window.Start, p.Window.End) + " · " + p.Covered(d.Locale)
	}
	return dates + " · " + d.T("digest.own_clocks") + d.basis(rows)
}

// basis says how many rows have reported numbers and how many have sums of days.
func (d *digest) basis(rows []portfolio.Row) string {
	var reported, stitched int64
	for _, r := range rows {
		switch {
		case r.Window() == nil:
		case r.Summary.Provenance.Basis == report.Reported:
			reported++
		default:
			stitched++
		}
	}
	switch {
	case reported == 0 && stitched == 0:
		return ""
	case stitched == 0:
		return " · " + report.Reported.In(d.Locale)
	case reported == 0:
		return " · " + report.Stitched.In(d.Locale)
	}
	return " · " + d.T("digest.reported_and_stitched", "reported", reported, "stitched", stitched)
}

// before is the comparison window of the compared rows; shared is false if it differs between them.
// It's nil if none is compared.
func (d *digest) before(rows []portfolio.Row) (w *report.Window, shared bool) {
	for _, r := range rows {
		if !r.Compared() {
			continue
		}
		own := r.Summary.Previous.Provenance.Window
		if w != nil && *own != *w {
			return nil, false
		}
		w = own
	}
	return w, true
}

// baseline names what the rows are compared with; empty if nothing is compared (N74).
func (d *digest) baseline(rows []portfolio.Row) string {
	w, shared := d.before(rows)
	switch {
	case !shared:
		return d.T("digest.compared_by_store")
	case w == nil:
		return ""
	}
	return d.comparedWith(*w, d.Dates(w.Start, w.End)+" · "+d.Locale.Days(w.Days()))
}

func (d *digest) comparedWith(w report.Window, label string) string {
	return comparedWith(d.Locale, label, w.Days() == d.window.Days())
}

// row is one store with its own value.
func (d *digest) row(r portfolio.Row) Row {
	row := Row{Name: report.OneLine(r.Store.Name, report.NameLength), Href: r.Href(report.Window{})}
	if w := r.Summary.Provenance.Window; w != nil {
		row.Href = r.Href(*w) // the week may not be over there
	}
	s := r.Summary
	switch {
	case r.Window() != nil:
		row.Value = d.Money(s.TotalUpsoldValue, s.Currency).String()
	case r.TwoCurrencies():
		row.Value, row.Quiet, row.More = d.T("digest.two_currencies"), true, "–"
		return row
	default:
		row.Value, row.Quiet, row.More = d.T("digest.no_numbers"), true, "–"
		return row
	}
	switch {
	case s.Empty != nil:
		row.More = d.T("digest.no_offers")
	case r.Compared():
		row.Delta = d.Change(&s.TotalUpsoldValue, &s.Previous.TotalUpsoldValue)
	default:
		row.More = d.T("change.not_compared")
	}
	return row
}

// about is what to know about a row's numbers: the days and the comparison if the heading doesn't name
// them, and any doubts.
func (d *digest) about(r portfolio.Row, days, baseline bool) []string {
	var out []string
	p := r.Summary.Provenance
	if days {
		out = append(out, d.DatesShort(p.Window.Start, p.Window.End), p.Covered(d.Locale))
	}
	if baseline && r.Compared() {
		before := *r.Summary.Previous.Provenance.Window
		out = append(out, d.comparedWith(before, d.DatesShort(before.Start, before.End)))
	}
	if r.Stale {
		out = append(out, d.T("digest.last_good"))
	}
	return append(out, p.Doubts(d.Locale)...)
}
