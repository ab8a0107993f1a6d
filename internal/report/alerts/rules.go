// Package alerts finds problems in a store's stored rows, and decides when people are notified that one
// began or was resolved.
package alerts

import (
	"slices"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/gift"
	"github.com/storeglass/storeglass/internal/report/stores"
)

// Group groups rules by what is at stake; each rule is in one.
type Group string

// The groups, in the order of the filter chips.
const (
	// Broken: something doesn't work, or will stop working.
	Broken Group = "broken"
	// Money: sales fell.
	Money Group = "money"
	// Offers: missed sales opportunities.
	Offers Group = "offers"
	// Data: numbers are late, missing or in doubt.
	Data Group = "data"
)

// Groups lists all groups.
var Groups = []Group{Broken, Money, Offers, Data}

// Rule is a kind of problem with a store.
type Rule struct {
	// Key names the rule in URLs, rows and messages.
	Key string
	Group
	// On: people are notified unless they opted out.
	On bool
	// Grace is how long something must be wrong before anyone is notified, Calm how long it must be
	// right again before the alert is resolved. Both avoid alerts that flap.
	Grace, Calm time.Duration
	find        func(finder) []Finding
}

// Title is the rule's name in lists.
func (r Rule) Title(l locale.Locale) string { return l.T("alerts.rule." + r.Key + ".title") }

// Means explains the rule and what to do.
func (r Rule) Means(l locale.Locale) string { return l.T("alerts.rule." + r.Key + ".means") }

// twoAnswers is long enough for an hourly pull to confirm it.
const twoAnswers = 75 * time.Minute

// Rules are all rules in display order. The ones at the start stop all of a store's numbers.
var Rules = []Rule{
	{Key: "unconnected", Group: Broken, find: finder.unconnected},
	{Key: "credential", Group: Broken, On: true, find: finder.credentials},
	{Key: OutageRule, Group: Broken, On: true, Grace: 10 * time.Minute, find: finder.outages},
	{Key: "sync-stale", Group: Data, On: true, Grace: 30 * time.Minute, find: finder.stale},
	{Key: "plan", Group: Broken, On: true, Calm: twoAnswers, find: finder.plan},
	{Key: "embed-off", Group: Broken, On: true, Grace: twoAnswers, find: finder.embed},
	{Key: "gift-stuck", Group: Broken, On: true, Grace: twoAnswers, find: finder.gifts},
	{Key: "rate-fell", Group: Money, On: true, find: finder.rate},
	{Key: "value-fell", Group: Money, On: true, find: finder.value},
	{Key: ThresholdRule, Group: Money, On: true, find: finder.thresholds},
	{Key: "goal-at-risk", Group: Money, On: true, Calm: 24 * time.Hour, find: finder.goal},
	{Key: "placement-off", Group: Offers, On: true, Grace: twoAnswers, find: finder.placements},
	{Key: "placement-idle", Group: Offers, find: finder.idle},
	{Key: "campaign-ending", Group: Offers, On: true, find: finder.campaigns},
	{Key: "trigger-deleted", Group: Offers, find: finder.triggers},
	{Key: "days-missing", Group: Data, find: finder.missing},
	{Key: "drift", Group: Data, Grace: 3 * time.Hour, find: finder.drift},
	{Key: "gift-setup", Group: Offers, find: finder.setup},
	{Key: "sold-nothing", Group: Offers, find: finder.silent},
	{Key: "placement-unused", Group: Offers, find: finder.unused},
}

// Order returns the rules' keys, most urgent first, and how many of them stop a store's numbers: lists
// show those first, then the rest by how much is at stake.
func Order() (keys []string, stopping int) {
	for i, r := range Rules {
		if keys = append(keys, r.Key); r.Key == "sync-stale" {
			stopping = i + 1
		}
	}
	return keys, stopping
}

// GroupOf is a rule's group; rules that only another version knows count as Broken.
func GroupOf(key string) Group {
	if r, ok := RuleOf(key); ok {
		return r.Group
	}
	return Broken
}

// RuleOf finds a rule by its key.
func RuleOf(key string) (Rule, bool) {
	i := slices.IndexFunc(Rules, func(r Rule) bool { return r.Key == key })
	if i < 0 {
		return Rule{}, false
	}
	return Rules[i], true
}

// UsualRules are the keys of the rules that are on by default.
func UsualRules() (keys []string) {
	for _, r := range Rules {
		if r.On {
			keys = append(keys, r.Key)
		}
	}
	return keys
}

// Standing is a rule's verdict on a subject.
type Standing int

