package web

import "github.com/storeglass/storeglass/views"

// home lists the stores that the person may see; who sees one store goes straight to it.
func (s *Server) home(c *call) error {
	if stores := c.visit.Stores; len(stores) == 1 {
		return s.seeOther(c, storePath(stores[0].Slug))
	}
	cards, err := s.db.StoreCards(c.Request().Context(), c.visit.Scope, c.minute())
	if err != nil {
		return err
	}
	return c.page(views.Stores(views.StoresPage{Base: s.basis(c, "Stores"), Cards: cards}))
}
