package report

import (
	"encoding/json"
	"iter"
	"time"

	"github.com/golang-sql/civil"
)

// Window is a range of store days, both ends included: 90 days is start to start + 89.
type Window struct{ Start, End civil.Date }

// WindowEnding returns the window of n days whose last day is end.
func WindowEnding(end civil.Date, n int) Window { return Window{end.AddDays(1 - n), end} }

// OneDay returns the window of a single day.
func OneDay(d civil.Date) Window { return Window{d, d} }

// Days is the number of days, both ends included.
func (w Window) Days() int { return w.End.DaysSince(w.Start) + 1 }

// Contains reports whether d is in the window.
func (w Window) Contains(d civil.Date) bool { return !d.Before(w.Start) && !d.After(w.End) }

// Overlaps reports whether the two windows share a day.
func (w Window) Overlaps(v Window) bool { return !v.End.Before(w.Start) && !v.Start.After(w.End) }

// Within is the part of the window that overlaps v.
func (w Window) Within(v Window) Window {
	if w.Start.Before(v.Start) {
		w.Start = v.Start
	}
	if w.End.After(v.End) {
		w.End = v.End
	}
	return w
}

// Previous is the window of the same length that ends the day before w starts.
func (w Window) Previous() Window { return WindowEnding(w.Start.AddDays(-1), w.Days()) }

// All yields the window's days in order.
func (w Window) All() iter.Seq[civil.Date] {
	return func(yield func(civil.Date) bool) {
		for d := w.Start; !d.After(w.End); d = d.AddDays(1) {
			if !yield(d) {
				return
			}
		}
	}
}

// Today is the day that now falls on by the clock of loc.
func Today(now time.Time, loc *time.Location) civil.Date { return civil.DateOf(now.In(loc)) }

// MarshalJSON writes {"start": "YYYY-MM-DD", "end": "YYYY-MM-DD", "days": n}.
func (w Window) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Start civil.Date `json:"start"`
		End   civil.Date `json:"end"`
		Days  int        `json:"days"`
	}{w.Start, w.End, w.Days()})
}

// LastDay is the last day, on the clock of loc, that something ending at that moment still covers.
func LastDay(end time.Time, loc *time.Location) civil.Date {
	return civil.DateOf(end.Add(-time.Nanosecond).In(loc))
}
