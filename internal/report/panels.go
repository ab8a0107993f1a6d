package report

import (
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
)

// Panel is what every panel carries beside its numbers. A panel loads and fails
// alone: either Empty says why there is nothing, or the numbers are.
type Panel struct {
	Provenance Provenance `json:"provenance"`
	// Empty is set when there is nothing to show; the numbers are then zero values.
	Empty *Empty `json:"empty,omitempty"`
	// Trouble is set when a later pull failed: the numbers are the last good ones.
	Trouble *Trouble `json:"trouble,omitempty"`
}

// Trouble is why a panel's numbers are older than they should be.
type Trouble struct {
	// Title and Text are words for a person: "Not pulled since 12 Nov. You are seeing the last good numbers."
	Title string `json:"title"`
	Text  string `json:"text"`
	// Since is when the first of the failing tries was made.
	Since time.Time `json:"since"`
	// NeedsPerson is true when trying again can't help.
	NeedsPerson bool `json:"needs_person"`
	// Next is the end of Text that says when it is checked again: a mail is read later.
	Next string
}

// Summary is the shop-wide roll-up of one window (GET /data/analytics/summary).
type Summary struct {
	Panel
	Currency string `json:"currency"`
	// TotalUpsoldValue is the upsold revenue, in Currency.
	TotalUpsoldValue  decimal.Decimal `json:"total_upsold_value"`
	TotalUpsoldOrders int64           `json:"total_upsold_orders"`
	TotalOrders       int64           `json:"total_orders"`
	// UpsellSuccessRate is upsold orders / all orders, a fraction; nil when no order was taken.
	UpsellSuccessRate *decimal.Decimal `json:"upsell_success_rate"`
	// AverageUpsoldValue is value / upsold orders, in Currency; nil when nothing was upsold.
	AverageUpsoldValue *decimal.Decimal `json:"average_upsold_value"`
	// OfferViews are impressions across all four placements; nil when the service left them out.
	OfferViews *int64 `json:"offer_views"`
	// Previous is the comparison window's summary; nil when nothing is compared.
	Previous *Summary `json:"previous,omitempty"`
}

// DayPoint is one day of the shop's history. A day that is not stored has
// Stored false: it is a gap, never a zero (N1).
type DayPoint struct {
	Day civil.Date `json:"day"`
	// Until is the last day of a point that is a week or a month; nil for a day.
	Until *civil.Date `json:"until,omitempty"`
	// DaysCounted are how many of the DaysOf days of the week or month are in the numbers;
	// Missing names those of them within the window that are not stored. None of a day.
	DaysCounted int          `json:"days_counted,omitempty"`
	DaysOf      int          `json:"days_of,omitempty"`
	Missing     []civil.Date `json:"missing,omitempty"`
	Stored      bool         `json:"stored"`
	// Value is the upsold value; nil when not stored.
	Value       *decimal.Decimal `json:"total_upsold_value"`
	Orders      *int64           `json:"total_upsold_orders"`
	TotalOrders *int64           `json:"total_orders"`
	SuccessRate *decimal.Decimal `json:"upsell_success_rate"`
	Average     *decimal.Decimal `json:"average_upsold_value"`
	Views       *int64           `json:"offer_views"`
	Currency    string           `json:"currency,omitempty"`
	// Partial: the day was not over when it was fetched.
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
	Gift  bool       `json:"gift"`  // a gift campaign, drawn outlined
	Name  string     `json:"name"`
	// Offers is how many started or ended that day, 0 for a campaign. Name is one of them.
	Offers int64 `json:"offers,omitempty"`
}

// Trend is the daily history: one point a day of the window, all days present.
type Trend struct {
	Panel
	Currency string     `json:"currency"`
	Days     []DayPoint `json:"days"`
	// Against are the comparison window's days, in order; may be shorter or longer than Days.
	Against       []DayPoint `json:"against,omitempty"`
	AgainstWindow *Window    `json:"against_window,omitempty"`
	// Today is the partial current day, drawn dashed and not counted; nil when not pulled or not next to the window.
	Today *DayPoint `json:"today,omitempty"`
	Marks []Mark    `json:"marks"`
	// Notes are what people wrote about days of the window.
	Notes []DayNote `json:"notes,omitempty"`
	// Goals are those of the months within the window, each on the days of its month.
	Goals []DailyGoal `json:"goals,omitempty"`
}

