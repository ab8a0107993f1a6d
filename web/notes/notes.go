package notes

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/notes"
	"github.com/storeglass/storeglass/web/site"
)

// notesPage lists the store's notes. If the page where a note was just written doesn't show it,
// this page says which days do.
func (s *Handlers) notesPage(c *site.Call) error {
	page := notes.ListPage{Form: components.NoteForm{First: report.Today(c.Now, c.Store.Location()).String()}}
	saved, _ := strconv.ParseInt(c.QueryParam("saved"), 10, 64)
	if n, err := s.DB.Note(c.Request().Context(), c.Store, saved); err == nil {
		page.Notice, page.ShowHref = seen(c, n)
	} else if !errors.Is(err, db.ErrNotFound) {
		return err
	}
	if c.QueryParam("done") == "deleted" {
		page.Notice = c.T("notes.done.deleted")
	}
	return s.list(c, http.StatusOK, page)
}

func (s *Handlers) list(c *site.Call, status int, page notes.ListPage) (err error) {
	page.Base, page.Form.Action = s.PageBase(c, c.T("notes.title")), site.NotesPath(c.Store.Slug)
	if page.Notes, err = s.DB.Notes(c.Request().Context(), c.Store, db.EveryDay); err != nil {
		return err
	}
	slices.Reverse(page.Notes)
	return c.PageWithStatus(status, notes.List(page))
}

// around is how many days are shown on both sides of a note.
const around = 14

// seen says on which days a note is visible, and leads there if they are in the past.
func seen(c *site.Call, n report.DayNote) (words, href string) {
	l, yesterday := c.Locale(), report.Today(c.Now, c.Store.Location()).AddDays(-1)
	if n.Start.After(yesterday) {
		return l.T("notes.done.later", "day", l.DayYear(n.Start)), ""
	}
	days := components.NoteDays(l, n, yesterday)
	w := report.Window{Start: n.Start.AddDays(-around), End: n.End.AddDays(around)}
	if w.End.After(yesterday) {
		w.End = yesterday
	}
	q := url.Values{"start": {w.Start.String()}, "end": {w.End.String()}}
	return l.T("notes.done.saved", "days", days), site.StorePath(c.Store.Slug) + "?" + q.Encode() + "#notes"
}

// writeNote saves a new note, and returns to the page where it was written if that shows it.
func (s *Handlers) writeNote(c *site.Call) error {
	n, typed := s.wanted(c)
	if typed.Problem == "" {
		id, err := s.DB.WriteNote(c.Request().Context(), c.Store, n, c.Visit.Person.ID, s.recording(c, audit.NoteWritten, n))
		if err == nil {
			n.ID = id
			return s.SeeOther(c, after(c, n))
		}
		if !errors.Is(err, db.ErrNotFound) {
			return err
		}
		typed.Problem = c.T("notes.problem.full", "n", db.MaxNotes)
	}
	return s.list(c, http.StatusUnprocessableEntity, notes.ListPage{Form: typed})
}

func (s *Handlers) notePage(c *site.Call, n report.DayNote) error {
	f := components.NoteForm{First: n.Start.String(), Text: n.Text, ForClients: n.ForClients, Opened: opened(n)}
	if n.End != n.Start {
		f.Last = n.End.String()
	}
	return s.edit(c, http.StatusOK, n, f)
}

func (s *Handlers) edit(c *site.Call, status int, n report.DayNote, f components.NoteForm) error {
	f.Action = site.NotesPath(c.Store.Slug) + "/" + strconv.FormatInt(n.ID, 10)
	return c.PageWithStatus(status, notes.Edit(notes.EditPage{Base: s.PageBase(c, c.T("notes.change")), Form: f, DeleteAction: f.Action + "/delete"}))
}

// changeNote saves a note, unless it was changed after its form was opened: then the form, with
// what was typed, says what is stored now.
func (s *Handlers) changeNote(c *site.Call, old report.DayNote) error {
	n, typed := s.wanted(c)
	if n.ID = old.ID; typed.Problem != "" {
		typed.Opened = c.Form().Get("opened")
		return s.edit(c, http.StatusUnprocessableEntity, old, typed)
	}
	if c.Outdated(opened(old), opened(n)) {
		readers := "notes.private"
		if old.ForClients {
			readers = "notes.for_clients"
		}
		typed.Opened = opened(old)
		typed.Problem = c.T("notes.problem.changed", "text", locale.Name(old.Text), "days", c.Locale().Dates(old.Start, old.End), "readers", c.T(readers))
		return s.edit(c, http.StatusConflict, old, typed)
	}
	err := s.DB.ChangeNote(c.Request().Context(), c.Store, n, c.Now, s.recording(c, audit.NoteChanged, n))
	return s.Then(c, err, after(c, n))
}

