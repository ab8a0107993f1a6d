package gift

import (
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/report"
)

// Analytics holds the gift widget's results in one window (GET /analytics). They are never added to
// upsell revenue: the same order can be in both (N3).
type Analytics struct {
	report.Panel
	Currency string            `json:"currency"`
	Orders   report.GiftMetric `json:"orders"`
	Revenue  report.GiftMetric `json:"revenue"`
	// ConversionRate is a percentage, not a fraction.
	ConversionRate report.GiftMetric `json:"conversion_rate"`
	// AOVByFG is the average value of orders with a free gift; AOVStore that of all orders.
	AOVByFG  report.GiftMetric `json:"aov_by_fg"`
	AOVStore report.GiftMetric `json:"aov_store"`
	// Compared is false without a comparison, for a partial window (N45), and if the comparison window
	// isn't stored.
	Compared bool `json:"compared"`
	// Against is the window that every Previous and ChangePercent refers to (N74).
	Against *report.Window `json:"compared_with"`
}

// Day is one stored day of the gift widget.
type Day struct {
	Day    civil.Date `json:"day"`
	Stored bool       `json:"stored"`
	// Basis is Reported, or Derived for a missed day filled in later; empty if not stored.
	Basis report.Basis `json:"basis,omitempty"`
	// From says how a missed day was derived: "previous" from what the next day's answer said about it,
	// or "difference" between two answers, one with that day and one without it.
	From      fact.GiftBasis   `json:"derived_from,omitempty"`
	Orders    *decimal.Decimal `json:"orders"`
	Revenue   *decimal.Decimal `json:"revenue"`
	Currency  string           `json:"currency,omitempty"`
	Flags     []report.Flag    `json:"flags"`
	Revised   bool             `json:"-"`
	FetchedAt time.Time        `json:"fetched_at,omitzero"`
}

// History has one row per day.
type History struct {
	report.Panel
	Days []Day `json:"days"`
	// Currency is the newest stored day's; Mixed is set if another day has a different one (N34).
	Currency string        `json:"-"`
	Mixed    *report.Empty `json:"-"`
	// Marks are the starts and ends of campaigns within the window.
	Marks []report.Mark `json:"-"`
	// Notes are people's notes about days in the window.
	Notes []report.DayNote `json:"-"`
}

// Campaigns is the campaign list.
type Campaigns struct {
	report.Panel
	Campaigns []report.Campaign `json:"campaigns"`
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
	report.Panel
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

// AllClear is true if the answer is complete and names no issue.
func (h SetupHealth) AllClear() bool {
	return h.Empty == nil && len(h.Issues) == 0 && len(h.Errors) == 0
}

// HealthSection is the age of one part of setup health.
type HealthSection struct {
	// Section is "theme", "campaigns", "issues" or "errors".
	Section   string    `json:"section"`
	FetchedAt time.Time `json:"fetched_at"`
}
