package answers

import (
	"math"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/overview"
)

// Drivers split the change in upsold value among its factors: store orders × success rate × average
// upsold value.
type Drivers struct {
	// Reason says why the change isn't split; only then are the parts zero.
	Reason   Reason
	Currency string
	// Before and After are the upsold values in their currency's digits, Change is the difference.
	Before, After, Change decimal.Decimal
	// Orders, Rate and Value are the parts as amounts. They add up to exactly Change.
	Orders, Rate, Value Driver
	// PerDay is set if the two windows differ in length.
	PerDay *PerDay
}

// Driver is one factor and its part of the change.
type Driver struct {
	// Before and After are a number of store orders, a fraction or an amount.
	Before, After decimal.Decimal
	// Part is how much of the change it accounts for, in the currency.
	Part decimal.Decimal
}

// PerDay is the upsold value per day in two windows of different lengths.
type PerDay struct {
	DaysBefore, DaysAfter int
	Before, After         decimal.Decimal
}

// Reason says why a change isn't split; empty if it is.
type Reason string

const (
	Divided Reason = ""
	// NoComparison: there is no second window, or nothing is stored for it.
	NoComparison Reason = "no_comparison"
	// Incomplete: one window's days are missing or not over.
	Incomplete Reason = "incomplete"
	// Currencies: the two windows have different currencies (N34).
	Currencies Reason = "currencies"
	// NothingSold: in neither window. NothingBefore and NothingAfter: in one of them, which then has no
	// average, and the change is all or nothing.
	NothingSold   Reason = "nothing_sold"
	NothingBefore Reason = "nothing_before"
	NothingAfter  Reason = "nothing_after"
	// Contradictory: an amount without orders, or a negative one.
	Contradictory Reason = "contradictory"
)

// In says why there are no parts; empty if there are.
func (r Reason) In(l locale.Locale) string {
	if r == Divided {
		return ""
	}
	return l.T("answers.undivided." + string(r))
}

// undivided says why the two windows' change can't be split.
func undivided(in Input) Reason {
	now, p := in.Summary, in.Summary.Previous
	switch {
	case now.Empty != nil || p == nil || p.Empty != nil:
		return NoComparison
	case now.Currency != p.Currency:
		return Currencies
	case now.Comparable() == nil:
		return Incomplete
	}
	before, after := sold(*p), sold(now)
	switch {
	case before == contradictory || after == contradictory:
		return Contradictory
	case before == nothing && after == nothing:
		return NothingSold
	case before == nothing:
		return NothingBefore
	case after == nothing:
		return NothingAfter
	}
	return Divided
}

const (
	contradictory = iota
	nothing
	something
)

func sold(s overview.Summary) int {
	switch v := s.TotalUpsoldValue; {
	case v.IsZero() && s.TotalUpsoldOrders == 0 && s.TotalOrders >= 0:
		return nothing
	case !v.IsPositive() || s.TotalUpsoldOrders <= 0 || s.TotalOrders <= 0:
		return contradictory
	}
	return something
}

// divide gives each factor its share of the change by logarithms: with value V, and L the logarithmic
// mean of both values, the part of a factor f is L × ln(f after / f before). The parts add up to the
// change except for rounding. Orders and average are rounded to the currency's digits, and the success
// rate gets the remainder.
func divide(in Input) Drivers {
	d := Drivers{Reason: undivided(in)}
	if d.Reason == NoComparison || d.Reason == Currencies {
		return d
	}
	now, before := in.Summary, *in.Summary.Previous
	digits := locale.Digits(now.Currency)
	d.Currency = now.Currency
	d.Before, d.After = before.TotalUpsoldValue.Round(digits), now.TotalUpsoldValue.Round(digits)
	d.Change = d.After.Sub(d.Before)
	d.PerDay = perDay(now, before, digits)
	d.Orders = Driver{Before: decimal.NewFromInt(before.TotalOrders), After: decimal.NewFromInt(now.TotalOrders)}
	d.Rate = Driver{Before: value(before.UpsellSuccessRate), After: value(now.UpsellSuccessRate)}
	d.Value = Driver{Before: value(before.AverageUpsoldValue), After: value(now.AverageUpsoldValue)}
	if d.Reason != Divided {
		return d
	}
	v0, v1 := before.TotalUpsoldValue.InexactFloat64(), now.TotalUpsoldValue.InexactFloat64()
	u0, u1 := float64(before.TotalUpsoldOrders), float64(now.TotalUpsoldOrders)
	mean := logMean(v1 / v0) // as a multiple of the earlier value
	orders := mean * math.Log(float64(now.TotalOrders)/float64(before.TotalOrders))
	average := mean * (math.Log(v1/v0) - math.Log(u1/u0))
	if !finite(orders) || !finite(average) {
		d.Reason = Contradictory
		return d
	}
	d.Orders.Part = before.TotalUpsoldValue.Mul(decimal.NewFromFloat(orders)).Round(digits)
	d.Value.Part = before.TotalUpsoldValue.Mul(decimal.NewFromFloat(average)).Round(digits)
	d.Rate.Part = d.Change.Sub(d.Orders.Part).Sub(d.Value.Part)
	return d
}

func perDay(now, before overview.Summary, digits int32) *PerDay {
	w, v := now.Provenance.Window, before.Provenance.Window
	if w == nil || v == nil || w.Days() == v.Days() || now.Comparable() == nil {
		return nil
	}
	return &PerDay{
		DaysBefore: v.Days(), DaysAfter: w.Days(),
		Before: before.TotalUpsoldValue.DivRound(decimal.NewFromInt(int64(v.Days())), digits),
		After:  now.TotalUpsoldValue.DivRound(decimal.NewFromInt(int64(w.Days())), digits),
	}
}

// logMean is the logarithmic mean of 1 and r.
func logMean(r float64) float64 {
	if math.Abs(r-1) < 1e-6 { // the quotient loses precision here
		return 1 + (r-1)/2
	}
	return (r - 1) / math.Log(r)
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

func value(d *decimal.Decimal) decimal.Decimal {
	if d == nil {
		return decimal.Zero
	}
	return *d
}
