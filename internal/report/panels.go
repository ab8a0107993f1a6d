package report

import (
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
)

// Panel is what every panel carries besides its numbers. A panel loads and fails alone: either it has
// numbers, or Empty says why not.
type Panel struct {
	Provenance Provenance `json:"provenance"`
	// Empty is set when there is nothing to show; the numbers are then zero values.
	Empty *Empty `json:"empty,omitempty"`
	// Trouble is set when a later pull failed: the numbers are the last good ones.
	Trouble *Trouble `json:"trouble,omitempty"`
}

// Trouble says why a panel's numbers are older than they should be.
type Trouble struct {
	// Title and Text are for people: "Not pulled since 12 Nov. You are seeing the last good numbers."
	Title string `json:"title"`
	Text  string `json:"text"`
	// Since is when the first failing attempt was made.
	Since time.Time `json:"since"`
	// NeedsPerson is true if retrying can't help.
	NeedsPerson bool `json:"needs_person"`
	// Next is the end of Text that says when the next check is. Mails drop it, since they are read later.
	Next string
}

// Summary is the shop-wide total for one window (GET /data/analytics/summary).
type Summary struct {
	Panel
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

// Mark is a start or end on the timeline.
type Mark struct {
	Day   civil.Date `json:"day"`
	Start bool       `json:"start"` // false: an end
	Gift  bool       `json:"gift"`  // a gift campaign, drawn as an outline
	Name  string     `json:"name"`
	// Offers is how many started or ended that day; 0 for a campaign. Name is one of them.
	Offers int64 `json:"offers,omitempty"`
}

// Trend is the daily history: one point for every day of the window.
type Trend struct {
	Panel
	Currency string     `json:"currency"`
	Days     []DayPoint `json:"days"`
	// Against holds the comparison window's days, in order; it may be shorter or longer than Days.
	Against       []DayPoint `json:"against,omitempty"`
	AgainstWindow *Window    `json:"against_window,omitempty"`
	// Today is the partial current day, drawn dashed and not counted; nil if not pulled or not right
	// after the window.
	Today *DayPoint `json:"today,omitempty"`
	Marks []Mark    `json:"marks"`
	// Notes are people's notes about days in the window.
	Notes []DayNote `json:"notes,omitempty"`
	// Goals are the goals of months within the window, each with the days of its month.
	Goals []DailyGoal `json:"goals,omitempty"`
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
	Day         civil.Date       `json:"day"`
	Stored      bool             `json:"stored"`
	Revenue     *decimal.Decimal `json:"revenue"`
	Impressions int64            `json:"impressions"`
	Claims      int64            `json:"claims"`
}

// PlacementRow is one placement in one window (GET /data/analytics/stats). Rows are never summed (N14).
type PlacementRow struct {
	Placement Placement `json:"placement"`
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
	Panel
	Currency string         `json:"currency"`
	Rows     []PlacementRow `json:"placements"`
	// ShopOfferCount is the number of offers in any status; nil if unknown.
	ShopOfferCount *int64 `json:"shop_offer_count"`
	// Compared is the provenance of the Previous rows; nil without a comparison.
	Compared *Provenance `json:"compared,omitempty"`
	// Drawn is the provenance of the daily bars, always stitched.
	Drawn Provenance `json:"-"`
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
	Placement   Placement  `json:"placement"`
	State       CoverState `json:"state"`
	HasActive   bool       `json:"has_active"`
	ActiveCount int64      `json:"active_count"`
	TotalCount  int64      `json:"total_count"`
	// RecentRevenue is nil if not reported (Coupon offer).
	RecentRevenue *decimal.Decimal `json:"recent_revenue"`
	// Deleted is nil unless an offer of the placement points to something deleted.
	Deleted *DeletedTriggers `json:"-"`
}

// Coverage says which placements have an active offer (GET /data/analytics/coverage). Provenance.Window
// applies to the revenue column only (N29).
type Coverage struct {
	Panel
	Currency string     `json:"currency"`
	Rows     []CoverRow `json:"placements"`
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

// TopOffers are the highest and lowest earners of one window (GET /data/analytics/top).
type TopOffers struct {
	Panel
	Currency string `json:"currency"`
	// Highest runs from rank 1 downwards. Lowest is also in descending order, ends with the lowest
	// earner, and shares no row with Highest.
	Highest []TopRow `json:"highest"`
	Lowest  []TopRow `json:"lowest"`
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
	Panel
	Currency     string          `json:"currency"`
	TotalRevenue decimal.Decimal `json:"total_revenue"`
	OfferViews   int64           `json:"offer_views"`
	UpsoldOrders int64           `json:"upsold_orders"`
	// ConversionRate is upsold orders / views, a fraction; nil without views.
	ConversionRate *decimal.Decimal `json:"conversion_rate"`
	// RevenuePerVisit is revenue / views, in Currency; nil without views.
	RevenuePerVisit *decimal.Decimal `json:"revenue_per_visit"`
}

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
	// Uncompared: the stored days don't cover the comparison.
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
		return l.ChangePoints(m.Value, nil)
	}
	_, _, d := l.ComparePercents(*m.Value, *m.Previous)
	return d
}

// GiftAnalytics holds the gift widget's results in one window (GET /analytics). They are never added to
// upsell revenue: the same order can be in both (N3).
type GiftAnalytics struct {
	Panel
	Currency string     `json:"currency"`
	Orders   GiftMetric `json:"orders"`
	Revenue  GiftMetric `json:"revenue"`
	// ConversionRate is a percentage, not a fraction.
	ConversionRate GiftMetric `json:"conversion_rate"`
	// AOVByFG is the average value of orders with a free gift; AOVStore that of all orders.
	AOVByFG  GiftMetric `json:"aov_by_fg"`
	AOVStore GiftMetric `json:"aov_store"`
	// Compared is false without a comparison, for a partial window (N45), and if the comparison window
	// isn't stored.
	Compared bool `json:"compared"`
	// Against is the window that every Previous and ChangePercent refers to (N74).
	Against *Window `json:"compared_with"`
}

