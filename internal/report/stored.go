package report

import (
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
)

// Stored holds a store's rows for one choice of window: everything its overview is made of. One round
// trip reads them, all by key.
type Stored struct {
	Store       Store
	Paused      bool
	Credentials []StoredCredential
	// Windows holds the summaries for exactly the chosen and the comparison window.
	Windows []StoredSummary
	// Days holds the daily summaries of both windows and of today. If the windows are adjacent, it also
	// holds the days around them that starts and ends of offers are judged by.
	Days []StoredSummary
	// StatWindows and StatDays are the same for the placements, without today.
	StatWindows, StatDays []StoredStat
	TopLists              []StoredTopList
	// RankedDays are the days of both windows that have a ranking. TopOfDays sums the chosen window's
	// rankings per offer, highest first, if each is complete and TopLists isn't; otherwise it's empty.
	// TopOfDaysBefore does so for the comparison window.
	RankedDays      []StoredRankedDay
	TopOfDays       []TopRow
	TopOfDaysBefore []TopRow
	// Events are the starts and ends of offers within the window, EventsBefore those within the
	// comparison window.
	Events, EventsBefore []Event

	Coverage  []StoredCover
	Lifetime  *StoredLifetime
	Counts    []StoredCount
	Gift      []StoredGift
	Health    []StoredHealth
	Plan      *StoredJSON
	Campaigns []Campaign
	// CampaignList is nil before the first campaigns pull.
	CampaignList *StoredCampaignList
	// ActiveThroughout holds the ids of offers that were active on every day of the window, without
	// coupon offers; nil before the offer list was first read to its end.
	ActiveThroughout []string
	// Ledger holds the outcome of every pull except those for one past day.
	Ledger []StoredPull
	// Suspects are the days whose stored numbers may be out of date.
	Suspects []Suspect
	// Check is the window's nightly comparison; nil if there was none.
	Check *StoredCheck
	// FirstDay and LastDay are the first and last whole stored day; zero if none.
	FirstDay, LastDay civil.Date
	// PulledAt is the upsell service's newest good answer, since the days come from it; without that
	// service, the gift service's; zero if none.
	PulledAt time.Time
	// DaysStored counts the stored whole days of the planned history, and DayStored has one entry per
	// day from today-HistoryDays to yesterday.
	HistoryDays int
	DaysKept    []civil.Date
	// GiftDays are the daily gift series of the chosen and the comparison window, GiftAgainst the
	// answers for exactly the comparison window.
	GiftDays, GiftAgainst []StoredGift
	// Notes are those that share a day with the window.
	Notes []DayNote
	// Triggers has one entry per placement with an offer that points to something deleted.
	Triggers []StoredDeletedTriggers
	// Alerts are the store's open alerts, in the inbox's order.
	Alerts []OpenAlert
	// Resolved counts the alerts resolved in the last week.
	Resolved int64
	// Goal is the goal for the store's current month; nil if none is set.
	Goal *StoredGoal
	// Goals are all goals that were set, newest first.
	Goals []StoredGoal
	// Asking: a service was asked about the chosen window and hasn't answered yet.
	Asking bool
}

// StoredSummary is one row of summaries: a single day if start and end are equal.
type StoredSummary struct {
	Window            Window
	TotalUpsoldValue  decimal.Decimal
	TotalUpsoldOrders int64
	TotalOrders       int64
	OfferViews        *int64
	Currency          string
	Source            string
	Partial           bool
	Flags             []Flag
	FetchedAt         time.Time
	Revised           bool
}

// StoredGoal is what a store wants to reach in a month.
type StoredGoal struct {
	// Kind is value or orders.
	Kind   fact.GoalKind
	Amount decimal.Decimal
	// Currency is empty if the goal is a number of orders.
	Currency string
	// From is the first month it applies to, SetAt when it was set.
	From  civil.Date
	SetAt time.Time
	// Days are the whole days that its pace is estimated from.
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

// StoredTopList is one ranking of one window, with its rows in the service's order.
type StoredTopList struct {
	Window         Window
	Direction      fact.RankingEnd
	ShopOfferCount *int64
	Currency       string
	Source         string
	Partial        bool
	// Whole: together with the window's lowest list it holds every offer that earned. Only highest
	// lists set it.
	Whole     bool
	FetchedAt time.Time
	Rows      []TopRow
}

// StoredRankedDay is a past day with a ranking, according to its oldest reply.
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

// StoredOfferDays holds days of offers, with the rankings they come from.
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
	Placement Placement
	Total     int64
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
	// Unproven: an order may have arrived between the answers that it was derived from.
	Unproven bool
	// Since and Begun bound a time during which the answer is known not to have changed: from its first
	// reply to the start of the last request. If it was requested only once, Begun is before Since;
	// both are zero if only the service's cache answered.
	Since, Begun time.Time
	// OfToday: the answer also covered yesterday, which was subtracted.
	OfToday bool
}

// Derived reports whether the row is a missed day that was filled in later.
func (g StoredGift) Derived() bool {
	return g.Basis == fact.GiftPrevious || g.Basis == fact.GiftDifference
}

// StoredHealth is the last good version of one section of setup health, as JSON.
type StoredHealth struct {
	Section   string // "theme", "campaigns", "issues", "named", "errors"
	Body      []byte
	FetchedAt time.Time
}

