package web

import (
	"github.com/storeglass/storeglass/views/gallery"
	"github.com/storeglass/storeglass/web/site"
)

// gallery lists the pages and parts that can be looked at in all their states.
// Their numbers are made up.
func (s *Server) gallery(c *site.Call) error {
	return c.Page(gallery.Index(s.PageBase(c, "Gallery"), func(name string) string { return "/gallery/" + name }))
}

func (s *Server) galleryPage(c *site.Call) error {
	for _, page := range gallery.Pages(s.PageBase(c, "Gallery")) {
		if page.Name == c.Param("name") {
			return c.Page(page.View)
		}
	}
	return site.ErrNotFound
}
