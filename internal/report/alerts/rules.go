// Package alerts finds what is wrong with a store in its stored rows, and says when people
// are notified that it began and that it is over.
package alerts

import (
	"slices"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/stores"
)

// Group sorts rules by what is at stake; each rule is in one.
type Group string

// The groups, in the order of the chips.
const (
	// Broken: something doesn't work, or will stop.
	Broken Group = "broken"
	// Money: sales fell.
	Money Group = "money"
	// Offers: sales that could be made.
	Offers Group = "offers"
	// Data: numbers are late, missing or in doubt.
	Data Group = "data"
)

// Groups are all of them.
var Groups = []Group{Broken, Money, Offers, Data}

// Rule is a kind of problem with a store.
type Rule struct {
	// Key names the rule in addresses, rows and messages.
	Key string
	Group
	// On: people are notified unless they chose otherwise.
	On bool
	// Grace is for how long it must be wrong before anyone is notified, Calm for how long
	// right before that is believed. Both keep what comes and goes from being announced.
	Grace, Calm time.Duration
	find        func(finder) []Finding
}

// Title is the rule's name in lists.
func (r Rule) Title(l locale.Locale) string { return l.T("alerts.rule." + r.Key + ".title") }

// Means says what it is and what to do.
func (r Rule) Means(l locale.Locale) string { return l.T("alerts.rule." + r.Key + ".means") }

// twoAnswers is long enough for an hourly pull to say it again.
const twoAnswers = 75 * time.Minute

// Rules are all of them, in the order in which they are listed. Those at the start stop all
// numbers of a store.
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

// Order are the keys of the rules, the most urgent first, and how many of them stop a
// store's numbers: a list has those first, then what is worth most.
func Order() (keys []string, stopping int) {
	for i, r := range Rules {
		if keys = append(keys, r.Key); r.Key == "sync-stale" {
			stopping = i + 1
		}
	}
	return keys, stopping
}

// GroupOf is the group of a rule; what another version knew is broken.
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

// Standing is what a rule says of a subject.
type Standing int

// The standings. Of what can't be known nothing is believed: it stays as it was.
const (
	Unknown Standing = iota
	Right
	Wrong
)

// Finding is what a rule found about one subject of a store. A subject that is not
// found at all is gone, which is no recovery.
type Finding struct {
	Rule, Subject string
	Standing      Standing
	// Since is when it went wrong, as far as it is known; zero: now.
	Since time.Time
	// Title is one line without the store's name; Text says why, with the numbers. Do is what
	// to do about it.
	Title locale.Message
	Text  locale.Sentences
	Do    locale.Message
	// Effect says what it costs, and then how that is known; Stake is the same as an amount
	// of the store's currency, nil where it isn't known in money.
	Effect locale.Sentences
	Stake  *decimal.Decimal
	// Href is the page where one sees more, as a path.
	Href string
	// Evidence is what the rule went by, by name.
	Evidence locale.Args
}

// Stored are the rows of one store that the rules look at.
type Stored struct {
	stores.Stored
	Health    []report.StoredHealth
	Plan      *report.StoredJSON
	Campaigns []report.Campaign
	// ListedAt is when the campaigns were listed; zero for never. CampaignsCut: there are more (N51).
	ListedAt     time.Time
	CampaignsCut bool
	// Days are the whole days of [History], StatDays and GiftDays the same of each placement and
	// of gifts, OfferDays of the offers that thresholds watch.
	Days      []report.StoredSummary
	StatDays  []report.StoredStat
	GiftDays  []report.StoredGift
	OfferDays WatchedDays
	// Thresholds are what people set.
	Thresholds []Threshold
	// Goal is that of the current month; nil where none is set.
	Goal   *report.StoredGoal
	Checks []report.StoredCheck
	Ledger []report.StoredPull
	// Top is the ranking of the 30 days that end yesterday, with what [report.SoldNothing]
	// needs beside it.
	Top report.Stored
	// Triggers has one entry for each placement where an offer names what was deleted.
	// TriggerDays are the days of these offers in [Stored.TriggerWindow].
	Triggers    []report.StoredDeletedTriggers
	TriggerDays report.StoredOfferDays
	// CampaignDays is how many days before its end a campaign is announced.
	CampaignDays int
	// Worked is when something was last seen at work, by name; see [Find].
	Worked map[string]time.Time
	// Open are the outages that are under way.
	Open []Open
}

type finder struct {
	report.Builder
	alerts Stored
	today  civil.Date
}

// Find has every rule look at a store. worked replaces in.Worked afterwards. A
// store that a person has paused is left as it was.
func Find(in Stored, now time.Time) (found []Finding, worked map[string]time.Time) {
	today := report.Today(now, in.Location)
	stored := report.Stored{Store: in.Store, Paused: in.Paused, Credentials: in.Credentials, Health: in.Health, Plan: in.Plan, Ledger: in.Ledger, Triggers: in.Triggers}
	b := finder{report.Builder{In: stored, Choice: report.Choice{Today: today}, Now: now}, in, today}
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

// worksAgain is how long something that stopped working is expected to work again.
const worksAgain = 14 * 24 * time.Hour

// works notes that something works now; worked is since when it doesn't, if it did.
func (b finder) works(name string, at time.Time) { b.alerts.Worked[name] = at }

func (b finder) worked(name string) (last time.Time, did bool) {
	last, did = b.alerts.Worked[name]
	return last, did
}

// asItWas finds every open outage of the rule to be unknown.
func (b finder) asItWas(rule string) []Finding {
	var out []Finding
	for _, o := range b.alerts.Open {
		if o.Rule == rule {
			out = append(out, Finding{Rule: rule, Subject: o.Subject})
		}
	}
	return out
}

// open is the rule's outage that is under way.
func (s Stored) open(rule, subject string) *Open {
	for i, o := range s.Open {
		if o.Rule == rule && o.Subject == subject {
			return &s.Open[i]
		}
	}
	return nil
}

func (b finder) path(rest string) string { return "/stores/" + b.alerts.Store.Slug + rest }
