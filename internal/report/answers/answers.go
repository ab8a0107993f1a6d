// Package answers says what happened to a store's upsold value between two windows, and why:
// a verdict in one sentence, what the change is made of, what moved most, and which start or
// end of an offer or campaign explains it. It says nothing it has no evidence for. Amounts
// are decimal; only weights and tests of chance are float64. It reads nothing and writes
// nothing.
package answers

import "github.com/storeglass/storeglass/internal/report"

// Input is what an answer is made from. Only Choice and Summary are needed: without the
// rest the answer says less.
type Input struct {
	Choice report.Choice
	// Summary is the chosen window's, with Previous.
	Summary report.Summary
	// Placements are those of both windows, each row with Previous. They are never added up.
	Placements report.PlacementStats
	// Top and TopBefore are the rankings of the two windows; nil where they were not read.
	Top, TopBefore *report.TopOffers
	// Days are whole days of the store, and PlacementDays of its placements: both windows,
	// and 14 days before and after them where they are stored. Any order.
	Days          []report.StoredSummary
	PlacementDays []report.StoredStat
	// Offers are the days of the offers that Events name: one that a whole ranking leaves out
	// earned nothing that day (N16).
	Offers report.StoredOfferDays
	Events []report.Event
	// Within are the only days that may be told of; nil for all.
	Within *report.Window
}

// Answer is everything that is known of the change between two windows.
type Answer struct {
	Verdict Verdict
	Drivers Drivers
	Movers  Movers
	// Events are the starts and ends within the window, the oldest first.
	Events []BeforeAfter
	// Explains is the one of Events that explains the change; nil where none does.
	Explains *BeforeAfter
}

// New answers what happened between the window and the one it is compared with, and why.
func New(in Input) Answer {
	h := read(in)
	a := Answer{Drivers: divide(in), Events: h.events()}
	a.Movers = movers(in)
	a.Explains = h.explains(a.Events)
	a.Verdict = verdict(in, a, h.driver())
	return a
}

// compared are the two summaries if they may be compared.
func compared(in Input) (now, before report.Summary, ok bool) {
	p := in.Summary.Comparable()
	if p == nil {
		return in.Summary, report.Summary{}, false
	}
	return in.Summary, *p, true
}

// doubted: days changed and are being pulled again, or don't add up. No reason is given for
// a change that may not have happened (N61).
func doubted(s report.Summary) bool {
	return s.Provenance.Has(report.FlagChanged) || s.Provenance.Has(report.FlagDrift)
}