// DailyGoal is a goal of a month as an amount a day, in the trend's currency. Orders is true
// for a goal in orders.
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

// PlacementRow is one placement in one window (GET /data/analytics/stats). Rows
// are never summed (N14).
type PlacementRow struct {
	Placement Placement `json:"placement"`
	// Revenue is nil when the service does not report it (Coupon offer, N13).
	Revenue     *decimal.Decimal `json:"revenue"`
	Impressions int64            `json:"impressions"`
	Claims      int64            `json:"claims"`
	// Absent: the service sent no row for this placement.
	Absent   bool           `json:"absent,omitempty"`
	Days     []PlacementDay `json:"days,omitempty"`
	Previous *PlacementRow  `json:"previous,omitempty"`
	// Cover is the placement's current state; nil before the coverage pull.
	Cover *CoverRow `json:"-"`
	// Caution is the one thing to know about this row.
	Caution string `json:"-"`
}

// PlacementStats are the placements side by side.
type PlacementStats struct {
	Panel
	Currency string         `json:"currency"`
	Rows     []PlacementRow `json:"placements"`
	// ShopOfferCount is the number of offers in any status; nil when not known.
	ShopOfferCount *int64 `json:"shop_offer_count"`
	// Compared is the provenance of the Previous rows; nil when nothing is compared.
	Compared *Provenance `json:"compared,omitempty"`
	// Drawn is the provenance of the daily bars, always stitched.
	Drawn Provenance `json:"-"`
}

// CoverState is a placement's current state as to-do.
type CoverState string

const (
	// Live: at least one offer is active.
	Live CoverState = "live"
	// SwitchedOff: offers exist, none is active.
	SwitchedOff CoverState = "switched_off"
	// NeverCreated: no offer was ever made for it.
	NeverCreated CoverState = "never_created"
)

// CoverRow is one placement's coverage: counts are of now, RecentRevenue of the
// panel's window.
type CoverRow struct {
	Placement   Placement  `json:"placement"`
	State       CoverState `json:"state"`
	HasActive   bool       `json:"has_active"`
	ActiveCount int64      `json:"active_count"`
	TotalCount  int64      `json:"total_count"`
	// RecentRevenue is nil when not reported (Coupon offer).
	RecentRevenue *decimal.Decimal `json:"recent_revenue"`
	// Deleted is nil where no offer of the placement names what was deleted.
	Deleted *DeletedTriggers `json:"-"`
}

// Coverage says which placements have an active offer (GET /data/analytics/coverage).
// Provenance.Window is that of the revenue column alone (N29).
type Coverage struct {
	Panel
	Currency string     `json:"currency"`
	Rows     []CoverRow `json:"placements"`
}

// TopRow is one offer in a ranking by revenue earned in the window.
type TopRow struct {
	// Rank counts from 1, the highest earner; 0 when the rank from the top is not known.
	Rank      int       `json:"rank,omitempty"`
	OfferID   string    `json:"offer_id"`
	Name      string    `json:"name"`
	Placement Placement `json:"placement"`
	// Status is the offer's status now, raw; empty when unknown.
	Status string `json:"status,omitempty"`
	ABTest bool   `json:"ab_test"`
	// Revenue is what it earned in the window; RevenueAllTime is the inventory's all-time figure (N12).
	Revenue        *decimal.Decimal `json:"revenue"`
	RevenueAllTime *decimal.Decimal `json:"revenue_all_time"`
	Claims         *int64           `json:"claims"`
	// AcceptanceRate is as reported: TopOffers.AcceptanceUnit is its unit (N19).
	AcceptanceRate *decimal.Decimal `json:"acceptance_rate"`
	Deleted        bool             `json:"deleted"`
	// URL opens the offer in the store admin; only a safe https address gets here.
	URL string `json:"url,omitempty"`
}

