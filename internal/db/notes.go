package db

import (
	"context"
	"fmt"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/report"
)

// MaxNotes is how many notes a store may have.
const MaxNotes = 1000

// EveryDay includes the days of all notes.
var EveryDay = report.Window{Start: civil.Date{Year: 1, Month: time.January, Day: 1}, End: civil.Date{Year: 9999, Month: time.December, Day: 31}}

// Notes are those that the principal may see and that share a day with the window, oldest days first.
func (d *DB) Notes(ctx context.Context, s ScopedStore, w report.Window) ([]report.DayNote, error) {
	rows, err := d.q.NotesOfStore(ctx, notesOf(s, w))
	return Each(rows, note), Tried(err, "read notes of %s", s.Slug)
}

// Note is one of the store's notes. It returns ErrNotFound.
func (d *DB) Note(ctx context.Context, s ScopedStore, id int64) (report.DayNote, error) {
	of := notesOf(s, EveryDay)
	of.ID = id
	rows, err := d.q.NotesOfStore(ctx, of)
	switch {
	case err != nil:
		return report.DayNote{}, fmt.Errorf("read note %d of %s: %w", id, s.Slug, err)
	case id == 0 || len(rows) == 0:
		return report.DayNote{}, ErrNotFound
	}
	return note(rows[0]), nil
}

// WriteNote saves a new note by that person. It returns ErrNotFound if the store already has the
// maximum number of notes.
func (d *DB) WriteNote(ctx context.Context, s ScopedStore, n report.DayNote, person int64, also ...Also) (id int64, err error) {
	err = d.InTx(ctx, func(q *sqlc.Queries) error {
		id, err = q.InsertNote(ctx, sqlc.InsertNoteParams{
			StoreID: s.id, Most: MaxNotes, FirstDay: n.Start, LastDay: n.End, Text: n.Text, ForClients: n.ForClients, WrittenBy: person, Now: n.WrittenAt,
		})
		return Absent(err, ErrNotFound, "write note of %s", s.Slug)
	}, also...)
	return id, err
}

// ChangeNote is WriteNote for an existing note. It returns ErrNotFound if there is none.
func (d *DB) ChangeNote(ctx context.Context, s ScopedStore, n report.DayNote, now time.Time, also ...Also) error {
	return d.InTx(ctx, func(q *sqlc.Queries) error {
		rows, err := q.ChangeNote(ctx, sqlc.ChangeNoteParams{
			StoreID: s.id, ID: n.ID, FirstDay: n.Start, LastDay: n.End, Text: n.Text, ForClients: n.ForClients, Now: now,
		})
		return Touched(rows, err, "change note")
	}, also...)
}

// DeleteNote deletes a note. It returns ErrNotFound if there is none.
func (d *DB) DeleteNote(ctx context.Context, s ScopedStore, id int64, also ...Also) error {
	return d.InTx(ctx, func(q *sqlc.Queries) error {
		rows, err := q.DeleteNote(ctx, sqlc.DeleteNoteParams{StoreID: s.id, ID: id})
		return Touched(rows, err, "delete note")
	}, also...)
}

// notesOf are the parameters to read a window's notes.
func notesOf(s ScopedStore, w report.Window) sqlc.NotesOfStoreParams {
	return sqlc.NotesOfStoreParams{StoreID: s.id, FirstDay: w.Start, LastDay: w.End}
}

func note(r sqlc.NotesOfStoreRow) report.DayNote {
	return report.DayNote{ID: r.ID, Start: r.FirstDay, End: r.LastDay, Text: r.Text, ForClients: r.ForClients, By: r.WrittenBy, WrittenAt: r.WrittenAt}
}
