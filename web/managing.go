package web

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"github.com/storeglass/storeglass/views/components"
)

// managed are the pages behind the tab People, for who manages people.
var managed = []components.Tab{
	{Label: "People", Href: "/people"},
	{Label: "Groups and tags", Href: "/groups"},
	{Label: "API tokens", Href: "/tokens"},
	{Label: "Audit log", Href: "/audit"},
	{Label: "Branding", Href: "/branding"},
}

// underPeople is the address of the page that a route belongs to; empty for the
// routes of other tabs.
func underPeople(route string) string {
	for _, t := range managed {
		if route == t.Href || strings.HasPrefix(route, t.Href+"/") {
			return t.Href
		}
	}
	return ""
}

// managing is the basis of these pages.
func (s *Server) managing(c *call, title string) components.Base {
	b := s.basis(c, title)
	at := underPeople(c.Path())
	for _, t := range managed {
		t.Current = t.Href == at
		b.Sub = append(b.Sub, t)
	}
	return b
}

// showable reports whether a text can be kept and shown on one line.
func showable(s string) bool {
	return storable(s) && !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control) })
}

// posted is the form that came with the request. One that can't be read got no further
// than the gate.
func (c *call) posted() url.Values {
	_ = c.parsePosted()
	return c.Request().PostForm
}

// form is posted, with the reason where it can't be read.
func (c *call) form() (url.Values, error) {
	err := c.parsePosted()
	return c.Request().PostForm, err
}

// parsePosted reads the form, in memory; only one may bring a file.
func (c *call) parsePosted() error {
	r := c.Request()
	several := strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data")
	err := r.ParseForm()
	if err == nil && several {
		err = r.ParseMultipartForm(c.maxBody())
	}
	_, large := errors.AsType[*http.MaxBytesError](err)
	switch {
	case err == nil:
		return nil
	case large && several && c.Path() == brandingForm:
		return errPictureTooLarge
	case large:
		return errTooLarge
	}
	return errUnreadable
}
