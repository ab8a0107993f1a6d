package site

import (
	"net/http"

	"github.com/storeglass/storeglass/internal/access"
)

const (
	CSVType  = "text/csv; charset=utf-8; header=present"
	XLSXType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
)

// SendFile sends a download; none is sent without being recorded.
func (s *Site) SendFile(c *Call, name string, d *Document) error {
	c.Response().Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	if c.Request().Method == http.MethodGet && !c.has(d) {
		if err := s.Access.Record(c.Request().Context(), access.Event{Action: access.ExportDownloaded, Store: c.Store.Slug, Subject: name}); err != nil {
			return err
		}
	}
	return c.Send(d)
}
