// Package ledger makes the Sync page: each pull with its last outcome, the calls left, and the stored days.
package ledger

import (
	"time"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/report"
)

// SlotState is one cell of the budget picture.
type SlotState string

// The cells: who holds the slot, if anyone.
const (
	SlotFree        SlotState = "free"
	SlotInteractive SlotState = "interactive" // requested by a person
	SlotSchedule    SlotState = "schedule"    // on schedule
	SlotBackfill    SlotState = "backfill"    // pulling the history
	SlotForeign     SlotState = "foreign"     // spent outside Storeglass
	SlotReserved    SlotState = "reserved"    // free, kept for people
)

// Budget is how many calls one token has left.
type Budget struct {
	Service string `json:"service"` // "upsell" or "gift"
	// Tail is the token's last characters, for recognition.
	Tail  string `json:"token_tail"`
	Limit int    `json:"limit"`
	// Used counts slots that we hold, Foreign those spent outside Storeglass.
	Used     int `json:"used"`
	Foreign  int `json:"foreign"`
	Reserved int `json:"reserved"`
	// Cells are at most 60, in the order interactive, schedule, backfill, foreign, free, reserved.
	Cells []SlotState `json:"-"`
	// NextFree is when the next slot becomes free; zero if one is free now.
	NextFree time.Time `json:"next_free,omitzero"`
	// Note is an explanation: "A slot is held until 60 seconds after its reply."
	Note string `json:"-"`
	// State of the credential: "good", "unchecked", "doubtful", "paused"; Cause is why it isn't used, in words.
	State fact.CredentialState `json:"state"`
	Cause string               `json:"cause,omitempty"`
}

// Row is one pull: due time, last outcome, last good answer, attempts.
type Row struct {
	Service  string `json:"service"`
	Pull     string `json:"pull"`  // kind, e.g. "summary.day"
	Label    string `json:"label"` // "Summary, 4 Nov"
	Subject  string `json:"subject,omitempty"`
	Endpoint string `json:"endpoint"`
	// Window is the applied window in words: "4 Nov 2026 · 1 day", "now", "no window".
	Window  string `json:"window"`
	Outcome string `json:"outcome"` // words: "Good", "Server error (500), waiting"
	// State selects the sign: "active" good, "waiting" will be retried, "slot" waits for the rate
	// limit, "person" needs attention, "none" never tried or before the service's history, "filling".
	State    string     `json:"state"`
	LastGood *time.Time `json:"last_good"`
	Due      *time.Time `json:"due"` // nil: never, its app is disconnected, or its store is paused
	Attempts int        `json:"attempts"`
	Lane     fact.Lane  `json:"lane"`
}

// Page is everything on a store's Sync page.
type Page struct {
	Store     report.Store     `json:"store"`
	Now       time.Time        `json:"now"`
	Freshness report.Freshness `json:"freshness"`
	Words     string           `json:"words"` // "Last pull 12 minutes ago, next at 13:00. 28 of 31 pulls are good, 3 are waiting, none needs attention."
	// Pulled is the moment that Words refers to; zero if none.
	Pulled time.Time `json:"-"`
	// Disconnected are the banners of the apps that have to be connected again.
	Disconnected []report.Trouble `json:"-"`
	// Refused: a credential is refused and may be checked again.
	Refused bool               `json:"-"`
	Paused  bool               `json:"paused"`
	Budgets []Budget           `json:"budgets"`
	Days    []report.StoredDay `json:"days"`
	// Parts are the parts of a new store's first data that are still missing.
	Parts     []report.Part `json:"parts"`
	CheckText string        `json:"check"` // "30 and 90 days agree with the app, checked last night"
	// Rows are those that pass the filter, upsell first; All, Due and Waiting count all rows.
	Rows    []Row `json:"ledger"`
	All     int   `json:"all"`
	Due     int   `json:"due"`
	Waiting int   `json:"waiting"`
	// Good, Person count rows by outcome.
	Good   int `json:"good"`
	Person int `json:"needs_person"`
	// Filter is "all", "due" or "waiting".
	Filter string `json:"-"`
	// Folded is the number of good daily rows that are hidden.
	Folded int `json:"-"`
	// FoldedOffers is the number of good rows of single offers that are hidden.
	FoldedOffers int `json:"-"`
}
