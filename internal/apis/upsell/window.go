package upsell

import (
	"errors"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// MaxDays is the longest range that summary, stats and top accept, both ends
// counted (N23).
const MaxDays = 90

// Range is the range asked for: whole days on the store's clock, both ends included. Both ends
// are always sent, so that no default of the service applies (N22).
type Range struct {
	Start, End civil.Date
}

// Days counts the days, both ends included.
func (r Range) Days() int { return r.End.DaysSince(r.Start) + 1 }

// String formats the range as one day or as "start to end".
func (r Range) String() string {
	if r.Start == r.End {
		return r.Start.String()
	}
	return r.Start.String() + " to " + r.End.String()
}

// check refuses what the service might silently change: it isn't documented what it does with a
// reversed or too long range.
func (r Range) check(op string) error {
	if err := r.checkOrder(op); err != nil {
		return err
	}
	if r.Days() > MaxDays {
		return upstream.Refuse(op, "the range has %d days, at most %d can be asked for", r.Days(), MaxDays)
	}
	return nil
}

func (r Range) checkOrder(op string) error {
	if !r.Start.IsValid() || !r.End.IsValid() {
		return upstream.Refuse(op, "the range has no valid start and end")
	}
	if r.End.Before(r.Start) {
		return upstream.Refuse(op, "the range ends before it starts")
	}
	return nil
}

// Window is the window that a reply was computed for, whatever was asked for (appliedWindow,
// N22).
type Window struct {
	Start civil.Date `json:"start" required:"true"`
	End   civil.Date `json:"end" required:"true"`
	// Source says who chose the window. Only "merchant" is known; any other value is kept as it
	// came, whatever its type (N24). "" if the reply has none.
	Source upstream.Text `json:"source"`
}

// Range returns the window's days.
func (w Window) Range() Range { return Range{Start: w.Start, End: w.End} }

// Validate refuses a window that ends before it starts.
func (w Window) Validate() error {
	if w.End.Before(w.Start) {
		return errors.New("the window ends before it starts")
	}
	return nil
}
