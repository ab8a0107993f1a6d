package views

import (
	"github.com/storeglass/storeglass/internal/report"
)

// AlertSettingsPage is how a person wants to be told of alerts, and where else they are sent.
type AlertSettingsPage struct {
	Base
	Form AlertForm
	// Rules are all that there are, in order.
	Rules []AlertRuleChoice
	Zones []report.ZoneGroup
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
	// ChannelProblem is why the last action on a channel failed.
	ChannelProblem string
}

// AlertForm is what a person wants, as typed.
type AlertForm struct {
	Mail, Recoveries bool
	// Rules are the keys of those that are told of.
	Rules          []string
	Quiet          bool
	From, To, Zone string
	CampaignDays   string
}

// AlertRuleChoice is a rule that one may be told of.
type AlertRuleChoice struct{ Key, Title, Means string }

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
	Base
	Form  ChannelForm
	Rules []AlertRuleChoice
	// ID is empty for a new one. Of one that is there, Kind and Host say what stays or is
	// all that may be shown, Store is its store and Revision what the form was opened at.
	ID, Kind, Host, Revision string
	Store                    Choice
	// Stores are those to choose from; MoreStores says that there are others.
	Stores         []Choice
	MoreStores     bool
	Field, Problem string
}

// ChannelForm is a channel as typed; its address is secret and not kept.
type ChannelForm struct {
	Kind, Name, Store string
	// Own: the rules are the chosen ones, else those that are on by default.
	Own   bool
	Rules []string
}

func (p ChannelPage) wrong(field string) bool { return p.Field == field }

// addressHint stands in the empty field of the address.
func (p ChannelPage) addressHint() string {
	if p.ID == "" {
		return "https://"
	}
	return "••• (unchanged)"
}

// action is where the form is sent.
func (p ChannelPage) action() string {
	if p.ID == "" {
		return "/alerts/channels"
	}
	return "/alerts/channels/" + p.ID
}
