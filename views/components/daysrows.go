package components

import (
	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/report"
)

// dayRows are the chart's days as rows; a day that is not stored says so (N1).
func dayRows(t report.Trend) templ.Component {
	m := make(markup, 0, 128*(len(t.Days)+1))
	for _, d := range t.Days {
		m.dayRow(d, t.Currency)
	}
	if t.Today != nil {
		m.dayRow(*t.Today, t.Currency)
	}
	return m.component()
}

func (m *markup) dayRow(d report.DayPoint, currency string) {
	m.raw(`<tr><th scope="row">`, report.DayShort(d.Day))
	if d.Partial {
		m.raw(` <span class="q">so far, not counted</span>`)
	}
	if d.Revised {
		m.raw(` <span class="tag">revised</span>`)
	}
	if d.Repaired {
		m.raw(` <span class="tag">repaired</span>`)
	}
	if !d.Stored {
		m.raw(`</th><td class="r q">missing</td><td class="r q">missing</td></tr>`)
		return
	}
	m.raw(`</th><td class="r">`)
	m.text(report.MoneyOrDash(d.Value, currency).String())
	m.raw(`</td><td class="r">`, report.CountOrDash(d.Orders), `</td></tr>`)
}
