package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
	"sync"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"github.com/storeglass/storeglass/views"
)

const htmlType = "text/html; charset=utf-8"

// document is an answer's body, once as it is and once packed, under a name that
// changes with every byte of it.
type document struct {
	contentType  string
	plain, gzip  []byte
	etag, gzETag string
}

var gzipWriters = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is a valid one
	return w
}}

// packFrom is the size below which packing saves no packet. Packing pages that
// hold a form token is safe as long as nothing that a stranger chose stands in
// them beside it: addresses reach a packed page only as parsed days and names of
// ours, and pages that repeat a mistake are sent as they are.
const packFrom = 1400

func newDocument(contentType string, body []byte) (*document, error) {
	sum := sha256.Sum256(body)
	name := base64.RawURLEncoding.EncodeToString(sum[:16])
	d := &document{contentType: contentType, plain: body, etag: `"` + name + `"`, gzETag: `"` + name + `-gz"`}
	if len(body) < packFrom || contentType == xlsxType { // a workbook is packed already
		return d, nil
	}
	var b bytes.Buffer
	b.Grow(len(body) / 4)
	w := gzipWriters.Get().(*gzip.Writer)
	defer gzipWriters.Put(w)
	w.Reset(&b)
	if _, err := w.Write(body); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	d.gzip = b.Bytes()
	return d, nil
}

// size is what the document costs a cache.
func (d *document) size() int { return len(d.plain) + len(d.gzip) }

// send answers with the document, or with 304 when the asker has it already.
// Browsers keep a private copy and ask each time whether it still holds.
func (c *call) send(d *document) error {
	h := c.Response().Header()
	h.Set(echo.HeaderCacheControl, "private, no-cache")
	h.Set(echo.HeaderVary, "Accept-Encoding, Cookie, Authorization")
	body, etag := d.plain, d.etag
	if d.gzip != nil && accepts(c.Request().Header.Get("Accept-Encoding"), "gzip") {
		body, etag = d.gzip, d.gzETag
	}
	h["ETag"] = []string{etag}
	if matches(c.Request().Header.Get("If-None-Match"), d) {
		return c.NoContent(http.StatusNotModified)
	}
	if etag == d.gzETag {
		h.Set(echo.HeaderContentEncoding, "gzip")
	}
	return c.Blob(http.StatusOK, d.contentType, body)
}

// matches reports whether If-None-Match names the document in either packing.
func matches(header string, d *document) bool {
	for part := range strings.SplitSeq(header, ",") {
		switch tag := strings.TrimPrefix(strings.TrimSpace(part), "W/"); tag {
		case d.etag, d.gzETag:
			return true
		}
	}
	return false
}

// render makes a page in memory: an error in the middle of it can still become an error page.
func (c *call) render(page templ.Component) (*document, error) {
	b := templ.GetBuffer()
	defer templ.ReleaseBuffer(b)
	if err := page.Render(c.Request().Context(), b); err != nil {
		return nil, err
	}
	return newDocument(htmlType, bytes.Clone(b.Bytes()))
}

// page renders and sends.
func (c *call) page(page templ.Component) error {
	d, err := c.render(page)
	if err != nil {
		return err
	}
	return c.send(d)
}

// pageWithStatus is for a page that answers a mistake: it is neither packed nor kept.
func (c *call) pageWithStatus(status int, page templ.Component) error {
	b := templ.GetBuffer()
	defer templ.ReleaseBuffer(b)
	if err := page.Render(c.Request().Context(), b); err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderCacheControl, "no-store")
	return c.Blob(status, htmlType, b.Bytes())
}

// basis is what every page needs beside its own values.
func (s *Server) basis(c *call, title string) views.Base {
	b := views.Base{Title: title, Path: c.Request().URL.Path, CSRF: c.csrf, Now: c.minute(), Asset: Path}
	if p := c.visit.Person; p.ID != 0 {
		b.Person = &views.PersonView{Name: p.Name, Initials: initials(p.Name)}
		b.Stores = c.visit.Stores
	}
	if c.store.Slug != "" {
		b.Store = &c.store.Store
		b.Now = b.Now.In(c.store.Location())
		b.ReplyHref = replyHref(c.store.Slug)
		home := storePath(c.store.Slug)
		b.Tabs = []views.Tab{
			{Label: "Overview", Href: home, Current: c.Path() == "/stores/:slug"},
			{Label: "Placements", Href: home + "/placements", Current: c.Path() == "/stores/:slug/placements"},
			{Label: "Offers", Href: home + "/offers", Current: strings.HasPrefix(c.Path(), "/stores/:slug/offers")},
			{Label: "Sync", Href: home + "/sync", Current: c.Path() == "/stores/:slug/sync"},
		}
	}
	return b
}

func storePath(slug string) string { return "/stores/" + slug }

// initials are the first letters of the first and the last word of a name.
func initials(name string) string {
	words := strings.Fields(name)
	if len(words) == 0 {
		return "?"
	}
	first := []rune(words[0])[:1]
	if len(words) == 1 {
		return strings.ToUpper(string(first))
	}
	return strings.ToUpper(string(first) + string([]rune(words[len(words)-1])[:1]))
}
