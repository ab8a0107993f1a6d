package locale

import (
	"strconv"
	"strings"
	"sync"

	"github.com/shopspring/decimal"
	"golang.org/x/text/currency"
	"golang.org/x/text/message"
)

// Figure is a formatted number, split where the type changes weight: cents and the percent sign are
// less prominent than the rest.
type Figure struct{ Main, Muted string }

// String is the whole figure.
func (f Figure) String() string { return f.Main + f.Muted }

// NoFigure is shown if there is no number: never 0, never NaN (N20).
var NoFigure = Figure{Main: "–"}

// currencyStyle is how a currency is written: its symbol, before or after the amount, and its number of
// decimals.
type currencyStyle struct {
	prefix, suffix string
	digits         int32
}

// currencies caches look-ups. The codes come from two services, so a broken one could send many: only
// codes that CLDR knows are kept.
var currencies sync.Map // currencyKey → currencyStyle

type currencyKey struct {
	locale Locale
	code   string
}

func (l Locale) currency(code string) currencyStyle {
	if s, ok := currencies.Load(currencyKey{l, code}); ok {
		return s.(currencyStyle)
	}
	unit, err := currency.ParseISO(code)
	if err != nil {
		if code == "" {
			return currencyStyle{digits: 2}
		}
		return l.signed(code, 2)
	}
	scale, _ := currency.Standard.Rounding(unit)
	s := l.signed(message.NewPrinter(styles[l].tag).Sprint(currency.Symbol(unit)), int32(scale))
	currencies.Store(currencyKey{l, code}, s)
	return s
}

func (l Locale) signed(symbol string, digits int32) currencyStyle {
	if styles[l].behind {
		return currencyStyle{suffix: "\u00a0" + symbol, digits: digits}
	}
	if last := symbol[len(symbol)-1]; last >= 'A' && last <= 'Z' { // a code, not a symbol
		symbol += "\u00a0"
	}
	return currencyStyle{prefix: symbol, digits: digits}
}

// Digits is a currency's number of decimals: JPY 0, USD 2, BHD 3.
func Digits(code string) int32 { return English.currency(code).digits }

// Money formats an amount with its currency's symbol and CLDR digits: "$49,975.83", "49.975,83 $".
func (l Locale) Money(amount decimal.Decimal, code string) Figure {
	s := l.currency(code)
	return l.figure(amount, s.prefix, s.suffix, s.digits)
}

// MoneyOrDash is Money, or "–" without an amount.
func (l Locale) MoneyOrDash(amount *decimal.Decimal, code string) Figure {
	if amount == nil {
		return NoFigure
	}
	return l.Money(*amount, code)
}

// SignedMoney is a difference, with a sign even if it's positive: "+$12.00".
func (l Locale) SignedMoney(amount decimal.Decimal, code string) string {
	money := l.Money(amount, code).String()
	if amount.IsPositive() {
		return "+" + money
	}
	return money
}

// WholeMoney rounds to whole units of the currency: "$1,354", "1.354 $".
func (l Locale) WholeMoney(amount decimal.Decimal, code string) string {
	s := l.currency(code)
	return l.figure(amount.Round(0), s.prefix, s.suffix, 0).String()
}

// RoundMoney formats a round amount in full but without unnecessary decimals: "$1,500", "$0.25".
func (l Locale) RoundMoney(amount decimal.Decimal, code string) string {
	if amount.Equal(amount.Truncate(0)) {
		return l.WholeMoney(amount, code)
	}
	return l.Money(amount, code).String()
}

// Amount formats an amount without its symbol, for tables that show the code separately.
func (l Locale) Amount(amount decimal.Decimal, code string) Figure {
	return l.figure(amount, "", "", l.currency(code).digits)
}

// AxisMoney formats a round amount in short form: "$2.5k", "2,5 Tsd. $".
func (l Locale) AxisMoney(amount decimal.Decimal, code string) string {
	s := l.currency(code)
	return s.prefix + l.AxisNumber(amount) + s.suffix
}

