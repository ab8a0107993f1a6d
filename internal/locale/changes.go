package locale

import (
	"strings"

	"github.com/shopspring/decimal"
)

// Direction is which way a number moved.
type Direction string

// The directions; the last three have no amount.
const (
	Up          Direction = "up"
	Down        Direction = "down"
	Level       Direction = "level"        // "= no change"
	NoBaseline  Direction = "no_baseline"  // it was zero before (N46)
	NotCompared Direction = "not_compared" // there is nothing to compare with
	NoNumber    Direction = "none"         // "–": there is no current number
)

// Delta is a change in words.
type Delta struct {
	Direction Direction
	// Amount is "12.4%" or "0.6 points"; Word "more", "less", "higher", "lower", "no change", "no
	// baseline", "not compared" or "–". Word is empty if the language puts it before the amount: "en
	// baisse de 0,6 point".
	Amount, Word string
}

// String is the delta in words: "↑ 12.4% more".
func (d Delta) String() string {
	switch d.Direction {
	case Up:
		return strings.TrimSpace("↑ " + d.Amount + " " + d.Word)
	case Down:
		return strings.TrimSpace("↓ " + d.Amount + " " + d.Word)
	case Level:
		return "= " + d.Word
	}
	return d.Word
}

// mostDigits is the most decimals that a percentage has.
const mostDigits = 4

// ComparePercents formats two numbers that already are percentages and their difference in points, all
// with as many decimals as it takes until they add up: 3.44% was 3.42%, 0.02 points higher.
func (l Locale) ComparePercents(now, before decimal.Decimal) (is, was Figure, change Delta) {
	digits, moved := int32(1), now.Sub(before)
	for digits < mostDigits && !moved.IsZero() && (moved.Round(digits).IsZero() || !now.Round(digits).Sub(before.Round(digits)).Equal(moved.Round(digits))) {
		digits++
	}
	if change = (Delta{Level, "", l.T("change.none")}); !moved.IsZero() {
		change = l.points(digits, moved)
	}
	return l.percent(now, digits), l.percent(before, digits), change
}

// CompareShares is ComparePercents for fractions that may be missing.
func (l Locale) CompareShares(now, before *decimal.Decimal) (is, was Figure, change Delta) {
	if now == nil || before == nil {
		change, _ = l.unmoved(now, before)
		return l.Share(now), l.Share(before), change
	}
	return l.ComparePercents(now.Shift(2), before.Shift(2))
}

// Change compares two amounts: the relative change in percent. If it was zero before and isn't now,
// there is no baseline.
func (l Locale) Change(now, before *decimal.Decimal) Delta { return l.change(now, before, "less") }

// ChangeCount compares two counts: "fewer" orders, while amounts are "less".
func (l Locale) ChangeCount(now, before *int64) Delta {
	return l.change(asDecimal(now), asDecimal(before), "fewer")
}

func (l Locale) change(now, before *decimal.Decimal, less string) Delta {
	if d, ok := l.unmoved(now, before); ok {
		return d
	}
	if before.IsZero() {
		return Delta{NoBaseline, "", l.T("change.no_baseline")}
	}
	return l.moved(now.Sub(*before).Shift(2).DivRound(before.Abs(), 4), less)
}

// unmoved is the text if there can't be a change: a number is missing, or both are the same.
func (l Locale) unmoved(now, before *decimal.Decimal) (d Delta, ok bool) {
	switch {
	case now == nil:
		return Delta{NoNumber, "", NoFigure.Main}, true
	case before == nil:
		return Delta{NotCompared, "", l.T("change.not_compared")}, true
	case now.Equal(*before):
		return Delta{Level, "", l.T("change.none")}, true
	}
	return Delta{}, false
}

func asDecimal(n *int64) *decimal.Decimal {
	if n == nil {
		return nil
	}
	return new(decimal.NewFromInt(*n))
}

// ReportedChange is a change that the service gave in percent, not recomputed. nil means that the
// window before was zero: "no baseline", not 0 % (N46).
func (l Locale) ReportedChange(percent *decimal.Decimal) Delta { return l.reported(percent, "less") }

// ReportedCountChange is ReportedChange for a count.
func (l Locale) ReportedCountChange(percent *decimal.Decimal) Delta {
	return l.reported(percent, "fewer")
}

func (l Locale) reported(percent *decimal.Decimal, less string) Delta {
	switch {
	case percent == nil:
		return Delta{NoBaseline, "", l.T("change.no_baseline")}
	case percent.IsZero():
		return Delta{Level, "", l.T("change.none")}
	}
	return l.moved(*percent, less)
}

// moved is a change by that many percent; less is the word for a smaller one.
func (l Locale) moved(percent decimal.Decimal, less string) Delta {
	size, tiny := l.size(1, percent)
	amount := size + styles[l].percent
	if tiny {
		amount = l.T("change.under", "amount", amount)
	}
	if percent.IsPositive() {
		return Delta{Up, amount, l.T("change.word.more")}
	}
	return Delta{Down, amount, l.T("change.word." + less)}
}

// points is a change by that many percentage points. Languages put the direction before or after the
// amount, so the message contains both, separated where a page splits them.
func (l Locale) points(digits int32, points decimal.Decimal) Delta {
	size, tiny := l.size(digits, points)
	amount := l.T("change.points", "n", points.Abs().Round(digits), "size", size)
	if tiny {
		amount = l.T("change.under", "amount", amount)
	}
	d, text := Delta{Direction: Down}, l.T("change.points_lower", "points", amount)
	if points.IsPositive() {
		d.Direction, text = Up, l.T("change.points_higher", "points", amount)
	}
	word, behind := strings.CutPrefix(text, amount)
	if behind {
		d.Amount, d.Word = amount, strings.TrimSpace(word)
	} else {
		d.Amount = text
	}
	return d
}

// size is the amount of a change without its sign. A change that rounds to zero still happened, so
// instead of "0.0%" it's the smallest amount shown, and tiny is true.
func (l Locale) size(digits int32, amount decimal.Decimal) (text string, tiny bool) {
	least := decimal.New(1, -digits)
	switch size := amount.Abs().Round(digits); {
	case size.LessThan(least):
		return l.Decimal(least), true
	case size.Exponent() < 0 && size.GreaterThanOrEqual(decimal.NewFromInt(1000)):
		return l.figure(size, "", "", 0).String(), false
	default:
		return l.figure(size, "", "", digits).String(), false
	}
}
