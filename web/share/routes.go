// Package share is links that show chosen pages of one store to the person who has them, and the pages
// that make and revoke them.
package share

import (
	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/web/site"
)

func (s *Handlers) Routes() []site.Route {
	table := []site.Route{
		site.Get("/stores/:slug/shares", site.AdmitPerson, access.Share, s.sharesPage),
		site.Get("/stores/:slug/shares/new", site.AdmitPerson, access.Share, site.Proved("/stores/:slug/shares/new", s.sharePage)),
		site.Post("/stores/:slug/shares", site.AdmitPerson, access.Share, site.Proved("/stores/:slug/shares/new", s.makeShare)),
		site.Post("/stores/:slug/shares/:id/revoke", site.AdmitPerson, access.Share, site.ByID(s.revokeShare)),
	}
	return append(table, s.LinkRoutes()...)
}
