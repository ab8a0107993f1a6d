package alerts

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
)

// maxChannelName is the maximum length of a channel's name in characters.
const maxChannelName = 60

// ChannelForm is what someone entered about a channel for alerts.
type ChannelForm struct {
	Kind fact.ChannelKind
	Name string
	// Address is a secret: anyone who has it can post there.
	Address string
	// Stored: the channel already exists. Its kind can't change, and an empty address keeps the current one.
	Stored bool
	// Revision is how often the channel had been changed when the form was opened.
	Revision int32
	// Store is a slug; empty for all of the person's stores.
	Store string
	// Rules are keys of rules; nil means those that are on by default.
	Rules []string
}

// ChannelChanged is the key of the reason when someone else changed the channel after the form was opened.
const ChannelChanged = "revision"

// Wrong says what is wrong with each field and what to do about it, keyed by field name. The address is
// checked where it's used.
func (f ChannelForm) Wrong(l locale.Locale) map[string]string {
	wrong := map[string]string{}
	if !f.Stored && f.Kind != fact.Slack && f.Kind != fact.Webhook {
		wrong["kind"] = l.T("alerts.channel_form.wrong.kind")
	}
	if f.Name == "" || !utf8.ValidString(f.Name) || utf8.RuneCountInString(f.Name) > maxChannelName || strings.ContainsFunc(f.Name, locale.Unshowable) {
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
