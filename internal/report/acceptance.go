package report

import (
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
)

// RateUnit is what the numbers of acceptanceRate are. The service's documents don't say (N19).
type RateUnit string

// The units.
const (
	UnitUnknown  RateUnit = "unknown"
	UnitFraction RateUnit = "fraction" // 0.155 is 15.5%
	UnitPercent  RateUnit = "percent"  // 15.5 is 15.5%
)

// Acceptance writes an acceptance rate: as a percentage where its unit is proven, else as reported.
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

// unitMargin is how far the views that the rates imply may be from the placement's own. The
// two readings are 100 apart, so half of that way is ten. Views of a placement may lack
// later upsells of a funnel, and were counted at another minute than the ranking.
const unitMargin = 10

// acceptanceUnit tells the unit from a ranking and the placements' views of the same
// window: claims ÷ rate is how often an offer was seen, and offers can't have been seen
// much more often than their whole placement. A unit is proven where the other one is
// impossible somewhere, and it is possible everywhere.
func acceptanceUnit(rows []TopRow, stats []StoredStat) RateUnit {
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

// seenIfFractions is how often a placement's offers were seen, at least, if their rates are
// fractions. below is false where a rate is above 1, as no fraction is. A rate was
// rounded: it may be half a unit of its last digit larger or smaller.
func seenIfFractions(rows []TopRow, p Placement) (seen decimal.Decimal, below bool) {
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

// statsOfTop are the placements' rows of exactly a ranking's window.
func (b Builder) statsOfTop(w Window) []StoredStat {
	var out []StoredStat
	for _, s := range b.In.StatWindows {
		if s.Window == w {
			out = append(out, s)
		}
	}
	return out
}
