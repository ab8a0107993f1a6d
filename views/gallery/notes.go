package gallery

import (
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
	"github.com/storeglass/storeglass/views/notes"
)

const noteText = "Theme updated to Alder 4.2. The cart drawer was without its offer until the developer put it back on Wednesday."

// someNotes are of the pictures: one for clients, and a private one about several days.
func someNotes() []report.DayNote {
	return []report.DayNote{
		{ID: 1, Start: date(2026, 10, 28), End: date(2026, 10, 28), Text: "Autumn newsletter", ForClients: true, By: "Ida Moreau", WrittenAt: now},
		{ID: 2, Start: date(2026, 11, 16), End: date(2026, 11, 18), Text: noteText, By: "Noor", WrittenAt: now},
	}
}

func notesPages(b components.Base) []Page {
	base := at(b, Fernhollow(b.Locale).Store, "")
	base.Path, base.Title = base.NotesHref(), b.T("notes.title")
	reader := base
	reader.Writes = false
	blank := components.NoteForm{Action: base.Path, First: "2026-11-19"}
	refused := components.NoteForm{Action: base.Path, First: "2026-11-19", Last: "2026-11-01", Text: longName, ForClients: true, Wrong: form.Wrong{Field: "last", Problem: b.T("notes.problem.last")}}
	hostile := append(someNotes(), report.DayNote{ID: 3, Start: date(2025, 1, 2), End: date(2025, 1, 2), Text: `{v|${x}</script><!--token-->` + longName + "متجر الزهور"})
	return []Page{
		{"notes", "notes, one just saved that the page before does not show", notes.List(notes.ListPage{Base: base, Notes: hostile, Form: blank, Notice: b.T("notes.done.saved", "days", b.Locale.DayYear(date(2025, 1, 2))), ShowHref: "/stores/fernhollow?start=2024-12-19&end=2025-01-16#notes"})},
		{"notes-none", "no note yet, for people who may not write any", notes.List(notes.ListPage{Base: reader, Form: blank})},
		{"notes-refused", "a note that can't be saved", notes.List(notes.ListPage{Base: base, Notes: someNotes(), Form: refused})},
		{"note", "the form of a note", notes.Edit(notes.EditPage{Base: base, Form: components.NoteForm{Action: base.Path + "/1", First: "2026-10-28", Text: "Autumn newsletter", ForClients: true}, DeleteAction: base.Path + "/1/delete"})},
	}
}
