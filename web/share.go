package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/report"
	reportshare "github.com/storeglass/storeglass/internal/report/share"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/share"
)

const (
	sharePrefix = "/share/"
	shareHome   = sharePrefix + ":token"
)

// ShareLink is the address of a share link; secret is what access.CreateShare returned.
func ShareLink(base *url.URL, secret string) string { return base.JoinPath("share", secret).String() }

// shareRoutes are the addresses below a share link: the pages of a store that a
// link can show, and their numbers as files and as JSON. Each belongs to one page,
// and one guard stands before all of them.
func (s *Server) shareRoutes() []route {
	table := []route{
		{"GET", shareHome, admitShare, access.See, s.linked("", s.shareFirst)},
		{"POST", shareHome, admitShare, access.See, s.shareUnlock},
	}
	add := func(page access.SharePage, path string, handle func(*call) error) {
		table = append(table, route{"GET", shareHome + path, admitShare, access.See, s.linked(page, handle)})
	}
	add(access.SharePlacements, "/placements", s.placementsPage)
	add(access.ShareOffers, "/offers", s.offersPage)
	add(access.ShareOffers, "/offers/:id", s.offerPage)
	add(access.ShareGifts, "/gift", s.giftPage)
	add(access.ShareGifts, "/gift/campaigns/:id", s.giftCampaignPage)
	add(access.ShareOverview, "/overview.json", s.shareOverviewJSON)
	add(access.SharePlacements, "/placements.json", s.sharePlacementsJSON)
	add(access.ShareOffers, "/offers.json", s.shareOffersJSON)
	add(access.ShareOffers, "/offers/:id/offer.json", s.shareOfferJSON)
	add(access.ShareGifts, "/gift.json", s.shareGiftJSON)
	add(access.ShareGifts, "/gift/campaigns/:id/campaign.json", s.shareCampaignJSON)
	for _, e := range exports {
		if page, shared := sharedExports[e.path()]; shared {
			add(page, "/"+e.path()+".csv", s.exportCSV(e))
			add(page, "/"+e.path()+".xlsx", s.exportXLSX(e))
		}
	}
	return table
}

// shared reports whether the address is one of a share link, or could be taken for one.
func (c *call) shared() bool {
	p := strings.ToLower(c.Request().URL.Path)
	return strings.HasPrefix(p, sharePrefix) || p == strings.TrimSuffix(sharePrefix, "/")
}

// The problems of readers of a link. Nothing in them leads to pages for people who
// are signed in.
var (
	// errShareGone is the one answer to every link that does not work, whyever.
	errShareGone = &problem{
		status: 404, kind: "not-found", title: "This link does not work",
		detail: "It has ended, was taken back, or never was one. Whoever sent it to you can make a new one.",
	}
	errNotShared = &problem{
		status: 404, kind: "not-found", title: "Not part of this link",
		detail: "There is nothing at this address, or the link does not show it.",
	}
	errSharePassword = &problem{
		status: 403, kind: "forbidden", title: "A password is needed",
		detail: "Open the link in a browser and type the password that you were given with it.",
	}
	errShareWindow = &problem{
		status: 400, kind: "window", title: "This link shows its own days",
		detail: "Leave window, start, end and compare out of the address.",
	}
)

// loadShare admits whoever holds a link. Nobody is asked who they are: a session or
// a token that is sent along opens nothing here.
func (s *Server) loadShare(c *call) error {
	link, visit, err := s.access.ResolveShare(c.Request().Context(), c.Param("token"))
	if errors.Is(err, access.ErrShare) {
		return errShareGone
	}
	if err != nil {
		return err
	}
	c.link = &link
	c.enter(visit)
	c.acts(link.Actor())
	return nil
}

