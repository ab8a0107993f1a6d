package report

import (
	"strings"
	"sync"

	"github.com/shopspring/decimal"
	"golang.org/x/text/currency"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Figure is a number in words, split where the type changes weight: the cents
// and the percent sign are quieter than the rest.
type Figure struct{ Main, Muted string }

// String is the whole figure.
func (f Figure) String() string { return f.Main + f.Muted }

// NoFigure stands where there is no number: never 0, never NaN (N20).
var NoFigure = Figure{Main: "–"}

// style is how one currency is written, after CLDR: its symbol in English and
// its number of decimals.
type style struct {
	prefix string
	digits int32
	known  bool
}

// styles caches the look-ups; currency codes come from two services, so a
// broken one could send many: it keeps only codes that CLDR knows.
var styles sync.Map // string → style

func styleOf(code string) style {
	if s, ok := styles.Load(code); ok {
		return s.(style)
	}
	unit, err := currency.ParseISO(code)
	if err != nil {
		if code == "" {
			return style{digits: 2}
		}
		return style{prefix: code + "\u00a0", digits: 2}
	}
	scale, _ := currency.Standard.Rounding(unit)
	symbol := message.NewPrinter(language.English).Sprint(currency.Symbol(unit))
	s := style{prefix: symbol, digits: int32(scale), known: true}
	if last := symbol[len(symbol)-1]; last >= 'A' && last <= 'Z' { // a code, not a sign
		s.prefix += "\u00a0"
	}
	styles.Store(code, s)
	return s
}

// Digits is the number of decimals the currency is written with: JPY 0, USD 2, BHD 3.
func Digits(code string) int32 { return styleOf(code).digits }

// Money writes an amount with its currency's symbol and CLDR digits:
// "$49,975" and ".83"; "¥3,482,100"; "BHD 5,218" and ".375".
func Money(amount decimal.Decimal, code string) Figure {
	s := styleOf(code)
	return figure(amount, s.prefix, s.digits)
}

// MoneyOrDash is Money, or "–" when there is no amount.
func MoneyOrDash(amount *decimal.Decimal, code string) Figure {
	if amount == nil {
		return NoFigure
	}
	return Money(*amount, code)
}

// Amount writes an amount without its symbol, for tables that name the code beside it.
func Amount(amount decimal.Decimal, code string) Figure {
	return figure(amount, "", styleOf(code).digits)
}

func figure(amount decimal.Decimal, prefix string, digits int32) Figure {
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
		rest = "." + rest
	}
	return Figure{Main: sign + prefix + group(whole), Muted: rest}
}

// group sets a comma before every third digit from the right.
func group(digits string) string {
	if len(digits) <= 3 {
		return digits
	}
	out := make([]byte, 0, len(digits)+len(digits)/3)
	for i := range len(digits) {
		if i > 0 && (len(digits)-i)%3 == 0 {
			out = append(out, ',')
		}
		out = append(out, digits[i])
	}
	return string(out)
}

// AxisMoney writes a round tick of an axis, short: "$2.5k", "¥120k", "€1.2m", "$500", "$0".
func AxisMoney(amount decimal.Decimal, code string) string {
	s := styleOf(code)
	for _, step := range []struct {
		exp    int32
		letter string
	}{{9, "b"}, {6, "m"}, {3, "k"}} {
		if amount.Abs().GreaterThanOrEqual(decimal.New(1, step.exp)) {
			return s.prefix + amount.Shift(-step.exp).Round(2).String() + step.letter
		}
	}
	return s.prefix + amount.String()
}

// RoundMoney writes a round amount in full and without needless decimals: "$1,500", "$0.25".
func RoundMoney(amount decimal.Decimal, code string) string {
	f := Money(amount, code)
	if strings.Trim(f.Muted, ".0") == "" {
		return f.Main
	}
	return f.String()
}

// CurrencyWords names a currency as in "in US dollars"; an unnamed one is its code.
func CurrencyWords(code string) string {
	if w, ok := currencyWords[code]; ok {
		return w
	}
	return code
}

var currencyWords = map[string]string{
	"AED": "UAE dirhams", "AUD": "Australian dollars", "BHD": "Bahraini dinars", "BRL": "Brazilian reais",
	"CAD": "Canadian dollars", "CHF": "Swiss francs", "CNY": "Chinese yuan", "CZK": "Czech koruny",
	"DKK": "Danish kroner", "EUR": "euros", "GBP": "pounds sterling", "HKD": "Hong Kong dollars",
	"HUF": "Hungarian forints", "IDR": "Indonesian rupiah", "ILS": "Israeli shekels", "INR": "Indian rupees",
	"JPY": "Japanese yen", "KRW": "South Korean won", "KWD": "Kuwaiti dinars", "MXN": "Mexican pesos",
	"MYR": "Malaysian ringgit", "NOK": "Norwegian kroner", "NZD": "New Zealand dollars", "PHP": "Philippine pesos",
	"PLN": "Polish złoty", "RON": "Romanian lei", "SAR": "Saudi riyals", "SEK": "Swedish kronor",
	"SGD": "Singapore dollars", "THB": "Thai baht", "TRY": "Turkish lira", "TWD": "New Taiwan dollars",
	"USD": "US dollars", "VND": "Vietnamese dong", "ZAR": "South African rand",
}
