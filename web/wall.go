package web

import (
	"net/http"
	"net/url"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/stores"
)

// wall shows the list to a screen on a wall: what needs attention comes first, whatever
// the view groups by.
func (s *storesHandlers) wall(c *call) error {
	asked, err := s.askedOfStores(c)
	if err != nil {
		return err
	}
	asked.query.By, asked.query.All, asked.query.Page = report.ByHealth, false, 1
	page := s.wallPage(c)
	page.List, err = s.db.Portfolio(c.Request().Context(), c.visit.Scope, asked.query, c.minute())
	if err != nil {
		return err
	}
	page.Asks, page.ListHref = asked.query.Words(), asked.desk()
	for _, v := range asked.views {
		if v.Current {
			page.Name = v.Name
		}
	}
	return c.pageWithStatus(http.StatusOK, stores.Wall(page)) // a screen never shows a copy
}

// wallSignedOut is for a screen whose session ended: it says so, and asks again.
func (s *storesHandlers) wallSignedOut(c *call) error {
	page := s.wallPage(c)
	page.SignedOut = true
	page.SignInHref = "/sign-in?next=" + url.QueryEscape(wallPath)
	if next := localPath(c.Request().URL.RequestURI()); next != "" {
		page.SignInHref = "/sign-in?next=" + url.QueryEscape(next)
	}
	return c.pageWithStatus(http.StatusUnauthorized, stores.Wall(page))
}

func (s *storesHandlers) wallPage(c *call) stores.WallPage {
	page := stores.WallPage{Base: s.pageBase(c, "Wallboard"), Theme: "dark"}
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
