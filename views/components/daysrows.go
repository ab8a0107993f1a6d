package components

import (
	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// dayRows are the chart's days as rows; a day that is not stored says so (N1).
func dayRows(t report.Trend) templ.Component {
	m := make(Markup, 0, 128*(len(t.Days)+1))
	for _, d := range t.Days {
		m.dayRow(d, t.Currency)
	}
	if t.Today != nil {
		m.dayRow(*t.Today, t.Currency)
	}
	return m.Component()
}

func (m *Markup) dayRow(d report.DayPoint, currency string) {
	m.Raw(`<tr><th scope="row">`, locale.English.Day(d.Day))
	if d.Partial {
		m.Raw(` <span class="q">so far, not counted</span>`)
	}
	if d.Revised {
		m.Raw(` <span class="tag">revised</span>`)
	}
	if d.Repaired {
		m.Raw(` <span class="tag">repaired</span>`)
	}
	if !d.Stored {
		m.Raw(`</th><td class="r q">missing</td><td class="r q">missing</td></tr>`)
		return
	}
	m.Raw(`</th><td class="r">`)
	m.Text(locale.English.MoneyOrDash(d.Value, currency).String())
	m.Raw(`</td><td class="r">`, locale.English.CountOrDash(d.Orders), `</td></tr>`)
}
