package web

import (
	"net/url"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/report"
	reportshare "github.com/storeglass/storeglass/internal/report/share"
	"github.com/storeglass/storeglass/views/components"
)

// shared reports whether the address is one of a share link, or could be taken for one.
func (c *call) shared() bool {
	p := strings.ToLower(c.Request().URL.Path)
	return strings.HasPrefix(p, sharePrefix) || p == strings.TrimSuffix(sharePrefix, "/")
}

// home is the address that the store's pages stand below for this asker.
func (c *call) home() string {
	if c.link != nil {
		return sharePrefix + c.Param("token")
	}
	return storePath(c.store.Slug)
}

// syncHref is the store's Sync page, which no link shows.
func (c *call) syncHref() string {
	if c.link != nil {
		return ""
	}
	return storePath(c.store.Slug) + "/sync"
}

// shareTabs are the pages that can be shown, with their addresses below the link.
var shareTabs = []struct {
	page        access.SharePage
	label, path string
}{
	{access.ShareOverview, "Overview", ""},
	{access.SharePlacements, "Placements", "/placements"},
	{access.ShareOffers, "Offers", "/offers"},
	{access.ShareGifts, "Gifts", "/gift"},
}

// shareBase is what every page needs that readers of a link see. Before the guard
// has let them pass, it tells nothing.
func (s *Site) shareBase(c *call, title string) components.Base {
	b := components.Base{Title: title, Locale: c.locale, Now: c.minute(), Asset: s.asset, Brand: s.brandFor(c).view, Reader: &components.Reader{}, Shared: &components.Shared{}}
	if c.link == nil || c.store.Slug == "" {
		b.Title = "A shared report"
		return b
	}
	home := c.home()
	b.Path, b.Home, b.Store, b.Now = c.Request().URL.EscapedPath(), home, &c.store.Store, b.Now.In(c.store.Location())
	b.Shared = &components.Shared{
		Until: report.LastDay(c.link.ExpiresAt, c.store.Location()), Fixed: c.link.Window.Fixed(),
		Offers: c.link.Shows(access.ShareOffers), Gifts: c.link.Shows(access.ShareGifts),
	}
	below := strings.TrimPrefix(c.Path(), shareHome)
	for _, t := range shareTabs {
		if c.link.Shows(t.page) {
			current := below == t.path || t.path != "" && strings.HasPrefix(below, t.path+"/")
			b.Tabs = append(b.Tabs, components.Tab{Label: t.label, Href: home + t.path, Current: current})
		}
	}
	return b
}

// linkChoice is the link's window on the store's clock. Nothing is compared with it:
// that would tell of other days.
func (c *call) linkChoice(now time.Time) (report.Choice, error) {
	q := url.Values{"compare": {string(report.CompareNone)}}
	if w := c.link.Window; w.Fixed() {
		q.Set("start", w.Start.String())
		q.Set("end", w.End.String())
	} else {
		q.Set("window", w.Preset)
	}
	return report.ParseChoice(q, now, c.store.Location(), c.store.FirstDay)
}

// told is what readers of the link are told of the window; nil for people who are
// signed in, who are told everything.
func (c *call) told(choice report.Choice) *reportshare.View {
	if c.link == nil {
		return nil
	}
	return &reportshare.View{Window: choice.Window, Fixed: c.link.Window.Fixed()}
}
