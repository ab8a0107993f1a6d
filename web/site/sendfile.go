package site

import (
	"net/http"

	"github.com/storeglass/storeglass/internal/access/audit"
)

const XLSXType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

// Format is how a table becomes a file.
type Format struct {
	ending, contentType string
	write               func(Table) ([]byte, error)
}

var (
	CSV  = Format{".csv", "text/csv; charset=utf-8; header=present", Table.CSV}
	XLSX = Format{".xlsx", XLSXType, Table.XLSX}
)

// File makes a handler that sends a table as a file. The name of a store's file begins with the
// store's.
func (s *Site) File(f Format, name string, table func(*Call) (Table, error)) func(*Call) error {
	return func(c *Call) error {
		t, err := table(c)
		if err != nil {
			return err
		}
		body, err := f.write(t)
		if err != nil {
			return err
		}
		whose := ""
		if c.Store.Slug != "" {
			whose = c.Store.Slug + "-" // slugs need no quoting
		}
		return s.SendFile(c, whose+name+f.ending, NewDocument(f.contentType, body))
	}
}

// SendFile sends a download; none is sent without being recorded.
func (s *Site) SendFile(c *Call, name string, d *Document) error {
	c.Response().Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	if c.Request().Method == http.MethodGet && !c.has(d) {
		if err := s.Audit.Record(c.Request().Context(), audit.Event{Action: audit.ExportDownloaded, Store: c.Store.Slug, Subject: name}); err != nil {
			return err
		}
	}
	return c.Send(d)
}
