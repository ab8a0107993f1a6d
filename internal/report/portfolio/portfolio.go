// Package portfolio makes the list of all of a person's stores: which are shown, in which order, and
// their numbers.
package portfolio

import (
	"net/url"
	"time"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/gift"
	"github.com/storeglass/storeglass/internal/report/goal"
	"github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/internal/report/stores"
)

// Portfolio is the list of stores that someone may see. Each store has its own currency and its own
// days. The only numbers added up across stores are the upsold value and orders of one currency, in
// Total.
type Portfolio struct {
	Query Query
	Now   time.Time
	// Known counts the stores before any filter, Matched those that pass it; Health breaks those down.
	Known, Matched int
	Health         map[stores.HealthGroup]int
	// Refused counts stores with a service that refuses its token and will be checked again.
	Refused int
	// Newest and Oldest are the most recent and the least recent last pull among the stores that are
	// pulled; nil if there is none.
	Newest, Oldest *LastPull
	// Currencies count the stores that pass the other filters by currency, AnyCurrency all of them;
	// Tags, Groups and Healths list the values that the stores have.
	AnyCurrency int
	Currencies  []Facet
	Tags        []Facet
	Groups      []Facet
	Healths     []Facet
	Sections    []Section
	Page        int
	Pages       int
	// Currency is the chosen one, or the only one there is; otherwise empty.
	Currency string
	// Unsorted is set if sorting by value was requested for several currencies, which can't be ranked
	// (N34): the list is then by name.
	Unsorted bool
	// Shown is the most common window among the rows; nil if no row has one.
	Shown *Window
	Total *Total
	// Grew and Fell are the stores that moved most, largest change first.
	Grew, Fell []Mover
	// Moved counts the matched stores by the direction in which their upsold value moved; those that
	// can't be compared are under [locale.NotCompared].
	Moved map[locale.Direction]int
}

// Choice is the window as the picker shows it: the custom days that were requested, or those of most
// rows. Its today is the first time zone's, because no later day can be requested.
func (p Portfolio) Choice() report.Choice {
	c, _ := p.Query.choice(p.Now, firstClock)
	switch {
	case p.Query.Preset == report.Custom:
		c.Window = report.Window{Start: p.Query.Start, End: p.Query.End}
	case p.Shown != nil:
		c.Window = p.Shown.Window
	}
	return c
}

// LastPull is when a store was last pulled.
type LastPull struct {
	Name string
	At   time.Time
}

// Facet is one value of a filter and how many stores have it.
type Facet struct {
	// Value is as in the URL.
	Value, Label string
	Count        int
	Chosen       bool
}

// Section is a heading in the list with its stores.
type Section struct {
	// Title is empty if the list isn't grouped. Count covers all its stores, even if this page shows
	// only some of them.
	Title string
	Count int
	Rows  []Row
}

// Window is a window that several rows share.
type Window struct {
	Window report.Window
	// Reported and Stitched count the rows that have it, Differ those with a different one.
	Reported, Stitched, Differ int
}

// Total is the upsold value and orders of stores with one currency, each on its own days.
type Total struct {
	Currency string
	Value    decimal.Decimal
	Orders   int64
	// Stores counts those added up; Left lists the others and why.
	Stores int
	Left   []LeftOut
	// Change compares the stores that have a complete window before it: Compared of Stores.
	Change   locale.Delta
	Compared int
}

// LeftOut is a store that isn't in the total, with the reason.
type LeftOut struct{ Name, Why string }

// Row is one store in the list.
type Row struct {
	Store     report.Store
	Groups    []stores.Group
	Tags      []string
	Health    stores.Health
	Freshness report.Freshness
	// Summary is for the store's own window: the requested one or, if its last days aren't there yet,
	// the same number of days before. Empty says why there is none.
	Summary overview.Summary
	report.UpsellPulls
	// Stale: these are the last good numbers, and no newer ones are arriving.
	Stale bool
	// Delta compares the value with Summary.Previous.
	Delta locale.Delta
	// Uncompared says why there is no comparison; empty if there is one.
	Uncompared string
	// Spark is the upsold value by day, nil for a gap; empty if the days have two currencies, since one
	// line can't show both.
	Spark []*decimal.Decimal
	// Gift is the gift revenue of the same days. It is never added to anything (N3).
	Gift gift.Analytics
	// Goal is the goal for the store's current month, whatever the window, or in a mail for the month
	// that the window ends in; nil if none is set.
	Goal *goal.Progress
	// Why is the reason for its change in a few words; empty if there is no clear one, or none was looked for.
	Why string
	// Notes are people's notes about the window's days; only set in mails.
	Notes []report.DayNote
	// Differs: the window isn't the most common one.
	Differs bool
}

// StoredLine holds the rows that only a shown row needs.
type StoredLine struct {
	// Days are the daily summaries of the window.
	Days []report.StoredSummary
	// Gift and GiftDays are as in Stored.
	Gift, GiftDays []report.StoredGift
	// Ledger holds the pulls of windows.
	Ledger []report.StoredPull
	// Checks are the nightly comparisons of the windows.
	Checks []report.StoredCheck
	// Goal is for the month of GoalDay.
	Goal *report.StoredGoal
	// Notes are the window's notes, for a list in a mail.
	Notes []report.DayNote
}

// Window is the window of the row's numbers, even if they are real zeros; nil if it has none.
func (r Row) Window() *report.Window {
	if !r.HasNumbers() {
		return nil
	}
	return r.Summary.Provenance.Window
}

// HasNumbers reports whether the row's numbers come from the service, including the real zeros of a
// store without offers.
func (r Row) HasNumbers() bool {
	return r.Summary.Empty == nil || r.Summary.Empty.Cause == report.CauseNoOffers
}

// noOffers reports whether the service counted no offers in any placement and status.
func noOffers(rows []report.StoredCover) bool {
	for _, c := range rows {
		if c.TotalCount > 0 {
			return false
		}
	}
	return len(rows) > 0
}

// Compared reports whether the row says how its value changed.
func (r Row) Compared() bool {
	return r.Summary.Empty == nil && r.Uncompared == "" && r.Summary.Previous != nil
}

// TwoCurrencies reports whether the window's days are stored but can't be added up.
func (r Row) TwoCurrencies() bool {
	e, p := r.Summary.Empty, r.Summary.Provenance
	return e != nil && e.Cause == report.CauseNotKept && p.Window != nil && len(p.Missing) < p.Window.Days()
}

// Href is the path of the store's page for a window.
func (r Row) Href(w report.Window) string {
	path := "/stores/" + url.PathEscape(r.Store.Slug)
	if w == (report.Window{}) {
		return path
	}
	return path + "?" + url.Values{"start": {w.Start.String()}, "end": {w.End.String()}}.Encode()
}
