package report

import (
	"time"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
)

// Count writes a whole number with thousands separators: "1,204,882".
func Count(n int64) string { return English.Count(n) }

// CountOrDash is Count, or "–" when there is no number.
func CountOrDash(n *int64) string { return locale.English.CountOrDash(n) }

// Decimal writes a number as it was reported, with thousands separators and
// all of its decimals: for values whose unit is not stated (N19) and for counts
// that come as decimals.
func Decimal(d decimal.Decimal) string { return English.Decimal(d) }

// Share writes a fraction as a percentage with one decimal: 0.1426 is "14.3" and
// "%". Without a fraction it is "–" (N20).
func Share(fraction *decimal.Decimal) Figure { return English.Share(fraction) }

// Percent writes a number that is a percentage already, as reported: no second
// times hundred (N48). Without a number it is "–" (N47).
func Percent(percent *decimal.Decimal) Figure { return English.Percent(percent) }

// Direction is the way a number moved.
type Direction = locale.Direction

// The directions; the last three have no amount.
const (
	Up          = locale.Up
	Down        = locale.Down
	Level       = locale.Level       // "= no change"
	NoBaseline  = locale.NoBaseline  // it was zero before (N46)
	NotCompared = locale.NotCompared // there is nothing to compare with
	NoNumber    = locale.NoNumber    // "–": there is no number of now
)

// Delta is a change in words.
type Delta = locale.Delta

// Change compares two amounts: the relative change in percent. A zero before
// and something now has no baseline.
func Change(now, before *decimal.Decimal) Delta { return English.Change(now, before) }

// ChangeCount compares two counts.
func ChangeCount(now, before *int64) Delta { return English.ChangeCount(now, before) }

// ChangePoints compares two fractions: the difference in percentage points.
func ChangePoints(now, before *decimal.Decimal) Delta { return English.ChangePoints(now, before) }

// ReportedChange is a change the service gave in percent, not recomputed. nil
// means that the window before was zero: "no baseline", not 0 % (N46).
func ReportedChange(percent *decimal.Decimal) Delta { return English.ReportedChange(percent) }

// ReportedCountChange is ReportedChange of a count: fewer orders, where an amount is less.
func ReportedCountChange(percent *decimal.Decimal) Delta { return English.ReportedCountChange(percent) }

// ComparePercents writes two percentages with as many decimals as tell them apart,
// and their difference in points.
func ComparePercents(now, before decimal.Decimal) (is, was Figure, change Delta) {
	return English.ComparePercents(now, before)
}

// Age says how long ago then was: "just now", "12 minutes ago", "3 hours ago", "9 days ago".
func Age(now, then time.Time) string { return English.Age(now, then) }

// ClockWords names the clock of an IANA zone: "New York time", "UTC".
func ClockWords(timezone string) string { return English.Clock(timezone) }

// BasisWords is the basis as the window label says it.
func BasisWords(l locale.Locale, b Basis) string { return Tongue(l).Words().Basis(b) }

// Plural is "1 offer" or "5 offers", with thousands separators.
func Plural(n int64, one, many string) string { return English.Plural(n, one, many) }
