package alerts

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
)

// maxChannelName bounds a channel's name, in characters.
const maxChannelName = 60

// ChannelForm is what a person says of a channel that alerts are to be sent to.
type ChannelForm struct {
	Kind fact.ChannelKind
	Name string
	// Address is a secret: who has it can write there.
	Address string
	// Stored: the channel is there already. Its kind stays, and an empty address leaves the
	// one that it has.
	Stored bool
	// Revision is how often the channel had been changed when its form was opened.
	Revision int32
	// Store is a slug; empty is every store that the person holds.
	Store string
	// Rules are keys of rules; nil are those that are on by default.
	Rules []string
}

// ChannelChanged is the reason's name of a form that was opened before someone else's change.
const ChannelChanged = "revision"

// Wrong says what is wrong with each field, by its name, and what to do instead. The
// address is looked at where it is used.
func (f ChannelForm) Wrong(l locale.Locale) map[string]string {
	wrong := map[string]string{}
	if !f.Stored && f.Kind != fact.Slack && f.Kind != fact.Webhook {
		wrong["kind"] = l.T("alerts.channel_form.wrong.kind")
	}
	if f.Name == "" || !utf8.ValidString(f.Name) || utf8.RuneCountInString(f.Name) > maxChannelName ||
		strings.ContainsFunc(f.Name, func(r rune) bool { return unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control) }) {
		wrong["name"] = l.T("alerts.channel_form.wrong.name")
	}
	if f.Address == "" && !f.Stored {
		wrong["address"] = l.T("alerts.channel_form.wrong.address")
	}
	switch {
	case f.Rules != nil && len(f.Rules) == 0:
		wrong["rules"] = l.T("alerts.channel_form.wrong.rules")
	case slices.ContainsFunc(f.Rules, func(key string) bool { _, ok := RuleOf(key); return !ok }):
		wrong["rules"] = l.T("alerts.settings.wrong.rule")
	}
	return wrong
}
