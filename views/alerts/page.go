// Package alerts shows what needs attention and what did, and who is notified by mail and
// webhook.
package alerts

import (
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
)

// Page lists what is wrong with stores, and what was. It is the same for one
// store, below that store's address.
type Page struct {
	components.Base
	Filter Filter
	// Stores and Rules are what can be chosen; Stores is empty on the page of one.
	Stores, Rules []form.Choice
	// Unwatched says that nobody looks at the stores, and why that may be; empty while
	// somebody does.
	Unwatched string
	Open      []Row
	Past      []PastRow
	Mutes     []MuteRow
	// Known: something was found at some time, whatever the filter.
	Known bool
	// NewestHref leads back to the first page of history, OlderHref to the next.
	NewestHref, OlderHref string
	Exports               components.Exports
	// SettingsHref leads to the person's own settings; empty on the page of one store.
	SettingsHref string
	// NowHref leads to what needs attention now: the store's Sync page, else the list of
	// stores with those that need it.
	NowHref string
	// Notice says what the last action did, Problem why it failed; both may be empty.
	Notice, Problem string
}

// Filter is the filter as the address has it.
type Filter struct{ Store, Rule, State string }

// The states that alerts are filtered by; empty is all.
const (
	Open      = "open"
	Recovered = "recovered"
	Muted     = "muted"
)

// Any reports whether anything is filtered; a store's own page filters by its store.
func (f Filter) Any(b components.Base) bool {
	return f.Rule != "" || f.State != "" || f.Store != "" && b.Store == nil
}

// Row is an outage that is under way.
type Row struct {
	ID string
	// Kind is the sign: "error", or "off" where it is muted, or "good" where nothing wrong was seen lately.
	Kind, State      string
	Store, StoreHref string
	Rule             string
	Title, Text      string
	// Since is the moment in words with how long ago that is, on the store's clock.
	Since string
	// Told says who was told and when, a line for each kind.
	Told []string
	// Evidence is what the rule went by, in pairs of words.
	Evidence [][2]string
	// Action and Href lead to the page that repairs it or says more.
	Action, Href string
	// Rows is how many rows the list behind Href has; 0 where it is no list.
	Rows int64
	// Reaches are the ways to mute it; empty for a muted one.
	Reaches []form.Choice
	// Muted says by whom and until when; UnmuteAction ends that, and is empty for anyone who may not.
	Muted, UnmuteAction string
}

// loud are the open alerts that are not muted: those that the tab counts. The muted ones
// come after them.
func (p Page) loud() []Row {
	for i, a := range p.Open {
		if a.Muted != "" {
			return p.Open[:i]
		}
	}
	return p.Open
}

// PastRow is an outage that ended.
type PastRow struct {
	ID                     string
	Sign, State            string
	Store, StoreHref, Rule string
	Title, Text            string
	// When is from when to when, on the store's clock, Lasted how long that was.
	When, Lasted string
	Told         string
}

// MuteRow is a mute that lasts.
type MuteRow struct {
	// What is held back, Where in words, Whom it holds back for, and until when.
	What, Where, Whom, Until string
	MadeBy                   string
	// Action ends it; empty for anyone who may not.
	Action string
}

// muteLives are how long a mute can last.
func (p Page) muteLives() (out []form.Choice) {
	for _, life := range []string{"day", "week", "ever"} {
		out = append(out, form.Choice{Value: life, Label: p.T("alerts.mute.life." + life)})
	}
	return out
}

// none says why nothing is on the page. There is a difference between nothing that
// is wrong, nothing that matches, and nobody who looks.
func (p Page) none() report.Empty {
	switch {
	case p.Filter.Any(p.Base):
		return report.Empty{Cause: offers.CauseNoMatch, Title: p.T("alerts.none.no_match"), Text: p.T("alerts.none.no_match_text"), Action: p.T("alerts.filter.show_all"), Href: p.Path}
	case p.Unwatched != "":
		return report.Empty{Title: p.T("alerts.unwatched.title"), Text: p.T("alerts.unwatched.nothing", "reason", p.Unwatched)}
	}
	return report.Empty{Title: p.T("alerts.none.title"), Text: p.T("alerts.none.text")}
}

// calm says that nothing is open now, while something was before.
func (p Page) calm() string {
	if p.Unwatched != "" {
		return p.T("alerts.open.calm_unwatched")
	}
	return p.T("alerts.open.calm")
}

// showsOpen and showsPast say which sections the filter leaves.
func (p Page) showsOpen() bool { return p.Filter.State != Recovered && p.NewestHref == "" }

func (p Page) showsPast() bool {
	return p.Filter.State == "" || p.Filter.State == Recovered
}
