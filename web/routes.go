package web

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"github.com/storeglass/storeglass/internal/access"
)

// routes is every address there is. GET answers HEAD too.
func (s *Server) routes() []route {
	table := []route{
		{"GET", "/livez", admitAll, access.See, s.livez},
		{"GET", "/readyz", admitAll, access.See, s.readyz},
		{"GET", "/static/*", admitAll, access.See, s.static},
		{"GET", "/robots.txt", admitAll, access.See, s.robots},
		{"GET", "/.well-known/security.txt", admitAll, access.See, s.securityText},
	}
	if s.withGallery {
		table = append(table,
			route{"GET", "/gallery", admitPerson, access.See, s.gallery},
			route{"GET", "/gallery/:name", admitPerson, access.See, s.galleryPage},
		)
	}
	p := s.parts
	return slices.Concat(table, p.account.routes(), p.mails.routes(), p.stores.routes(), p.alerts.routes(), p.admin.routes(),
		p.reports.routes(), p.share.routes(), p.api.routes())
}

func (s *Server) mount(table []route) error {
	for _, r := range table {
		if a, ok := s.admission[r.path]; ok && a != r.admits {
			return fmt.Errorf("web: %s admits two kinds of askers", r.path)
		}
		s.admission[r.path] = r.admits
		handle := func(ec echo.Context) error {
			c := ec.(*call)
			if err := c.gate(r); err != nil {
				return err
			}
			if err := c.read(); err != nil {
				return err
			}
			return r.handle(c)
		}
		s.echo.Add(r.method, r.path, handle)
		if r.method == http.MethodGet {
			s.echo.Add(http.MethodHead, r.path, handle)
		}
	}
	return nil
}
