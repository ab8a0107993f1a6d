package report

import (
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
)

// Freshness is how far the data reaches and when it was pulled.
type Freshness struct {
	// DataTo is the last whole stored day; nil if none.
	DataTo   *civil.Date `json:"data_to"`
	PulledAt *time.Time  `json:"pulled_at"`
	// State is "good", "filling", "stale" or "failed".
	State string `json:"state"`
	// Words is the state as text: "Data to 19 Nov, pulled 12 minutes ago".
	Words string `json:"words"`
	// Off: a person paused the store, or disconnected the app.
	Off bool `json:"-"`
}

// Sign shows how a store's data is arriving: "active", "filling", "waiting", "person" or "none". All
// pages use this one rule for their headings; what a person stopped is never marked as working (N73), nor
// as a problem.
func (f Freshness) Sign() string {
	switch {
	case f.Off:
		return "none"
	case f.State == "good":
		return "active"
	case f.State == "stale":
		return "waiting"
	case f.State == "failed":
		return "person"
	}
	return "filling"
}

// NewFreshness is good if the newest answer is recent and the last whole day is yesterday, or the day
// before during a day's first hours, while the nightly pulls run.
func NewFreshness(l locale.Locale, updated time.Time, last civil.Date, now time.Time, today civil.Date) Freshness {
	if updated.IsZero() {
		return Freshness{State: "filling", Words: l.T("panel.freshness.nothing")}
	}
	f := Freshness{PulledAt: &updated, State: "good"}
	if now.Sub(updated) > Overdue || last.IsValid() && today.DaysSince(last) > 2 {
		f.State = "stale"
	}
	if !last.IsValid() {
		f.Words = l.T("panel.freshness.no_day", "ago", l.Age(now, updated))
		return f
	}
	f.DataTo = &last
	f.Words = l.T("panel.freshness.to", "day", l.Day(last), "ago", l.Age(now, updated))
	return f
}

// Overdue is how late a pull may be before its numbers count as stale.
const Overdue = 3 * time.Hour

// FirstPull is a pull that a store's first page depends on.
type FirstPull struct{ Service, Pull, Subject string }

// FirstPulls are all of them. They run before anything else, because someone who just connected a store
// is looking at an empty page.
var FirstPulls = []FirstPull{
	{"upsell", "offer_count", ""}, {"upsell", "summary.window", "30"}, {"upsell", "stats.window", "30"},
	{"upsell", "top.highest", "30"}, {"upsell", "coverage", ""}, {"upsell", "lifetime", ""},
	{"gift", "gift.setup_health", ""}, {"gift", "gift.plan", ""}, {"gift", "gift.window", "30"},
}
