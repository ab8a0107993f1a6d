package web

import (
	"cmp"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"runtime/debug"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/storeglass/storeglass/web/site"
)

// withoutEndingSlash treats the address of a store's or a share link's page with a slash at its
// end, as some programs write it, like the one without.
func withoutEndingSlash(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		u := c.Request().URL
		page := strings.HasPrefix(u.Path, site.SharePrefix) && u.Path != site.SharePrefix || strings.HasPrefix(u.Path, "/stores/")
		if m := c.Request().Method; page && (m == http.MethodGet || m == http.MethodHead) {
			u.Path, u.RawPath = strings.TrimSuffix(u.Path, "/"), strings.TrimSuffix(u.RawPath, "/")
		}
		return next(c)
	}
}

// observe is the outermost: it gives the request an id, turns panics into errors and errors
// into answers, and writes the one line about it.
func (s *Server) observe(next echo.HandlerFunc) echo.HandlerFunc {
	return func(ec echo.Context) error {
		c := s.NewCall(ec)
		s.watchProxy(c.Request())
		h := c.Response().Header()
		for name, values := range s.headers {
			h[name] = values
		}
		if c.Shared() {
			for name, values := range ShareHeaders {
				h[name] = values
			}
		}
		h["X-Request-Id"] = []string{c.ID}
		if err := recovered(c, next); err != nil {
			s.fail(c, err)
		}
		s.logLine(c)
		return nil
	}
}

// Panicked is a panic as an error; the stack is for the log.
type Panicked struct {
	value any
	stack []byte
}

func (p *Panicked) Error() string { return fmt.Sprintf("panic: %v\n%s", p.value, p.stack) }

func recovered(c *site.Call, next echo.HandlerFunc) (err error) {
	defer func() {
		switch p := recover(); p {
		case nil:
		case http.ErrAbortHandler: // the server's own signal to cut the connection
			panic(p)
		default:
			err = &Panicked{p, debug.Stack()}
		}
	}()
	return next(c)
}

// logLine logs what was asked and answered. It never contains a query, a header or any
// parameter of the address other than the store, because links and tokens travel there.
func (s *Server) logLine(c *site.Call) {
	status, level := c.Response().Status, slog.LevelInfo
	if status >= 500 {
		level = slog.LevelError
	}
	ctx := c.Request().Context()
	if !s.Log.Enabled(ctx, level) {
		return
	}
	attrs := make([]slog.Attr, 0, 10)
	attrs = append(attrs,
		slog.String("id", c.ID),
		slog.String("method", c.Request().Method),
		slog.String("route", cmp.Or(c.Path(), "(none)")),
		slog.Int("status", status),
		slog.Int64("bytes", c.Response().Size),
		slog.Duration("took", time.Since(c.Start)),
		slog.String("client", c.RealIP()),
	)
	if slug := c.Slug(); slug != "" {
		attrs = append(attrs, slog.String("store", slug))
	}
	switch {
	case c.Link != nil:
		attrs = append(attrs, slog.Int64("share", c.Link.ID))
	case c.Visit.Person.ID != 0:
		attrs = append(attrs, slog.Int64("person", c.Visit.Person.ID))
	case c.Visit.Token.ID != 0:
		attrs = append(attrs, slog.String("token", c.Visit.Token.Name))
	}
	if c.Failed != nil {
		attrs = append(attrs, slog.String("error", c.Failed.Error()))
	}
	s.Log.LogAttrs(ctx, level, "request", attrs...)
}

func (s *Server) securityHeaders() http.Header {
	h := http.Header{}
	h.Set("Cache-Control", "no-store") // handlers that want caching say so
	h.Set("Content-Security-Policy", site.Policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	// An address may contain a secret that no other site may learn. Not "no-referrer": with it,
	// browsers send "Origin: null" with a form, and without https the origin is the only sign
	// that the form is ours.
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("X-Robots-Tag", "noindex, nofollow")
	if s.Secure() {
		h.Set("Strict-Transport-Security", "max-age=31536000; includeSubDomains")
	}
	return h
}

// ShareHeaders are stricter for everything below a share link: its address is its secret, so
// search engines must not keep a copy.
var ShareHeaders = http.Header{"X-Robots-Tag": {"noindex, nofollow, noarchive"}}

// formOverHTTP reports whether a browser sent a form over plain http. It wouldn't keep a cookie that
// is for https, so a person would sign in and be asked to sign in again. Browsers make an exception
// for their own machine.
func formOverHTTP(r *http.Request) bool {
	origin, err := url.Parse(r.Header.Get("Origin"))
	if err != nil || origin.Scheme != "http" {
		return false
	}
	ip, err := netip.ParseAddr(origin.Hostname())
	return origin.Hostname() != "localhost" && (err != nil || !ip.IsLoopback())
}

// guard refuses requests that another site's page made a browser send, and limits bodies.
func (s *Server) guard(next echo.HandlerFunc) echo.HandlerFunc {
	return func(ec echo.Context) error {
		c := ec.(*site.Call)
		r := c.Request()
		if err := s.origins.Check(r); err != nil {
			return site.ErrForeignSite
		}
		if s.Secure() && formOverHTTP(r) {
			return site.ErrPlainHTTP(s.Base)
		}
		if r.Body != nil && r.Body != http.NoBody {
			r.Body = http.MaxBytesReader(c.Response(), r.Body, c.MaxBody())
		}
		return next(c)
	}
}
