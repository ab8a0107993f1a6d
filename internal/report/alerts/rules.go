// Package alerts finds what is wrong with a store in its stored rows, and says when people
// are told that it began and that it is over.
package alerts

import (
	"slices"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/stores"
)

// Rule is a kind of trouble with a store that people are told of.
type Rule struct {
	// Key names the rule in addresses, rows and messages.
	Key string
	// Title is its name in lists, Means what it stands for and what to do.
	Title, Means string
	// On: people are told unless they chose otherwise.
	On bool
	// Grace is for how long it must be wrong before anybody is told, Calm for how long
	// right before that is believed. Both keep what comes and goes from being told.
	Grace, Calm time.Duration
	find        func(finder) []Finding
}

// twoAnswers is long enough for an hourly pull to say it again.
const twoAnswers = 75 * time.Minute

// Rules are all of them, in the order in which they are listed.
var Rules = []Rule{
	{
		Key: "credential", Title: "A service refuses its token", On: true,
		Means: "The service has refused this store’s token for a while. Storeglass keeps checking it. The alert says what to do.",
		find:  finder.credentials,
	},
	{
		Key: OutageRule, Title: "A service refuses many stores", On: true, Grace: 10 * time.Minute,
		Means: "Many stores were refused at about the same time: likely a problem of the service, not of their tokens. One message is sent for all of them.",
		find:  finder.outages,
	},
	{
		Key: "plan", Title: "Plan or trial", On: true, Grace: 0, Calm: twoAnswers,
		Means: "The gift plan or its trial has ended or is about to, or more is used than the plan allows.",
		find:  finder.plan,
	},
	{
		Key: "embed-off", Title: "App embed is off", On: true, Grace: twoAnswers,
		Means: "The gift widget can’t appear: switch the app embed on in the theme editor.",
		find:  finder.embed,
	},
	{
		Key: "placement-off", Title: "A placement lost its last active offer", On: true, Grace: twoAnswers,
		Means: "An offer was active there, and none is any more. After two weeks that is taken to be meant. A placement where none ever was is not told of.",
		find:  finder.placements,
	},
	{
		Key: "campaign-ending", Title: "A gift campaign ends soon", On: true,
		Means: "An active campaign has an end date that is near.",
		find:  finder.campaigns,
	},
	{
		Key: "gift-stuck", Title: "A gift can’t be given", On: true, Grace: twoAnswers,
		Means: "The gift service’s setup check names a problem, or the last active campaign is gone.",
		find:  finder.gifts,
	},
	{
		Key: "rate-fell", Title: "Success rate fell", On: true,
		Means: "Fewer orders took an offer than the same weekdays of the last 8 weeks make likely.",
		find:  finder.rate,
	},
	{
		Key: "value-fell", Title: "Upsold value fell", On: true,
		Means: "The day’s upsold value is below what the same weekdays of the last 8 weeks make likely.",
		find:  finder.value,
	},
	{
		Key: "sync-stale", Title: "Nothing new is pulled", On: true, Grace: 30 * time.Minute,
		Means: "The last good answer of a service is more than 6 hours old, though its pulls are hourly.",
		find:  finder.stale,
	},
	{
		Key: "drift", Title: "Reported totals and stored days differ", On: false, Grace: 3 * time.Hour,
		Means: "The service’s total for a window is not the sum of its days, and pulling the days again didn’t help.",
		find:  finder.drift,
	},
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
	// Title is one line without the store's name; Text says why, with the numbers.
	Title, Text string
	// Href is the page where one sees more, as a path.
	Href string
	// Evidence is what the rule went by, by name.
	Evidence map[string]string
}

// Stored are the rows of one store that the rules look at.
type Stored struct {
	stores.Stored
	Health    []report.StoredHealth
	Plan      *report.StoredJSON
	Campaigns []report.Campaign
	// ListedAt is when the campaigns were listed; zero for never.
	ListedAt time.Time
	// Days are the whole days of [FallHistory].
	Days   []report.StoredSummary
	Checks []report.StoredCheck
	Ledger []report.StoredPull
	// CampaignDays is how many days before its end a campaign is told of.
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
	stored := report.Stored{Store: in.Store, Paused: in.Paused, Credentials: in.Credentials, Health: in.Health, Plan: in.Plan, Ledger: in.Ledger}
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
func (b finder) open(rule, subject string) *Open {
	for i, o := range b.alerts.Open {
		if o.Rule == rule && o.Subject == subject {
			return &b.alerts.Open[i]
		}
	}
	return nil
}

func (b finder) path(rest string) string { return "/stores/" + b.alerts.Store.Slug + rest }
