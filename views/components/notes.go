package components

import (
	"strconv"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/components/form"
)

// NoteForm is a note in a form.
type NoteForm struct {
	// Action is the address the form posts to.
	Action string
	// First and Last are days as a date input has them; Last is empty for one day.
	First, Last, Text string
	ForClients        bool
	// At is the query of the overview that the form is on, with its anchor; empty elsewhere.
	At string
	// Opened identifies the note as it was when the form was opened; empty for a new one.
	Opened string
	// Wrong says why the note can't be saved.
	form.Wrong
}

// NotesHref is the page of a store's notes.
func (b Base) NotesHref() string { return b.StoreHome() + "/notes" }

// noteHref is the form that changes a note.
func (b Base) noteHref(n report.DayNote) string {
	return b.NotesHref() + "/" + strconv.FormatInt(n.ID, 10)
}

// NoteDays are a note's days in words.
func NoteDays(l locale.Locale, n report.DayNote, today civil.Date) string {
	if n.Start == n.End {
		return l.DayNear(n.Start, today)
	}
	return l.DatesNear(n.Start, n.End, today)
}
