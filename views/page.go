// Package views holds the pages: one file a page, each taking one typed struct
// over a shared base. Pages compose the parts of package components and read
// values of package report only; they never touch the network or the database.
package views

import (
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/components"
)

// Base is what every page needs beside its own values.
type Base = components.Base

// Reader is what a page holds that is its reader's own.
type Reader = components.Reader

// Tab is one page in the header.
type Tab = components.Tab

// PersonView is the signed-in person as the header shows them.
type PersonView = components.PersonView

// OverviewPage is a store's overview (picture 01).
type OverviewPage struct {
	Base
	Overview report.Overview
	// ChoiceError is shown beside the picker when the asked window is not one; nil when it is.
	ChoiceError *report.ChoiceError
	// SyncHref is the store's Sync page.
	SyncHref string
}

// PlacementsPage are the placements of the overview's window side by side, larger,
// with what each lacks.
type PlacementsPage struct{ OverviewPage }

// OffersPage is a store's offer list.
type OffersPage struct {
	Base
	List report.OfferList
	// FilterError is shown beside the form when the asked filter is not one; nil when it is.
	FilterError *report.ChoiceError
	// SyncHref is the store's Sync page, RecommendHref the one that asks what goes with a
	// product.
	SyncHref, RecommendHref string
}

// OfferPage is one offer (picture 06).
type OfferPage struct {
	Base
	Detail report.OfferDetail
	// ChoiceError is shown beside the picker when the asked window is not one; nil when it is.
	ChoiceError *report.ChoiceError
	// SyncHref is the store's Sync page.
	SyncHref string
}

// SyncView is a store's Sync page (picture 09).
type SyncView struct {
	Base
	Sync report.Sync
	// PullAction, PauseAction and ResumeAction are the addresses the buttons post to;
	// empty for what the reader may not do.
	PullAction, PauseAction, ResumeAction string
	// CheckAction has refused tokens checked now; empty where none is, or the reader may not.
	CheckAction string
	// Notice says what the last action did; empty when there was none.
	Notice string
}

// ErrorPage is any failed page: safe words and what to do next.
type ErrorPage struct {
	Base
	Status int
	// Heading says what happened; Text what is true now.
	Heading, Text string
	// Action is the link's words and Href its address; both may be empty.
	Action, Href string
	// Reference is for the log; may be empty.
	Reference string
}

// ReplyPage shows one stored reply as it came.
type ReplyPage struct {
	Base
	Provenance report.Provenance
	// Body is the reply's text, shown as text and nothing else.
	Body string
	// Cut is true when only the start is shown.
	Cut bool
	// Back is the address of the page it was opened from.
	Back string
}

// Shared is what a page tells of the share link through which it is read.
type Shared = components.Shared

// SharePasswordPage asks a reader of a share link for its password. It names neither
// the store nor what the link shows.
type SharePasswordPage struct {
	Base
	// Action is the address the form posts to, Next where to go afterwards.
	Action, Next string
	// Problem says why the last try failed; empty when none did.
	Problem string
}
