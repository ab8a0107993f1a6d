package report

import "github.com/shopspring/decimal"

// Axis is a zero-based axis with round ticks: it ends at Max and has a tick at
// every Step.
type Axis struct{ Max, Step decimal.Decimal }

// RoundAxis returns the axis for values up to highest with at most six steps.
// Nothing above zero gives an axis of one step.
func RoundAxis(highest decimal.Decimal) Axis {
	if !highest.IsPositive() {
		return Axis{decimal.NewFromInt(1), decimal.NewFromInt(1)}
	}
	// The exponent of the leading digit: 1500 is 1.5 times ten to the 3.
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

// CountAxis is RoundAxis for things that are counted: no tick is between two
// whole numbers.
func CountAxis(highest decimal.Decimal) Axis {
	a, one := RoundAxis(highest), decimal.NewFromInt(1)
	if a.Step.LessThan(one) || !a.Step.IsInteger() {
		a.Step = a.Step.Ceil()
		a.Max = highest.DivRound(a.Step, 8).Ceil().Mul(a.Step)
	}
	return a
}

// RoundTop is the lowest round number that no value passes, for a small axis
// that names its maximum in words: 1412 is 1500, 289 is 300.
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
