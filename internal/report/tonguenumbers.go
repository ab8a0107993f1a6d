package report

import (
	"strconv"
	"strings"
	"sync"

	"github.com/shopspring/decimal"
	"golang.org/x/text/currency"
	"golang.org/x/text/message"
)

// style is how one currency is written, after CLDR: its symbol, before or behind the
// amount, and its number of decimals.
type style struct {
	prefix, suffix string
	digits         int32
}

// styles caches the look-ups; currency codes come from two services, so a
// broken one could send many: it keeps only codes that CLDR knows.
var styles sync.Map // styleKey → style

type styleKey struct {
	tongue Tongue
	code   string
}

func (t Tongue) style(code string) style {
	if s, ok := styles.Load(styleKey{t, code}); ok {
		return s.(style)
	}
	unit, err := currency.ParseISO(code)
	if err != nil {
		if code == "" {
			return style{digits: 2}
		}
		return t.signed(code, 2)
	}
	scale, _ := currency.Standard.Rounding(unit)
	s := t.signed(message.NewPrinter(tongues[t].tag).Sprint(currency.Symbol(unit)), int32(scale))
	styles.Store(styleKey{t, code}, s)
	return s
}

func (t Tongue) signed(symbol string, digits int32) style {
	if tongues[t].behind {
		return style{suffix: "\u00a0" + symbol, digits: digits}
	}
	if last := symbol[len(symbol)-1]; last >= 'A' && last <= 'Z' { // a code, not a sign
		symbol += "\u00a0"
	}
	return style{prefix: symbol, digits: digits}
}

// Money writes an amount with its currency's symbol and CLDR digits: "$49,975.83",
// "49.975,83 $".
func (t Tongue) Money(amount decimal.Decimal, code string) Figure {
	s := t.style(code)
	return t.figure(amount, s.prefix, s.suffix, s.digits)
}

// MoneyOrDash is Money, or "–" when there is no amount.
func (t Tongue) MoneyOrDash(amount *decimal.Decimal, code string) Figure {
	if amount == nil {
		return NoFigure
	}
	return t.Money(*amount, code)
}

// WholeMoney rounds to whole units of the currency: "$1,354", "1.354 $".
func (t Tongue) WholeMoney(amount decimal.Decimal, code string) string {
	s := t.style(code)
	return t.figure(amount.Round(0), s.prefix, s.suffix, 0).String()
}

// Amount writes an amount without its symbol, for tables that name the code beside it.
func (t Tongue) Amount(amount decimal.Decimal, code string) Figure {
	return t.figure(amount, "", "", t.style(code).digits)
}

// AxisMoney writes a round amount short: "$2.5k", "2,5 Tsd. $".
func (t Tongue) AxisMoney(amount decimal.Decimal, code string) string {
	s, l := t.style(code), tongues[t]
	short := func(d decimal.Decimal) string { return s.prefix + strings.Replace(d.String(), ".", l.point, 1) }
	for _, step := range []struct {
		exp  int32
		word string
	}{{9, l.billions}, {6, l.millions}, {3, l.thousands}} {
		if amount.Abs().GreaterThanOrEqual(decimal.New(1, step.exp)) {
			return short(amount.Shift(-step.exp).Round(2)) + step.word + s.suffix
		}
	}
	return short(amount) + s.suffix
}

func (t Tongue) figure(amount decimal.Decimal, prefix, suffix string, digits int32) Figure {
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
		rest = tongues[t].point + rest
	}
	return Figure{Main: sign + prefix + t.group(whole), Muted: rest + suffix}
}

// group sets a separator before every third digit from the right.
func (t Tongue) group(digits string) string {
	if len(digits) < tongues[t].grouped {
		return digits
	}
	var out strings.Builder
	for i := range len(digits) {
		if i > 0 && (len(digits)-i)%3 == 0 {
			out.WriteString(tongues[t].comma)
		}
		out.WriteByte(digits[i])
	}
	return out.String()
}

// Count writes a whole number with separators: "1,204,882", "1.204.882".
func (t Tongue) Count(n int64) string {
	if n < 0 {
		return "−" + t.group(strings.TrimPrefix(strconv.FormatInt(n, 10), "-"))
	}
	return t.group(strconv.FormatInt(n, 10))
}

// Decimal writes a number as it was reported, with all of its decimals.
func (t Tongue) Decimal(d decimal.Decimal) string {
	return t.figure(d, "", "", max(0, -d.Exponent())).String()
}

// Share writes a fraction as a percentage with one decimal: "14.3%", "14,3 %"; "–"
// without one (N20).
func (t Tongue) Share(fraction *decimal.Decimal) Figure {
	if fraction == nil {
		return NoFigure
	}
	percent := fraction.Shift(2)
	return t.Percent(&percent)
}

// Percent writes a number that is a percentage already, as reported: no second
// times hundred (N48). Without a number it is "–" (N47).
func (t Tongue) Percent(percent *decimal.Decimal) Figure {
	if percent == nil {
		return NoFigure
	}
	return t.percent(*percent, 1)
}

func (t Tongue) percent(percent decimal.Decimal, digits int32) Figure {
	return Figure{Main: t.figure(percent, "", "", digits).String(), Muted: tongues[t].percent}
}

