// Package report turns stored rows into the numbers that pages, files, mails
// and the JSON API show. Every number it makes carries its provenance: which
// window it covers, whether a service said it for exactly that window
// (reported) or we computed it from our stored days (stitched), and how old it
// is. It reads nothing and writes nothing: rows in, values out.
package report

import (
	"slices"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
)

// Basis says how a number came to be.
type Basis string

const (
	// Reported: the service said it for exactly this window.
	Reported Basis = "reported"
	// Stitched: computed from our stored days.
	Stitched Basis = "stitched"
	// Derived: computed by differencing two replies (gift only).
	Derived Basis = "derived"
	// NotReported: the service does not say it; there is no number.
	NotReported Basis = "not_reported"
)

// Flag marks a doubt about a number. The set is closed; a reader can rely on it.
type Flag string

const (
	// FlagPartial: the window holds a day that was not over when it was fetched.
	FlagPartial Flag = "partial"
	// FlagStale: a later pull failed or is overdue; this is the last good answer.
	FlagStale Flag = "stale"
	// FlagRevised: a stored day changed after it was first seen.
	FlagRevised Flag = "revised"
	// FlagCut: the list was cut; there are more rows than it shows.
	FlagCut Flag = "cut"
	// FlagNotReported: the service leaves this value out.
	FlagNotReported Flag = "not_reported"
	// FlagMissingDays: days of the window are not stored, so the true value is higher.
	FlagMissingDays Flag = "missing_days"
	// FlagWindowDiffers: the service applied another window than we asked for.
	FlagWindowDiffers Flag = "window_differs"
	// FlagChanged: days of the window changed after they were stored and are being pulled
	// again; until then the number may be off.
	FlagChanged Flag = "changed"
	// FlagDrift: stitched and reported values of one window disagree.
	FlagDrift Flag = "drift"
	// FlagCached: the service answered from its own cache.
	FlagCached Flag = "cached"
	// FlagRateDisagrees: a reported rate is not the one its parts give.
	FlagRateDisagrees Flag = "rate_disagrees"
	// FlagUnknownValue: the service sent a label that the documents don't name.
	FlagUnknownValue Flag = "unknown_value"
	// FlagRepaired: days of the window were missed and derived from later answers.
	FlagRepaired Flag = "repaired"
	// FlagUnproven: a gift day is the difference of two answers, and an order may have
	// arrived between them; it is told again until that is ruled out.
	FlagUnproven Flag = "unproven"
	// FlagIncomplete: the service said that part of its answer is missing.
	FlagIncomplete Flag = "incomplete"
)

// Provenance says where a number comes from. It is part of every answer of the
// JSON API and of every panel on a page.
type Provenance struct {
	// Endpoint is the upstream call, e.g. "GET /data/analytics/summary".
	Endpoint string
	// Pull and Subject name the stored reply behind a reported number; Pull is
	// empty where several replies are behind it.
	Pull, Subject string
	// Replies is the number of stored replies behind the number (days, when stitched).
	Replies int
	Basis   Basis
	// Window is the window that was APPLIED; nil when the number has none
	// (current state, all time).
	Window *Window
	// Source is the service's own word for anyone who chose the window, raw; may be empty.
	Source string
	// Asked is the window that was asked for; nil where nothing was asked.
	Asked *Window
	// Timezone is the IANA name of the clock the window is on.
	Timezone string
	// TimezoneFrom says where the timezone is from: "store" (its setting) or "gift" (the service's period).
	TimezoneFrom string
	// FetchedAt is when the oldest reply behind the number was received;
	// FetchedLast the newest. Zero when nothing was ever fetched.
	FetchedAt, FetchedLast time.Time
	// Missing names the days of the window without a number: most are not stored.
	Missing []civil.Date
	// Cut names those of them whose ranking is stored and is not known to be whole.
	Cut []civil.Date
	// Repaired counts the days of the window that were missed and derived from later answers.
	Repaired int
	// Revised counts the days of the window whose value changed after it was first seen.
	Revised int
	// LeftOut names the partial current day when it was asked for but not counted.
	LeftOut *civil.Date
	// Check is the nightly comparison of stitched and reported; nil when not made.
	Check *Check
	Flags []Flag
}

// Has reports whether the flag is set.
func (p Provenance) Has(f Flag) bool {
	for _, g := range p.Flags {
		if g == f {
			return true
		}
	}
	return false
}

// With returns p with the flag set once.
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

// Check is the outcome of comparing the stitched with the reported value of one window.
type Check struct {
	// Agrees is true when value and orders are equal to the cent.
	Agrees bool
	// Days is the number of stored days compared; Missing those that could not be.
	Days, Missing int
	// Reported and Stitched are the two upsold values, in the store's currency.
	Reported, Stitched decimal.Decimal
	At                 time.Time
	// Final: the service can't be asked for single days again (gift).
	Final bool
}

// Cause says why a panel has no numbers, or old ones. Empty means it has.
type Cause string

const (
	// CauseNone: there are numbers.
	CauseNone Cause = ""
	// CauseNeverConnected: no credential for the service.
	CauseNeverConnected Cause = "never_connected"
	// CauseFilling: connected, the pull has not come back yet.
	CauseFilling Cause = "filling"
	// CauseNoOffers: the service says that the store has no offers in any status.
	CauseNoOffers Cause = "no_offers"
	// CauseNothing: the service answered and there is nothing in this window.
	CauseNothing Cause = "nothing_in_window"
	// CauseFailed: the pull failed and no good answer was ever stored.
	CauseFailed Cause = "failed"
	// CauseNotKept: this window can't be made from what is stored.
	CauseNotKept Cause = "not_kept"
)

// Empty is what a panel says in place of numbers: the cause as heading, what is
// true now, and one action.
type Empty struct {
	Cause Cause  `json:"cause"`
	Title string `json:"title"`
	Text  string `json:"text"`
	// Action is the link's words and Href its address within Storeglass; both empty when there is nothing to do.
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
	// Domain is the shop domain the services named; empty before the first pull.
	Domain string `json:"domain,omitempty"`
}
