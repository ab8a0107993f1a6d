package web

import (
	"errors"
	"net/http"
	"strings"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/views/stores"
)

// removedDays is how long that is; the worker deletes by the same measure.
const removedDays = 30

// removeStorePage explains what removing a store does.
func (s *storesHandlers) removeStorePage(c *call) error {
	return c.pageWithStatus(http.StatusOK, stores.Remove(s.removePage(c)))
}

func (s *storesHandlers) removePage(c *call) stores.RemovePage {
	return stores.RemovePage{
		Base: s.pageBase(c, "Remove"), Slug: c.store.Slug, Days: removedDays,
		Back: settingsPath(c.store.Slug), ExportHref: storePath(c.store.Slug) + "/export.zip",
	}
}

// removeStore takes the store away, if its short name was typed.
func (s *storesHandlers) removeStore(c *call) error {
	page := s.removePage(c)
	page.Typed = strings.TrimSpace(c.form().Get("slug"))
	if page.Typed != c.store.Slug {
		page.Problem = "Nothing was removed. Type " + c.store.Slug + " to say that it is this store you mean."
		return c.pageWithStatus(http.StatusUnprocessableEntity, stores.Remove(page))
	}
	if err := s.keeper.Remove(c.Request().Context(), c.visit.Person.ID, c.store.Slug); err != nil {
		return err
	}
	return s.seeOther(c, removedPath+"?done=removed")
}

// removedStores lists what can be brought back.
func (s *storesHandlers) removedStores(c *call) error {
	page, err := s.removedPage(c)
	if err != nil {
		return err
	}
	if c.QueryParam("done") == "removed" {
		page.Notice = "Removed. Nothing of it is shown or pulled any more."
	}
	return c.pageWithStatus(http.StatusOK, stores.Removed(page))
}

func (s *storesHandlers) removedPage(c *call) (stores.RemovedPage, error) {
	removed, err := s.keeper.Removed(c.Request().Context(), c.visit.Person.ID)
	return stores.RemovedPage{Base: s.pageBase(c, "Removed stores"), Stores: removed}, err
}

// restoreStore brings one back.
func (s *storesHandlers) restoreStore(c *call) error {
	slug := c.form().Get("slug")
	err := s.keeper.Restore(c.Request().Context(), c.visit.Person.ID, slug)
	if errors.Is(err, db.ErrNotFound) {
		page, err := s.removedPage(c)
		if err != nil {
			return err
		}
		page.Problem = "That store can’t be brought back: it is back already, its time is over, or somebody else removed it."
		return c.pageWithStatus(http.StatusNotFound, stores.Removed(page))
	}
	if err != nil {
		return err
	}
	return s.seeOther(c, settingsPath(slug)+"?done=restored")
}
