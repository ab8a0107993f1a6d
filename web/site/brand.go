package site

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/storeglass/storeglass/internal/brand"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/views/components"
)

// Brand is the branding with what pages need, and when it was read. The zero value is our own.
type Brand struct {
	db.Brand
	View components.Brand
	at   time.Time
}

// Shown works out what pages need. What is stored was checked before; what is no longer valid
// is left out.
func Shown(b db.Brand, at time.Time) *Brand {
	out := &Brand{Brand: b, at: at}
	if name, err := brand.Name(b.Name); err == nil {
		out.View.Name = name
	}
	if accent, err := brand.ParseAccent(b.Accent); err == nil {
		out.View.Style, out.View.Icon = AccentFile(accent, "css"), AccentFile(accent, "svg")
	}
	if sight, err := brand.See(b.Logo); err == nil {
		out.View.Logo = components.Logo{
			Src: "/brand/" + ContentName(b.Logo) + ".png", Width: sight.Width, Height: sight.Height,
			FaintOnLight: sight.FaintOnLight, FaintOnDark: sight.FaintOnDark,
		}
	}
	return out
}

// ContentName names a file by what is in it, so that it can be kept forever.
func ContentName(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:8])
}

// AccentContent is the content of a color's file.
func AccentContent(a brand.Accent, kind string) string {
	if kind == "svg" {
		return a.Icon()
	}
	return a.CSS()
}

// AccentFile is the address of a colour's style sheet or icon. Both depend only on the color,
// so the name contains it.
func AccentFile(a brand.Accent, kind string) string {
	return "/brand/" + a.Hex()[1:] + "-" + ContentName([]byte(AccentContent(a, kind))) + "." + kind
}

// BrandAge is how old the branding may be for readers who aren't signed in.
const BrandAge = time.Second

// BrandFor is the current branding. It takes no query of its own: its revision comes with the
// visit, and the rest is read only when that has changed.
func (s *Site) BrandFor(c *Call) *Brand {
	if c.branding == nil {
		c.branding = s.Brand.Load()
		known := c.Visit.SessionID != 0 || c.Link != nil
		switch {
		case known && c.Visit.Branding == c.branding.Revision, !known && c.Now.Sub(c.branding.at) < BrandAge:
		case c.Failed != nil && Explain(c.Failed).Status >= 500: // for example when the database is down
		default:
			c.branding = s.ReadBrand(c)
		}
	}
	return c.branding
}

// ReadBrand reads the branding. If it can't be read, the last one is used.
func (s *Site) ReadBrand(c *Call) *Brand {
	ctx := c.Request().Context()
	b, err := s.DB.Branding(ctx)
	if err != nil {
		s.Log.WarnContext(ctx, "branding", "id", c.ID, "error", err.Error())
		return s.Brand.Load()
	}
	out := Shown(b, c.Now)
	s.Brand.Store(out)
	return out
}
