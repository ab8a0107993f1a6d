package stores

import (
	"errors"
	"net/http"
	"strings"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/views/stores"
	"github.com/storeglass/storeglass/web/site"
)

// removedDays is how long that is; the worker deletes by the same measure.
const removedDays = 30

// removeStorePage explains what removing a store does.
func (s *Handlers) removeStorePage(c *site.Call) error {
	return c.PageWithStatus(http.StatusOK, stores.Remove(s.removePage(c)))
}

func (s *Handlers) removePage(c *site.Call) stores.RemovePage {
	return stores.RemovePage{
		Base: s.PageBase(c, c.Locale().T("removal.page")), Slug: c.Store.Slug, Days: removedDays,
		Back: site.SettingsPath(c.Store.Slug), ExportHref: site.StorePath(c.Store.Slug) + "/export.zip",
	}
}

// removeStore takes the store away, if its short name was typed.
func (s *Handlers) removeStore(c *site.Call) error {
	page := s.removePage(c)
	page.Typed = strings.TrimSpace(c.Form().Get("slug"))
	if page.Typed != c.Store.Slug {
		page.Problem = page.T("removal.wrong", "slug", c.Store.Slug)
		return c.PageWithStatus(http.StatusUnprocessableEntity, stores.Remove(page))
	}
	err := s.admin.Remove(c.Request().Context(), c.Visit.Person.ID, c.Store.Slug)
	return s.Then(c, err, site.RemovedPath+"?done=removed")
}

// removedStores lists what can be brought back.
func (s *Handlers) removedStores(c *site.Call) error {
	page, err := s.removedPage(c)
	if err != nil {
		return err
	}
	if c.QueryParam("done") == "removed" {
		page.Notice = page.T("removal.done")
	}
	return c.PageWithStatus(http.StatusOK, stores.Removed(page))
}

func (s *Handlers) removedPage(c *site.Call) (stores.RemovedPage, error) {
	removed, err := s.admin.Removed(c.Request().Context(), c.Visit.Person.ID)
	return stores.RemovedPage{Base: s.PageBase(c, c.Locale().T("removal.removed")), Stores: removed, Days: removedDays}, err
}

// restoreStore brings one back.
func (s *Handlers) restoreStore(c *site.Call) error {
	slug := c.Form().Get("slug")
	err := s.admin.Restore(c.Request().Context(), c.Visit.Person.ID, slug)
	if errors.Is(err, db.ErrNotFound) {
		page, err := s.removedPage(c)
		if err != nil {
			return err
		}
		page.Problem = page.T("removal.cant")
		return c.PageWithStatus(http.StatusNotFound, stores.Removed(page))
	}
	return s.Then(c, err, site.SettingsPath(slug)+"?done=restored")
}