// mostDigits is how many decimals a percentage has at most.
const mostDigits = 4

// ComparePercents writes two numbers that are percentages already with as many
// decimals as tell them apart, and their difference in points: 3.44% was 3.42%, 0.02
// points higher.
func (t Tongue) ComparePercents(now, before decimal.Decimal) (is, was Figure, change Delta) {
	digits, moved := int32(1), now.Sub(before)
	for digits < mostDigits && !moved.IsZero() && (moved.Round(digits).IsZero() || now.Round(digits).Equal(before.Round(digits))) {
		digits++
	}
	w := t.Words()
	if change = (Delta{Level, "", w.NoChange()}); !moved.IsZero() {
		change = t.changedTo(digits, moved, moved.IsPositive(), true, "", "")
	}
	return t.percent(now, digits), t.percent(before, digits), change
}

// Change compares two amounts; see the function of this name.
func (t Tongue) Change(now, before *decimal.Decimal) Delta {
	w := t.Words()
	switch {
	case now == nil:
		return Delta{NoNumber, "", "–"}
	case before == nil:
		return Delta{NotCompared, "", w.NotCompared()}
	case now.Equal(*before):
		return Delta{Level, "", w.NoChange()}
	case before.IsZero():
		return Delta{NoBaseline, "", w.NoBaseline()}
	}
	percent := now.Sub(*before).Shift(2).DivRound(before.Abs(), 4)
	return t.changed(percent, now.GreaterThan(*before), false, w.More(), w.Less())
}

// ChangeCount compares two counts: fewer orders, where an amount is less.
func (t Tongue) ChangeCount(now, before *int64) Delta {
	return t.counted(t.Change(asDecimal(now), asDecimal(before)))
}

// counted is the change of a count.
func (t Tongue) counted(d Delta) Delta {
	if d.Direction == Down {
		d.Word = t.Words().Fewer()
	}
	return d
}

func asDecimal(n *int64) *decimal.Decimal {
	if n == nil {
		return nil
	}
	d := decimal.NewFromInt(*n)
	return &d
}

// ChangePoints compares two fractions: the difference in percentage points.
func (t Tongue) ChangePoints(now, before *decimal.Decimal) Delta {
	w := t.Words()
	switch {
	case now == nil:
		return Delta{NoNumber, "", "–"}
	case before == nil:
		return Delta{NotCompared, "", w.NotCompared()}
	case now.Equal(*before):
		return Delta{Level, "", w.NoChange()}
	}
	return t.changed(now.Sub(*before).Shift(2), now.GreaterThan(*before), true, "", "")
}

// ReportedChange is a change the service gave; see the function of this name.
func (t Tongue) ReportedChange(percent *decimal.Decimal) Delta {
	w := t.Words()
	switch {
	case percent == nil:
		return Delta{NoBaseline, "", w.NoBaseline()}
	case percent.IsZero():
		return Delta{Level, "", w.NoChange()}
	}
	return t.changed(*percent, percent.IsPositive(), false, w.More(), w.Less())
}

// ReportedCountChange is ReportedChange of a count.
func (t Tongue) ReportedCountChange(percent *decimal.Decimal) Delta {
	return t.counted(t.ReportedChange(percent))
}

// ReportedRateChange is the change of a reported rate in percentage points: its own change
// in percent would read as a second rate ("8.0%, 8.8% lower").
func (t Tongue) ReportedRateChange(m GiftMetric) Delta {
	if m.Value == nil || m.Previous == nil || m.ChangePercent == nil {
		d := t.ChangePoints(m.Value, nil)
		if m.Value != nil && m.ChangePercent == nil { // the window before was zero (N46)
			d = t.ReportedChange(nil)
		}
		return d
	}
	_, _, d := t.ComparePercents(*m.Value, *m.Previous)
	return d
}

// changed is a change by so many percent or points.
func (t Tongue) changed(amount decimal.Decimal, up, points bool, more, less string) Delta {
	return t.changedTo(1, amount, up, points, more, less)
}

func (t Tongue) changedTo(digits int32, amount decimal.Decimal, up, points bool, more, less string) Delta {
	d := Delta{Down, "", less}
	if up {
		d.Direction, d.Word = Up, more
	}
	unit := func(size string) string {
		if points {
			return t.Words().Points(size, false)
		}
		return size + tongues[t].percent
	}
	least := decimal.New(1, -digits)
	switch size := amount.Abs().Round(digits); {
	case size.LessThan(least): // it did change: "0.0%" would say that it did not
		d.Amount = t.Words().Under(unit(t.Decimal(least)))
	case points && size.Equal(decimal.NewFromInt(1)):
		d.Amount = t.Words().Points(t.figure(size, "", "", digits).String(), true)
	case size.Exponent() < 0 && size.GreaterThanOrEqual(decimal.NewFromInt(1000)):
		d.Amount = unit(t.figure(size, "", "", 0).String())
	default:
		d.Amount = unit(t.figure(size, "", "", digits).String())
	}
	if points {
		moved := t.Words().PointsMoved(d.Amount, up)
		word, behind := strings.CutPrefix(moved, d.Amount)
		if d.Word = strings.TrimSpace(word); !behind {
			d.Amount, d.Word = moved, ""
		}
	}
	return d
}
