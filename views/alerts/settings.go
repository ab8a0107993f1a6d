package alerts

import (
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
)

// SettingsPage is how a person gets alerts, and where else they are sent.
type SettingsPage struct {
	components.Base
	Form Form
	// Rules are all rules, in order.
	Rules []form.Choice
	Zones []stores.ZoneGroup
	// Wrong says why it can't be saved, Notice what was just done; may be empty.
	form.Wrong
	Notice string
	// Unmailed says why no mail is sent at all; empty if mails are sent.
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
	// Rules are the keys of the rules to be notified about.
	Rules          []string
	Quiet          bool
	From, To, Zone string
	CampaignDays   string
	// Opened identifies the values that were stored when the form was opened.
	Opened string
}

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

// ChannelPage is the form of a channel, a new one or an existing one.
type ChannelPage struct {
	components.Base
	Form  ChannelForm
	Rules []form.Choice
	// ID is empty for a new one. For an existing one, Kind can't change, Host is all that may
	// be shown of its address, Store is its store, and Revision the version that the form was
	// opened with.
	ID, Kind, Host, Revision string
	Store                    form.Choice
	// Stores are the choices; MoreStores says that there are others.
	Stores     []form.Choice
	MoreStores bool
	// Wrong says why it can't be saved.
	form.Wrong
}

// ChannelForm is a channel as typed; its address is secret and never shown again.
type ChannelForm struct {
	Kind        fact.ChannelKind
	Name, Store string
	// Own: use the chosen rules instead of those that are on by default.
	Own   bool
	Rules []string
}

// addressHint is the placeholder of the address field.
func (p ChannelPage) addressHint() string {
	if p.ID == "" {
		return "https://"
	}
	return p.T("alerts.channel_form.unchanged")
}

func (p ChannelPage) action() string {
	if p.ID == "" {
		return "/alerts/channels"
	}
	return "/alerts/channels/" + p.ID
}
