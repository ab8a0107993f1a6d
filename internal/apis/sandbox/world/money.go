package world

import (
	"encoding/json"

	"github.com/shopspring/decimal"
)

// Amount writes minor units as a JSON number with exact decimals and without trailing zeros: 4997580 at 2 digits is 49975.8.
func Amount(minor int64, digits int) json.Number { return Quotient(minor, 1, digits, 0) }

// Quotient divides an amount in units of 10^-digits by a count, and rounds half away from zero to that many digits
// more; 0 if the count is 0.
func Quotient(amount, count int64, digits, more int) json.Number {
	if count == 0 {
		return "0"
	}
	out := decimal.New(amount, int32(-digits)).DivRound(decimal.NewFromInt(count), int32(digits+more))
	return json.Number(out.String())
}
