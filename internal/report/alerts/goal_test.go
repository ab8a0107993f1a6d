package alerts

import (
	"slices"
	"testing"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"
)

// withGoal is a store that sold 100 on each of the 60 days before, with that goal for this month.
func withGoal(amount int64, from civil.Date) Stored {
	in := watched()
	in.Goal = &report.StoredGoal{Kind: fact.GoalValue, Amount: decimal.NewFromInt(amount), Currency: "USD"}
	for back := 1; back <= 60; back++ {
		in.Goal.Days = append(in.Goal.Days, report.StoredSummary{Window: report.OneDay(from.AddDays(-back)), TotalUpsoldValue: decimal.NewFromInt(100), Currency: "USD"})
	}
	return in
}

func TestAGoalIsAtRiskWhileItIsAboveWhereTheMonthIsHeading(t *testing.T) {
	t.Parallel()
	today := civil.DateOf(alertNow)
	at := "goal-at-risk/2026-11 wrong: November goal is at risk"
	unknown := withGoal(3600, today)
	unknown.Goal.Days = unknown.Goal.Days[:10]
	for name, c := range map[string]struct {
		in   Stored
		want []string
	}{
		"no goal":      {watched(), nil},
		"above":        {withGoal(3600, today), []string{at}},
		"within reach": {withGoal(3000, today), nil},
		"reached":      {withGoal(1000, today), nil},
		"no estimate":  {unknown, []string{"goal-at-risk/2026-11 unknown: "}},
	} {
		reporttest.Equal(t, name, alertsSaid(c.in), c.want)
	}
}

func TestAGoalIsNotCalledAtRiskInTheFirstWeek(t *testing.T) {
	t.Parallel()
	for day, want := range map[int]int{7: 0, 8: 1} {
		today := civil.Date{Year: 2026, Month: time.November, Day: day}
		in := withGoal(9000, today)
		found, _ := Find(in, today.In(time.UTC).Add(12*time.Hour))
		n := 0
		for _, f := range found {
			if f.Rule == "goal-at-risk" {
				n++
			}
		}
		if n != want {
			t.Errorf("on the %dth %d findings, want %d", day, n, want)
		}
	}
}

// The estimate is the goal card's: 600 short of 3,600 at 100 per day.
func TestAGoalAtRiskSaysHowFarTheMonthIsHeadingShort(t *testing.T) {
	t.Parallel()
	today := civil.DateOf(alertNow)
	money, orders := withGoal(3600, today), withGoal(360, today)
	orders.Goal.Kind, orders.Goal.Currency = fact.GoalOrders, ""
	for i := range orders.Goal.Days {
		orders.Goal.Days[i].TotalUpsoldOrders = 8 + 4*int64(i/7%2)
	}
	stake := decimal.NewFromInt(600)
	for name, c := range map[string]struct {
		in     Stored
		stake  *decimal.Decimal
		effect string
	}{
		"in money":                      {money, &stake, "About $600 short, estimated from 28 Aug – 19 Nov 2026"},
		"orders are no amount of money": {orders, nil, "30–110 upsold orders short, estimated from 28 Aug – 19 Nov 2026"},
	} {
		found, _ := Find(c.in, alertNow)
		f := found[slices.IndexFunc(found, func(f Finding) bool { return f.Rule == "goal-at-risk" })]
		effect, how := report.OpenAlert{Effect: f.Effect}.EffectIn(locale.English)
		reporttest.Equal(t, name, effect+", "+how, c.effect)
		reporttest.Equal(t, name+": stake", f.Stake, c.stake)
	}
}
