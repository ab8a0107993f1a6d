package report

import (
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
)

// OpenAlert is an open row of the inbox, as its rule found it; see the package alerts.
type OpenAlert struct {
	ID int64
	// Rule and Subject name what is wrong with what of the store.
	Rule, Subject string
	Title         locale.Message
	Text          locale.Sentences
	// Do is what to do about it. Effect says what it costs, and then how that is known.
	Do     locale.Message
	Effect locale.Sentences
	Since  time.Time
	// Href is the page where it is put right, as a path; empty for none.
	Href string
	// Rows is how many rows the list behind Href has; 0 where it is no list.
	Rows int64
	// Snoozed: the person who looks, or everyone, doesn't want to hear of it now.
	Snoozed bool
}

// Say are the title and the text in a language. What the catalogs don't have, since
// another version stored it, is said in the words of its rule.
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

// EffectIn is what it costs, and how that is known; the second may be empty.
func (a OpenAlert) EffectIn(l locale.Locale) (effect, how string) {
	effect = l.T("alert.effect.unknown")
	if len(a.Effect) > 0 {
		if said, ok := a.Effect[0].Said(l); ok {
			return UpperFirst(said), a.Effect[1:].In(l)
		}
	}
	return effect, ""
}

// SinceIn is since when, as a day on the store's clock, and how long that is.
func (a OpenAlert) SinceIn(l locale.Locale, now time.Time, zone string) (since, lasts string) {
	loc, err := Zone(zone)
	if err != nil {
		loc = time.UTC
	}
	day, today := civil.DateOf(a.Since.In(loc)), Today(now, loc)
	since = l.T("alert.since", "day", l.DayNear(day, today))
	if days := today.DaysSince(day); days > 0 {
		return since, l.Days(days)
	}
	return since, l.T("alert.today")
}

// Kind is the sign beside it.
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

// Action is the verb of the link to where it is put right; empty where there is none.
func (a OpenAlert) Action(l locale.Locale) string {
	if strings.HasPrefix(a.Href, "/stores/") && locale.Has("alerts.action."+a.Rule) {
		return l.T("alerts.action."+a.Rule, "n", max(a.Rows, 1))
	}
	return ""
}

// Todo is an open row of the inbox in a language: one line of "Do next".
type Todo struct {
	// Kind chooses the sign: "error", "off", "broken", "warning", "info", "missing".
	Kind string `json:"kind"`
	// Title is what to do, Text why.
	Title string `json:"title"`
	Text  string `json:"text"`
	// Since is since when and how long, Effect what it costs and how that is known.
	Since  string `json:"since"`
	Effect string `json:"effect"`
	// Action and Href are the link; both may be empty.
	Action string `json:"-"`
	Href   string `json:"-"`
	// Count is how many rows the list behind the link has; 0 where it is no list.
	Count int64 `json:"-"`
	// ID is the row's; 0 where it is none.
	ID int64 `json:"-"`
	// Placement is the one without an active offer; empty for any other row.
	Placement Placement `json:"-"`
}

// Todos are the open rows of a store's inbox that aren't snoozed, in its order.
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

// OffersHref leads to the offers that a filter keeps.
func (b Builder) OffersHref(f OfferFilter) string {
	return "/stores/" + b.In.Store.Slug + "/offers?" + f.Values().Encode()
}
