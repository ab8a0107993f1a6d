package stores

import (
	"cmp"
	"math"
	"slices"

	"github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/views/components"
)

// NewPage asks for the addresses and tokens of a shop's services: the first of two steps.
type NewPage struct {
	components.Base
	// Services are the two, with what was typed; tokens are never sent back.
	Services []ServiceInput
	// Problem says why the last try failed as a whole; Action and Href lead to the next step,
	// and may be empty.
	Problem, Action, Href string
	// RemovedHref is the list of removed stores.
	RemovedHref string
}

// FoundPage shows what the services said, and asks for the store's name: the second step.
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
	// Notice says what the last action did; Problem, by service, why it failed.
	Notice   string
	Problems map[string]string
	// Home is the address above the page's own addresses.
	Home string
	// SyncHref is the store's Sync page, ExportHref the file with everything.
	SyncHref, ExportHref string
	// PauseAction and ResumeAction are the Sync page's.
	PauseAction, ResumeAction string
}

// ServicePage asks for the address and token of one service of a store, to connect it or to
// replace its address and token.
type ServicePage struct {
	components.Base
	Service stores.Service
	Input   ServiceInput
	Problem string
	// Back is the Settings page.
	Back string
}

// RemovePage explains what removing a store does, and asks for its short name.
type RemovePage struct {
	components.Base
	Slug string
	// Typed is what was typed last; Problem says why it was wrong.
	Typed, Problem string
	// Days is for how many days it can be undone.
	Days             int
	Back, ExportHref string
}

// RemovedPage lists the stores that the reader may bring back.
type RemovedPage struct {
	components.Base
	Stores  []stores.Removed
	Notice  string
	Problem string
	// Days is for how many days they can.
	Days int
}

// title is what the page is for.
func (p ServicePage) title() string {
	if p.Service.Connected {
		return p.T("settings.replace_title." + p.Service.Service)
	}
	return p.T("empty.connect." + p.Service.Service)
}

// intro says what happens to the old token.
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

// bothConnected reports whether both cards have the same content.
func (p SettingsPage) bothConnected() bool {
	return !slices.ContainsFunc(p.Settings.Services, func(s stores.Service) bool { return !s.Connected })
}

func (p FoundPage) shop() string { return cmp.Or(p.Connection.Domain(), p.T("connect.this_shop")) }

// left is how long the pasted tokens are still kept.
func (p FoundPage) left() string {
	return p.T("problem.wait.minutes", "n", int64(math.Ceil(p.Connection.Until.Sub(p.Now).Minutes())))
}
