package trend

import (
	"slices"

	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/views/components"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/overview"
)

// dayRows are the chart's points as rows; a day that isn't stored says so (N1).
func dayRows(p Panel) templ.Component {
	t := p.Trend
	return components.Draw(128*(len(t.Days)+1), func(m *components.Markup, l locale.Locale) {
		for _, d := range t.Days {
			dayRow(m, l, d, p.pointName(l, d), t)
		}
		if t.Today != nil {
			dayRow(m, l, *t.Today, l.Day(t.Today.Day), t)
		}
	})
}

func dayRow(m *components.Markup, l locale.Locale, d overview.DayPoint, name string, t overview.Trend) {
	m.Put(`<tr><th scope="row">`, name)
	if d.Stored && len(d.Missing) > 0 {
		m.Put(` <span class="q">`, l.T("chart.days_missing", "days", l.DayList(d.Missing)), `</span>`)
	}
	if d.Partial {
		m.Put(` <span class="q">`, l.T("chart.so_far_not_counted"), `</span>`)
	}
	if d.Revised {
		m.Put(` <span class="tag">`, l.T("chart.revised"), `</span>`)
	}
	if d.Repaired {
		m.Put(` <span class="tag">`, l.T("chart.filled_in"), `</span>`)
	}
	for _, n := range t.Notes {
		if n.Start == d.Day || d.Until != nil && !n.Start.Before(d.Day) && !n.Start.After(*d.Until) {
			m.Put(` <span class="q block" dir="auto">`, n.Text, `</span>`)
		}
	}
	if !d.Stored {
		missing := l.T("chart.missing")
		m.Put(`</th><td class="r q">`, missing, `</td><td class="r q">`, missing, `</td></tr>`)
		return
	}
	m.Put(`</th><td class="r">`, l.MoneyOrDash(d.Value, t.Currency).String(), `</td><td class="r">`, l.CountOrDash(d.Orders), `</td></tr>`)
}

// mostGoalsNamed is how many goals the legend of a chart has room for.
const mostGoalsNamed = 3

// goalName is a goal in words and the metric whose picture draws it.
type goalName struct{ words, metric string }

// goalWords are the goals, each as an amount a day: "Goal: $1,800.00 a day, 1 – 30 Nov".
func goalWords(l locale.Locale, t overview.Trend) (out []goalName) {
	for _, key := range []string{valueKey, ordersKey} {
		goals := slices.DeleteFunc(slices.Clone(t.Goals), func(g overview.DailyGoal) bool { return g.Orders != (key == ordersKey) })
		if len(goals) > mostGoalsNamed {
			out = append(out, goalName{l.T("chart.goals"), key})
			continue
		}
		for _, g := range goals {
			amount := l.Money(g.PerDay, t.Currency).String()
			if g.Orders {
				amount = l.T("common.orders", "n", g.PerDay.Round(1))
			}
			out = append(out, goalName{l.T("chart.goal", "amount", amount, "dates", l.DatesShort(g.Start, g.End)), key})
		}
	}
	return out
}
