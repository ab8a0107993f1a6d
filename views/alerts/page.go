// Package alerts shows the inbox: what needs attention and what did, and who is notified by
// mail and webhook.
package alerts

import (
	"slices"
	"strings"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
)

// Page is the inbox of all stores or, below its address, of one.
type Page struct {
	components.Base
	Filter Filter
	// States lead to what is open, snoozed and resolved; Groups narrow what is shown.
	States, Groups []Choice
	// Stores can be chosen; empty on the page of one.
	Stores []form.Choice
	// About counts what needs attention, and Worst names the worst.
	About, Worst string
	// Unwatched says that the stores aren't being checked, and a possible reason; empty while
	// they are.
	Unwatched string
	// Open has the rows of each store, the worst store first.
	Open []Store
	Past []PastRow
	// PastCount counts those that ended in the last week; PastHref leads to all of them, and is
	// empty on the page that shows them.
	PastCount int64
	PastHref  string
	// Snoozes come last; they hide rows.
	Snoozes []SnoozeRow
	// NewestHref leads back to the first page of history, OlderHref to the next.
	NewestHref, OlderHref string
	Exports               components.Exports
	// SettingsHref leads to the person's own settings, ThresholdsHref to a store's thresholds.
	SettingsHref, ThresholdsHref string
	// Notice says what the last action did, Problem why it failed; both may be empty.
	Notice, Problem string
}

// Filter is the filter as in the address.
type Filter struct{ Store, Group, State, Query string }

// The states that rows are filtered by; a page without one shows what is open.
const (
	Open     = "open"
	Snoozed  = "snoozed"
	Resolved = "resolved"
)

// Any reports whether anything is filtered; a store's own page filters by its store.
func (f Filter) Any(b components.Base) bool {
	return f.Group != "" || f.Query != "" || f.Store != "" && b.Store == nil
}

// Matches reports whether a row with these texts matches the filter.
func (f Filter) Matches(group string, texts ...string) bool {
	if f.Group != "" && f.Group != group {
		return false
	}
	return f.Query == "" || strings.Contains(strings.ToLower(strings.Join(texts, "\n")), strings.ToLower(f.Query))
}

// Choice is a link with the number of rows behind it.
type Choice struct {
	Label, Href string
	Count       int64
	Current     bool
	// Uncounted: the rows behind it aren't counted.
	Uncounted bool
}

// Store is a store with its rows.
type Store struct {
	Slug, Name, Href string
	// Clock is its time zone and currency in words.
	Clock     string
	Freshness report.Freshness
	Rows      []Row
}

// Row is a problem that is open.
type Row struct {
	ID string
	// Kind is the icon: "error", "off" …, or "good" if nothing wrong was seen lately.
	Kind string
	// Title is what to do, Why the reason in one sentence.
	Title, Why string
	// Since is a day in words, Lasts how long that is. Effect is what it costs, How says how we
	// know.
	Since, Lasts, Effect, How string
	// Action and Href lead to where it can be done.
	Action, Href string
	// Rows is how many rows the list behind Href has; 0 if it isn't a list.
	Rows int64
	// State, Rule, Line and Text say what is wrong, at length.
	State, Rule, Line, Text string
	// Notified says who was notified and when, a line for each kind.
	Notified []string
	// Evidence is the facts behind the alert, as pairs of words.
	Evidence [][2]string
	// Reaches are the ways to snooze it; empty if it is snoozed.
	Reaches []form.Choice
	// Snoozed says for whom and until when. WakeAction ends the snooze; empty if the reader may not
	// end it.
	Snoozed, WakeAction string
	// AssignedTo is the person assigned; People are the choices, empty if the reader may not
	// assign.
	AssignedTo string
	People     []form.Choice
	Assigned   string
	// MayEnd: the reader may mark it as done.
	MayEnd bool
	// Unfolded: its snooze form is open.
	Unfolded bool
}

// PastRow is a problem that ended.
type PastRow struct {
	ID               string
	Sign             string
	Title, Rule      string
	Store, StoreHref string
	// How is how it ended, Lasted how long it was open, On the day it ended.
	How, Lasted, On string
	// OpenAction opens a problem again that someone marked as done; empty if the reader may not.
	OpenAction string
}

// SnoozeRow is a snooze that has not ended.
type SnoozeRow struct {
	// What is snoozed, Where in words, for Whom, and Until when.
	What, Where, Whom, Until string
	MadeBy                   string
	// Action ends it; empty if the reader may not end it.
	Action string
}

// snoozeLives are how long a snooze can last.
func (p Page) snoozeLives() (out []form.Choice) {
	for _, life := range []string{"day", "week", "ever"} {
		out = append(out, form.Choice{Value: life, Label: p.T("alerts.snooze.life." + life)})
	}
	return out
}

// none says why the page is empty: nothing is wrong, nothing matches, or nobody is checking.
func (p Page) none() report.Empty {
	switch {
	case p.Filter.Any(p.Base):
		return report.Empty{Cause: offers.CauseNoMatch, Title: p.T("alerts.none.no_match"), Text: p.T("alerts.none.no_match_text"), Action: p.T("alerts.filter.show_all"), Href: p.Path}
	case p.Unwatched != "":
		return report.Empty{Title: p.T("alerts.unwatched.title"), Text: p.T("alerts.unwatched.nothing", "reason", p.Unwatched)}
	case p.Filter.State == Snoozed:
		return report.Empty{Title: p.T("alerts.none.snoozed"), Text: p.T("alerts.none.snoozed_text")}
	}
	return report.Empty{Title: p.T("alerts.none.title"), Text: p.T("alerts.none.text")}
}

func (p Page) showsOpen() bool { return p.Filter.State != Resolved }

func (p Page) showsPast() bool { return p.Filter.State != Snoozed }

// kept are the parts of the filter that a form passes on: all except its own.
func (p Page) kept(own string) []form.Kept {
	f := p.Filter
	if p.Store != nil {
		f.Store = ""
	}
	all := []form.Kept{{Name: "store", Value: f.Store}, {Name: "state", Value: f.State}, {Name: "group", Value: f.Group}, {Name: "q", Value: f.Query}}
	return slices.DeleteFunc(all, func(k form.Kept) bool { return k.Name == own })
}

// at is the slug of the store whose page an action returns to; empty for all stores.
func (p Page) at() string {
	if p.Store == nil {
		return ""
	}
	return p.Store.Slug
}