// GiftDay is one stored day of the gift widget.
type GiftDay struct {
	Day    civil.Date `json:"day"`
	Stored bool       `json:"stored"`
	// Basis is Reported, or Derived for a missed day filled in later; empty if not stored.
	Basis Basis `json:"basis,omitempty"`
	// From says how a missed day was derived: "previous" from what the next day's answer said about it,
	// or "difference" between the answers for two windows, only one of which includes it.
	From      fact.GiftBasis   `json:"derived_from,omitempty"`
	Orders    *decimal.Decimal `json:"orders"`
	Revenue   *decimal.Decimal `json:"revenue"`
	Currency  string           `json:"currency,omitempty"`
	Flags     []Flag           `json:"flags"`
	Revised   bool             `json:"-"`
	FetchedAt time.Time        `json:"fetched_at,omitzero"`
}

// GiftHistory has one row per day.
type GiftHistory struct {
	Panel
	Days []GiftDay `json:"days"`
	// Currency is the newest stored day's; Mixed is set if another day has a different one (N34).
	Currency string `json:"-"`
	Mixed    *Empty `json:"-"`
	// Marks are the starts and ends of campaigns within the window.
	Marks []Mark `json:"-"`
	// Notes are people's notes about days in the window.
	Notes []DayNote `json:"-"`
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

// Campaigns is the campaign list.
type Campaigns struct {
	Panel
	Campaigns []Campaign `json:"campaigns"`
	// Total is the service's count. Capped is set if the list reached its limit of 100: show "100+" (N51).
	Total  int64 `json:"total"`
	Capped bool  `json:"capped"`
}

// HealthIssue is one problem the gift service names.
type HealthIssue struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	// Fix is our advice; empty for a code we don't know.
	Fix string `json:"fix,omitempty"`
	// SeenAt is when the service last named it.
	SeenAt time.Time `json:"-"`
}

// SetupHealth says whether the gift widget can appear (GET /setup-health). Sections fail independently;
// each is its last good version (N50).
type SetupHealth struct {
	Panel
	Issues []HealthIssue `json:"issues"`
	// Errors are the parts the service couldn't check, in its words. While there are any, it's not "all clear".
	Errors       []string `json:"errors"`
	EmbedEnabled *bool    `json:"embed_enabled"`
	ThemeName    string   `json:"theme_name,omitempty"`
	ThemeOS2     *bool    `json:"theme_os2"`
	Total        *int64   `json:"campaigns_total"`
	Active       *int64   `json:"campaigns_active"`
	Scheduled    *int64   `json:"campaigns_scheduled"`
	Expired      *int64   `json:"campaigns_expired"`
	// Sections gives each part's age: a part that the service couldn't check keeps its old answer.
	Sections []HealthSection `json:"sections"`
}

// HealthSection is the age of one part of setup health.
type HealthSection struct {
	// Section is "theme", "campaigns", "issues" or "errors".
	Section   string    `json:"section"`
	FetchedAt time.Time `json:"fetched_at"`
}

// AllClear is true if the answer is complete and names no issue.
func (h SetupHealth) AllClear() bool {
	return h.Empty == nil && len(h.Issues) == 0 && len(h.Errors) == 0
}

// Freshness is how far the data reaches and when it was pulled.
type Freshness struct {
	// DataTo is the last whole stored day; nil if none.
	DataTo   *civil.Date `json:"data_to"`
	PulledAt *time.Time  `json:"pulled_at"`
	// State is "good", "filling", "stale" or "failed".
	State string `json:"state"`
	// Words is the state as text: "Data to 19 Nov, pulled 12 minutes ago".
	Words string `json:"words"`
	// Paused: a person paused the store.
	Paused bool `json:"-"`
}

// Filling is the progress of a new store's first pulls: the first answers, then the planned history.
type Filling struct {
	// Answers of the AnswersOf pulls behind the first page have finished, including failed ones.
	Answers, AnswersOf int
	Stored, Planned    int
	Window             Window
	// DaysLeft is how many days are still to come, Parts what arrives when; empty without an estimate.
	DaysLeft int
	Parts    []Part
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

// Overview is everything on a store's overview page.
type Overview struct {
	Locale    locale.Locale
	Store     Store
	Now       time.Time // on the store's clock
	Choice    Choice
	Freshness Freshness
	Asking    bool // a service's answer for the chosen window, or the one before, is on its way
	// BeforeTooOld: the upsell app's data doesn't reach back to the comparison window.
	BeforeTooOld bool
	Filling      *Filling // nil when the planned history is complete
	Troubles     []Trouble
	Connected    bool // an upsell credential exists
	Pulls        UpsellPulls
	GiftLinked   bool // a gift credential exists
	Summary      Summary
	Trend        Trend
	Placements   PlacementStats
	Coverage     Coverage
	Top          TopOffers
	// TopBefore is the comparison window's ranking; nil without a comparison.
	TopBefore *TopOffers
	// Events are the starts and ends of offers and gift campaigns within the window.
	Events    []Event
	Lifetime  Lifetime
	Gift      GiftAnalytics
	Health    SetupHealth
	Plan      Plan
	Campaigns Campaigns
	Todos     []Todo
	// Snoozed counts the open alerts that Todos leaves out, Resolved those resolved in the last week.
	Snoozed  int
	Resolved int64
}
