package web

import (
	"net/http"

	"github.com/storeglass/storeglass/internal/access"
)

const (
	csvType  = "text/csv; charset=utf-8; header=present"
	xlsxType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
)

// sendFile sends a file that leaves our walls; nobody gets one that is not recorded.
func (s *Site) sendFile(c *call, name string, d *document) error {
	c.Response().Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	if c.Request().Method == http.MethodGet && !c.has(d) {
		if err := s.access.Record(c.Request().Context(), access.Event{Action: access.ExportDownloaded, Store: c.store.Slug, Subject: name}); err != nil {
			return err
		}
	}
	return c.send(d)
}
