package admin

import (
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/web/site"
)

// Handlers serve the pages for people who manage people.
type Handlers struct {
	*site.Site
	Offboarder Offboarder
}

func New(at *site.Site, o Offboarder) *Handlers { return &Handlers{Site: at, Offboarder: o} }

// adminBase is the base of these pages.
func (s *Handlers) adminBase(c *site.Call, title string) components.Base {
	b := s.PageBase(c, title)
	at := site.UnderPeople(c.Path())
	for _, t := range site.Managed {
		t.Current, t.Label = t.Href == at, c.T("people.tab."+t.Label)
		b.Sub = append(b.Sub, t)
	}
	return b
}
