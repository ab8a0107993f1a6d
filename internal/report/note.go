package report

import (
	"slices"
	"time"

	"github.com/golang-sql/civil"
)

// DayNote is what someone wrote about a day or a range of days.
type DayNote struct {
	ID    int64      `json:"id"`
	Start civil.Date `json:"start"`
	End   civil.Date `json:"end"`
	Text  string     `json:"text"`
	// ForClients: also shown to readers of share links and of mails without an account, and to API clients.
	ForClients bool `json:"for_clients"`
	// By is the author's name; empty if their account is gone, and for clients.
	By        string    `json:"-"`
	WrittenAt time.Time `json:"written_at"`
}

// NoteLength is the maximum length of a note in characters.
const NoteLength = 280

// Days is the range of days that the note is about.
func (n DayNote) Days() Window { return Window{n.Start, n.End} }

// NoteMark is a note above a chart: the points it covers, and its text.
type NoteMark struct {
	From, To int
	Text     string
}

// NoteMarks are the notes above a chart of those days, in order; at finds a day's point. If several
// begin at the same point, only the first is included: the list next to the chart has them all.
func NoteMarks(notes []DayNote, days Window, at func(civil.Date) int) (marks []NoteMark) {
	for _, n := range notes {
		if !n.Days().Overlaps(days) {
			continue
		}
		shown := n.Days().Within(days)
		m := NoteMark{at(shown.Start), at(shown.End), n.Text}
		if !slices.ContainsFunc(marks, func(has NoteMark) bool { return has.From == m.From }) {
			marks = append(marks, m)
		}
	}
	slices.SortFunc(marks, func(a, b NoteMark) int { return a.From - b.From })
	return marks
}

// NotesForClients filters out private notes.
func NotesForClients(all []DayNote) []DayNote {
	notes := []DayNote{}
	for _, n := range all {
		if n.ForClients {
			notes = append(notes, n)
		}
	}
	return notes
}
