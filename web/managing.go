package web

import (
	"github.com/storeglass/storeglass/views/components"
)

// adminHandlers answer what is for those who manage people.
type adminHandlers struct {
	*Site
	offboarder Offboarder
}

func newAdmin(at *Site, o Offboarder) *adminHandlers { return &adminHandlers{Site: at, offboarder: o} }

// adminBase is the basis of these pages.
func (s *adminHandlers) adminBase(c *call, title string) components.Base {
	b := s.pageBase(c, title)
	at := underPeople(c.Path())
	for _, t := range managed {
		t.Current = t.Href == at
		b.Sub = append(b.Sub, t)
	}
	return b
}
