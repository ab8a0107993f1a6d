package components

import (
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/goal"
)

// goalScale places amounts along a bar.
type goalScale struct{ most decimal.Decimal }

// scaleOf is a scale that fits the goal, what was sold and the month's estimate.
func scaleOf(p *goal.Progress) goalScale {
	most := p.Amount
	if p.Sold != nil {
		most = decimal.Max(most, *p.Sold)
	}
	if p.Pace != nil {
		most = decimal.Max(most, p.Pace.High)
	}
	return goalScale{most}
}

// at is a position along the bar: "66.5%".
func (s goalScale) at(amount decimal.Decimal) string {
	return decimal.Max(amount, decimal.Zero).Shift(2).DivRound(s.most, 2).String() + "%"
}

// between is how long the part between two amounts is.
func (s goalScale) between(from, to decimal.Decimal) string { return s.at(to.Sub(from)) }

// goalBarWords say what a bar shows.
func goalBarWords(l locale.Locale, p *goal.Progress) string {
	sold, of := p.Write(l, decimal.Zero), p.Write(l, p.Amount)
	if p.Sold != nil {
		sold = p.Write(l, *p.Sold)
	}
	if p.Pace == nil {
		return l.T("goal.card.bar", "sold", sold, "goal", of)
	}
	return l.T("goal.card.bar_range", "sold", sold, "goal", of, "range", p.Range())
}

// goalFilled is how much of the goal was sold, at most all of it.
func goalFilled(p *goal.Progress) string {
	if p.Sold == nil {
		return "0%"
	}
	return goalScale{p.Amount}.at(decimal.Min(*p.Sold, p.Amount))
}

// goalToday is how much of the month is over.
func goalToday(p *goal.Progress) string {
	days := int64(p.Month.Days())
	return goalScale{decimal.NewFromInt(days)}.at(decimal.NewFromInt(days - int64(p.Left)))
}
