package plan

import (
	"slices"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
)

// HistoryEnd is the newest settled day that the service no longer keeps: it answered for
// another day, or refused that day and the one before and never answered for an older one. It
// is the zero date if there is none.
func HistoryEnd(ledger Ledger, kind Kind, today civil.Date) civil.Date {
	var end, oldestGood civil.Date
	var turnedDown []civil.Date
	for key, row := range ledger {
		d, err := civil.ParseDate(key.Subject)
		switch {
		case key.Kind != kind || err != nil || today.DaysSince(d) <= TrailingDays:
		case row.Outcome == fact.PullGood && (oldestGood == civil.Date{} || d.Before(oldestGood)):
			oldestGood = d
		case row.Outcome != fact.PullRefused || row.DueAt != nil: // a full sync asks again
		case AnsweredElsewhere(row):
			end = Later(end, d)
		default:
			turnedDown = append(turnedDown, d)
		}
	}
	return Later(end, refusedFrom(turnedDown, oldestGood))
}

// SpansEnd is the last day that the service no longer goes back to: it answered a window with a
// shorter one, or refused two windows that begin on neighboring days and every longer one. It
// is the zero date if there is none.
func SpansEnd(ledger []sqlc.Ledger) civil.Date {
	var end, oldestGood civil.Date
	var turnedDown []civil.Date
	for _, row := range ledger {
		d, err := civil.ParseDate(row.Subject)
		switch {
		case err != nil:
		case tooFarBack(row) != civil.Date{}:
			end = Later(end, tooFarBack(row))
		case turnedAway(row):
			turnedDown = append(turnedDown, d)
		case row.Outcome == fact.PullGood && (oldestGood == civil.Date{} || d.Before(oldestGood)):
			oldestGood = d
		}
	}
	return Later(end, refusedFrom(turnedDown, oldestGood))
}

// refusedFrom is the newer of the newest two neighboring days that were refused, provided
// nothing older was ever answered; a single refusal may have been a slip. It is the zero date
// if there is none.
func refusedFrom(days []civil.Date, oldestGood civil.Date) civil.Date {
	slices.SortFunc(days, func(a, b civil.Date) int { return b.DaysSince(a) })
	for i, d := range days[:max(len(days)-1, 0)] {
		if days[i+1] == d.AddDays(-1) && (oldestGood == civil.Date{} || d.Before(oldestGood)) {
			return d
		}
	}
	return civil.Date{}
}

// AnsweredElsewhere reports whether the service's last answer was for a different window.
func AnsweredElsewhere(row sqlc.Ledger) bool {
	return row.AskedStart != nil && row.AppliedStart != nil && *row.AppliedStart != *row.AskedStart
}

// turnedAway reports whether the service refused the request itself.
func turnedAway(row sqlc.Ledger) bool {
	return row.Outcome == fact.PullRefused && row.AskedStart != nil && tooFarBack(row) == civil.Date{}
}

// tooFarBack is the last day that the service no longer goes back to, judging by its answer for
// a span that began earlier; the zero date if the row doesn't tell.
func tooFarBack(row sqlc.Ledger) civil.Date {
	if row.Outcome != fact.PullRefused || row.AskedStart == nil || row.AppliedStart == nil || !row.AppliedStart.After(*row.AskedStart) {
		return civil.Date{}
	}
	return row.AppliedStart.AddDays(-1)
}

// Later is the later of two days.
func Later(a, b civil.Date) civil.Date {
	if b.After(a) {
		return b
	}
	return a
}