// StoredDeletedTriggers counts a placement's active or scheduled offers whose trigger points to
// something deleted; it has their ids and the one that's shown first.
type StoredDeletedTriggers struct {
	Placement     Placement
	Offers        int64
	IDs           []string
	OfferID, Name string
	Setup         []byte // SetupBody
}

// StoredJSON is a stored JSON value and when it was fetched.
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

// StoredPull is the part of a ledger row that pages need.
type StoredPull struct {
	Service      string
	Pull         string
	Subject      string
	Lane         fact.Lane
	Outcome      fact.Outcome
	Text         locale.Message
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
	// Days are the stored whole days, with their revisions.
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

// StoredBudget is the current state of one credential's slots.
type StoredBudget struct {
	Service string
	Tail    string
	State   fact.CredentialState
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

// TopRow is one offer in a ranking by revenue earned in the window.
type TopRow struct {
	// Rank counts from 1, the highest earner; 0 if the rank from the top isn't known.
	Rank      int       `json:"rank,omitempty"`
	OfferID   string    `json:"offer_id"`
	Name      string    `json:"name"`
	Placement Placement `json:"placement"`
	// Status is the offer's current status, raw; empty if unknown.
	Status string `json:"status,omitempty"`
	ABTest bool   `json:"ab_test"`
	// Revenue is what it earned in the window; RevenueAllTime comes from the inventory (N12).
	Revenue        *decimal.Decimal `json:"revenue"`
	RevenueAllTime *decimal.Decimal `json:"revenue_all_time"`
	Claims         *int64           `json:"claims"`
	// AcceptanceRate is as reported: TopOffers.AcceptanceUnit is its unit (N19).
	AcceptanceRate *decimal.Decimal `json:"acceptance_rate"`
	Deleted        bool             `json:"deleted"`
	// URL opens the offer in the store admin; always a safe https address, or empty.
	URL string `json:"url,omitempty"`
}

// Campaign is one gift campaign as listed.
type Campaign struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	Status     string `json:"status"`
	Type       string `json:"type"`
	TargetPage string `json:"target_page"`
	// StartDate and EndDate are the service's text; empty if not sent.
	StartDate string    `json:"start_date,omitempty"`
	EndDate   string    `json:"end_date,omitempty"`
	Code      string    `json:"code,omitempty"`
	FirstSeen time.Time `json:"first_seen,omitzero"`
	// LastListed is set if the campaign is no longer in the list (N52).
	LastListed *time.Time `json:"last_listed,omitempty"`
	// Start and End are those dates as days on the store's clock; nil without a readable date.
	Start *civil.Date `json:"-"`
	End   *civil.Date `json:"-"`
}

// Percentage is the only documented unit of a gift conversion rate.
const Percentage = "percentage"

// GiftMetric is one metric of the gift service with its own comparison.
type GiftMetric struct {
	// Value is nil if the service sent none, which isn't 0 (N47).
	Value    *decimal.Decimal `json:"value"`
	Previous *decimal.Decimal `json:"previous"`
	// ChangePercent is nil without a baseline: Previous is zero (N46) or nil.
	ChangePercent *decimal.Decimal `json:"change_percent"`
	// Unit is raw; only conversion_rate has one.
	Unit string `json:"unit,omitempty"`
	// Withheld: the unit is unknown, so the number isn't shown (N48).
	Withheld bool `json:"withheld,omitempty"`
	// Uncompared: the stored days don't cover the comparison, or the service sent no change from a number
	// that isn't zero.
	Uncompared bool `json:"-"`
	// Reason is why stored days can't give the value; empty if they can, or if it was reported.
	Reason string `json:"reason,omitempty"`
}

// RateChange is the change of a reported rate in percentage points. A change in percent would look like
// a second rate ("8.0%, 8.8% lower").
func (m GiftMetric) RateChange(l locale.Locale) locale.Delta {
	switch {
	case m.Value != nil && m.ChangePercent == nil: // the window before was zero (N46)
		return l.ReportedChange(nil)
	case m.Value == nil || m.Previous == nil:
		_, _, d := l.CompareShares(m.Value, nil)
		return d
	}
	_, _, d := l.ComparePercents(*m.Value, *m.Previous)
	return d
}

// StoredSum is the sum of a window's stored whole days.
type StoredSum struct {
	// Days counts them; Kept lists them, or is empty if none is missing.
	Days int
	Kept []civil.Date
	// Currency applies to every day, unless OtherCurrency is set: then there is no sum (N34).
	Currency, OtherCurrency        string
	TotalUpsoldValue               decimal.Decimal
	TotalUpsoldOrders, TotalOrders int64
	OfferViews                     int64
	// ViewDays counts the days that report offer views.
	ViewDays, Revised      int
	FetchedAt, FetchedLast time.Time
}

func (s *StoredSum) Add(day civil.Date, r StoredSummary) {
	s.Days++
	s.Kept, s.Currency = append(s.Kept, day), r.Currency
	s.TotalUpsoldValue = s.TotalUpsoldValue.Add(r.TotalUpsoldValue)
	s.TotalUpsoldOrders += r.TotalUpsoldOrders
	s.TotalOrders += r.TotalOrders
	if r.OfferViews != nil {
		s.OfferViews += *r.OfferViews
		s.ViewDays++
	}
	if r.Revised {
		s.Revised++
	}
	if s.FetchedAt.IsZero() || r.FetchedAt.Before(s.FetchedAt) {
		s.FetchedAt = r.FetchedAt
	}
	if r.FetchedAt.After(s.FetchedLast) {
		s.FetchedLast = r.FetchedAt
	}
}
