package web

import (
	"context"
	"io"

	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/gallery"
	"github.com/storeglass/storeglass/web/site"
)

// gallery lists the pages and parts that can be looked at in all their states.
// Their numbers are made up.
func (s *Server) gallery(c *site.Call) error {
	b := s.PageBase(c, "Gallery")
	return c.Page(galleryIndex(b, gallery.Pages(b)))
}

// galleryPage shows one of them.
func (s *Server) galleryPage(c *site.Call) error {
	for _, page := range gallery.Pages(s.PageBase(c, "Gallery")) {
		if page.Name == c.Param("name") {
			return c.Page(page.View)
		}
	}
	return site.ErrNotFound
}

func galleryIndex(b components.Base, pages []gallery.Page) templ.Component {
	list := templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, `<h1 class="t-title">Gallery</h1><ul>`)
		for _, p := range pages {
			if err == nil {
				name := templ.EscapeString(p.Name)
				_, err = io.WriteString(w, `<li><a class="link" href="/gallery/`+name+`">`+name+`</a> `+templ.EscapeString(p.Says)+`</li>`)
			}
		}
		if err == nil {
			_, err = io.WriteString(w, `</ul>`)
		}
		return err
	})
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		return components.Layout(b).Render(templ.WithChildren(ctx, list), w)
	})
}
