// Package chart draws numbers as inline SVG: bars, sparklines and the ticks of an axis. It
// takes values already computed and returns markup; callers explain next to it what it means.
package chart

import (
	"math"
	"strconv"

	"github.com/shopspring/decimal"
)

// Drawn is a value as a length on the screen. It is for drawing only: displayed numbers never
// pass through it.
func Drawn(v decimal.Decimal) float64 {
	if v.NumDigits() > 15 {
		return v.InexactFloat64()
	}
	return float64(v.CoefficientInt64()) * math.Pow10(int(v.Exponent()))
}

// Permille scales a length to 0–1000 of top.
func Permille(v, top float64) int {
	if top <= 0 || v <= 0 {
		return 0
	}
	return int(min(math.Round(v*1000/top), 1000))
}

// Percent writes n/10 as a percentage without needless zero: 123 is "12.3%".
func Percent(n int) string { return strconv.FormatFloat(float64(n)/10, 'f', -1, 64) + "%" }
