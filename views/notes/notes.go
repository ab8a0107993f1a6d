// Package notes shows a store's notes, and the form of each.
package notes

import (
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/components"
)

// ListPage lists all notes of a store, the newest days first.
type ListPage struct {
	components.Base
	Notes []report.DayNote
	// Form is the form for a new note, for readers who may write one.
	Form components.NoteForm
	// Notice says what was just done, ShowHref leads to the days of the note that was saved;
	// both may be empty.
	Notice, ShowHref string
}

// EditPage changes one note.
type EditPage struct {
	components.Base
	Form         components.NoteForm
	DeleteAction string
}
