package report

import (
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/fact"
)

// Stored is what is kept of one store for one choice of window: the rows that
// an overview is made of. It is read by key in one round trip.
type Stored struct {
	Store       Store
	Paused      bool
	Credentials []StoredCredential
	// Windows holds the summaries of exactly the chosen and the comparison window.
	Windows []StoredSummary
	// Days holds the daily summaries of both windows and of today, with what days
	// are drawn and summed from.
	Days []StoredSummary
	// StatWindows are the same for the placements. StatDays covers the chosen window,
	// and the comparison window where StatWindows lacks it or has it partial.
	StatWindows []StoredStat
	StatDays    []StoredStat
	TopLists    []StoredTopList
	// RankedDays are the days of both windows that have a ranking. TopOfDays adds those of the
	// chosen one up by offer, highest first, where each is whole and TopLists is not; else it
	// is empty. TopOfDaysBefore does so for the comparison window.
	RankedDays      []StoredRankedDay
	TopOfDays       []TopRow
	TopOfDaysBefore []TopRow
	// Events are the starts and ends of offers within the window.
	Events    []Event
	Coverage  []StoredCover
	Lifetime  *StoredLifetime
	Counts    []StoredCount
	Gift      []StoredGift
	Health    []StoredHealth
	Plan      *StoredJSON
	Campaigns []Campaign
	// CampaignList is nil before the first campaigns pull.
	CampaignList *StoredCampaignList
	// ActiveThroughout are the ids of the offers that were active on every day of the
	// window, coupon offers left out; nil before the offer list was read to its end.
	ActiveThroughout []string
	// Ledger holds the outcome of every pull that is not about one past day.
	Ledger []StoredPull
	// Suspects are the days whose stored numbers may be out of date.
	Suspects []Suspect
	// Check is the nightly comparison of the window; nil when none was made.
	Check *StoredCheck
	// FirstDay and LastDay are the first and last whole stored day; zero when none.
	FirstDay, LastDay civil.Date
	// PulledAt is the newest good answer of the upsell service, where the days are
	// from; of the gift service where there is no other; zero when none.
	PulledAt time.Time
	// DaysStored counts the whole days stored of the planned history, and
	// DayStored says which: one entry a day from today-HistoryDays to yesterday.
	HistoryDays int
	DaysKept    []civil.Date
	// GiftDays are the daily gift series within the window and the one it is compared
	// with, GiftAgainst the answers for exactly that one.
	GiftDays, GiftAgainst []StoredGift
	// Notes are those that share a day with the window.
	Notes []DayNote
	// Triggers has one entry for each placement where an offer names what was deleted.
	Triggers []StoredDeletedTriggers
	// Alerts are the open rows of the store's inbox, in its order.
	Alerts []OpenAlert
	// Resolved counts those that ended in the last week.
	Resolved int64
	// Goal is that of the store's current month; nil where none is set.
	Goal *StoredGoal
	// Goals are the goals that were set, the newest first.
	Goals []StoredGoal
	// Asking: a service was asked about the chosen window, and its answer is to come.
	Asking bool
}

// StoredSummary is one row of summaries: a day when its ends are equal.
type StoredSummary struct {
	Window             Window
	Asked              Window
	TotalUpsoldValue   decimal.Decimal
	TotalUpsoldOrders  int64
	TotalOrders        int64
	UpsellSuccessRate  *decimal.Decimal
	AverageUpsoldValue *decimal.Decimal
	OfferViews         *int64
	Currency           string
	Source             string
	Partial            bool
	Flags              []Flag
	FetchedAt          time.Time
	Revised            bool
}

// StoredGoal is what a store wants to reach in a month.
type StoredGoal struct {
	// Kind is value or orders.
	Kind   fact.GoalKind
	Amount decimal.Decimal
	// Currency is empty for orders.
	Currency string
	// From is the month from which it holds, SetAt when that was decided.
	From  civil.Date
	SetAt time.Time
	// Days are the whole days from which its pace is estimated.
	Days []StoredSummary
}

// StoredStat is one placement's row of one window.
type StoredStat struct {
	Window         Window
	Placement      Placement
	Impressions    int64
	Claims         int64
	Revenue        *decimal.Decimal
	Currency       string
	ShopOfferCount *int64
	Source         string
	Partial        bool
	FetchedAt      time.Time
	Revised        bool
}

// StoredTopList is one ranking of one window, with its rows in the order answered.
type StoredTopList struct {
	Window         Window
	Direction      fact.RankingEnd
	Limit          int
	ShopOfferCount *int64
	Currency       string
	Source         string
	Partial        bool
	// Whole: it holds, with the lowest end of its window, every offer that earned. Only
	// highest lists say so.
	Whole     bool
	FetchedAt time.Time
	Rows      []TopRow
}

