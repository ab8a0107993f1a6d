package web

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/views"
	"github.com/storeglass/storeglass/web/site"
)

// fail answers an error, as a page or as problem details.
func (s *Server) fail(c *site.Call, err error) {
	if again, ok := errors.AsType[*site.ConfirmFirst](err); ok {
		if site.SafeMethod(c.Request().Method) || c.Typed() == "" {
			c.Failed = s.SeeOther(c, again.Address())
			return
		}
		err = site.ErrConfirmFirst(again.Address())
	}
	c.Failed = err
	if c.Response().Committed || errors.Is(err, context.Canceled) && c.Request().Context().Err() != nil {
		return // the answer was sent, or its reader has left
	}
	p := site.Explain(err)
	switch {
	case p == site.ErrMethod && c.Answers() == site.AsPage && site.SafeMethod(c.Request().Method):
		p = site.ErrFormAddress
	case p == site.ErrNotFound && c.Shared():
		p = site.ErrNotShared
	case p == site.ErrNotFound && c.MailLinked():
		p = site.ErrMailGone
	}
	h := c.Response().Header()
	for _, name := range []string{"Content-Encoding", "ETag", "Content-Disposition", "Vary"} {
		h.Del(name)
	}
	h.Set("Cache-Control", "no-store")
	if p.After > 0 {
		h.Set("Retry-After", site.RetryAfter(p.After))
	}
	var written error
	switch c.Answers() {
	case site.AsJSON:
		written = s.problemDetails(c, p)
	case site.AsFile:
		written = c.Blob(p.Status, "text/plain; charset=utf-8", plain(c, p))
	default:
		written = s.errorPage(c, p)
	}
	if written != nil {
		c.Failed = errors.Join(err, written)
	}
}

func plain(c *site.Call, p *site.Problem) []byte {
	return []byte(p.Title.In(c.Locale()) + ". " + p.Detail.In(c.Locale()) + "\n")
}

func (s *Server) errorPage(c *site.Call, p *site.Problem) error {
	if p == site.ErrSharePassword {
		return s.Parts.Share.AskPassword(c, p.Status, c.Request().URL.RequestURI(), "")
	}
	if c.Shared() { // must not lead to pages for signed-in people
		p = &site.Problem{Status: p.Status, Title: p.Title, Detail: p.Detail}
	}
	l := c.Locale()
	page := views.ErrorPage{
		Base: s.PageBase(c, p.Title.In(l)), Status: p.Status,
		Heading: p.Title.In(l), Text: p.Detail.In(l), Action: p.Action.In(l), Href: p.Href,
	}
	if !site.SafeMethod(c.Request().Method) {
		page.Typed = c.Typed()
	} else if p.Status >= 500 && p.Href == "" {
		page.Action, page.Href = l.T("problem.action.again"), "?"+c.Request().URL.RawQuery // this page
	}
	if p.Status >= 500 {
		page.Reference = c.ID
	}
	var b bytes.Buffer
	if err := views.Error(page).Render(c.Request().Context(), &b); err != nil { // a page that can't even say so
		return errors.Join(err, c.Blob(p.Status, "text/plain; charset=utf-8", plain(c, p)))
	}
	return c.Blob(p.Status, site.HTMLType, b.Bytes())
}

// problemDetails writes RFC 9457. The type leads into the API's own description.
func (s *Server) problemDetails(c *site.Call, p *site.Problem) error {
	if p.Status == http.StatusUnauthorized {
		challenge := `Bearer realm="storeglass"`
		if p == site.ErrWrongBearer {
			challenge += `, error="invalid_token"`
		}
		c.Response().Header().Set("WWW-Authenticate", challenge)
	}
	kind := "/api/v1/openapi.json#/x-problems/" + p.Kind
	if !c.API() { // only token holders get the description
		kind = "about:blank"
	}
	body, err := site.JSON(struct {
		Type     string `json:"type"`
		Title    string `json:"title"`
		Status   int    `json:"status"`
		Detail   string `json:"detail"`
		Field    string `json:"field,omitempty"`
		Instance string `json:"instance"`
	}{
		kind, p.Title.In(locale.English), p.Status, p.Detail.In(locale.English), p.Field,
		"urn:storeglass:request:" + strings.ToLower(c.ID),
	})
	if err != nil {
		return err
	}
	return c.Blob(p.Status, "application/problem+json", body)
}
