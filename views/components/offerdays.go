package components

import (
	"context"
	"io"
	"strconv"

	"github.com/a-h/templ"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/report"
)

// OfferDaysPanel are an offer's days as bars.
type OfferDaysPanel struct {
	History   report.OfferHistory
	Placement report.Placement
	Source    Source
	Exports   Exports
	// Told: the page has said already why the days are old.
	Told bool
}

// axis is the highest round number and its name: "$600 a day".
func (p OfferDaysPanel) axis() (top decimal.Decimal, name string) {
	highest := decimal.Zero
	for _, d := range p.History.Days {
		if d.Revenue != nil && d.Revenue.GreaterThan(highest) {
			highest = *d.Revenue
		}
	}
	top = report.RoundTop(highest)
	if highest.IsZero() {
		return top, "nothing sold on any stored day"
	}
	return top, report.RoundMoney(top, p.History.Currency) + " a day"
}

func (p OfferDaysPanel) bars() templ.Component {
	top, name := p.axis()
	days := make([]BarDay, len(p.History.Days))
	for i, d := range p.History.Days {
		days[i] = BarDay{Stored: d.Stored, Value: d.Revenue}
	}
	w := report.Window{Start: p.History.Days[0].Day, End: p.History.Days[len(days)-1].Day}
	class := "tall p-" + p.Placement.Key()
	if p.History.Trouble != nil {
		class = "tall stale"
	}
	label := "Value by day, " + w.Label() + ", on an axis up to " + name
	if n := len(p.History.Provenance.Missing); n > 0 {
		label += ". " + MissingWords(p.History.Provenance.Missing, w.End) + " " + isAre(n) + " missing"
	}
	return SlimBars("offer-days", days, top, class, label+". The same days are there as a table.")
}

// dayTicks names some days below the bars, each under its own.
func (p OfferDaysPanel) dayTicks() templ.Component {
	n := len(p.History.Days)
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		m := make(markup, 0, 512)
		m.raw(`<svg class="strip-axis" aria-hidden="true">`)
		steps := min(4, n-1)
		for i := range steps + 1 {
			at := 0
			if steps > 0 {
				at = i * (n - 1) / steps
			}
			class := ""
			if i > 0 && i < steps {
				class = ` class="between"`
			}
			x, anchor := "0", "start"
			switch {
			case at == n-1 && n > 1:
				x, anchor = "100%", "end"
			case at > 0:
				x, anchor = strconv.Itoa((2*at+1)*50/n)+"%", "middle"
			}
			m.raw(`<text y="12" x="`, x, `" text-anchor="`, anchor, `"`, class, `>`, report.DayShort(p.History.Days[at].Day), `</text>`)
		}
		m.raw(`</svg>`)
		_, err := w.Write(m)
		return err
	})
}

// offerDayRows are the days as rows: zero, or missing (N1).
func offerDayRows(h report.OfferHistory) templ.Component {
	m := make(markup, 0, 96*(len(h.Days)+1))
	for _, d := range h.Days {
		m.raw(`<tr><th scope="row">`, report.DayYear(d.Day))
		switch {
		case !d.Stored:
			m.raw(`</th><td class="r q">not known</td><td class="r q">not known</td></tr>`)
			continue
		case d.Revenue != nil && d.Revenue.IsZero() && d.Claims == nil:
			m.raw(` <span class="q">in no ranking</span>`)
		}
		m.raw(`</th><td class="r">`)
		m.text(report.MoneyOrDash(d.Revenue, h.Currency).String())
		m.raw(`</td><td class="r">`, report.CountOrDash(d.Claims), `</td></tr>`)
	}
	return m.component()
}
