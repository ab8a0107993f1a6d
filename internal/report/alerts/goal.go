package alerts

import (
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/goal"
)

// goalDays is how many days of a month must be over before its goal can be at risk: a few days say
// little about a month.
const goalDays = 7

// goal is at risk while it's above the month's expected range. The subject is the month, so each month
// starts over.
func (b finder) goal() []Finding {
	p := goal.New(b.alerts.Store, b.alerts.Goal, b.today, false)
	if p == nil || b.today.Day <= goalDays {
		return nil
	}
	f := Finding{Subject: p.Month.Start.String()[:len("2026-11")], Href: b.path("")}
	switch p.State {
	case goal.Unknown:
	case goal.AtRisk:
		f.Standing, f.Title = Wrong, locale.M("alert.goal.at_risk", "month", p.MonthName())
		f.Text = locale.Sentences{
			locale.M("alert.goal.heading", "sold", p.Exact(*p.Sold), "goal", p.Exact(p.Amount), "range", p.Range(), "unit", p.Unit()),
			locale.M("alert.goal.short", "short", p.Short(), "n", p.Left),
			locale.M("alert.goal.do"),
		}
		f.Stake, f.Effect = goalShort(p, report.WindowEnding(b.today.AddDays(-1), goal.HistoryDays))
		f.Evidence = locale.Args{"goal": p.Exact(p.Amount), "sold": p.Exact(*p.Sold), "expected": p.Exact(p.Pace.Expected), "low": p.Exact(p.Pace.Low), "high": p.Exact(p.Pace.High)}
	default:
		f.Standing, f.Title, f.Text = Right, locale.M("alert.goal.back", "month", p.MonthName()), locale.Sentences{p.Says()}
	}
	return []Finding{f}
}

// goalShort is how far short of its goal the month is expected to end, and the days that the estimate
// is from; the stake is the middle of the range, nil for a goal that counts orders.
func goalShort(p *goal.Progress, from report.Window) (stake *decimal.Decimal, effect locale.Sentences) {
	middle := p.Amount.Sub(p.Pace.Expected)
	short := locale.M("alert.effect.short", "short", p.Short())
	if p.Kind == fact.GoalOrders {
		short = locale.M("alert.effect.short_orders", "short", p.Short(), "n", p.Amount.Sub(p.Pace.Low).IntPart())
	} else {
		stake = &middle
	}
	return stake, locale.Sentences{short, locale.M("alert.effect.estimated", "days", locale.Period(from))}
}
