package world

import (
	"encoding/json"
	"strconv"
)

// Amount writes minor units as a JSON number with exact decimals and without trailing zeros: 4997580 at 2 digits is 49975.8.
func Amount(minor int64, digits int) json.Number { return json.Number(Fixed(minor, digits)) }

// Quotient is a/b·scale rounded half away from zero to that many places; 0 if b is 0.
func Quotient(a, b, scale int64, places int) json.Number {
	if b == 0 {
		return "0"
	}
	for range places {
		scale *= 10
	}
	n, half := a*scale, b/2
	if n < 0 {
		half = -half
	}
	return json.Number(Fixed((n+half)/b, places))
}

// PerUnit is minor units divided by a count, as money rounded to that many digits more than the currency
// has.
func PerUnit(minor, count int64, digits, more int) json.Number {
	if count == 0 {
		return "0"
	}
	for range more {
		minor *= 10
	}
	return json.Number(Fixed((minor+count/2)/count, digits+more))
}

// Fixed writes n·10^-places in plain decimal notation.
func Fixed(n int64, places int) string {
	b := make([]byte, 0, 24)
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	unit := int64(1)
	for range places {
		unit *= 10
	}
	b = strconv.AppendInt(b, n/unit, 10)
	if rest := n % unit; rest != 0 {
		at := len(b)
		b = strconv.AppendInt(b, unit+rest, 10) // a leading 1 keeps the leading zeros
		b[at] = '.'
		for b[len(b)-1] == '0' {
			b = b[:len(b)-1]
		}
	}
	return string(b)
}
