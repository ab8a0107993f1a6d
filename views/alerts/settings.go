package alerts

import (
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
)

// SettingsPage is how a person wants to hear of alerts, and where else they are sent.
type SettingsPage struct {
	components.Base
	Form Form
	// Rules are all that there are, in order.
	Rules []RuleChoice
	Zones []stores.ZoneGroup
	// Field is the one that is wrong, Problem what is wrong with it; both may be empty.
	Field, Problem, Notice string
	// Unmailed says why no mail is sent at all; empty where mails are sent.
	Unmailed string
	Address  string
	// Channels are the person's own; MayChannel says whether they may have any, and
	// Unchanneled why there can be none on this server.
	Channels    []ChannelRow
	MayChannel  bool
	Unchanneled string
	NewHref     string
	// Stores are those whose thresholds can be shown.
	Stores []form.Choice
	// ChannelProblem is why the last action on a channel failed.
	ChannelProblem string
}

// Form is what a person wants, as typed.
type Form struct {
	Mail, Recoveries bool
	// Rules are the keys of those that hear of.
	Rules          []string
	Quiet          bool
	From, To, Zone string
	CampaignDays   string
}

// RuleChoice is a rule that one may hear of.
type RuleChoice struct{ Key, Title, Means string }

// ChannelRow is a place that alerts are sent to.
type ChannelRow struct {
	ID                string
	Name, Kind, Host  string
	Stores, Rules     string
	Sign, State, Note string
	// Sent is when the newest message arrived, in words.
	Sent string
	// Action is the address before what is done: Action + "/test".
	Action string
	Off    bool
	Signed bool
}

// ChannelPage is the form of a channel, a new one or one that is there.
type ChannelPage struct {
	components.Base
	Form  ChannelForm
	Rules []RuleChoice
	// ID is empty for a new one. Of one that is there, Kind and Host say what stays or is
	// all that may be shown, Store is its store and Revision what the form was opened at.
	ID, Kind, Host, Revision string
	Store                    form.Choice
	// Stores are those to choose from; MoreStores says that there are others.
	Stores         []form.Choice
	MoreStores     bool
	Field, Problem string
}

// ChannelForm is a channel as typed; its address is secret and not kept.
type ChannelForm struct {
	Kind        fact.ChannelKind
	Name, Store string
	// Own: the rules are the chosen ones, else those that are on by default.
	Own   bool
	Rules []string
}

func (p ChannelPage) wrong(field string) bool { return p.Field == field }

// addressHint is in the empty field of the address.
func (p ChannelPage) addressHint() string {
	if p.ID == "" {
		return "https://"
	}
	return p.T("alerts.channel_form.unchanged")
}

// action is where the form is sent.
func (p ChannelPage) action() string {
	if p.ID == "" {
		return "/alerts/channels"
	}
	return "/alerts/channels/" + p.ID
}
