package gallery

import (
	"math"
	"strings"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/goal"
	"github.com/storeglass/storeglass/views/stores"
)

// goalSold is a goal of Fernhollow with so many days of history, a number of days ago.
func goalSold(kind fact.GoalKind, amount int64, history, ago int) *goal.Progress {
	today := civil.DateOf(now).AddDays(-ago)
	g := goalOf(kind, amount)
	for back := history; back > 0; back-- {
		d := today.AddDays(-back)
		value := 1650 + 300*math.Sin(float64(back*back)) + 250*math.Cos(float64(d.In(time.UTC).Weekday()))
		g.Days = append(g.Days, report.StoredSummary{
			Window: report.OneDay(d), TotalUpsoldValue: decimal.NewFromFloat(value).Round(2), TotalUpsoldOrders: int64(value / 40), Currency: "USD", FetchedAt: minutesAgo(12),
		})
	}
	return goal.New(report.Store{Slug: "fernhollow", Timezone: "America/New_York", Currency: "USD"}, &g, today, false)
}

func goalOf(kind fact.GoalKind, amount int64) report.StoredGoal {
	g := report.StoredGoal{Kind: kind, Amount: decimal.NewFromInt(amount), Currency: "USD", From: civil.Date{Year: 2026, Month: time.September, Day: 1}, SetAt: now.AddDate(0, -2, -3)}
	if kind == fact.GoalOrders {
		g.Currency = ""
	}
	return g
}

// goalSection is the goal on the Settings page.
func goalSection(l locale.Locale, action string) stores.GoalSection {
	changes := []goal.Change{{StoredGoal: goalOf(fact.GoalValue, 54000), By: "Ida Moreau"}, {StoredGoal: goalOf(fact.GoalOrders, 1200)}}
	return stores.GoalSection{
		Locale: l, Currency: "USD", Location: time.UTC, Changes: changes, Now: &changes[0], Months: goal.Months(civil.DateOf(now)), Action: action,
		Form: goal.Form{Kind: "value", Amount: l.Count(54000), From: "2026-11-01"},
	}
}

// wrongGoal is the section after a form that was refused.
func wrongGoal(l locale.Locale, action string) stores.GoalSection {
	s := goalSection(l, action)
	s.Form = goal.Form{Kind: "value", Amount: strings.Repeat("9", 13), From: "2026-10-01"}
	_, s.Wrong = s.Form.Read(l, s.Currency, civil.DateOf(now))
	return s
}
