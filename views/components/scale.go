package components

import (
	"strconv"

	"github.com/shopspring/decimal"
)

// permille scales a value to 0–1000 of top, for drawing only: no number that is
// shown passes through here.
func permille(v, top decimal.Decimal) int {
	if !top.IsPositive() || !v.IsPositive() {
		return 0
	}
	n := v.Shift(3).DivRound(top, 0).IntPart()
	return int(min(max(n, 0), 1000))
}

// appendTenths writes n/10 with one decimal and no needless zero: 123 is "12.3".
func appendTenths(b []byte, n int) []byte {
	b = strconv.AppendInt(b, int64(n/10), 10)
	if n%10 != 0 {
		b = append(b, '.', byte('0'+n%10))
	}
	return b
}