// TopOffers are the highest and lowest earners of one window (GET /data/analytics/top).
type TopOffers struct {
	Panel
	Currency string `json:"currency"`
	// Highest is in falling order from rank 1. Lowest is in falling order too and
	// shares no row with Highest; it ends with the lowest earner.
	Highest []TopRow `json:"highest"`
	Lowest  []TopRow `json:"lowest"`
	// AcceptanceUnit is that of every row's AcceptanceRate, where claims and views prove it (N19).
	AcceptanceUnit RateUnit `json:"acceptance_unit"`
	// Earned is the number of offers that earned something; nil when the two lists don't meet.
	Earned *int `json:"earned"`
	// Silent is the number of offers that could have earned and did not; nil when unknown.
	Silent *int `json:"earned_nothing"`
	// SoldNothing are the ids of the offers that were active on every day of the window
	// and earned nothing in it; nil when unknown.
	SoldNothing []string `json:"-"`
	// Coupons is the number of coupon offers, which report no revenue; nil when unknown.
	Coupons *int64 `json:"coupon_offers"`
	// ShopOfferCount is the number of offers in any status; nil when not known.
	ShopOfferCount *int64 `json:"shop_offer_count"`
}

// Lifetime are the all-time totals. They have no window (N21).
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
	// Value is nil when the service sent none: that is not 0 (N47).
	Value    *decimal.Decimal `json:"value"`
	Previous *decimal.Decimal `json:"previous"`
	// ChangePercent is nil without a baseline: Previous is zero (N46), or nil.
	ChangePercent *decimal.Decimal `json:"change_percent"`
	// Unit is raw; only conversion_rate has one.
	Unit string `json:"unit,omitempty"`
	// Withheld: the unit is not one we know, so the number is not shown (N48).
	Withheld bool `json:"withheld,omitempty"`
	// Uncompared: what it would be compared with can't be made from stored days.
	Uncompared bool `json:"-"`
	// Reason is why it can't be made from stored days; empty where it can, or was reported.
	Reason string `json:"reason,omitempty"`
}

// RateChange is the change of a reported rate in percentage points: its own change
// in percent would read as a second rate ("8.0%, 8.8% lower").
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

// GiftAnalytics are the gift widget's results in one window (GET /analytics).
// They are never added to upsell revenue: the same order can be in both (N3).
type GiftAnalytics struct {
	Panel
	Currency string     `json:"currency"`
	Orders   GiftMetric `json:"orders"`
	Revenue  GiftMetric `json:"revenue"`
	// ConversionRate is a percentage, not a fraction.
	ConversionRate GiftMetric `json:"conversion_rate"`
	// AOVByFG is the average value of orders with a free gift; AOVStore of all orders.
	AOVByFG  GiftMetric `json:"aov_by_fg"`
	AOVStore GiftMetric `json:"aov_store"`
	// Compared is false where no comparison is in force, for a partial window (N45),
	// and where the window to compare with is not stored.
	Compared bool `json:"compared"`
	// Against is the window that every Previous and ChangePercent is of (N74).
	Against *Window `json:"compared_with"`
}

// GiftDay is one stored day of the gift widget.
type GiftDay struct {
	Day    civil.Date `json:"day"`
	Stored bool       `json:"stored"`
	// Basis is Reported, or Derived for a day that was missed and repaired; empty when not stored.
	Basis Basis `json:"basis,omitempty"`
	// From says what a repaired day was derived from: "previous", what the next day's
	// answer said of it, or "difference", two windows, one with it.
	From      fact.GiftBasis   `json:"derived_from,omitempty"`
	Orders    *decimal.Decimal `json:"orders"`
	Revenue   *decimal.Decimal `json:"revenue"`
	Currency  string           `json:"currency,omitempty"`
	Flags     []Flag           `json:"flags"`
	Revised   bool             `json:"-"`
	FetchedAt time.Time        `json:"fetched_at,omitzero"`
}

// GiftHistory is one row a day.
type GiftHistory struct {
	Panel
	Days []GiftDay `json:"days"`
	// Currency is that of the newest stored day; Mixed is set when another day has another (N34).
	Currency string `json:"-"`
	Mixed    *Empty `json:"-"`
	// Marks are the starts and ends of campaigns within the window.
	Marks []Mark `json:"-"`
	// Notes are what people wrote about the window's days.
	Notes []DayNote `json:"-"`
}