// linked is the one guard before everything that a link can show, be it a page, a
// file or JSON: it asks for the password, whether the page was chosen, and that no
// other days are asked for. The store is known to what follows and to nothing
// before, so that no answer can name it to who has not passed. A page that was shown
// is counted, while it is on its way.
func (s *Server) linked(page access.SharePage, handle func(*call) error) func(*call) error {
	return func(c *call) error {
		if !c.link.Unlocks(c.shareKey(), s.now()) {
			return errSharePassword
		}
		store, err := c.visit.Store()
		if err != nil {
			return err
		}
		c.store = store
		if page != "" && !c.link.Shows(page) {
			return errNotShared
		}
		for _, name := range windowParams {
			if c.QueryParams().Has(name) {
				return errShareWindow
			}
		}
		if err := handle(c); err != nil {
			return err
		}
		if c.Request().Method == http.MethodGet && c.Response().Status == http.StatusOK && c.answers() == asPage {
			c.failed = s.access.NoteShareHit(context.WithoutCancel(c.Request().Context()), *c.link)
		}
		return nil
	}
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

// shareFirst shows the overview, or leads to the first page that was chosen.
func (s *Server) shareFirst(c *call) error {
	for _, t := range shareTabs {
		if !c.link.Shows(t.page) {
			continue
		}
		if t.page == access.ShareOverview {
			return s.overviewPage(c)
		}
		return s.seeOther(c, c.home()+t.path)
	}
	return errNotShared
}

// shareBasis is what every page needs that readers of a link see. Before the guard
// has let them pass, it tells nothing.
func (s *Server) shareBasis(c *call, title string) components.Base {
	b := components.Base{Title: title, Locale: c.locale, Now: c.minute(), Asset: Path, Brand: s.brandFor(c).view, Reader: &components.Reader{}, Shared: &components.Shared{}}
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

// shareCookie has the __Secure- prefix wherever the browser accepts it; its path is
// the link's, so that it travels nowhere else.
func (s *Server) shareCookie() string {
	if s.secure() {
		return "__Secure-storeglass-share"
	}
	return "storeglass-share"
}

func (c *call) shareKey() string {
	cookie, err := c.Cookie(c.server.shareCookie())
	if err != nil {
		return ""
	}
	return cookie.Value
}

// shareLocked asks for the link's password, wherever below the link a reader wanted to go.
func (s *Server) shareLocked(c *call, status int, next, wrong string) error {
	return c.pageWithStatus(status, share.Password(share.PasswordPage{
		Base: s.basis(c, ""), Action: c.home(), Next: next, Problem: wrong,
	}))
}

// shareUnlock takes the password. There is no session that another site's page could
// misuse: what a form needs beside the password is that our own page sent it.
func (s *Server) shareUnlock(c *call) error {
	form, err := c.form()
	if err != nil {
		return err
	}
	next := c.below(form.Get("next"))
	if c.link.Unlocks(c.shareKey(), s.now()) {
		return s.seeOther(c, next)
	}
	key, err := s.access.UnlockShare(c.Request().Context(), *c.link, form.Get("password"), c.from())
	many := (*access.TooManyError)(nil)
	switch {
	case errors.As(err, &many):
		c.Response().Header().Set("Retry-After", retryAfter(many.After))
		return s.shareLocked(c, http.StatusTooManyRequests, next, tooMany(many).detail)
	case errors.Is(err, access.ErrWrong):
		return s.shareLocked(c, http.StatusForbidden, next, "This is not the password. Capitals count.")
	case err != nil:
		return err
	}
	c.SetCookie(&http.Cookie{
		Name: s.shareCookie(), Value: key, Path: c.home(), MaxAge: int(access.ShareKeyLife.Seconds()),
		HttpOnly: true, Secure: s.secure(), SameSite: http.SameSiteLaxMode,
	})
	return s.seeOther(c, next)
}

// below is next where it leads below the link, else the link's own address.
func (c *call) below(next string) string {
	home := c.home()
	u, err := url.Parse(localPath(next))
	if err != nil || u.Path != home && !strings.HasPrefix(u.Path, home+"/") || path.Clean(u.Path) != u.Path {
		return home
	}
	return next
}

// robots asks every crawler to stay away: everything here is somebody's own.
func (s *Server) robots(c *call) error {
	return c.String(http.StatusOK, "User-agent: *\nDisallow: /\n")
}
