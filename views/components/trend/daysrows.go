package trend

import (
	"slices"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/overview"
)

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
