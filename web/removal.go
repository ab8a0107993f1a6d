package web

import (
	"errors"
	"net/http"
	"strings"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/views/stores"
)

// removedPath lists the stores that can be brought back.
const removedPath = "/stores/removed"

// removedDays is how long that is; the worker deletes by the same measure.
const removedDays = 30

// storeRemove explains what removing a store does.
func (s *Server) storeRemove(c *call) error {
	return c.pageWithStatus(http.StatusOK, stores.Remove(s.removePage(c)))
}

func (s *Server) removePage(c *call) stores.RemovePage {
	return stores.RemovePage{
		Base: s.basis(c, "Remove"), Slug: c.store.Slug, Days: removedDays,
		Back: settingsPath(c.store.Slug), ExportHref: storePath(c.store.Slug) + "/export.zip",
	}
}

// storeRemoved takes the store away, if its short name was typed.
func (s *Server) storeRemoved(c *call) error {
	page := s.removePage(c)
	page.Typed = strings.TrimSpace(c.FormValue("slug"))
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
func (s *Server) removedStores(c *call) error {
	page, err := s.removedPage(c)
	if err != nil {
		return err
	}
	if c.QueryParam("done") == "removed" {
		page.Notice = "Removed. Nothing of it is shown or pulled any more."
	}
	return c.pageWithStatus(http.StatusOK, stores.Removed(page))
}

func (s *Server) removedPage(c *call) (stores.RemovedPage, error) {
	removed, err := s.keeper.Removed(c.Request().Context(), c.visit.Person.ID)
	return stores.RemovedPage{Base: s.basis(c, "Removed stores"), Stores: removed}, err
}

// storeRestored brings one back.
func (s *Server) storeRestored(c *call) error {
	slug := c.FormValue("slug")
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
