// Package answers says what happened to a store's upsold value between two windows, and why: a verdict
// in one sentence, what the change is made of, what moved most, and which start or end of an offer or
// campaign explains it. It claims nothing without evidence. Amounts are decimal; only weights and
// significance tests are float64. The package does no I/O.
package answers

import (
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/overview"
)

// Input is what an answer is made from. Only Choice and Summary are required; without the rest, the
// answer says less.
type Input struct {
	Choice report.Choice
	// Summary is the chosen window's, with Previous.
	Summary overview.Summary
	// Placements are those of both windows, each row with Previous. They are never added up.
	Placements overview.PlacementStats
	// Top and TopBefore are the rankings of the two windows; nil if they weren't read.
	Top, TopBefore *overview.TopOffers
	// Days are whole days of the store, PlacementDays of its placements: both windows plus 14 days
	// before and after, as far as stored. Any order.
	Days          []report.StoredSummary
	PlacementDays []report.StoredStat
	// Offers are the days of the offers in Events. If a complete ranking doesn't have an offer, it
	// earned nothing that day (N16).
	Offers report.StoredOfferDays
	// Events are the starts and ends within the window. EventsBefore are those of offers within the
	// comparison window: they may say why an offer moved, never why the store did.
	Events, EventsBefore []report.Event
	// Within limits the days that the answer may reveal; nil for all.
	Within *report.Window
}

// Answer is everything known about the change between two windows.
type Answer struct {
	Verdict Verdict
	Drivers Drivers
	Movers  Movers
	// Placements sums up how the placements changed; may be empty.
	Placements locale.Sentences
	// Events are the starts and ends within the window, oldest first.
	Events []BeforeAfter
	// Explains is the one of Events that explains the change; nil if none does.
	Explains *BeforeAfter
}

// New works out what happened between the window and its comparison, and why.
func New(in Input) Answer {
	h := read(in)
	a := Answer{Drivers: divide(in), Events: h.events()}
	a.Movers = movers(in)
	a.Placements = ofPlacements(in, a.Movers)
	a.Explains = h.explains(a.Events)
	a.Verdict = verdict(in, a, h.driver())
	return a
}

// compared returns the two summaries; ok is false if they can't be compared.
func compared(in Input) (now, before overview.Summary, ok bool) {
	p := in.Summary.Comparable()
	if p == nil {
		return in.Summary, overview.Summary{}, false
	}
	return in.Summary, *p, true
}

// doubted: days changed and are being pulled again, or don't add up. The change may not be real, so no
// reason is given for it (N61).
func doubted(s overview.Summary) bool {
	return s.Provenance.Has(report.FlagChanged) || s.Provenance.Has(report.FlagDrift)
}
