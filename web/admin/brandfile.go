package admin

import (
	"net/http"
	"regexp"

	"github.com/storeglass/storeglass/internal/brand"
	"github.com/storeglass/storeglass/web/site"
)

var (
	accentName = regexp.MustCompile(`^([0-9a-f]{6})-[0-9a-f]{16}\.(css|svg)$`)
	logoName   = regexp.MustCompile(`^[0-9a-f]{16}\.png$`)
)

// brandFile serves a color's style sheet and icon, and the logo, under names that depend on
// their content. Only a parsed color from the address gets into an answer.
func (s *Handlers) brandFile(c *site.Call) error {
	name := c.Param("file")
	if m := accentName.FindStringSubmatch(name); m != nil {
		accent, err := brand.ParseAccent(m[1])
		if err != nil || site.AccentFile(accent, m[2]) != "/brand/"+name {
			return site.ErrNotFound
		}
		kind := map[string]string{"css": "text/css; charset=utf-8", "svg": "image/svg+xml"}[m[2]]
		return forEver(c, kind, []byte(site.AccentContent(accent, m[2])))
	}
	if !logoName.MatchString(name) {
		return site.ErrNotFound
	}
	b := s.Brand.Load()
	if b.View.Logo.Src != "/brand/"+name { // another process may have a newer one
		b = s.ReadBrand(c)
	}
	if b.View.Logo.Src != "/brand/"+name {
		return site.ErrNotFound
	}
	return forEver(c, "image/png", b.Logo)
}

// forEver sends a file whose name changes with its content, to be cached for a year.
func forEver(c *site.Call, contentType string, body []byte) error {
	c.Response().Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	return c.Blob(http.StatusOK, contentType, body)
}
