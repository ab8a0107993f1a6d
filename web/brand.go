package web

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/storeglass/storeglass/internal/brand"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/views/components"
)

// shownBrand is the branding with what pages need of it, and when it was read. The
// zero value is our own.
type shownBrand struct {
	db.Brand
	view components.Brand
	at   time.Time
}

// shown works out what pages need. What is stored was checked before; what would not
// pass any more is left out.
func shown(b db.Brand, at time.Time) *shownBrand {
	out := &shownBrand{Brand: b, at: at}
	if name, err := brand.Name(b.Name); err == nil {
		out.view.Name = name
	}
	if accent, err := brand.ParseAccent(b.Accent); err == nil {
		out.view.Style, out.view.Icon = accentFile(accent, "css"), accentFile(accent, "svg")
	}
	if sight, err := brand.See(b.Logo); err == nil {
		out.view.Logo = components.Logo{
			Src: "/brand/" + contentName(b.Logo) + ".png", Width: sight.Width, Height: sight.Height,
			FaintOnLight: sight.FaintOnLight, FaintOnDark: sight.FaintOnDark,
		}
	}
	return out
}

// contentName names a file by what is in it, so that it can be kept for ever.
func contentName(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:8])
}

// accentContent is what a colour's file holds.
func accentContent(a brand.Accent, kind string) string {
	if kind == "svg" {
		return a.Icon()
	}
	return a.CSS()
}

// accentFile is the address of a colour's style sheet or icon. Both are made of the
// colour alone, so it stands in the name.
func accentFile(a brand.Accent, kind string) string {
	return "/brand/" + a.Hex()[1:] + "-" + contentName([]byte(accentContent(a, kind))) + "." + kind
}

// brandAge is how old the branding may be for whoever is not known.
const brandAge = time.Second

// brandFor is the branding as it is at this moment, and costs no question of its own:
// its revision comes with who asks, and the rest is read when that has changed.
func (s *Site) brandFor(c *call) *shownBrand {
	if c.branding == nil {
		c.branding = s.brand.Load()
		known := c.visit.SessionID != 0 || c.link != nil
		switch {
		case known && c.visit.Branding == c.branding.Revision, !known && c.now.Sub(c.branding.at) < brandAge:
		case c.failed != nil && explain(c.failed).status >= 500: // such as where the database can't be reached
		default:
			c.branding = s.readBrand(c)
		}
	}
	return c.branding
}

// readBrand reads the branding. Where it can't be read, the last one stands.
func (s *Site) readBrand(c *call) *shownBrand {
	ctx := c.Request().Context()
	b, err := s.db.Branding(ctx)
	if err != nil {
		s.log.WarnContext(ctx, "branding", "id", c.id, "error", err.Error())
		return s.brand.Load()
	}
	out := shown(b, c.now)
	s.brand.Store(out)
	return out
}
