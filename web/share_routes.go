package web

import "github.com/storeglass/storeglass/internal/access"

// routes are the addresses of this part of the site.
func (s *shareHandlers) routes() []route {
	table := []route{
		{"GET", "/stores/:slug/shares", admitPerson, access.Share, s.sharesPage},
		{"GET", "/stores/:slug/shares/new", admitPerson, access.Share, proved("/stores/:slug/shares/new", s.sharePage)},
		{"POST", "/stores/:slug/shares", admitPerson, access.Share, proved("/stores/:slug/shares/new", s.makeShare)},
		{"POST", "/stores/:slug/shares/:id/revoke", admitPerson, access.Share, s.revokeShare},
	}
	return append(table, s.shareRoutes()...)
}
