package site

import (
	"net/url"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/access/sharing"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	reportshare "github.com/storeglass/storeglass/internal/report/share"
	"github.com/storeglass/storeglass/views/components"
)

// Shared reports whether the address is one of a share link, or could be taken for one.
func (c *Call) Shared() bool {
	return strings.HasPrefix(strings.ToLower(c.Request().URL.Path)+"/", SharePrefix)
}

// Home is the address above the store's pages for this principal.
func (c *Call) Home() string {
	if c.Link != nil {
		return SharePrefix + c.Param("token")
	}
	return StorePath(c.Store.Slug)
}

// SyncHref is the store's Sync page, which no link shows.
func (c *Call) SyncHref() string {
	if c.Link != nil {
		return ""
	}
	return StorePath(c.Store.Slug) + "/sync"
}

// ShareTabs are the pages that can be shown, with their addresses below the link.
var ShareTabs = []struct {
	Page sharing.Page
	Name locale.Message
	Path string
}{
	{sharing.Overview, locale.M("tab.overview"), ""},
	{sharing.Placements, locale.M("tab.placements"), "/placements"},
	{sharing.Offers, locale.M("tab.offers"), "/offers"},
	{sharing.Gifts, locale.M("tab.gifts"), "/gift"},
}

// shareBase is what every page needs that readers of a link see. Before the guard has admitted
// them, it reveals nothing.
func (s *Site) shareBase(c *Call, title string) components.Base {
	b := components.Base{Title: title, Locale: c.locale, Now: c.Minute(), Asset: s.asset, Brand: s.BrandFor(c).View, Reader: &components.Reader{}, Shared: &components.Shared{}}
	if c.Link == nil || c.Store.Slug == "" {
		b.Title = b.T("share.reader.title")
		return b
	}
	home := c.Home()
	b.Path, b.Home, b.Store, b.Now = c.Request().URL.EscapedPath(), home, &c.Store.Store, b.Now.In(c.Store.Location())
	b.Shared = &components.Shared{
		Until: c.locale.DayYear(report.LastDay(c.Link.ExpiresAt, c.Store.Location())), Fixed: c.Link.Window.Fixed(),
		Offers: c.Link.Shows(sharing.Offers), Gifts: c.Link.Shows(sharing.Gifts),
		Message: c.Link.Message, From: c.Link.MadeBy,
	}
	if c.Live {
		b.Live = c.live()
	}
	below := strings.TrimPrefix(c.Path(), ShareHome)
	for _, t := range ShareTabs {
		if c.Link.Shows(t.Page) {
			current := below == t.Path || t.Path != "" && strings.HasPrefix(below, t.Path+"/")
			b.Tabs = append(b.Tabs, components.Tab{Label: t.Name.In(b.Locale), Href: home + t.Path, Current: current})
		}
	}
	return b
}

// linkChoice is the link's window on the store's clock. Nothing is compared with it unless its
// maker chose so, because a comparison reveals other days.
func (c *Call) linkChoice(now time.Time) (report.Choice, error) {
	q := url.Values{"group": {c.QueryParam("group")}}
	if !c.Link.Compares {
		q.Set("compare", string(report.CompareNone))
	}
	if w := c.Link.Window; w.Fixed() {
		q.Set("start", w.Start.String())
		q.Set("end", w.End.String())
	} else {
		q.Set("window", w.Preset)
	}
	return report.ParseChoice(q, now, c.Store.Location(), c.Store.FirstDay)
}

// SharedView is what readers of the link see of the window; nil for signed-in people, who see
// everything.
func (c *Call) SharedView(choice report.Choice) *reportshare.View {
	if c.Link == nil {
		return nil
	}
	return &reportshare.View{Locale: c.locale, Window: choice.Window, Against: choice.Against, Fixed: c.Link.Window.Fixed()}
}
