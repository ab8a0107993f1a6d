package stores

import (
	"cmp"
	"math"
	"slices"

	"github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/views/components"
)

// NewPage asks for what a shop's services are reached with: the first of two steps.
type NewPage struct {
	components.Base
	// Services are the two, with what was typed; a token never comes back.
	Services []ServiceInput
	// Problem says why nothing came of the last try as a whole; Action and Href lead to
	// where it goes on, and may be empty.
	Problem, Action, Href string
	// RemovedHref is the list of removed stores.
	RemovedHref string
}

// FoundPage names back what the services said, and asks for what a store is called:
// the second step.
type FoundPage struct {
	components.Base
	Connection stores.Connection
	Form       StoreInput
	// Problem is as on the page before.
	Problem, Action, Href string
	// StartOver is the first step.
	StartOver string
}

// SettingsPage is a store's settings. Without the right to change them there are no actions.
type SettingsPage struct {
	components.Base
	Settings stores.Settings
	Form     StoreInput
	Goal     GoalSection
	// MayChange: the reader may connect, change and remove.
	MayChange bool
	// Days is how long a removal can be undone.
	Days int
	// Notice says what the last action did; Problem, by service, why it did not.
	Notice   string
	Problems map[string]string
	// Home is the address that the page's own are below.
	Home string
	// SyncHref is the store's Sync page, ExportHref the file with everything.
	SyncHref, ExportHref string
	// PauseAction and ResumeAction are those of the Sync page.
	PauseAction, ResumeAction string
}

// ServicePage asks for the address and token of one service of a store, to connect it
// or to replace what it is reached with.
type ServicePage struct {
	components.Base
	Service stores.Service
	Input   ServiceInput
	Problem string
	// Back is the Settings page.
	Back string
}

// DisconnectPage asks whether to forget a service's token.
type DisconnectPage struct {
	components.Base
	Service stores.Service
	Back    string
}

// RemovePage explains what removing a store does, and asks for its short name.
type RemovePage struct {
	components.Base
	Slug string
	// Typed is what was typed last; Problem says why that did not do.
	Typed, Problem string
	// Days is how long it can be undone.
	Days             int
	Back, ExportHref string
}

// RemovedPage lists the stores that the reader may bring back.
type RemovedPage struct {
	components.Base
	Stores  []stores.Removed
	Notice  string
	Problem string
	// Days is how long they can be.
	Days int
}

// title is what the page is for.
func (p ServicePage) title() string {
	if p.Service.Connected {
		return p.T("settings.replace_title." + p.Service.Service)
	}
	return p.T("empty.connect." + p.Service.Service)
}

// intro says what happens to the token before.
func (p ServicePage) intro() string {
	if !p.Service.Connected {
		return p.T("settings.connect_text." + p.Service.Service)
	}
	return p.T("settings.replace_text."+p.Service.Service, "tail", cmp.Or(p.Service.Tail, "–"))
}

func (p ServicePage) button() string {
	if p.Service.Connected {
		return p.T("settings.check_and_replace")
	}
	return p.T("settings.check_and_connect")
}

// both reports whether the shop's two services answered.
func (p FoundPage) both() bool { return len(p.Connection.Services) > 1 }

// bothConnected reports whether the two cards hold as much as each other.
func (p SettingsPage) bothConnected() bool {
	return !slices.ContainsFunc(p.Settings.Services, func(s stores.Service) bool { return !s.Connected })
}

func (p FoundPage) shop() string {
	if d := p.Connection.Domain(); d != "" {
		return d
	}
	return p.T("connect.this_shop")
}

// left is how long what was pasted still waits.
func (p FoundPage) left() string {
	return p.T("problem.wait.minutes", "n", int64(math.Ceil(p.Connection.Until.Sub(p.Now).Minutes())))
}
