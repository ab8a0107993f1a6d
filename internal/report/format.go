package report

import (
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// Count writes a whole number with thousands separators: "1,204,882".
func Count(n int64) string {
	if n < 0 {
		return "−" + group(strings.TrimPrefix(strconv.FormatInt(n, 10), "-"))
	}
	return group(strconv.FormatInt(n, 10))
}

// CountOrDash is Count, or "–" when there is no number.
func CountOrDash(n *int64) string {
	if n == nil {
		return "–"
	}
	return Count(*n)
}

// Decimal writes a number as it was reported, with thousands separators and
// all of its decimals: for values whose unit is not stated (N19) and for counts
// that come as decimals.
func Decimal(d decimal.Decimal) string {
	return figure(d, "", max(0, -d.Exponent())).String()
}

// Share writes a fraction as a percentage with one decimal: 0.1426 is "14.3" and
// "%". Without a fraction it is "–" (N20).
func Share(fraction *decimal.Decimal) Figure {
	if fraction == nil {
		return NoFigure
	}
	return Figure{Main: figure(fraction.Shift(2), "", 1).String(), Muted: "%"}
}

// Percent writes a number that is a percentage already, as reported: no second
// times hundred (N48). Without a number it is "–" (N47).
func Percent(percent *decimal.Decimal) Figure {
	if percent == nil {
		return NoFigure
	}
	return Figure{Main: figure(*percent, "", 1).String(), Muted: "%"}
}

// Direction is the way a number moved.
type Direction string

// The directions; the last three have no amount.
const (
	Up          Direction = "up"
	Down        Direction = "down"
	Level       Direction = "level"        // "= no change"
	NoBaseline  Direction = "no_baseline"  // it was zero before (N46)
	NotCompared Direction = "not_compared" // there is nothing to compare with
	NoNumber    Direction = "none"         // "–": there is no number of now
)

// Delta is a change in words.
type Delta struct {
	Direction Direction
	// Amount is "12.4%" or "0.6 points"; Word "more", "less", "higher", "lower",
	// "no change", "no baseline", "not compared" or "–".
	Amount, Word string
}

// String is the delta in words: "↑ 12.4% more".
func (d Delta) String() string {
	switch d.Direction {
	case Up:
		return "↑ " + d.Amount + " " + d.Word
	case Down:
		return "↓ " + d.Amount + " " + d.Word
	case Level:
		return "= " + d.Word
	}
	return d.Word
}

var tenth = decimal.New(1, -1)

// Change compares two amounts: the relative change in percent. A zero before
// and something now has no baseline.
func Change(now, before *decimal.Decimal) Delta {
	switch {
	case now == nil:
		return Delta{NoNumber, "", "–"}
	case before == nil:
		return Delta{NotCompared, "", "not compared"}
	case now.Equal(*before):
		return Delta{Level, "", "no change"}
	case before.IsZero():
		return Delta{NoBaseline, "", "no baseline"}
	}
	percent := now.Sub(*before).Shift(2).DivRound(before.Abs(), 4)
	return changed(percent, now.GreaterThan(*before), "%", "more", "less")
}

// ChangeCount compares two counts.
func ChangeCount(now, before *int64) Delta {
	return Change(asDecimal(now), asDecimal(before))
}

func asDecimal(n *int64) *decimal.Decimal {
	if n == nil {
		return nil
	}
	d := decimal.NewFromInt(*n)
	return &d
}

// ChangePoints compares two fractions: the difference in percentage points.
func ChangePoints(now, before *decimal.Decimal) Delta {
	switch {
	case now == nil:
		return Delta{NoNumber, "", "–"}
	case before == nil:
		return Delta{NotCompared, "", "not compared"}
	case now.Equal(*before):
		return Delta{Level, "", "no change"}
	}
	return changed(now.Sub(*before).Shift(2), now.GreaterThan(*before), " points", "higher", "lower")
}

// ReportedChange is a change the service gave in percent, not recomputed. nil
// means that the window before was zero: "no baseline", not 0 % (N46). higher
// chooses the words for a rate.
func ReportedChange(percent *decimal.Decimal, higher bool) Delta {
	switch {
	case percent == nil:
		return Delta{NoBaseline, "", "no baseline"}
	case percent.IsZero():
		return Delta{Level, "", "no change"}
	case higher:
		return changed(*percent, percent.IsPositive(), "%", "higher", "lower")
	}
	return changed(*percent, percent.IsPositive(), "%", "more", "less")
}

func changed(amount decimal.Decimal, up bool, unit, more, less string) Delta {
	d := Delta{Down, "", less}
	if up {
		d.Direction, d.Word = Up, more
	}
	switch size := amount.Abs().Round(1); {
	case size.LessThan(tenth): // it did change: "0.0%" would say that it did not
		d.Amount = "under 0.1" + unit
	case unit == " points" && size.Equal(decimal.NewFromInt(1)):
		d.Amount = "1.0 point"
	case size.Exponent() < 0 && size.GreaterThanOrEqual(decimal.NewFromInt(1000)):
		d.Amount = figure(size, "", 0).String() + unit
	default:
		d.Amount = figure(size, "", 1).String() + unit
	}
	return d
}

// Age says how long ago then was: "just now", "12 minutes ago", "3 hours ago", "9 days ago".
func Age(now, then time.Time) string {
	if then.IsZero() {
		return "never"
	}
	switch d := now.Sub(then); {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return ago(int(d/time.Minute), "minute")
	case d < 48*time.Hour:
		return ago(int(d/time.Hour), "hour")
	default:
		return ago(int(d/(24*time.Hour)), "day")
	}
}

func ago(n int, unit string) string {
	if n == 1 {
		return "1 " + unit + " ago"
	}
	return strconv.Itoa(n) + " " + unit + "s ago"
}

// ClockWords names the clock of an IANA zone: "New York time", "UTC".
func ClockWords(timezone string) string {
	if timezone == "" || timezone == "UTC" || strings.HasPrefix(timezone, "Etc/") {
		return "UTC"
	}
	city := timezone[strings.LastIndexByte(timezone, '/')+1:]
	return strings.ReplaceAll(city, "_", " ") + " time"
}

// BasisWords is the basis as the window label says it.
func BasisWords(b Basis) string {
	switch b {
	case Reported:
		return "as reported"
	case Stitched:
		return "stitched"
	case Derived:
		return "derived"
	}
	return "not reported"
}

// Plural is "1 offer" or "5 offers", with thousands separators.
func Plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Count(n) + " " + many
}
