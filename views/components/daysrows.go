package components

import (
	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// dayRows are the chart's days as rows; a day that is not stored says so (N1).
func dayRows(t report.Trend) templ.Component {
	return Draw(128*(len(t.Days)+1), func(m *Markup, l locale.Locale) {
		for _, d := range t.Days {
			m.dayRow(l, d, t.Currency)
		}
		if t.Today != nil {
			m.dayRow(l, *t.Today, t.Currency)
		}
	})
}

func (m *Markup) dayRow(l locale.Locale, d report.DayPoint, currency string) {
	m.Raw(`<tr><th scope="row">`, l.Day(d.Day))
	if d.Partial {
		m.Raw(` <span class="q">`, l.T("chart.so_far_not_counted"), `</span>`)
	}
	if d.Revised {
		m.Raw(` <span class="tag">`, l.T("chart.revised"), `</span>`)
	}
	if d.Repaired {
		m.Raw(` <span class="tag">`, l.T("chart.filled_in"), `</span>`)
	}
	if !d.Stored {
		missing := l.T("chart.missing")
		m.Raw(`</th><td class="r q">`, missing, `</td><td class="r q">`, missing, `</td></tr>`)
		return
	}
	m.Raw(`</th><td class="r">`)
	m.Text(l.MoneyOrDash(d.Value, currency).String())
	m.Raw(`</td><td class="r">`, l.CountOrDash(d.Orders), `</td></tr>`)
}
