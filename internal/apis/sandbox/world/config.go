package world

import (
	"io"
	"time"

	"github.com/golang-sql/civil"
)

// Config says which world to serve and how. The zero value is a world without a request limit on the wall clock.
type Config struct {
	Seed       uint64
	Limit      int              // requests a token may send in any 60 s; 0 is no limit
	Prefix     string           // path before /upsell/v1 and /gift/v1, e.g. "/x/y"
	Now        func() time.Time // default time.Now; days, statuses and the request limit follow it
	Log        io.Writer        // one JSON line an arrival; nil is none
	Since      civil.Date       // first day of the world; zero is 7 July 2025, or earlier for a clock that is set before August 2026
	LateOrders bool             // some orders reach their day one to three days later, so past days change
	VastOffers int              // how many offers that fifth store has; 0: 1,840
	Vast       bool             // adds a fifth store with more offers than fifty pages hold and more campaigns than the list's cap
	Hostile    bool             // adds a store whose every string is hostile: markup, formulas, right-to-left, 300 characters
	TopMax     int              // most rows of a ranking; 0 is 50: the document does not show one
	Clamp      bool             // a window of more than 90 days is cut to its last 90 instead of refused; the document shows neither
	FewHandles bool             // a product check of more than 50 handles is refused instead of cut; the document shows neither
	Shuffle    bool             // rows of every list but sort=oldest move between the pages while someone pages
}
