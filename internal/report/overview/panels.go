package overview

import (
	"slices"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/gift"
)

// Overview is everything on a store's overview page.
type Overview struct {
	Locale    locale.Locale
	Store     report.Store
	Now       time.Time // on the store's clock
	Choice    report.Choice
	Freshness report.Freshness
	Asking    bool // a service's answer for the chosen window, or the one before, is on its way
	// BeforeTooOld: the upsell app's data doesn't reach back to the comparison window.
	BeforeTooOld bool
	Filling      *Filling // nil when the planned history is complete
	Troubles     []report.Trouble
	Connected    bool // an upsell credential exists
	Pulls        report.UpsellPulls
	GiftLinked   bool // a gift credential exists
	Summary      Summary
	Trend        Trend
	Placements   PlacementStats
	Coverage     Coverage
	Top          TopOffers
	// TopBefore is the comparison window's ranking; nil without a comparison.
	TopBefore *TopOffers
	// Events are the starts and ends of offers and gift campaigns within the window, EventsBefore those
	// of offers within the comparison window.
	Events, EventsBefore []report.Event

	Lifetime  Lifetime
	Gift      gift.Analytics
	Health    gift.SetupHealth
	Plan      gift.Plan
	Campaigns gift.Campaigns
	Todos     []report.Todo
	// Snoozed counts the open alerts that Todos leaves out, Resolved those resolved in the last week.
	Snoozed  int
	Resolved int64
}

// Summary is the shop-wide total for one window (GET /data/analytics/summary).
type Summary struct {
	report.Panel
	Currency string `json:"currency"`
	// TotalUpsoldValue is the upsold revenue, in Currency.
	TotalUpsoldValue  decimal.Decimal `json:"total_upsold_value"`
	TotalUpsoldOrders int64           `json:"total_upsold_orders"`
	TotalOrders       int64           `json:"total_orders"`
	// UpsellSuccessRate is upsold orders / all orders, a fraction; nil without orders.
	UpsellSuccessRate *decimal.Decimal `json:"upsell_success_rate"`
	// AverageUpsoldValue is value / upsold orders, in Currency; nil if nothing was upsold.
	AverageUpsoldValue *decimal.Decimal `json:"average_upsold_value"`
	// OfferViews are impressions across all four placements; nil if the service left them out.
	OfferViews *int64 `json:"offer_views"`
	// Previous is the comparison window's summary; nil without a comparison.
	Previous *Summary `json:"previous,omitempty"`
}

// DayPoint is one day of the shop's history. Stored is false for a day that isn't stored: a gap, never
// a zero (N1).
type DayPoint struct {
	Day civil.Date `json:"day"`
	// Until is the last day of a point that is a week or a month; nil for a day.
	Until *civil.Date `json:"until,omitempty"`
	// DaysCounted of the week's or month's DaysOf days are in the numbers; Missing lists its days
	// within the window that aren't stored. All are zero for a day.
	DaysCounted int          `json:"days_counted,omitempty"`
	DaysOf      int          `json:"days_of,omitempty"`
	Missing     []civil.Date `json:"missing,omitempty"`
	Stored      bool         `json:"stored"`
	// Value is the upsold value; nil if not stored.
	Value       *decimal.Decimal `json:"total_upsold_value"`
	Orders      *int64           `json:"total_upsold_orders"`
	TotalOrders *int64           `json:"total_orders"`
	SuccessRate *decimal.Decimal `json:"upsell_success_rate"`
	Average     *decimal.Decimal `json:"average_upsold_value"`
	Views       *int64           `json:"offer_views"`
	Currency    string           `json:"currency,omitempty"`
	// Partial: the day wasn't over when it was fetched.
	Partial bool `json:"partial"`
	// Revised: the day's value changed after it was first seen.
	Revised bool `json:"revised"`
	// Repaired: the day was missed and derived from later answers (gifts only).
	Repaired  bool      `json:"-"`
	FetchedAt time.Time `json:"fetched_at,omitzero"`
}

// Last is the point's last day.
func (p DayPoint) Last() civil.Date {
	if p.Until != nil {
		return *p.Until
	}
	return p.Day
}

// Part reports whether the point is a week or month with some of its days missing.
func (p DayPoint) Part() bool { return p.Until != nil && p.DaysCounted < p.DaysOf }

// Trend is the daily history: one point for every day of the window.
type Trend struct {
	report.Panel
	Currency string     `json:"currency"`
	Days     []DayPoint `json:"days"`
	// Against holds the comparison window's days, in order; it may be shorter or longer than Days.
	Against       []DayPoint     `json:"against,omitempty"`
	AgainstWindow *report.Window `json:"against_window,omitempty"`
	// Today is the partial current day, drawn dashed and not counted; nil if not pulled or not right
	// after the window.
	Today *DayPoint     `json:"today,omitempty"`
	Marks []report.Mark `json:"marks"`
	// Notes are people's notes about days in the window.
	Notes []report.DayNote `json:"notes,omitempty"`
	// Goals are the goals of months within the window, each with the days of its month.
	Goals []DailyGoal `json:"goals,omitempty"`
}

// Rows are the days for a file or a program: with today so far, marked as partial, if it belongs to the
// window.
func (t Trend) Rows() []DayPoint {
	if w := t.Provenance.Window; t.Today != nil && w != nil && w.Contains(t.Today.Day) {
		return append(slices.Clone(t.Days), *t.Today)
	}
	return t.Days
}

// DailyGoal is a month's goal as an amount per day, in the trend's currency. Orders is true if the goal
// is a number of orders.
type DailyGoal struct {
	Start  civil.Date      `json:"start"`
	End    civil.Date      `json:"end"`
	PerDay decimal.Decimal `json:"per_day"`
	Orders bool            `json:"orders"`
}

