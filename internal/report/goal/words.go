package goal

import (
	"math"
	"strconv"
	"time"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
)

// Title is "November goal".
func (p *Progress) Title() locale.Message {
	return locale.M("goal.title", "month", p.MonthName())
}

// MonthName is the full name of the goal's month.
func (p *Progress) MonthName() locale.Message { return MonthName(p.Month.Start.Month) }

// MonthName is the full name of a month: "November".
func MonthName(m time.Month) locale.Message { return locale.M("unit.month." + strconv.Itoa(int(m))) }

// Unit is what the goal counts: "upsold value".
func (p *Progress) Unit() locale.Message { return locale.M("goal.unit." + string(p.Kind)) }

// Write formats an amount of the goal's kind in full.
func (p *Progress) Write(l locale.Locale, amount decimal.Decimal) string {
	if p.Kind == fact.GoalOrders {
		return l.Count(amount.IntPart())
	}
	return l.RoundMoney(amount, p.Currency)
}

// Whole formats an amount of the goal's kind without cents.
func (p *Progress) Whole(l locale.Locale, amount decimal.Decimal) string {
	if p.Kind == fact.GoalOrders {
		return l.Count(amount.IntPart())
	}
	return l.WholeMoney(amount, p.Currency)
}

// MissingWords names the days of the month that aren't counted; empty if none is missing.
func (p *Progress) MissingWords(l locale.Locale) string {
	missing := p.Provenance.Missing
	switch {
	case len(missing) == 0:
		return ""
	case p.Pace == nil:
		return l.T("goal.card.missing_only", "days", l.DayList(missing), "n", len(missing))
	}
	return l.T("goal.card.missing", "days", l.DayList(missing), "n", len(missing))
}

// Says is one sentence about where the month is heading, or why that isn't known.
func (p *Progress) Says() locale.Message {
	switch {
	case p.State == Missed:
		return locale.M("goal.says.missed", "short", p.Exact(p.Amount.Sub(*p.Sold)))
	case p.State == Reached && p.Pace == nil:
		return locale.M("goal.says.reached_only")
	case p.Pace == nil:
		return p.Reason
	case p.State == Reached:
		return locale.M("goal.says.reached", "range", p.Range())
	case p.State == Ahead:
		return locale.M("goal.says.ahead", "range", p.Range())
	case p.State == AtRisk:
		return locale.M("goal.says.at_risk", "range", p.Range(), "short", p.Short())
	}
	return locale.M("goal.says.on_pace", "range", p.Range())
}

// Brief says where the month is heading in a few words: "November goal: 77% expected, at risk".
func (p *Progress) Brief(l locale.Locale) string {
	state, percent := p.State, decimal.Zero
	switch heading := p.Heading(); {
	case heading != nil:
		percent = heading.Shift(2).Round(0)
	case state != Reached:
		state = Unknown
	}
	return l.T("goal.brief."+string(state), "title", p.Title(), "percent", locale.Percent{Percent: percent.IntPart()})
}

// Range is where the month is expected to end: "$50k–$53k".
func (p *Progress) Range() locale.Message { return p.between(p.Pace.Low, p.Pace.High) }

// Short is how much a goal at risk is expected to fall short.
func (p *Progress) Short() locale.Message {
	return p.between(p.Amount.Sub(p.Pace.High), p.Amount.Sub(p.Pace.Low))
}

// between is a range of amounts, rounded to a power of ten that is a twentieth to a half of the
// estimated range.
func (p *Progress) between(from, to decimal.Decimal) locale.Message {
	step := int32(0)
	if width := p.Pace.High.Sub(p.Pace.Low).InexactFloat64() / 2; width > 0 {
		step = int32(math.Floor(math.Log10(width)))
	}
	if p.Kind == fact.GoalOrders {
		step = max(step, 0)
	}
	from, to = from.Round(-step), to.Round(-step)
	switch {
	case from.Equal(to):
		return locale.M("goal.about", "amount", p.rough(to))
	case from.IsZero():
		return locale.M("goal.up_to", "amount", p.rough(to))
	}
	return locale.M("goal.between", "low", p.rough(from), "high", p.rough(to))
}

func (p *Progress) rough(amount decimal.Decimal) locale.Estimate {
	return locale.Estimate{Amount: amount, Currency: p.Currency}
}

// Exact is an amount as an argument of a message.
func (p *Progress) Exact(amount decimal.Decimal) any {
	if p.Kind == fact.GoalOrders {
		return amount.IntPart()
	}
	return locale.Money{Amount: amount, Currency: p.Currency}
}