func opened(n report.DayNote) string { return site.Opened(n.Start, n.End, n.Text, n.ForClients) }

func (s *Handlers) deleteNote(c *site.Call, n report.DayNote) error {
	err := s.DB.DeleteNote(c.Request().Context(), c.Store, n.ID, s.recording(c, audit.NoteDeleted, n))
	return s.Then(c, err, site.NotesPath(c.Store.Slug)+"?done=deleted")
}

// ofNote makes a handler of one for the note in the address.
func (s *Handlers) ofNote(handle func(*site.Call, report.DayNote) error) func(*site.Call) error {
	return site.ByID(func(c *site.Call, id int64) error {
		n, err := s.DB.Note(c.Request().Context(), c.Store, id)
		if err != nil {
			return err
		}
		return handle(c, n)
	})
}

// after is where to see a saved note: the page where it was written, or else the list.
func after(c *site.Call, n report.DayNote) string {
	if query, ok := strings.CutPrefix(c.Form().Get("at"), "?"); ok {
		if q, err := url.ParseQuery(query); err == nil {
			choice, err := report.ParseChoice(q, c.Now, c.Store.Location(), c.Store.FirstDay)
			if err == nil && choice.Window.Overlaps(n.Days()) {
				return site.StorePath(c.Store.Slug) + "?" + choice.Query().Encode() + "#notes"
			}
		}
	}
	return site.NotesPath(c.Store.Slug) + "?saved=" + strconv.FormatInt(n.ID, 10)
}

// Notes may be about days from ten years ago until a year from now.
const (
	daysBack  = 3660
	daysAhead = 366
)

// wanted reads the form, which says itself why it can't be saved.
func (s *Handlers) wanted(c *site.Call) (n report.DayNote, typed components.NoteForm) {
	f, today := c.Form(), report.Today(c.Now, c.Store.Location())
	typed = components.NoteForm{First: f.Get("first"), Last: f.Get("last"), Text: f.Get("text"), ForClients: f.Get("clients") == "yes", At: f.Get("at")}
	n = report.DayNote{Text: strings.Join(strings.Fields(typed.Text), " "), ForClients: typed.ForClients, WrittenAt: c.Now}
	earliest, latest := today.AddDays(-daysBack), today.AddDays(daysAhead)
	var err error
	n.Start, err = civil.ParseDate(typed.First)
	first := err == nil && n.Start.IsValid()
	if n.End = n.Start; typed.Last != "" {
		n.End, err = civil.ParseDate(typed.Last)
	}
	length := utf8.RuneCountInString(n.Text)
	switch {
	case !first:
		typed.Field, typed.Problem = "first", c.T("notes.problem.first")
	case err != nil || !n.End.IsValid() || n.End.Before(n.Start):
		typed.Field, typed.Problem = "last", c.T("notes.problem.last")
	case n.Start.Before(earliest) || n.End.After(latest):
		typed.Field, typed.Problem = "first", c.T("notes.problem.far", "from", c.Locale().DayYear(earliest), "to", c.Locale().DayYear(latest))
		if !n.Start.Before(earliest) && !n.Start.After(latest) {
			typed.Field = "last"
		}
	case length == 0 || length > report.NoteLength || !site.Showable(n.Text):
		typed.Field, typed.Problem = "text", c.T("notes.problem.text", "n", report.NoteLength)
	}
	return n, typed
}

// recording is the audit record of what was done to a note, in English.
func (s *Handlers) recording(c *site.Call, what audit.Action, n report.DayNote) func(ctx context.Context, q *sqlc.Queries) error {
	readers := "private"
	if n.ForClients {
		readers = "for clients"
	}
	days := locale.English.Dates(n.Start, n.End)
	return s.Audit.Recording(audit.Event{Action: what, Store: c.Store.Slug, Subject: days + ", " + readers + ": " + n.Text})
}