// PlacementDay is one day of one placement.
type PlacementDay struct {
	Day     civil.Date       `json:"day"`
	Stored  bool             `json:"stored"`
	Revenue *decimal.Decimal `json:"revenue"`
	// Currency differs from the panel's on days before the store changed it (N34).
	Currency    string `json:"currency"`
	Impressions int64  `json:"impressions"`
	Claims      int64  `json:"claims"`
}

// PlacementRow is one placement in one window (GET /data/analytics/stats). Rows are never summed (N14).
type PlacementRow struct {
	Placement report.Placement `json:"placement"`
	// Revenue is nil if the service doesn't report it (Coupon offer, N13).
	Revenue     *decimal.Decimal `json:"revenue"`
	Impressions int64            `json:"impressions"`
	Claims      int64            `json:"claims"`
	// Absent: the service sent no row for this placement.
	Absent   bool           `json:"absent,omitempty"`
	Days     []PlacementDay `json:"days,omitempty"`
	Previous *PlacementRow  `json:"previous,omitempty"`
	// Cover is the placement's current state; nil before the first coverage pull.
	Cover *CoverRow `json:"-"`
	// Caution is the one thing to know about this row.
	Caution string `json:"-"`
}

// PlacementStats shows the placements next to each other.
type PlacementStats struct {
	report.Panel
	Currency string         `json:"currency"`
	Rows     []PlacementRow `json:"placements"`
	// ShopOfferCount is the number of offers in any status; nil if unknown.
	ShopOfferCount *int64 `json:"shop_offer_count"`
	// Compared is the provenance of the Previous rows; nil without a comparison.
	Compared *report.Provenance `json:"compared,omitempty"`
	// Drawn is the provenance of the daily bars, always stitched.
	Drawn report.Provenance `json:"-"`
}

// CoverState says what a placement is missing right now, for the to-do list.
type CoverState string

const (
	// Live: at least one offer is active.
	Live CoverState = "live"
	// SwitchedOff: offers exist, but none is active.
	SwitchedOff CoverState = "switched_off"
	// NeverCreated: no offer was ever made for it.
	NeverCreated CoverState = "never_created"
)

// CoverRow is one placement's coverage: counts are current, RecentRevenue is for the panel's window.
type CoverRow struct {
	Placement   report.Placement `json:"placement"`
	State       CoverState       `json:"state"`
	HasActive   bool             `json:"has_active"`
	ActiveCount int64            `json:"active_count"`
	TotalCount  int64            `json:"total_count"`
	// RecentRevenue is nil if not reported (Coupon offer).
	RecentRevenue *decimal.Decimal `json:"recent_revenue"`
	// Deleted is nil unless an offer of the placement points to something deleted.
	Deleted *report.DeletedTriggers `json:"-"`
}

// Coverage says which placements have an active offer (GET /data/analytics/coverage). Provenance.Window
// applies to the revenue column only (N29).
type Coverage struct {
	report.Panel
	Currency string     `json:"currency"`
	Rows     []CoverRow `json:"placements"`
}

// TopOffers are the highest and lowest earners of one window (GET /data/analytics/top).
type TopOffers struct {
	report.Panel
	Currency string `json:"currency"`
	// Highest runs from rank 1 downwards. Lowest is also in descending order, ends with the lowest
	// earner, and shares no row with Highest.
	Highest []report.TopRow `json:"highest"`
	Lowest  []report.TopRow `json:"lowest"`
	// AcceptanceUnit is the unit of every row's AcceptanceRate, if claims and views prove it (N19).
	AcceptanceUnit RateUnit `json:"acceptance_unit"`
	// Earned is the number of offers that earned something; nil if the two lists don't meet.
	Earned *int `json:"earned"`
	// Silent is the number of offers that could have earned but didn't; nil if unknown.
	Silent *int `json:"earned_nothing"`
	// SoldNothing holds the ids of offers that were active on every day of the window and earned
	// nothing; nil if unknown.
	SoldNothing []string `json:"-"`
	// Coupons is the number of coupon offers, which report no revenue; nil if unknown.
	Coupons *int64 `json:"coupon_offers"`
	// ShopOfferCount is the number of offers in any status; nil if unknown.
	ShopOfferCount *int64 `json:"shop_offer_count"`
}

// Lifetime holds the all-time totals. They have no window (N21).
type Lifetime struct {
	report.Panel
	Currency     string          `json:"currency"`
	TotalRevenue decimal.Decimal `json:"total_revenue"`
	OfferViews   int64           `json:"offer_views"`
	UpsoldOrders int64           `json:"upsold_orders"`
	// ConversionRate is upsold orders / views, a fraction; nil without views.
	ConversionRate *decimal.Decimal `json:"conversion_rate"`
	// RevenuePerVisit is revenue / views, in Currency; nil without views.
	RevenuePerVisit *decimal.Decimal `json:"revenue_per_visit"`
}

// Filling is the progress of a new store's first pulls: the first answers, then the planned history.
type Filling struct {
	// Answers of the AnswersOf pulls behind the first page have finished, including failed ones.
	Answers, AnswersOf int
	Stored, Planned    int
	Window             report.Window
	// DaysLeft is how many days are still to come, Parts what arrives when; empty without an estimate.
	DaysLeft int
	Parts    []report.Part
	// Days has one entry per day of Window: whether it's stored.
	Days []bool
}

// Left is how many calls and minutes the rest of the history takes.
func (f Filling) Left() (calls, minutes int) {
	last := history(f.Parts)
	return last.Calls, (last.Seconds + 59) / 60
}

// First reports whether the first page is still being pulled.
func (f Filling) First() bool { return f.Answers < f.AnswersOf }
