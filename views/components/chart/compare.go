package chart

import (
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
)

// CompareTip is what a value is compared with, and their difference; nil means missing.
func CompareTip(l locale.Locale, name string, value, was *decimal.Decimal, words, signed func(decimal.Decimal) string) []TipRow {
	before := TipRow{Tone: TipThen, Name: name, Value: l.T("chart.missing")}
	difference := TipRow{Name: l.T("chart.tip.difference"), Value: l.T("chart.tip.not_compared")}
	if was != nil {
		before.Value = words(*was)
	}
	if was != nil && value != nil {
		change := value.Sub(*was)
		difference.Value = signed(change)
		switch {
		case change.IsPositive():
			difference.Tone = TipGood
		case change.IsNegative():
			difference.Tone = TipBad
		}
	}
	return []TipRow{before, difference}
}

// WeekdayTip says that two days that are compared are different weekdays.
func WeekdayTip(l locale.Locale, day, other civil.Date) []string {
	if day.In(time.UTC).Weekday() == other.In(time.UTC).Weekday() {
		return nil
	}
	return []string{l.T("chart.tip.weekdays", "day", l.WeekdayName(day), "other", l.WeekdayName(other))}
}

// Counted is a count as a number to draw; nil stays nil.
func Counted(n *int64) *decimal.Decimal {
	if n == nil {
		return nil
	}
	return new(decimal.NewFromInt(*n))
}

// SignedCount is a difference of counts.
func SignedCount(l locale.Locale, v decimal.Decimal) string {
	if v.IsPositive() {
		return "+" + l.Decimal(v)
	}
	return l.Decimal(v)
}
