package report

import "github.com/shopspring/decimal"

// Axis is a zero-based axis with round ticks: it ends at Max and has a tick every Step.
type Axis struct{ Max, Step decimal.Decimal }

// RoundAxis returns an axis of at most six steps for values up to highest. If nothing is above zero, it
// has one step.
func RoundAxis(highest decimal.Decimal) Axis {
	if !highest.IsPositive() {
		return Axis{decimal.NewFromInt(1), decimal.NewFromInt(1)}
	}
	// The exponent of the leading digit: 1500 is 1.5 × 10³.
	exp := int32(highest.NumDigits()) + highest.Exponent() - 1
	for e := exp - 1; ; e++ {
		for _, lead := range []int64{10, 20, 25, 50} {
			step := decimal.New(lead, e-1)
			steps := highest.Div(step).Ceil()
			if steps.LessThanOrEqual(decimal.NewFromInt(6)) {
				return Axis{Max: step.Mul(steps), Step: step}
			}
		}
	}
}

// CountAxis is RoundAxis for counts: every tick is a whole number.
func CountAxis(highest decimal.Decimal) Axis {
	a, one := RoundAxis(highest), decimal.NewFromInt(1)
	if a.Step.LessThan(one) || !a.Step.IsInteger() {
		a.Step = a.Step.Ceil()
		a.Max = highest.DivRound(a.Step, 8).Ceil().Mul(a.Step)
	}
	return a
}

// RoundTop is the lowest round number at or above all values, for a small axis that labels only its
// maximum: 1412 gives 1500, 289 gives 300.
func RoundTop(highest decimal.Decimal) decimal.Decimal {
	if !highest.IsPositive() {
		return decimal.NewFromInt(1)
	}
	exp := int32(highest.NumDigits()) + highest.Exponent() - 1
	for e := exp; ; e++ {
		for _, lead := range []int64{10, 15, 20, 25, 30, 40, 50, 60, 80} {
			if top := decimal.New(lead, e-1); top.GreaterThanOrEqual(highest) {
				return top
			}
		}
	}
}
