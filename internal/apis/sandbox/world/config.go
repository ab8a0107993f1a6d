package world

import (
	"io"
	"time"

	"github.com/golang-sql/civil"
)

// Config says which world to serve and how. The zero value is a world on the wall clock without a request limit.
type Config struct {
	Seed       uint64
	Limit      int              // requests a token may send in any 60 s; 0 means no limit
	Prefix     string           // path before /upsell/v1 and /gift/v1, e.g. "/x/y"
	Now        func() time.Time // default time.Now; days, statuses and the request limit follow it
	Log        io.Writer        // one JSON line per arrival; nil means none
	Since      civil.Date       // first day of the world; zero means 7 July 2025, or earlier if the clock is before August 2026
	LateOrders bool             // some orders reach their day one to three days later, so past days change
	VastOffers int              // how many offers that fifth store has; 0 means 1,840
	Vast       bool             // adds a fifth store with more offers than fifty pages hold and more campaigns than the list's cap
	Hostile    bool             // adds a store whose every string is hostile: markup, formulas, right-to-left, 300 characters
	TopMax     int              // most rows of a ranking; 0 means 50, since none is documented
	Clamp      bool             // a window of more than 90 days is cut to its last 90 instead of refused; neither is documented
	FewHandles bool             // a product check of more than 50 handles is refused instead of cut; neither is documented
	Shuffle    bool             // rows of every list but sort=oldest move between pages during paging
}