// The standings. If a verdict isn't possible, the alert stays as it was.
const (
	Unknown Standing = iota
	Right
	Wrong
)

// Finding is what a rule found about one subject of a store. A subject without a finding no longer
// exists, which isn't a recovery.
type Finding struct {
	Rule, Subject string
	Standing      Standing
	// Since is when it went wrong, if known; zero means now.
	Since time.Time
	// Title is one line without the store's name; Text explains it with numbers. Do is what to do about it.
	Title locale.Message
	Text  locale.Sentences
	Do    locale.Message
	// Effect is what it costs, followed by how that's known; Stake is the same as an amount in the
	// store's currency, nil if it isn't known in money.
	Effect locale.Sentences
	Stake  *decimal.Decimal
	// Href is the path of the page with more about it.
	Href string
	// Evidence is what the rule was based on, by name.
	Evidence locale.Args
}

// Stored are the rows of one store that the rules look at.
type Stored struct {
	stores.Stored
	Health    []report.StoredHealth
	Plan      *report.StoredJSON
	Campaigns []report.Campaign
	// ListedAt is when the campaigns were listed; zero if never. CampaignsCut: there are more (N51).
	ListedAt     time.Time
	CampaignsCut bool
	// Days are the whole days of [History], StatDays and GiftDays the same for each placement and for
	// gifts, OfferDays for the offers that thresholds watch.
	Days      []report.StoredSummary
	StatDays  []report.StoredStat
	GiftDays  []report.StoredGift
	OfferDays WatchedDays
	// Thresholds are those that people set.
	Thresholds []Threshold
	// Goal is the current month's; nil if none is set.
	Goal   *report.StoredGoal
	Checks []report.StoredCheck
	Ledger []report.StoredPull
	// Top is the ranking of the 30 days that end yesterday, with what [overview.SoldNothing] needs along with it.
	Top report.Stored
	// Triggers has one entry per placement with an offer that points to something deleted. TriggerDays
	// are the days of these offers in [Stored.TriggerWindow].
	Triggers    []report.StoredDeletedTriggers
	TriggerDays report.StoredOfferDays
	// CampaignDays is how many days before a campaign ends its alert opens.
	CampaignDays int
	// Worked is when something was last seen working, by name; see [Find].
	Worked map[string]time.Time
	// Open are the ongoing outages.
	Open []Open
}

type finder struct {
	gift.Builder
	alerts Stored
	today  civil.Date
}

// Find runs every rule on a store. Store worked as in.Worked for the next run. A paused store's alerts
// stay as they are.
func Find(in Stored, now time.Time) (found []Finding, worked map[string]time.Time) {
	today := report.Today(now, in.Location)
	stored := report.Stored{Store: in.Store, Paused: in.Paused, Credentials: in.Credentials, Health: in.Health, Plan: in.Plan, Ledger: in.Ledger, Triggers: in.Triggers}
	b := finder{gift.Builder{Builder: report.Builder{In: stored, Choice: report.Choice{Today: today}, Now: now}}, in, today}
	b.alerts.Worked = map[string]time.Time{}
	for name, at := range in.Worked {
		if now.Sub(at) <= worksAgain {
			b.alerts.Worked[name] = at
		}
	}
	for _, r := range Rules {
		if in.Paused {
			found = append(found, b.asItWas(r.Key)...)
			continue
		}
		for _, f := range r.find(b) {
			f.Rule = r.Key
			found = append(found, f)
		}
	}
	return found, b.alerts.Worked
}

// worksAgain is how long something that stopped working is expected to recover.
const worksAgain = 14 * 24 * time.Hour

// works records that something works now; worked returns when it last did.
func (b finder) works(name string, at time.Time) { b.alerts.Worked[name] = at }

func (b finder) worked(name string) (last time.Time, did bool) {
	last, did = b.alerts.Worked[name]
	return last, did
}

// asItWas marks every open outage of the rule as unknown.
func (b finder) asItWas(rule string) []Finding {
	var out []Finding
	for _, o := range b.alerts.Open {
		if o.Rule == rule {
			out = append(out, Finding{Rule: rule, Subject: o.Subject})
		}
	}
	return out
}

// open is the rule's ongoing outage.
func (s Stored) open(rule, subject string) *Open {
	for i, o := range s.Open {
		if o.Rule == rule && o.Subject == subject {
			return &s.Open[i]
		}
	}
	return nil
}

func (b finder) path(rest string) string { return "/stores/" + b.alerts.Store.Slug + rest }
