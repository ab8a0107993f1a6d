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
