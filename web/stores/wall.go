package stores

import (
	"net/http"
	"net/url"

	"github.com/storeglass/storeglass/internal/report/portfolio"
	"github.com/storeglass/storeglass/views/stores"
	"github.com/storeglass/storeglass/web/site"
)

// wall shows the list to a screen on a wall: what needs attention comes first, however the view
// is grouped.
func (s *Handlers) wall(c *site.Call) error {
	asked, err := s.askedOfStores(c)
	if err != nil {
		return err
	}
	asked.query.By, asked.query.All, asked.query.Page = portfolio.ByHealth, false, 1
	page := s.wallPage(c)
	page.List, err = s.DB.Portfolio(c.Request().Context(), c.AlertPrincipal(), asked.query, c.Minute())
	if err != nil {
		return err
	}
	page.Asks, page.ListHref = asked.query.Words(page.Locale), asked.desk()
	for _, v := range asked.views {
		if v.Current {
			page.Name = v.Name
		}
	}
	return c.PageWithStatus(http.StatusOK, stores.Wall(page)) // a screen never shows a cached copy
}

// WallSignedOut is for a screen whose session ended: it says so, and retries.
func (s *Handlers) WallSignedOut(c *site.Call) error {
	page := s.wallPage(c)
	page.SignedOut, page.Live = true, site.LivePath
	page.SignInHref = "/sign-in?next=" + url.QueryEscape(site.WallPath)
	if next := site.LocalPath(c.Request().URL.RequestURI()); next != "" {
		page.SignInHref = "/sign-in?next=" + url.QueryEscape(next)
	}
	return c.PageWithStatus(http.StatusUnauthorized, stores.Wall(page))
}

func (s *Handlers) wallPage(c *site.Call) stores.WallPage {
	page := stores.WallPage{Base: s.PageBase(c, c.Locale().T("stores.wallboard")), Theme: "dark"}
	switch theme := c.QueryParam("theme"); theme {
	case "dark", "light", "system":
		page.Theme, page.Chosen = theme, true
	}
	return page
}

// desk is the same list for a desk.
func (a askedOfStores) desk() string {
	for _, v := range a.views {
		if v.Current {
			return v.Href
		}
	}
	if q := firstPage(a.query); q != "" {
		return "/?" + q
	}
	return a.plain
}
