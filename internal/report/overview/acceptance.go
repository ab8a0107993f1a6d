package overview

import (
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// RateUnit is the unit of acceptanceRate. The service's documents don't say which it is (N19).
type RateUnit string

const (
	UnitUnknown  RateUnit = "unknown"
	UnitFraction RateUnit = "fraction" // 0.155 is 15.5%
	UnitPercent  RateUnit = "percent"  // 15.5 is 15.5%
)

// Acceptance writes an acceptance rate: as a percentage once its unit is proven, otherwise as reported.
func (u RateUnit) Acceptance(l locale.Locale, rate *decimal.Decimal) locale.Figure {
	switch {
	case rate == nil:
		return locale.NoFigure
	case u == UnitFraction:
		return l.Share(rate)
	case u == UnitPercent:
		d := rate.Round(1)
		return l.Percent(&d)
	}
	return locale.Figure{Main: l.Decimal(*rate)}
}

// Proven reports whether the unit is known.
func (u RateUnit) Proven() bool { return u == UnitFraction || u == UnitPercent }

// unitMargin is how far the views implied by the rates may be off from the placement's own. The two
// readings differ by a factor of 100, so ten is halfway. A placement's views may miss the later upsells
// of a funnel, and they were counted at a different minute than the ranking.
const unitMargin = 10

// acceptanceUnit works out the unit from a ranking and the placements' views in the same window: claims
// ÷ rate is how often an offer was seen, and offers can't be seen much more often than their whole
// placement. A unit is proven if it fits every placement and the other one is impossible in at least
// one.
func acceptanceUnit(rows []report.TopRow, stats []report.StoredStat) RateUnit {
	fraction, percent := true, true
	for _, s := range stats {
		seen, below := seenIfFractions(rows, s.Placement)
		if seen.IsZero() || s.Impressions <= 0 {
			continue
		}
		most := decimal.NewFromInt(s.Impressions * unitMargin)
		fraction = fraction && below && seen.LessThanOrEqual(most)
		percent = percent && seen.Shift(2).LessThanOrEqual(most)
	}
	switch {
	case fraction && !percent:
		return UnitFraction
	case percent && !fraction:
		return UnitPercent
	}
	return UnitUnknown
}

// seenIfFractions is how often a placement's offers were seen, at minimum, if their rates are
// fractions. below is false if a rate is above 1, since a fraction can't be. Rates are rounded: the
// true one may be off by half a unit of the last digit.
func seenIfFractions(rows []report.TopRow, p report.Placement) (seen decimal.Decimal, below bool) {
	below = true
	for _, r := range rows {
		if r.Placement != p || r.Claims == nil || *r.Claims <= 0 || r.AcceptanceRate == nil || !r.AcceptanceRate.IsPositive() {
			continue
		}
		half := decimal.New(5, min(r.AcceptanceRate.Exponent(), 0)-1)
		seen = seen.Add(decimal.NewFromInt(*r.Claims).DivRound(r.AcceptanceRate.Add(half), 4))
		below = below && r.AcceptanceRate.Sub(half).LessThan(decimal.NewFromInt(1))
	}
	return seen, below
}

// statsOfTop returns the placements' rows for exactly the ranking's window.
func (b Builder) statsOfTop(w report.Window) []report.StoredStat {
	var out []report.StoredStat
	for _, s := range b.In.StatWindows {
		if s.Window == w {
			out = append(out, s)
		}
	}
	return out
}