// StoredRankedDay is a day that is over and has a ranking, as its oldest reply showed it.
type StoredRankedDay struct {
	Day       civil.Date
	Whole     bool
	Currency  string
	FetchedAt time.Time
}

// StoredOfferDay is an offer's row in one day's ranking.
type StoredOfferDay struct {
	OfferID  string
	Day      civil.Date
	Revenue  *decimal.Decimal
	Claims   *int64
	Currency string
}

// StoredOfferDays are days of offers, with the rankings they are from.
type StoredOfferDays struct {
	Days   []StoredOfferDay
	Ranked []StoredRankedDay
}

// StoredCover is one placement's coverage.
type StoredCover struct {
	Placement     Placement
	HasActive     bool
	ActiveCount   int64
	TotalCount    int64
	RecentRevenue *decimal.Decimal
	Currency      string
	Window        Window
	Source        string
	FetchedAt     time.Time
}

// StoredLifetime are the all-time totals.
type StoredLifetime struct {
	TotalRevenue decimal.Decimal
	OfferViews   int64
	UpsoldOrders int64
	Currency     string
	Flags        []Flag
	FetchedAt    time.Time
}

// StoredCount is one placement's offer count; Placement is empty for the grand total.
type StoredCount struct {
	Placement                         Placement
	Total, Active, Scheduled, Expired int64
	FetchedAt                         time.Time
}

// StoredGift is one gift analytics answer.
type StoredGift struct {
	Window         Window
	AskedDays      int
	IncludesToday  bool
	Timezone       string
	Currency       string
	Cached         bool
	Orders         GiftMetric
	Revenue        GiftMetric
	ConversionRate GiftMetric
	AOVByFG        GiftMetric
	AOVStore       GiftMetric
	Basis          fact.GiftBasis
	Flags          []Flag
	FetchedAt      time.Time
	Revised        bool
	// Unproven: an order may have arrived between the answers that it was told from.
	Unproven bool
	// Since and Begun are a time during which the answer is known not to have changed:
	// from its first reply to when it was asked for last. One that was asked once has
	// Begun before Since; zero when only the service's cache answered.
	Since, Begun time.Time
	// OfToday: the answer held yesterday too, which was taken off.
	OfToday bool
}

// Derived reports whether the row is a missed day that was repaired.
func (g StoredGift) Derived() bool {
	return g.Basis == fact.GiftPrevious || g.Basis == fact.GiftDifference
}

// StoredHealth is one section of setup health as JSON: the last good one.
type StoredHealth struct {
	Section string // "theme", "campaigns", "issues", "named", "errors"
	StoredJSON
}

// StoredDeletedTriggers are a placement's offers that run, or will, and whose
// trigger names what was deleted: how many, their ids, and the one that is shown first.
type StoredDeletedTriggers struct {
	Placement     Placement
	Offers        int64
	IDs           []string
	OfferID, Name string
	Setup         []byte // SetupBody
}

// StoredJSON is a stored JSON value with its age.
type StoredJSON struct {
	Body      []byte
	FetchedAt time.Time
}

// StoredCampaignList is what the campaign list said about itself.
type StoredCampaignList struct {
	Total     int64
	Capped    bool
	FetchedAt time.Time
}

// StoredPull is a ledger row as far as a page needs it.
type StoredPull struct {
	Service      string
	Pull         string
	Subject      string
	Lane         fact.Lane
	Outcome      fact.Outcome
	Text         string
	TriedAt      time.Time
	LastGoodAt   time.Time
	FailingSince time.Time
	DueAt        time.Time // zero: never again
	Attempts     int
	Asked        *Window
	Applied      *Window
	Flags        []Flag
}

// StoredSync is what the Sync page is made of.
type StoredSync struct {
	Store       Store
	Paused      bool
	Credentials []StoredCredential
	Budgets     []StoredBudget
	Ledger      []StoredPull
	// Days are the whole days stored, with their revisions.
	Days        []StoredDay
	Checks      []StoredCheck
	HistoryDays int
	FirstDay    civil.Date
}

// StoredCheck is one nightly comparison.
type StoredCheck struct {
	Window Window
	Check
}

// StoredBudget is one credential's slots as they stand.
type StoredBudget struct {
	Service string
	Tail    string
	State   fact.CredentialState
	Text    string
	Limit   int
	Reserve int
	Slots   []StoredSlot
}

// StoredSlot is one slot: who holds it, until when.
type StoredSlot struct {
	Lane      fact.Lane
	HeldUntil time.Time
}

// StoredDay is one day of the stored-days strip.
type StoredDay struct {
	Day     civil.Date `json:"day"`
	Stored  bool       `json:"stored"`
	Revised bool       `json:"revised"`
}
