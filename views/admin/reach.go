package admin

import (
	"time"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/views/components"
)

// ReachPage is everything that one person still has access to, for anyone who manages people.
type ReachPage struct {
	components.Base
	// Role is its code.
	Name, Email, Role string
	State             PersonState
	Rows              []ReachRow
	// Counts say how many there are of each kind: "2 sessions".
	Counts []string
	// PersonHref leads to the person, Action is the address that ends all access.
	PersonHref, Action string
	// Kept says why this person's access can't be ended; empty if it can.
	Kept string
	// Disabled says that they can't sign in.
	Disabled bool
	// Notice says what the last action did, Problem why it failed; both may be empty.
	Notice, Problem string
}

// ReachRow is one thing that still gives a person access.
type ReachRow struct {
	// Kind is what it is, Text what tells it apart from others; Text may be empty.
	Kind, Text string
	// Stores are words for the stores that it is about; may be empty.
	Stores string
	// Since and Until are zero if unknown, or if there is no end.
	Since, Until time.Time
	// Stopped: it exists but doesn't work now.
	Stopped bool
	// Href leads to where it is managed; may be empty.
	Href string
}

// done says that there is nothing left to end.
func (p ReachPage) done() bool { return p.Disabled && len(p.Rows) == 0 }

// nothing says what an empty list means.
func (p ReachPage) nothing() string {
	if p.Disabled {
		return p.T("reach.none_disabled", "name", locale.Name(p.Name))
	}
	return p.T("reach.none_active", "name", locale.Name(p.Name))
}