// Campaign is one gift campaign as listed.
type Campaign struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	Status     string `json:"status"`
	Type       string `json:"type"`
	TargetPage string `json:"target_page"`
	// StartDate and EndDate are the service's text; empty when not given.
	StartDate string    `json:"start_date,omitempty"`
	EndDate   string    `json:"end_date,omitempty"`
	Code      string    `json:"code,omitempty"`
	FirstSeen time.Time `json:"first_seen,omitzero"`
	// LastListed is set when the campaign is no longer in the list (N52).
	LastListed *time.Time `json:"last_listed,omitempty"`
	// Start and End are the days of the dates on the store's clock; nil where there
	// is no date, or none that can be read.
	Start *civil.Date `json:"-"`
	End   *civil.Date `json:"-"`
}

// Campaigns is the campaign list.
type Campaigns struct {
	Panel
	Campaigns []Campaign `json:"campaigns"`
	// Total is the service's count; Capped when the list's limit of 100 was met: show "100+" (N51).
	Total  int64 `json:"total"`
	Capped bool  `json:"capped"`
}

// HealthIssue is one problem the gift service names.
type HealthIssue struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	// Fix is what to do, in our words; empty for a code we don't know.
	Fix string `json:"fix,omitempty"`
	// SeenAt is when the service last named it.
	SeenAt time.Time `json:"-"`
}

// SetupHealth says whether the gift widget can appear (GET /setup-health).
// Sections fail one by one; each is the last good one (N50).
type SetupHealth struct {
	Panel
	Issues []HealthIssue `json:"issues"`
	// Errors are the parts the service could not tell, in its words. While there are any, nothing is "all clear".
	Errors       []string `json:"errors"`
	EmbedEnabled *bool    `json:"embed_enabled"`
	ThemeName    string   `json:"theme_name,omitempty"`
	ThemeOS2     *bool    `json:"theme_os2"`
	Total        *int64   `json:"campaigns_total"`
	Active       *int64   `json:"campaigns_active"`
	Scheduled    *int64   `json:"campaigns_scheduled"`
	Expired      *int64   `json:"campaigns_expired"`
	// Sections say how old each part is: one that the service could not tell stays as it was.
	Sections []HealthSection `json:"sections"`
}

// HealthSection is the age of one part of setup health.
type HealthSection struct {
	// Section is "theme", "campaigns", "issues" or "errors".
	Section   string    `json:"section"`
	FetchedAt time.Time `json:"fetched_at"`
}

// AllClear is true when the whole answer is there and names no issue.
func (h SetupHealth) AllClear() bool {
	return h.Empty == nil && len(h.Issues) == 0 && len(h.Errors) == 0
}

// Freshness is how far the data reaches and when it was pulled.
type Freshness struct {
	// DataTo is the last whole stored day; nil when none.
	DataTo   *civil.Date `json:"data_to"`
	PulledAt *time.Time  `json:"pulled_at"`
	// State: "good", "filling", "stale" or "failed".
	State string `json:"state"`
	// Words: "Data to 19 Nov, pulled 12 minutes ago".
	Words string `json:"words"`
	// Paused: a person paused the store.
	Paused bool `json:"-"`
}

// Filling is how much of what a store begins with is there: the first answers, then
// the planned history.
type Filling struct {
	// Answers is how many of the AnswersOf pulls that the first page is made of have
	// come back; what failed has too.
	Answers, AnswersOf int
	Stored, Planned    int
	Window             Window
	// DaysLeft is how many days are still to come, Parts what comes when; empty where
	// nobody estimates.
	DaysLeft int
	Parts    []Part
	// Days holds one entry a day of Window: stored or not.
	Days []bool
}

// Left is how many calls and minutes the whole history still takes.
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
	Asking    bool // the answer of a service for the chosen window, or the one before, is to come
	// BeforeTooOld: the upsell app doesn't go back to the window that is compared with.
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
	// TopBefore is the ranking of the window that is compared with; nil where nothing is.
	TopBefore *TopOffers
	// Events are the starts and ends of offers and gift campaigns within the window.
	Events    []Event
	Lifetime  Lifetime
	Gift      GiftAnalytics
	Health    SetupHealth
	Plan      Plan
	Campaigns Campaigns
	Todos     []Todo
	// Snoozed counts the open rows of the inbox that Todos lacks, Resolved those that ended
	// in the last week.
	Snoozed  int
	Resolved int64
}
