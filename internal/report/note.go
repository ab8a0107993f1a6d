package report

import (
	"time"

	"github.com/golang-sql/civil"
)

// DayNote is what a person wrote about a day, or about a range of days.
type DayNote struct {
	ID    int64      `json:"id"`
	Start civil.Date `json:"start"`
	End   civil.Date `json:"end"`
	Text  string     `json:"text"`
	// ForClients: readers of share links and mails without an account see it too, and programs.
	ForClients bool `json:"for_clients"`
	// By is the writer's name; empty when they are gone, and for clients.
	By        string    `json:"-"`
	WrittenAt time.Time `json:"written_at"`
}

// NoteLength is how many characters a note has at most.
const NoteLength = 280

// Days are the days that the note is about.
func (n DayNote) Days() Window { return Window{n.Start, n.End} }

// NotesForClients are those of them that are not private.
func NotesForClients(all []DayNote) []DayNote {
	notes := []DayNote{}
	for _, n := range all {
		if n.ForClients {
			notes = append(notes, n)
		}
	}
	return notes
}
