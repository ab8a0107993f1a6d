// Package portfolio is the list of all stores of a person: which are shown, in which order,
// and what their numbers are.
package portfolio

import (
	"net/url"
	"time"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/goal"
	"github.com/storeglass/storeglass/internal/report/stores"
)

// Portfolio is the list of stores that someone may see. Each store is in its own
// currency and on its own days: nothing is added up over stores but the upsold value
// and the upsold orders of one currency, which are in Total.
type Portfolio struct {
	Query Query
	Now   time.Time
	// Known counts the stores before any filter, Matched those that the filter leaves;
	// Health says how those are.
	Known, Matched int
	Health         map[stores.HealthGroup]int
	// Refused counts those with a service that refuses its token and is checked again.
	Refused int
	// Newest and Oldest are the last pulls of those that are pulled: the store that was
	// heard of last, and the one that was not for longest. Nil where none was.
	Newest, Oldest *LastPull
	// Currencies count the stores that the other filters leave, AnyCurrency all of
	// those; Tags, Groups and Healths are those that the stores have.
	AnyCurrency int
	Currencies  []Facet
	Tags        []Facet
	Groups      []Facet
	Healths     []Facet
	Sections    []Section
	Page        int
	Pages       int
	// Currency is the one that was chosen, or the only one there is; else empty.
	Currency string
	// Unsorted is set where an order by value was asked for stores of several
	// currencies, which have none (N34): the list is by name.
	Unsorted bool
	// Shown is the window of most rows; nil where no row has a window.
	Shown *Window
	Total *Total
	// Grew and Fell are the stores that moved most, the largest change first.
	Grew, Fell []Mover
	// Moved counts the matched stores by the way their upsold value moved, those that are not
	// compared under [locale.NotCompared].
	Moved map[locale.Direction]int
}

// LastPull is when a store was last heard of.
type LastPull struct {
	Name string
	At   time.Time
}

// Facet is one value of a filter with how many stores have it.
type Facet struct {
	// Value is as the address has it.
	Value, Label string
	Count        int
	Chosen       bool
}

// Section is a heading of the list with its stores.
type Section struct {
	// Title is empty where the list is not grouped. Count is that of all its stores,
	// and this page may show a part of them.
	Title string
	Count int
	Rows  []Row
}

// Window is a window that rows have in common.
type Window struct {
	Window report.Window
	// Reported and Stitched count the rows that have it; Differ those with another.
	Reported, Stitched, Differ int
}

// Total is the upsold value and orders of stores of one currency, each on its
// own days.
type Total struct {
	Currency string
	Value    decimal.Decimal
	Orders   int64
	// Stores are added up; Left are not, and say why.
	Stores int
	Left   []LeftOut
	// Change compares those that have a whole window before it: Compared of Stores.
	Change   locale.Delta
	Compared int
}

// LeftOut is a store that is in no total, with the reason.
type LeftOut struct{ Name, Why string }

// Row is one store of the list.
type Row struct {
	Store     report.Store
	Groups    []stores.Group
	Tags      []string
	Health    stores.Health
	Freshness report.Freshness
	// Summary is of the store's own window: the asked one, or, where its last days are
	// not there, as many days before. Empty says why there is none.
	Summary report.Summary
	report.UpsellPulls
	// Stale: the last good numbers, of a store for which no newer ones come.
	Stale bool
	// Delta compares the value with Summary.Previous.
	Delta locale.Delta
	// Uncompared says why there is no comparison; empty where there is one.
	Uncompared string
	// Spark is the upsold value by day, nil for a gap; nothing where days are in two
	// currencies, which have no common shape.
	Spark []*decimal.Decimal
	// Gift is the gift revenue of the same days. It is never added to anything (N3).
	Gift report.GiftAnalytics
	// Goal is that of the store's current month, whatever the window, or in a mail of the month
	// that the window ends in; nil where none is set.
	Goal *goal.Progress
	// Why is the reason for its change in a few words; empty where nothing is clear, or none
	// was looked for.
	Why string
	// Notes are what people wrote about the days of the window; none but in a mail.
	Notes []report.DayNote
	// Differs: the window is not that of most rows.
	Differs bool
}

// StoredLine is what the parts of a row are made of that only a shown row has.
type StoredLine struct {
	// Days are the daily summaries of the window.
	Days []report.StoredSummary
	// Gift and GiftDays are as in Stored.
	Gift, GiftDays []report.StoredGift
	// Ledger holds the pulls of windows.
	Ledger []report.StoredPull
	// Checks are the nightly comparisons of the windows.
	Checks []report.StoredCheck
	// Goal is that of the month of GoalDay.
	Goal *report.StoredGoal
	// Notes are those of the window, of a list in a mail.
	Notes []report.DayNote
}

// PulledAt is the age of the store's days; zero when nothing was pulled.
func (r Row) PulledAt() time.Time {
	if r.Freshness.PulledAt == nil {
		return time.Time{}
	}
	return *r.Freshness.PulledAt
}

// Window is the window of the row's numbers, also of zeros that are real; nil where
// it has none.
func (r Row) Window() *report.Window {
	if !r.HasNumbers() {
		return nil
	}
	return r.Summary.Provenance.Window
}

// HasNumbers reports whether the row's numbers are the service's: also the real zeros of
// a store without offers.
func (r Row) HasNumbers() bool {
	return r.Summary.Empty == nil || r.Summary.Empty.Cause == report.CauseNoOffers
}

// noOffers reports that the service counted no offer in any placement and status.
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

// TwoCurrencies: the days of the row's window are there and can't be added up.
func (r Row) TwoCurrencies() bool {
	e, p := r.Summary.Empty, r.Summary.Provenance
	return e != nil && e.Cause == report.CauseNotKept && p.Window != nil && len(p.Missing) < p.Window.Days()
}

// Href is the store's page for a window, as a path.
func (r Row) Href(w report.Window) string {
	path := "/stores/" + url.PathEscape(r.Store.Slug)
	if w == (report.Window{}) {
		return path
	}
	return path + "?" + url.Values{"start": {w.Start.String()}, "end": {w.End.String()}}.Encode()
}
