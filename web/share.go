package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/views/share"
)

// shareHandlers answer readers of share links, and those who make links.
type shareHandlers struct {
	*Site
	reports *reportsHandlers
}

func newShare(at *Site, reports *reportsHandlers) *shareHandlers {
	return &shareHandlers{Site: at, reports: reports}
}

// shareRoutes are the addresses below a share link: the pages of a store that a
// link can show, and their numbers as files and as JSON. Each belongs to one page,
// and one guard stands before all of them.
func (s *shareHandlers) shareRoutes() []route {
	table := []route{
		{"GET", shareHome, admitShare, access.See, s.linked("", s.shareFirst)},
		{"POST", shareHome, admitShare, access.See, s.shareUnlock},
	}
	add := func(page access.SharePage, path string, handle func(*call) error) {
		table = append(table, route{"GET", shareHome + path, admitShare, access.See, s.linked(page, handle)})
	}
	add(access.SharePlacements, "/placements", s.reports.placementsPage)
	add(access.ShareOffers, "/offers", s.reports.offersPage)
	add(access.ShareOffers, "/offers/:id", s.reports.offerPage)
	add(access.ShareGifts, "/gift", s.reports.giftPage)
	add(access.ShareGifts, "/gift/campaigns/:id", s.reports.giftCampaignPage)
	add(access.ShareOverview, "/overview.json", s.shareOverviewJSON)
	add(access.SharePlacements, "/placements.json", s.sharePlacementsJSON)
	add(access.ShareOffers, "/offers.json", s.shareOffersJSON)
	add(access.ShareOffers, "/offers/:id/offer.json", s.shareOfferJSON)
	add(access.ShareGifts, "/gift.json", s.shareGiftJSON)
	add(access.ShareGifts, "/gift/campaigns/:id/campaign.json", s.shareCampaignJSON)
	for _, e := range exports {
		if page, shared := sharedExports[e.path()]; shared {
			add(page, "/"+e.path()+".csv", s.reports.exportCSV(e))
			add(page, "/"+e.path()+".xlsx", s.reports.exportXLSX(e))
		}
	}
	return table
}

// load admits whoever holds a link. Nobody is asked who they are: a session or
// a token that is sent along opens nothing here.
func (s *shareHandlers) load(c *call) error {
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
func (s *shareHandlers) linked(page access.SharePage, handle func(*call) error) func(*call) error {
	return func(c *call) error {
		if !c.link.Unlocks(s.shareKey(c), s.now()) {
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

// shareFirst shows the overview, or leads to the first page that was chosen.
func (s *shareHandlers) shareFirst(c *call) error {
	for _, t := range shareTabs {
		if !c.link.Shows(t.page) {
			continue
		}
		if t.page == access.ShareOverview {
			return s.reports.overviewPage(c)
		}
		return s.seeOther(c, c.home()+t.path)
	}
	return errNotShared
}

// shareCookie has the __Secure- prefix wherever the browser accepts it; its path is
// the link's, so that it travels nowhere else.
func (s *shareHandlers) shareCookie() string {
	if s.secure() {
		return "__Secure-storeglass-share"
	}
	return "storeglass-share"
}

func (s *shareHandlers) shareKey(c *call) string {
	cookie, err := c.Cookie(s.shareCookie())
	if err != nil {
		return ""
	}
	return cookie.Value
}

// shareLocked asks for the link's password, wherever below the link a reader wanted to go.
func (s *shareHandlers) shareLocked(c *call, status int, next, wrong string) error {
	return c.pageWithStatus(status, share.Password(share.PasswordPage{
		Base: s.pageBase(c, ""), Action: c.home(), Next: next, Problem: wrong,
	}))
}

// shareUnlock takes the password. There is no session that another site's page could
// misuse: what a form needs beside the password is that our own page sent it.
func (s *shareHandlers) shareUnlock(c *call) error {
	form := c.form()
	next := below(c, form.Get("next"))
	if c.link.Unlocks(s.shareKey(c), s.now()) {
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
func below(c *call, next string) string {
	home := c.home()
	u, err := url.Parse(localPath(next))
	if err != nil || u.Path != home && !strings.HasPrefix(u.Path, home+"/") || path.Clean(u.Path) != u.Path {
		return home
	}
	return next
}
