// Package gift makes everything that pages show of a store's free gifts: the results, the set-up's health,
// the plan and the campaigns, with their widgets, settings and wordings. It adds nothing to upsells.
package gift

import (
	"slices"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/report"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
)

// Endpoints, as provenance names them.
const (
	endpointAnalytics   = "GET /analytics"
	endpointSetupHealth = "GET /setup-health"
	endpointPlan        = "GET /plan"
	endpointCampaigns   = "GET /campaigns"
	endpointCampaign    = "GET /campaigns/{id}"
	endpointWidgets     = "GET /widgets"
	endpointWording     = "GET /translations"
	endpointSettings    = "GET /settings"
)

// Page is everything on a store's Gifts page. Nothing on it is added to upsells (N3).
type Page struct {
	Store     report.Store
	Now       time.Time // on the store's clock
	Choice    report.Choice
	Freshness report.Freshness
	// Asking: the gift service was asked about the chosen window and hasn't answered yet.
	Asking bool
	// Trouble is set if the gift service needs attention; no calls are made until then.
	Trouble   *report.Trouble
	Analytics Analytics
	// Today is the answer that includes the current day; nil if none was pulled today, or if Analytics
	// already shows it.
	Today        *Analytics
	History      History
	Health       SetupHealth
	Plan         Plan
	Campaigns    Campaigns
	Widgets      Widgets
	Settings     SavedSettings
	Translations Translations
}

// StoredPage is what the Gifts page is made of: the gift rows of Stored, plus what no other page shows.
type StoredPage struct {
	report.Stored
	// Today is the newest answer that includes the current day; nil if there is none.
	Today *report.StoredGift
	// LastGiftDay is the last day of the daily gift series; zero if none is stored.
	LastGiftDay civil.Date
	// Check is the nightly comparison of the chosen window; nil if there was none.
	Check *report.Check
	// PlanDays are the last plan answers of each of the store's days.
	PlanDays     []report.StoredJSON
	Widgets      []StoredWidget
	Settings     *StoredFound
	Translations []StoredTranslation
}

// StoredFound is a stored answer that can also be "there is none".
type StoredFound struct {
	Found     bool
	Body      []byte
	FetchedAt time.Time
}

// NewPage builds everything on a store's Gifts page from its stored rows, worded in l.
func NewPage(l locale.Locale, in StoredPage, c report.Choice, now time.Time) Page {
	b := builder{Builder{report.Builder{In: in.Stored, Choice: c, Now: now, Locale: l}}, in}
	g := Page{
		Store: in.Store, Now: b.OnStoreClock(now), Choice: c,
		Asking: in.Asking, Freshness: b.freshness(), Trouble: b.trouble(),
		Analytics: b.Analytics(), History: b.History(), Health: b.Health(), Campaigns: b.Campaigns(),
		Widgets: b.widgets(), Settings: b.settings(), Translations: b.translations(),
	}
	g.History.Provenance.Check = in.Check
	g.Plan = b.Projected(b.Plan(), in.PlanDays)
	if t := in.Today; t != nil && t.Window.End == c.Today && c.Window.End != c.Today {
		today := b.Answer(b.TodayAlone(*t))
		today.Provenance.Asked = nil
		today.Provenance.Flags = slices.DeleteFunc(slices.Clone(today.Provenance.Flags), func(f report.Flag) bool { return f == report.FlagWindowDiffers }) // it was requested separately
		g.Today = &today
	}
	return g
}

// Nothing reports whether every panel is empty; a single message then says why.
func (g Page) Nothing() bool {
	return g.Analytics.Empty != nil && g.History.Empty != nil && g.Health.Empty != nil && g.Plan.Empty != nil &&
		g.Campaigns.Empty != nil && g.Widgets.Empty != nil && g.Settings.Empty != nil && g.Translations.Empty != nil
}

// Builder makes the panels of the gift service that pages share. Each method makes one panel and doesn't
// depend on any other.
type Builder struct{ report.Builder }

// builder makes those that only the Gifts page has.
type builder struct {
	Builder
	page StoredPage
}

// freshness is the gift service's own: upsells that still arrive don't make gift data newer.
func (b builder) freshness() report.Freshness {
	var pulled time.Time
	for _, l := range b.In.Ledger {
		if l.Service == "gift" && l.LastGoodAt.After(pulled) {
			pulled = l.LastGoodAt
		}
	}
	f := report.NewFreshness(b.Locale, pulled, b.page.LastGiftDay, b.Now, b.Choice.Today)
	f.Off = b.In.Paused
	switch {
	case b.Stopped("gift"):
		f.State = "failed"
	case b.Disconnected("gift") != nil:
		f.State, f.Off = "stale", true
	}
	return f
}

// trouble is the page's banner: what happened, what helps, and what is shown meanwhile; nil while
// pulls run.
func (b builder) trouble() *report.Trouble {
	for _, c := range b.In.Credentials {
		if c.Service != "gift" || !c.Stopped() {
			continue
		}
		t := b.Refused(c)
		if cause := strings.ToLower(c.Cause); c.NeedsPerson() && locale.Has("gift.paused."+cause) {
			t.Title = b.T("gift.paused." + cause)
		}
		var good time.Time
		for _, l := range b.In.Ledger {
			if l.Service == "gift" && l.LastGoodAt.After(good) {
				good = l.LastGoodAt
			}
		}
		if !good.IsZero() {
			t.Text += " " + b.T("gift.stopped.last_good", "day", b.DayAt(good))
		}
		if c.NextProbe.IsZero() {
			t.Text += " " + b.T("gift.stopped.no_calls")
		}
		return &t
	}
	return nil
}
