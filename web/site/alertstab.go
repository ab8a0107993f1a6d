package site

import (
	"strings"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/views/components"
)

// alertsTab is the header's tab, with the number of open alerts that are not snoozed.
func (c *Call) alertsTab() components.Tab {
	t := components.Tab{Label: c.locale.T("tab.alerts"), Href: AlertsPath, Current: strings.HasPrefix(c.Path(), AlertsPath), Count: c.Visit.Alerts}
	if c.Store.Slug != "" {
		t.Href, t.Current = StorePath(c.Store.Slug)+AlertsPath, strings.HasPrefix(c.Path(), "/stores/:slug"+AlertsPath)
	}
	return t
}

// AlertPrincipal is the reader for whom alerts are read, limited to the store in the address if
// there is one.
func (c *Call) AlertPrincipal() db.AlertPrincipal {
	return db.AlertPrincipal{Scope: c.Visit.Scope, Person: c.Visit.Person.ID, Store: c.Store.Slug, Now: c.Now}
}

// AlertsOpen is the most open alerts that the inbox counts.
const AlertsOpen = 1000
