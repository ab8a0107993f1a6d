package report

import (
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
)

// Figure is a number in words, split where the type changes weight: the cents
// and the percent sign are quieter than the rest.
type Figure = locale.Figure

// NoFigure stands where there is no number: never 0, never NaN (N20).
var NoFigure = locale.NoFigure

// Digits is the number of decimals the currency is written with: JPY 0, USD 2, BHD 3.
func Digits(code string) int32 { return locale.Digits(code) }

// Money writes an amount with its currency's symbol and CLDR digits:
// "$49,975" and ".83"; "¥3,482,100"; "BHD 5,218" and ".375".
func Money(amount decimal.Decimal, code string) Figure { return English.Money(amount, code) }

// MoneyOrDash is Money, or "–" when there is no amount.
func MoneyOrDash(amount *decimal.Decimal, code string) Figure {
	return English.MoneyOrDash(amount, code)
}

// AxisMoney writes a round tick of an axis, short: "$2.5k", "¥120k", "€1.2m", "$500", "$0".
func AxisMoney(amount decimal.Decimal, code string) string {
	return locale.English.AxisMoney(amount, code)
}

// RoundMoney writes a round amount in full and without needless decimals: "$1,500", "$0.25".
func RoundMoney(amount decimal.Decimal, code string) string {
	return locale.English.RoundMoney(amount, code)
}
