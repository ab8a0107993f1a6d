package web

import (
	"context"
	"io"
	"maps"
	"slices"

	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/gallery"
)

// gallery lists the pages and parts that can be looked at in all their states.
// Their numbers are made up.
func (s *Server) gallery(c *call) error {
	b := s.basis(c, "Gallery")
	pages := gallery.Pages(b)
	if index, ok := pages["index"]; ok {
		return c.page(index)
	}
	return c.page(galleryIndex(b, slices.Sorted(maps.Keys(pages))))
}

// galleryPage shows one of them.
func (s *Server) galleryPage(c *call) error {
	page, ok := gallery.Pages(s.basis(c, "Gallery"))[c.Param("name")]
	if !ok {
		return errNotFound
	}
	return c.page(page)
}

func galleryIndex(b components.Base, names []string) templ.Component {
	links := templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, `<h1 class="t-title">Gallery</h1><ul>`)
		for _, name := range names {
			if err == nil {
				name = templ.EscapeString(name)
				_, err = io.WriteString(w, `<li><a class="link" href="/gallery/`+name+`">`+name+`</a></li>`)
			}
		}
		if err == nil {
			_, err = io.WriteString(w, `</ul>`)
		}
		return err
	})
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		return components.Layout(b).Render(templ.WithChildren(ctx, links), w)
	})
}
