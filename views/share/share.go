// Package share shows a store's share links, the form for a new one, and the password page.
package share

import (
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
)

// ListPage lists a store's share links, for people who manage them.
type ListPage struct {
	components.Base
	Rows    []Row
	NewHref string
	// Notice says what was just done; it may be empty.
	Notice string
}

// Row is one share link; its address is no longer known.
type Row struct {
	Label, MadeBy, Made string
	// Shows are its pages, Days its window, in words.
	Shows, Days string
	Password    bool
	// Sign chooses the sign before State, which tells until when it works, or why not.
	Sign, State string
	// Opened is how often, Last when for the last time; empty if never.
	Opened int64
	Last   string
	// Action revokes it; empty if it no longer works.
	Action string
}

// NewPage is the form of a share link.
type NewPage struct {
	components.Base
	// Action is the address the form posts to, BackHref the list.
	Action, BackHref string
	Form             Form
	// Pages are those that a link can show.
	Pages []form.Choice
	// MinPassword is the shortest password.
	MinPassword int
	// MaxMessage is the most characters of a message.
	MaxMessage int
	// Latest is the last day a link may work on, Today the store's day.
	Today, Latest string
	// Wrong says why the link can't be made.
	form.Wrong
}

// Form is what was typed; never the password.
type Form struct {
	Label string
	Pages []string
	// Fixed: the days from Start to End; otherwise those of Preset.
	Fixed              bool
	Preset, Start, End string
	// Compares: with the period before.
	Compares bool
	// Message is said to readers. Plans: with what comes next.
	Message string
	Plans   bool
	Until   string
}

// Days is a link's window in words.
func Days(l locale.Locale, preset string, w report.Window) string {
	if preset == "" {
		return l.Dates(w.Start, w.End)
	}
	return l.T("share.rolling", "dates", components.PresetName(l, report.Preset(preset)))
}

// PasswordPage asks a reader of a share link for its password. It names neither
// the store nor what the link shows.
type PasswordPage struct {
	components.Base
	// Action is the address the form posts to, Next where to go afterwards.
	Action, Next string
	// Problem says why the last try failed; empty if none did.
	Problem string
}
