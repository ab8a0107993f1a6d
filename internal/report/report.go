// Package report is what all numbers share that pages, files, mails and the JSON API show: the stored rows
// they are made of, windows and comparisons, and their provenance. The packages below it make the numbers.
// Every number carries its provenance: which window it covers, whether a service reported it for
// exactly that window (reported) or we computed it from our stored days (stitched), and how old it is.
// The package does no I/O: rows in, values out.
package report

import (
	"slices"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
)

// Basis says how a number was obtained.
type Basis string

const (
	// Reported: the service gave the number for exactly this window.
	Reported Basis = "reported"
	// Stitched: computed from our stored days.
	Stitched Basis = "stitched"
	// Derived: computed by differencing two replies (gift only).
	Derived Basis = "derived"
	// NotReported: the service doesn't report it, so there is no number.
	NotReported Basis = "not_reported"
)

// Flag marks a doubt about a number. The set is closed, so API clients can rely on it.
type Flag string

const (
	// FlagPartial: the window includes a day that wasn't over when it was fetched.
	FlagPartial Flag = "partial"
	// FlagStale: a later pull failed or is overdue; this is the last good answer.
	FlagStale Flag = "stale"
	// FlagRevised: a stored day changed after it was first seen.
	FlagRevised Flag = "revised"
	// FlagCut: the list was cut off; there are more rows than it shows.
	FlagCut Flag = "cut"
	// FlagNotReported: the service leaves this value out.
	FlagNotReported Flag = "not_reported"
	// FlagMissingDays: some of the window's days aren't stored, so the true value is higher.
	FlagMissingDays Flag = "missing_days"
	// FlagWindowDiffers: the service applied a different window than we requested.
	FlagWindowDiffers Flag = "window_differs"
	// FlagChanged: some of the window's days changed after they were stored and are being pulled again;
	// until then the number may be off.
	FlagChanged Flag = "changed"
	// FlagDrift: the stitched and reported values of a window disagree.
	FlagDrift Flag = "drift"
	// FlagCached: the service answered from its own cache.
	FlagCached Flag = "cached"
	// FlagRateDisagrees: a reported rate doesn't match its parts.
	FlagRateDisagrees Flag = "rate_disagrees"
	// FlagUnknownValue: the service sent a label that its documentation doesn't list.
	FlagUnknownValue Flag = "unknown_value"
	// FlagRepaired: days of the window were missed and derived from later answers.
	FlagRepaired Flag = "repaired"
	// FlagUnproven: a gift day is the difference of two answers, and an order may have arrived between
	// them. It is derived again until that can be ruled out.
	FlagUnproven Flag = "unproven"
	// FlagIncomplete: the service said that part of its answer is missing.
	FlagIncomplete Flag = "incomplete"
)

// Provenance says where a number comes from. Every answer of the JSON API and every panel on a page has one.
type Provenance struct {
	// Endpoint is the upstream call, e.g. "GET /data/analytics/summary".
	Endpoint string
	// Pull and Subject identify the stored reply behind a reported number; Pull is empty if there are several.
	Pull, Subject string
	// Replies is the number of stored replies behind the number (the days, if stitched).
	Replies int
	Basis   Basis
	// Window is the window that was APPLIED; nil if the number has none (current state, all time).
	Window *Window
	// Source is the service's raw word for who chose the window; may be empty.
	Source string
	// Asked is the requested window; nil if none was requested.
	Asked *Window
	// Timezone is the IANA name of the window's time zone.
	Timezone string
	// TimezoneFrom says where the time zone came from: "store" (its setting) or "gift" (the service's period).
	TimezoneFrom string
	// FetchedAt is when the oldest reply behind the number was received, FetchedLast the newest. Both
	// are zero if nothing was ever fetched.
	FetchedAt, FetchedLast time.Time
	// Missing lists the window's days without a number; most aren't stored.
	Missing []civil.Date
	// Cut lists those of them whose stored ranking may be incomplete.
	Cut []civil.Date
	// Repaired counts the days of the window that were missed and derived from later answers.
	Repaired int
	// Revised counts the days of the window whose value changed after it was first seen.
	Revised int
	// LeftOut is the partial current day, if it was requested but not counted.
	LeftOut *civil.Date
	// Check is the nightly comparison of stitched and reported; nil if there was none.
	Check *Check
	Flags []Flag
}

// Has reports whether the flag is set.
func (p Provenance) Has(f Flag) bool { return slices.Contains(p.Flags, f) }

// With returns p with the flag added, unless it's already set.
func (p Provenance) With(f Flag) Provenance {
	if !p.Has(f) {
		p.Flags = append(p.Flags[:len(p.Flags):len(p.Flags)], f)
	}
	return p
}

func (p Provenance) Without(f Flag) Provenance {
	p.Flags = slices.DeleteFunc(slices.Clone(p.Flags), func(g Flag) bool { return g == f })
	return p
}

// Check is the result of comparing a window's stitched value with the reported one.
type Check struct {
	// Agrees is true if value and orders match to the cent.
	Agrees bool
	// Days is the number of stored days compared, Missing how many couldn't be.
	Days, Missing int
	// Reported and Stitched are the two upsold values, in the store's currency.
	Reported, Stitched decimal.Decimal
	At                 time.Time
	// Final: the service can't be asked for single days again (gift).
	Final bool
}

// Cause says why a panel has no numbers, or old ones; the empty value means it has them.
type Cause string

const (
	// CauseNone: there are numbers.
	CauseNone Cause = ""
	// CauseNeverConnected: no credential for the service.
	CauseNeverConnected Cause = "never_connected"
	// CauseFilling: connected, but the first answer hasn't arrived yet.
	CauseFilling Cause = "filling"
	// CauseNoOffers: the service says the store has no offers in any status.
	CauseNoOffers Cause = "no_offers"
	// CauseNothing: the service answered and there is nothing in this window.
	CauseNothing Cause = "nothing_in_window"
	// CauseFailed: the pull failed and there was never a good answer.
	CauseFailed Cause = "failed"
	// CauseNotKept: what is stored can't give this window.
	CauseNotKept Cause = "not_kept"
)

// Empty is what a panel shows instead of numbers: the cause as its heading, the current state, and one action.
type Empty struct {
	Cause Cause  `json:"cause"`
	Title string `json:"title"`
	Text  string `json:"text"`
	// Action is the link text and Href its path within Storeglass; both are empty if there is nothing to do.
	Action string `json:"-"`
	Href   string `json:"-"`
}

// Store is the store a report is about.
type Store struct {
	Slug     string `json:"slug"`
	Name     string `json:"name"`
	Timezone string `json:"timezone"`
	// Currency is the last currency a service reported; empty before the first pull.
	Currency string `json:"currency,omitempty"`
	// Domain is the shop domain that the services named; empty before the first pull.
	Domain string `json:"domain,omitempty"`
}

// Panel is what every panel carries besides its numbers. A panel loads and fails alone: either it has
// numbers, or Empty says why not.
type Panel struct {
	Provenance Provenance `json:"provenance"`
	// Empty is set when there is nothing to show; the numbers are then zero values.
	Empty *Empty `json:"empty,omitempty"`
	// Trouble is set when a later pull failed: the numbers are the last good ones.
	Trouble *Trouble `json:"trouble,omitempty"`
}
