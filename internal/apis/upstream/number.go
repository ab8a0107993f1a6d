package upstream

import (
	"errors"
	"strconv"

	"github.com/shopspring/decimal"
)

// Bounds of a number in a reply: far beyond any real shop, but small enough that no reply can
// make us compute with a billion digits.
const (
	numberText     = 64
	numberExponent = 40
)

var (
	errNumberBounds = errors.New("the number is out of bounds")
	errNotWhole     = errors.New("the number is not whole")
)

// parseDecimal reads a valid JSON number without ever using a float.
func parseDecimal(text []byte) (decimal.Decimal, error) {
	if len(text) > numberText {
		return decimal.Decimal{}, errNumberBounds
	}
	exponent, marked := 0, false
	for _, b := range text {
		switch {
		case b == 'e' || b == 'E':
			marked = true
		case marked && b >= '0' && b <= '9':
			if exponent = exponent*10 + int(b-'0'); exponent > numberExponent {
				return decimal.Decimal{}, errNumberBounds
			}
		}
	}
	number, err := decimal.NewFromString(string(text))
	if err != nil {
		return decimal.Decimal{}, errNumberBounds
	}
	return number, nil
}

// Services that add amounts in binary send 61454.01000000002 for 61,454.01, so that a window would never
// equal the sum of its days. floatDigits is how many digits such a number has at least.
const floatDigits = 15

// amountPlaces is the most decimal places that an amount can have: four, in CLF and UYW.
const amountPlaces = 4

// Amounts that cancel out leave less: 5.551115123125783e-17 for 0. A rate that small would be one order in ten
// billion views.
var (
	floatNoise = decimal.New(1, -7)
	noiseAtNil = decimal.New(1, -10)
)

// withoutNoise removes what binary addition left behind an amount. Averages and rates are further from
// an amount, so they stay as sent.
func withoutNoise(number decimal.Decimal) decimal.Decimal {
	if number.Exponent() >= -amountPlaces || number.NumDigits() < floatDigits {
		return number
	}
	amount, most := number.Round(amountPlaces), floatNoise
	if amount.IsZero() {
		most = noiseAtNil
	}
	if number.Sub(amount).Abs().GreaterThan(most) {
		return number
	}
	return amount
}

// parseInt reads a valid JSON number that is whole, in any notation.
func parseInt(text []byte) (int64, error) {
	if n, err := strconv.ParseInt(string(text), 10, 64); err == nil {
		return n, nil
	}
	number, err := parseDecimal(text)
	if err != nil {
		return 0, err
	}
	if !number.IsInteger() {
		return 0, errNotWhole
	}
	whole := number.BigInt()
	if !whole.IsInt64() {
		return 0, errNumberBounds
	}
	return whole.Int64(), nil
}
