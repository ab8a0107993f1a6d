package gallery

import (
	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views"
)

// overviewPage puts an overview into its page.
func overviewPage(b views.Base, o report.Overview) templ.Component {
	b = at(b, o.Store, "Overview")
	return views.Overview(views.OverviewPage{Base: b, Overview: o, SyncHref: "/stores/" + o.Store.Slug + "/sync"})
}

// at fills a base as the server would for a store's page.
func at(b views.Base, s report.Store, tab string) views.Base {
	b.Title, b.Path, b.Store, b.Now = s.Name, "/stores/"+s.Slug, &s, now
	if tab != "Overview" {
		b.Title = tab
	}
	b.Stores = []report.Store{s, {Slug: "kumo", Name: "Kumo Tea", Currency: "JPY"}, {Slug: "brid", Name: "Bríd Wool", Currency: "EUR"}}
	b.Tabs = []views.Tab{{Label: "Overview", Href: "/stores/" + s.Slug}, {Label: "Sync", Href: "/stores/" + s.Slug + "/sync"}}
	for i := range b.Tabs {
		b.Tabs[i].Current = b.Tabs[i].Label == tab
	}
	b.Person = &views.PersonView{Name: "Ida Moreau", Initials: "IM"}
	b.CSRF = "gallery"
	b.ReplyHref = func(p report.Provenance) string {
		if p.Basis != report.Reported {
			return ""
		}
		return "/stores/" + s.Slug + "/reply"
	}
	return b
}

// Pages are the whole pages of the gallery by name.
func Pages(b views.Base) map[string]templ.Component {
	return map[string]templ.Component{
		"overview": overviewPage(b, Fernhollow()),
	}
}
