// Package views holds the pages that belong to no part of the site: an error and a stored
// reply. Each part has a package of its own below, with its pages and what only they
// show. A page is one function that takes one typed struct; it reads values of package
// report only, and never touches the network or the database.
package views

import (
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/components"
)

// ErrorPage is any failed page: safe words and what to do next.
type ErrorPage struct {
	components.Base
	Status int
	// Heading says what happened; Text the current situation.
	Heading, Text string
	// Action is the link's words and Href its address; both may be empty.
	Action, Href string
	// Typed is a text that was sent with the form, to copy; may be empty.
	Typed string
	// Reference finds the error in the log; may be empty.
	Reference string
}

// ReplyPage shows one stored reply as it came.
type ReplyPage struct {
	components.Base
	Provenance report.Provenance
	// Body is the reply's text, shown only as text.
	Body string
	// Cut is true when only the start is shown.
	Cut bool
	// Back is the address of the page it was opened from.
	Back string
}
