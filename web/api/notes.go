package api

import (
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/web/site"
)

// apiNotes answers the notes of a window. Programs only get notes for clients: the database
// shows them no others.
func (s *Handlers) apiNotes(c *site.Call) error {
	if err := takes(c, "window", "start", "end"); err != nil {
		return err
	}
	now := s.Now()
	choice, err := c.Choice(now)
	if err != nil {
		return err
	}
	out := struct {
		Provenance report.Provenance `json:"provenance"`
		Notes      []report.DayNote  `json:"notes"`
	}{Provenance: ownProvenance("notes", now)}
	out.Provenance.Window, out.Provenance.Timezone, out.Provenance.TimezoneFrom = &choice.Window, c.Store.Timezone, "store"
	if out.Notes, err = s.DB.Notes(c.Request().Context(), c.Store, choice.Window); err != nil {
		return err
	}
	return c.Answer(out)
}
