// Package notes is what people write about days of a store. People who may share a store may
// write them; everyone who sees the store can read them.
package notes

import (
	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/web/site"
)

// Handlers serve the pages of notes.
type Handlers struct{ *site.Site }

func New(at *site.Site) *Handlers { return &Handlers{at} }

func (s *Handlers) Routes() []site.Route {
	return []site.Route{
		site.Get("/stores/:slug/notes", site.AdmitPerson, access.See, s.notesPage),
		site.Post("/stores/:slug/notes", site.AdmitPerson, access.Share, s.writeNote),
		site.Get("/stores/:slug/notes/:id", site.AdmitPerson, access.Share, s.ofNote(s.notePage)),
		site.Post("/stores/:slug/notes/:id", site.AdmitPerson, access.Share, s.ofNote(s.changeNote)),
		site.Post("/stores/:slug/notes/:id/delete", site.AdmitPerson, access.Share, s.ofNote(s.deleteNote)),
	}
}
