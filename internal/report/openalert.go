package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/storeglass/storeglass/internal/locale"
)

// OpenAlert is an alert that is open, as its rule found it; see the package alerts.
type OpenAlert struct {
	// Rule and Subject name what is wrong with what of the store.
	Rule, Subject string
	Title         locale.Message
	Text          locale.Sentences
	// Href is the page where it is mended, as a path; empty for none.
	Href string
	// Muted: the person who looks, or everybody, doesn't want to hear of it now.
	Muted bool
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

// Kind is the sign that stands beside it, as of a [Todo].
func (a OpenAlert) Kind() string {
	switch a.Rule {
	case "placement-off":
		return "off"
	case "campaign-ending", "rate-fell", "value-fell", "goal-at-risk", "drift", "plan":
		return "warning"
	}
	return "error"
}

func (a OpenAlert) todo(l locale.Locale) Todo {
	t := Todo{Kind: a.Kind()}
	t.Title, t.Text = a.Say(l)
	if action := "alerts.action." + a.Rule; strings.HasPrefix(a.Href, "/stores/") && locale.Has(action) {
		t.Action, t.Href = l.T(action), a.Href
	}
	return t
}

// alertTodos are the open alerts that aren't muted, what has stopped first.
func (b Builder) alertTodos() (out []Todo) {
	for _, a := range b.In.Alerts {
		if !a.Muted {
			out = append(out, a.todo(b.Locale))
		}
	}
	slices.SortStableFunc(out, func(x, y Todo) int {
		urgent := []string{"error", "off", "warning"}
		return cmp.Compare(slices.Index(urgent, x.Kind), slices.Index(urgent, y.Kind))
	})
	return out
}

// alerted reports whether an alert says it already, muted or not.
func (b Builder) alerted(rule, subject string) bool {
	return slices.ContainsFunc(b.In.Alerts, func(a OpenAlert) bool { return a.Rule == rule && a.Subject == subject })
}
