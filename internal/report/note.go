package report

import (
	"slices"
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

// NoteMark is a note over a chart: the points that it is about, and its words.
type NoteMark struct {
	From, To int
	Text     string
}

// NoteMarks are the notes over a chart of those days, in order; at finds a day's point. Of
// several that begin at one point only the first is there: a list beside the chart has all.
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
