package report

import (
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
)

// OpenAlert is an open alert as its rule found it; see package alerts.
type OpenAlert struct {
	ID int64
	// Rule and Subject say what is wrong, and with what.
	Rule, Subject string
	Title         locale.Message
	Text          locale.Sentences
	// Do is what to do about it. Effect is what it costs, followed by how that's known.
	Do     locale.Message
	Effect locale.Sentences
	Since  time.Time
	// Href is the path of the page where it can be fixed; empty if none.
	Href string
	// Rows is how many rows the list behind Href has; 0 if it isn't a list.
	Rows int64
	// Snoozed: the reader or everyone has snoozed it for now.
	Snoozed bool
}

// Say returns the title and text in a language. If another version stored a message that the catalogs
// don't have, the rule's own words are used.
func (a OpenAlert) Say(l locale.Locale) (line, why string) {
	known := locale.Has("alerts.rule." + a.Rule + ".title")
	line, ok := a.Title.Said(l)
	switch {
	case !ok && known:
		line = l.T("alerts.rule." + a.Rule + ".title")
	case !ok:
		line = l.T("alert.unknown")
	}
	if why = a.Text.In(l); why == "" && len(a.Text) > 0 && known {
		why = l.T("alerts.rule." + a.Rule + ".means")
	}
	return line, why
}

// ToDo is what to do and, in one sentence, why.
func (a OpenAlert) ToDo(l locale.Locale) (do, why string) {
	line, _ := a.Say(l)
	do, ok := a.Do.Said(l)
	if !ok {
		do = line
	}
	for _, m := range a.Text {
		if why, ok = m.Said(l); ok {
			return do, why
		}
	}
	if do == line {
		return do, ""
	}
	return do, line
}

// EffectIn is what it costs and how that's known; the latter may be empty.
func (a OpenAlert) EffectIn(l locale.Locale) (effect, how string) {
	effect = l.T("alert.effect.unknown")
	if len(a.Effect) > 0 {
		if said, ok := a.Effect[0].Said(l); ok {
			return UpperFirst(said), a.Effect[1:].In(l)
		}
	}
	return effect, ""
}

// SinceIn is the day it began on the store's clock, and how long ago that was.
func (a OpenAlert) SinceIn(l locale.Locale, now time.Time, zone string) (since, lasts string) {
	loc := Clock(zone)
	day, today := civil.DateOf(a.Since.In(loc)), Today(now, loc)
	since = l.T("alert.since", "day", l.DayNear(day, today))
	if days := today.DaysSince(day); days > 0 {
		return since, l.Days(days)
	}
	return since, l.T("alert.today")
}

// Kind is the sign next to it.
func (a OpenAlert) Kind() string {
	switch a.Rule {
	case "placement-off", "placement-idle":
		return "off"
	case "trigger-deleted":
		return "broken"
	case "days-missing":
		return "missing"
	case "placement-unused", "sold-nothing", "gift-setup":
		return "info"
	case "campaign-ending", "rate-fell", "value-fell", "threshold", "goal-at-risk", "drift", "plan":
		return "warning"
	}
	return "error"
}

// Action is the link text for the page where it can be fixed; empty without one.
func (a OpenAlert) Action(l locale.Locale) string {
	if strings.HasPrefix(a.Href, "/stores/") && locale.Has("alerts.action."+a.Rule) {
		return l.T("alerts.action."+a.Rule, "n", max(a.Rows, 1))
	}
	return ""
}

// Todo is an open alert in the reader's language: one line of "Do next".
type Todo struct {
	// Kind selects the sign: "error", "off", "broken", "warning", "info", "missing".
	Kind string `json:"kind"`
	// Title is what to do, Text why.
	Title string `json:"title"`
	Text  string `json:"text"`
	// Since is when it began and how long ago, Effect what it costs and how that's known.
	Since  string `json:"since"`
	Effect string `json:"effect"`
	// Action is the link's text, Href its target; both may be empty.
	Action string `json:"-"`
	Href   string `json:"-"`
	// Count is how many rows the list behind the link has; 0 if it isn't a list.
	Count int64 `json:"-"`
	// ID is the alert's id; 0 if it isn't an alert.
	ID int64 `json:"-"`
	// Placement is the one without an active offer; empty for any other row.
	Placement Placement `json:"-"`
}

// Todos are a store's open alerts that aren't snoozed, in the inbox's order.
func Todos(l locale.Locale, open []OpenAlert, now time.Time, zone string) (out []Todo) {
	for _, a := range open {
		if a.Snoozed {
			continue
		}
		t := Todo{ID: a.ID, Kind: a.Kind(), Action: a.Action(l)}
		if strings.HasPrefix(a.Rule, "placement-") {
			t.Placement = Placement(a.Subject)
		}
		t.Title, t.Text = a.ToDo(l)
		since, lasts := a.SinceIn(l, now, zone)
		t.Since = since + ", " + lasts
		effect, how := a.EffectIn(l)
		t.Effect = strings.TrimSuffix(effect+", "+how, ", ")
		if t.Action != "" {
			t.Href, t.Count = a.Href, a.Rows
		}
		out = append(out, t)
	}
	return out
}

// OffersHref links to the offers that a filter keeps.
func (b Builder) OffersHref(f OfferFilter) string {
	return "/stores/" + b.In.Store.Slug + "/offers?" + f.Values().Encode()
}
