package overview

import (
	"strings"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/answers"
)

// verdict is the page's first sentence, with the change apart so that it alone is coloured.
func (p Page) verdict() (before, change, after string) {
	v := p.Answer.Verdict
	said := v.What.In(p.Locale)
	if v.Change.ID == "" {
		return said, "", ""
	}
	change = v.Change.In(p.Locale)
	before, after, _ = strings.Cut(said, change)
	return before, change, after
}

// driver is one line of what the change is made of.
type driver struct {
	label, was, is string
	part           decimal.Decimal
	money          string
	// total: the line is the change itself.
	total bool
}

// drivers are the three parts of the change, and the change that they add up to.
func (p Page) drivers() []driver {
	d := p.Answer.Drivers
	money := func(v decimal.Decimal) string { return p.Locale.Money(v, d.Currency).String() }
	percent := func(v decimal.Decimal) string { return p.Locale.Share(&v).String() }
	count := func(v decimal.Decimal) string { return p.Locale.Count(v.IntPart()) }
	line := func(label string, of answers.Driver, write func(decimal.Decimal) string) driver {
		return driver{label: label, was: write(of.Before), is: write(of.After), part: of.Part, money: p.signed(of.Part, d.Currency)}
	}
	return []driver{
		line(p.T("overview.why.orders"), d.Orders, count),
		line(p.T("figure.success_rate"), d.Rate, percent),
		line(p.T("figure.average_value"), d.Value, money),
		{label: p.T("figure.upsold_value"), was: money(d.Before), is: money(d.After), part: d.Change, money: p.signed(d.Change, d.Currency), total: true},
	}
}

// signed is an amount with its sign.
func (p Page) signed(d decimal.Decimal, currency string) string {
	money := p.Locale.Money(d, currency).String()
	if d.IsPositive() {
		return "+" + money
	}
	return money
}

// barWidth is half of a driver's bar in the units of its drawing.
const barWidth = 500

// bar is where a driver's bar begins and how long it is, on the scale of the largest.
func bar(all []driver, d driver) (x, width int64) {
	most := decimal.Zero
	for _, each := range all {
		most = decimal.Max(most, each.part.Abs())
	}
	if most.IsZero() {
		return barWidth, 0
	}
	width = d.part.Abs().Mul(decimal.NewFromInt(barWidth)).DivRound(most, 0).IntPart()
	if d.part.IsNegative() {
		return barWidth - width, width
	}
	return barWidth, width
}

// tone says whether a change is good or bad, for colour beside its sign.
func tone(d decimal.Decimal) string {
	switch {
	case d.IsPositive():
		return "good"
	case d.IsNegative():
		return "bad"
	}
	return "none"
}

// verdictTone is the same for the verdict.
func verdictTone(d locale.Direction) string {
	switch d {
	case locale.Up:
		return "good"
	case locale.Down:
		return "bad"
	}
	return "none"
}
