package share

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/sharing"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/views/share"
	"github.com/storeglass/storeglass/web/live"
	"github.com/storeglass/storeglass/web/reports"
	"github.com/storeglass/storeglass/web/site"
)

// Handlers serve readers of share links and the people who make them.
type Handlers struct {
	*site.Site
	reports *reports.Handlers
	live    *live.Handlers
}

func New(at *site.Site, reports *reports.Handlers, live *live.Handlers) *Handlers {
	return &Handlers{Site: at, reports: reports, live: live}
}

// LinkRoutes are the addresses below a share link: the pages of a store that a link can show,
// and their numbers as files and as JSON. Each belongs to one page, and one guard protects them
// all.
func (s *Handlers) LinkRoutes() []site.Route {
	table := []site.Route{
		site.Page(site.ShareHome, site.AdmitShare, s.linked("", s.shareFirst)),
		site.Get(site.ShareHome+site.LivePath, site.AdmitShare, access.See, s.unlocked("", s.follow)),
		site.Post(site.ShareHome, site.AdmitShare, access.See, s.shareUnlock),
	}
	add := func(page sharing.Page, path string, handle func(*site.Call) error) {
		table = append(table, site.Get(site.ShareHome+path, site.AdmitShare, access.See, s.linked(page, handle)))
	}
	page := func(page sharing.Page, path string, handle func(*site.Call) error) {
		table = append(table, site.Page(site.ShareHome+path, site.AdmitShare, s.linked(page, handle)))
	}
	page(sharing.Placements, "/placements", s.reports.PlacementsPage)
	page(sharing.Offers, "/offers", s.reports.OffersPage)
	page(sharing.Offers, "/offers/:id", s.reports.OfferPage)
	page(sharing.Gifts, "/gift", s.reports.GiftPage)
	page(sharing.Gifts, "/gift/campaigns/:id", s.reports.GiftCampaignPage)
	add(sharing.Overview, "/overview.json", chosen(s.shareOverviewJSON))
	add(sharing.Placements, "/placements.json", chosen(s.sharePlacementsJSON))
	add(sharing.Offers, "/offers.json", chosen(s.shareOffersJSON))
	add(sharing.Offers, "/offers/:id/offer.json", chosen(s.shareOfferJSON))
	add(sharing.Gifts, "/gift.json", chosen(s.shareGiftJSON))
	add(sharing.Gifts, "/gift/campaigns/:id/campaign.json", chosen(s.shareCampaignJSON))
	for _, e := range reports.Exports {
		if page, shared := reports.SharedExports[e.Path()]; shared {
			add(page, "/"+e.Path()+".csv", s.reports.ExportFile(e, site.CSV))
			add(page, "/"+e.Path()+".xlsx", s.reports.ExportFile(e, site.XLSX))
		}
	}
	return table
}

// Load admits anyone with a link, without identifying them: a session or a token sent along
// changes nothing.
func (s *Handlers) Load(c *site.Call) error {
	link, visit, err := s.Shares.Resolve(c.Request().Context(), c.Param("token"))
	if errors.Is(err, fault.NotFound) {
		return site.ErrShareGone
	}
	if err != nil {
		return err
	}
	c.Link = &link
	c.Enter(visit)
	c.Acts(link.Actor())
	return nil
}

// unlocked is the one guard for everything that a link can show, whether a page, a file or
// JSON: it checks the password, that the page was chosen, and that no other days are requested.
// Only handlers behind it know the store, so no other answer can reveal it.
func (s *Handlers) unlocked(page sharing.Page, handle func(*site.Call) error) func(*site.Call) error {
	return func(c *site.Call) error {
		if !c.Link.Unlocks(s.shareKey(c), s.Now()) {
			return site.ErrSharePassword
		}
		store, err := c.Visit.Store()
		if err != nil {
			return err
		}
		c.Store = store
		if page != "" && !c.Link.Shows(page) {
			return site.ErrNotShared
		}
		for _, name := range site.WindowParams {
			if c.QueryParams().Has(name) {
				return site.ErrShareWindow
			}
		}
		return handle(c)
	}
}

