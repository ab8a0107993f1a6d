package offers

import (
	"context"
	"io"
	"strconv"

	"github.com/a-h/templ"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/chart"
)

// DaysPanel are an offer's days as bars.
type DaysPanel struct {
	History   report.OfferHistory
	Placement report.Placement
	Source    components.Source
	Exports   components.Exports
	// Told: the page has said already why the days are old.
	Told bool
}

// axis is the highest round number and its name: "$600 a day".
func (p DaysPanel) axis() (top decimal.Decimal, name string) {
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
	return top, locale.English.RoundMoney(top, p.History.Currency) + " a day"
}

func (p DaysPanel) bars() templ.Component {
	top, name := p.axis()
	days := make([]chart.BarDay, len(p.History.Days))
	for i, d := range p.History.Days {
		days[i] = chart.BarDay{Stored: d.Stored, Value: d.Revenue}
	}
	w := report.Window{Start: p.History.Days[0].Day, End: p.History.Days[len(days)-1].Day}
	class := "tall p-" + p.Placement.Key()
	if p.History.Trouble != nil {
		class = "tall stale"
	}
	label := "Value by day, " + w.Label() + ", on an axis up to " + name
	if n := len(p.History.Provenance.Missing); n > 0 {
		label += ". " + components.MissingWords(locale.English, p.History.Provenance.Missing, w.End) + " " + locale.English.T("chart.missing", "n", n)
	}
	return chart.SlimBars("offer-days", days, top, class, label+". The same days are there as a table.")
}

// dayTicks names some days below the bars, each under its own.
func (p DaysPanel) dayTicks() templ.Component {
	n := len(p.History.Days)
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		m := make(components.Markup, 0, 512)
		m.Raw(`<svg class="strip-axis" aria-hidden="true">`)
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
			m.Raw(`<text y="12" x="`, x, `" text-anchor="`, anchor, `"`, class, `>`, locale.English.Day(p.History.Days[at].Day), `</text>`)
		}
		m.Raw(`</svg>`)
		_, err := w.Write(m)
		return err
	})
}

// offerDayRows are the days as rows: zero, or missing (N1).
func offerDayRows(h report.OfferHistory) templ.Component {
	m := make(components.Markup, 0, 96*(len(h.Days)+1))
	for _, d := range h.Days {
		m.Raw(`<tr><th scope="row">`, locale.English.DayYear(d.Day))
		switch {
		case !d.Stored:
			m.Raw(`</th><td class="r q">not known</td><td class="r q">not known</td></tr>`)
			continue
		case d.Revenue != nil && d.Revenue.IsZero() && d.Claims == nil:
			m.Raw(` <span class="q">in no ranking</span>`)
		}
		m.Raw(`</th><td class="r">`)
		m.Text(locale.English.MoneyOrDash(d.Revenue, h.Currency).String())
		m.Raw(`</td><td class="r">`, locale.English.CountOrDash(d.Claims), `</td></tr>`)
	}
	return m.Component()
}
