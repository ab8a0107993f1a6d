package web

import (
	"strings"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/views/components"
)

// alertsTab is the header's tab, with the number of open alerts that are not muted.
func (s *Site) alertsTab(c *call) components.Tab {
	t := components.Tab{Label: "Alerts", Href: alertsPath, Current: strings.HasPrefix(c.Path(), alertsPath)}
	if c.store.Slug != "" {
		t.Href, t.Current = storePath(c.store.Slug)+alertsPath, c.Path() == "/stores/:slug"+alertsPath
	}
	n, err := s.db.CountAlerts(c.Request().Context(), c.alertPrincipal())
	if err != nil { // a page without the number is better than none
		s.log.WarnContext(c.Request().Context(), "open alerts can't be counted", "error", err)
	}
	t.Count = n
	return t
}

// alertPrincipal is who asks for alerts, of the store in the address if there is one.
func (c *call) alertPrincipal() db.AlertAsker {
	return db.AlertAsker{Scope: c.visit.Scope, Person: c.visit.Person.ID, Store: c.store.Slug, Now: c.now}
}

// alertsOpen is the open alerts of a page at most, alertPageSize the past ones.
const alertsOpen = 200