// linked counts a page view as it is sent. Refreshes by an open page don't count: browsers mark
// them.
func (s *Handlers) linked(page sharing.Page, handle func(*site.Call) error) func(*site.Call) error {
	handle = s.unlocked(page, handle)
	return func(c *site.Call) error {
		if err := handle(c); err != nil {
			return err
		}
		if mode := c.Request().Header.Get("Sec-Fetch-Mode"); mode != "" && mode != "navigate" {
			return nil
		}
		if c.Request().Method == http.MethodGet && c.Response().Status == http.StatusOK && c.Answers() == site.AsPage {
			c.Failed = s.Shares.NoteHit(context.WithoutCancel(c.Request().Context()), *c.Link)
		}
		return nil
	}
}

// follow is the stream of a link's pages. It ends with the link.
func (s *Handlers) follow(c *site.Call) error {
	return s.live.Follow(c, func() (db.Visit, error) {
		link, visit, err := s.Shares.Resolve(c.Request().Context(), c.Param("token"))
		if errors.Is(err, fault.NotFound) || err == nil && !link.Unlocks(s.shareKey(c), s.Now()) {
			return visit, db.ErrNotFound
		}
		return visit, err
	})
}

// shareFirst shows the overview, or leads to the first page of the link.
func (s *Handlers) shareFirst(c *site.Call) error {
	for _, t := range site.ShareTabs {
		if !c.Link.Shows(t.Page) {
			continue
		}
		if t.Page == sharing.Overview {
			return s.reports.OverviewPage(c)
		}
		return s.SeeOther(c, c.Home()+t.Path)
	}
	return site.ErrNotShared
}

// CookieName has the __Secure- prefix if the browser accepts it; its path is the link's, so it
// is sent nowhere else.
func (s *Handlers) CookieName() string {
	if s.Secure() {
		return "__Secure-storeglass-share"
	}
	return "storeglass-share"
}

func (s *Handlers) shareKey(c *site.Call) string {
	cookie, err := c.Cookie(s.CookieName())
	if err != nil {
		return ""
	}
	return cookie.Value
}

// AskPassword asks for the link's password; next is where below the link the reader wanted to
// go.
func (s *Handlers) AskPassword(c *site.Call, status int, next, wrong string) error {
	return c.PageWithStatus(status, share.Password(share.PasswordPage{
		Base: s.PageBase(c, ""), Action: c.Home(), Next: next, Problem: wrong,
	}))
}

// shareUnlock takes the password. There is no session that another site's page could misuse:
// besides the password, a form only needs to come from our own page.
func (s *Handlers) shareUnlock(c *site.Call) error {
	form := c.Form()
	next := below(c, form.Get("next"))
	if c.Link.Unlocks(s.shareKey(c), s.Now()) {
		return s.SeeOther(c, next)
	}
	key, err := s.Shares.Unlock(c.Request().Context(), *c.Link, form.Get("password"), c.From())
	switch {
	case errors.Is(err, fault.TooMany):
		words, status := c.TooMany(err)
		return s.AskPassword(c, status, next, words)
	case errors.Is(err, fault.Denied):
		return s.AskPassword(c, http.StatusForbidden, next, c.Locale().T("share.reader.wrong_password"))
	case err != nil:
		return err
	}
	c.SetCookie(&http.Cookie{
		Name: s.CookieName(), Value: key, Path: c.Home(), MaxAge: int(sharing.KeyLife.Seconds()),
		HttpOnly: true, Secure: s.Secure(), SameSite: http.SameSiteLaxMode,
	})
	return s.SeeOther(c, next)
}

// below returns next if it is below the link, otherwise the link's own address.
func below(c *site.Call, next string) string {
	home := c.Home()
	u, err := url.Parse(site.LocalPath(next))
	if err != nil || u.Path != home && !strings.HasPrefix(u.Path, home+"/") || path.Clean(u.Path) != u.Path {
		return home
	}
	return next
}
