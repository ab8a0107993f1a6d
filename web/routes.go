package web

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/web/site"
)

// Routes is every address of the site. GET answers HEAD, too.
func (s *Server) Routes() []site.Route {
	table := []site.Route{
		site.Get("/livez", site.AdmitAll, access.See, s.Livez),
		site.Get("/readyz", site.AdmitAll, access.See, s.readyz),
		site.Get("/static/*", site.AdmitAll, access.See, s.static),
		site.Get("/robots.txt", site.AdmitAll, access.See, s.robots),
		site.Get("/.well-known/security.txt", site.AdmitAll, access.See, s.securityText),
	}
	if s.WithGallery {
		table = append(table,
			site.Get("/gallery", site.AdmitPerson, access.See, s.gallery),
			site.Get("/gallery/:name", site.AdmitPerson, access.See, s.galleryPage),
		)
	}
	p := s.Parts
	return slices.Concat(table, p.Account.Routes(), p.Mails.Routes(), p.Stores.Routes(), p.Alerts.Routes(), p.Admin.Routes(),
		p.Reports.Routes(), p.Notes.Routes(), p.Share.Routes(), p.Live.Routes(), p.Find.Routes(), p.API.Routes())
}

func (s *Server) Mount(table []site.Route) error {
	for _, r := range table {
		if a, ok := s.admission[r.Path]; ok && a != r.Admits {
			return fmt.Errorf("web: %s admits two kinds of principals", r.Path)
		}
		s.admission[r.Path] = r.Admits
		handle := func(ec echo.Context) error {
			c := ec.(*site.Call)
			if err := c.Gate(r); err != nil {
				return err
			}
			c.Live = r.Live
			if err := c.Read(); err != nil {
				return err
			}
			return r.Handle(c)
		}
		s.Echo.Add(r.Method, r.Path, handle)
		if r.Method == http.MethodGet {
			s.Echo.Add(http.MethodHead, r.Path, handle)
		}
	}
	return nil
}
