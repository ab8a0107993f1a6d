package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/storeglass/storeglass/views"
)

// fail answers an error, as a page or as problem details.
func (s *Server) fail(c *call, err error) {
	if again, ok := errors.AsType[*confirmFirst](err); ok {
		c.failed = s.seeOther(c, again.address())
		return
	}
	c.failed = err
	if c.Response().Committed || errors.Is(err, context.Canceled) && c.Request().Context().Err() != nil {
		return // the answer has left, or its reader has
	}
	p := explain(err)
	switch {
	case p == errNotFound && c.shared():
		p = errNotShared
	case p == errNotFound && c.mailLinked():
		p = errMailGone
	}
	h := c.Response().Header()
	for _, name := range []string{"Content-Encoding", "ETag", "Content-Disposition", "Vary"} {
		h.Del(name)
	}
	h.Set("Cache-Control", "no-store")
	if p.after > 0 {
		h.Set("Retry-After", retryAfter(p.after))
	}
	var written error
	switch c.answers() {
	case asJSON:
		written = s.problemDetails(c, p)
	case asFile:
		written = c.Blob(p.status, "text/plain; charset=utf-8", []byte(p.title+". "+p.detail+"\n"))
	default:
		written = s.errorPage(c, p)
	}
	if written != nil {
		c.failed = errors.Join(err, written)
	}
}

func (s *Server) errorPage(c *call, p *problem) error {
	if p == errSharePassword {
		return s.parts.share.shareLocked(c, p.status, c.Request().URL.RequestURI(), "")
	}
	if c.shared() { // leads to no page for people who are signed in
		p = &problem{status: p.status, title: p.title, detail: p.detail}
	}
	page := views.ErrorPage{
		Base: s.pageBase(c, p.title), Status: p.status,
		Heading: p.title, Text: p.detail, Action: p.action, Href: p.href,
	}
	if p.status >= 500 {
		page.Reference = c.id
	}
	var b bytes.Buffer
	if err := views.Error(page).Render(c.Request().Context(), &b); err != nil { // a page that can't even say so
		return errors.Join(err, c.Blob(p.status, "text/plain; charset=utf-8", []byte(p.title+". "+p.detail+"\n")))
	}
	return c.Blob(p.status, htmlType, b.Bytes())
}

// problemDetails writes RFC 9457. The type leads into the API's own description.
func (s *Server) problemDetails(c *call, p *problem) error {
	if p.status == http.StatusUnauthorized {
		challenge := `Bearer realm="storeglass"`
		if p == errWrongBearer {
			challenge += `, error="invalid_token"`
		}
		c.Response().Header().Set("WWW-Authenticate", challenge)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	kind := "/api/v1/openapi.json#/x-problems/" + p.kind
	if !c.api() { // the description is for those with a token
		kind = "about:blank"
	}
	err := enc.Encode(struct {
		Type     string `json:"type"`
		Title    string `json:"title"`
		Status   int    `json:"status"`
		Detail   string `json:"detail"`
		Field    string `json:"field,omitempty"`
		Instance string `json:"instance"`
	}{
		kind, p.title, p.status, p.detail, p.field,
		"urn:storeglass:request:" + strings.ToLower(c.id),
	})
	if err != nil {
		return err
	}
	return c.Blob(p.status, "application/problem+json", b.Bytes())
}
