package plan

import (
	"time"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/report"
)

// Kind is a kind of pull: one endpoint, asked in one way.
type Kind string

// The kinds, by service.
const (
	SummaryDay    Kind = "summary.day"
	StatsDay      Kind = "stats.day"
	TopDay        Kind = "top.day"
	SummaryWindow Kind = "summary.window"
	StatsWindow   Kind = "stats.window"
	TopHighest    Kind = "top.highest"
	TopLowest     Kind = "top.lowest"
	CoverageNow   Kind = "coverage"
	LifetimeNow   Kind = "lifetime"
	OfferCountNow Kind = "offer_count"
	OfferPage     Kind = "offers"
	// TopDayLowest is asked for days whose highest-first list may be cut off.
	TopDayLowest Kind = "top.day.lowest"
	// SummaryRange, StatsRange and TopRange are windows that a person looks at, or that are
	// asked for to find a changed day; TopRangeLowest only the former.
	SummaryRange         Kind = "summary.range"
	StatsRange           Kind = "stats.range"
	TopRange             Kind = "top.range"
	TopRangeLowest       Kind = "top.range.lowest"
	OfferPriority        Kind = "offers.priority"
	OfferSetup           Kind = "offer.setup"
	OfferStages          Kind = "offer.stages"
	OfferRecommendations Kind = "offer.recommendations"

	GiftWindow      Kind = "gift.window"
	GiftToday       Kind = "gift.today"
	GiftPlan        Kind = "gift.plan"
	GiftSetupHealth Kind = "gift.setup_health"
	GiftCampaigns   Kind = "gift.campaigns"
	GiftCampaign    Kind = "gift.campaign"
	GiftWidgets     Kind = "gift.widgets"
	GiftWidget      Kind = "gift.widget"
	// GiftTranslations is asked by language: the reply's size is limited (N58).
	GiftTranslations Kind = "gift.translations"
	GiftSettings     Kind = "gift.settings"
	// GiftRange is a window ending yesterday that a person looks at.
	GiftRange Kind = "gift.range"
	// GiftSpan is the window from a day to yesterday, used to derive a missed day.
	GiftSpan Kind = "gift.span"
)

// The two services.
const (
	Upsell = "upsell"
	Gift   = "gift"
)

// Pull is one upstream call whose answer we keep.
type Pull struct {
	Kind    Kind
	Subject string // a day (YYYY-MM-DD), a window's name, a placement's key, an id, a type, a language, a range, or ""
	Service string
	Lane    fact.Lane
	// Window is what will be asked for; nil for pulls without one.
	Window *report.Window
	// Claim is the ledger row's claim number when the pull was planned; 0 if it was never
	// tried.
	Claim int64
	// Attempts counts the tries since the last good answer.
	Attempts int

	rank rank
	// place puts the offers that pages show before all others, whose place is 0.
	place int
	// untried: the pull was never sent.
	untried bool
	// due is when a listed row is due; see listed.
	due time.Time
}