// AxisNumber formats a round number in short form: "2.5k", "2,5 Tsd.".
func (l Locale) AxisNumber(number decimal.Decimal) string {
	s := styles[l]
	short := func(d decimal.Decimal) string { return strings.Replace(d.String(), ".", s.point, 1) }
	for _, step := range []struct {
		exp  int32
		word string
	}{{9, s.billions}, {6, s.millions}, {3, s.thousands}} {
		if number.Abs().GreaterThanOrEqual(decimal.New(1, step.exp)) {
			return short(number.Shift(-step.exp).Round(2)) + step.word
		}
	}
	return short(number)
}

func (l Locale) figure(amount decimal.Decimal, prefix, suffix string, digits int32) Figure {
	text := amount.StringFixed(digits)
	sign := ""
	if text[0] == '-' {
		text = text[1:]
		if strings.Trim(text, "0.") != "" {
			sign = "−"
		}
	}
	whole, rest, found := strings.Cut(text, ".")
	if found {
		rest = styles[l].point + rest
	}
	return Figure{Main: sign + prefix + l.group(whole), Muted: rest + suffix}
}

// group puts a separator before every third digit from the right.
func (l Locale) group(digits string) string {
	if len(digits) < styles[l].grouped {
		return digits
	}
	var out strings.Builder
	for i := range len(digits) {
		if i > 0 && (len(digits)-i)%3 == 0 {
			out.WriteString(styles[l].comma)
		}
		out.WriteByte(digits[i])
	}
	return out.String()
}

// Count formats a whole number with separators: "1,204,882", "1.204.882".
func (l Locale) Count(n int64) string {
	if n < 0 {
		return "−" + l.group(strings.TrimPrefix(strconv.FormatInt(n, 10), "-"))
	}
	return l.group(strconv.FormatInt(n, 10))
}

// CountOrDash is Count, or "–" without a number.
func (l Locale) CountOrDash(n *int64) string {
	if n == nil {
		return NoFigure.Main
	}
	return l.Count(*n)
}

// Decimal formats a number as it was reported, with all its decimals: for values without a stated unit
// (N19) and for counts that arrive as decimals.
func (l Locale) Decimal(d decimal.Decimal) string {
	return l.figure(d, "", "", max(0, -d.Exponent())).String()
}

// Share formats a fraction as a percentage with one decimal: "14.3%", "14,3 %"; "–" without one (N20).
func (l Locale) Share(fraction *decimal.Decimal) Figure {
	if fraction == nil {
		return NoFigure
	}
	percent := fraction.Shift(2)
	return l.Percent(&percent)
}

// Percent formats a number that already is a percentage, as reported: it isn't multiplied by a hundred
// again (N48). Without a number it's "–" (N47).
func (l Locale) Percent(percent *decimal.Decimal) Figure {
	if percent == nil {
		return NoFigure
	}
	return l.percent(*percent, 1)
}

// SentPercent formats a percentage with the decimals it was sent with: "15%", "12,5 %".
func (l Locale) SentPercent(percent decimal.Decimal) string {
	return l.Decimal(percent) + styles[l].percent
}

func (l Locale) percent(percent decimal.Decimal, digits int32) Figure {
	return Figure{Main: l.figure(percent, "", "", digits).String(), Muted: styles[l].percent}
}

// ParseNumber parses a number as people write it in the language, with or without separators:
// "1,204.50", "1.204,50". Spaces separate in every language. Anything else is refused, because "1.204"
// means a different number in German than in English.
func (l Locale) ParseNumber(text string) (decimal.Decimal, bool) {
	whole, fraction, found := strings.Cut(text, styles[l].point)
	for _, space := range []string{" ", "\u00a0", "\u202f"} {
		whole = strings.ReplaceAll(whole, space, styles[l].comma)
	}
	groups := strings.Split(whole, styles[l].comma)
	for i, g := range groups {
		if !digitsOnly(g) || i > 0 && len(g) != 3 || i == 0 && len(groups) > 1 && len(g) > 3 {
			return decimal.Zero, false
		}
	}
	if found && !digitsOnly(fraction) {
		return decimal.Zero, false
	}
	d, err := decimal.NewFromString(strings.Join(groups, "") + "." + fraction + "0")
	return d, err == nil
}

func digitsOnly(s string) bool { return s != "" && len(s) < 20 && strings.Trim(s, "0123456789") == "" }
