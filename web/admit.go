package web

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/labstack/echo/v4"

	"github.com/storeglass/storeglass/internal/access"
)

// admit asks who is there, before anything else is read. A path that is not in
// the table is closed too: it answers nobody whether it exists.
func (s *Server) admit(next echo.HandlerFunc) echo.HandlerFunc {
	return func(ec echo.Context) error {
		c := ec.(*call)
		a, known := s.admission[c.Path()]
		if !known && c.api() {
			a = admitToken
		}
		c.acts(access.Actor{Kind: access.ActorNobody})
		if !known && c.shared() { // not to sign-in, whose address would hold the link's secret
			return errShareGone
		}
		if !known && c.mailLinked() {
			return errMailGone
		}
		switch a {
		case admitAll:
			return next(c)
		case admitShare:
			if err := s.parts.share.load(c); err != nil {
				return err
			}
			return next(c)
		case admitToken:
			if err := s.loadToken(c); err != nil {
				return err
			}
			c.acts(access.Actor{Kind: access.ActorToken, ID: c.visit.Token.ID, Name: c.visit.Token.Name})
			return next(c)
		}
		if err := s.loadSession(c); err != nil {
			return err
		}
		if p := c.visit.Person; p.ID != 0 {
			c.acts(access.Actor{Kind: access.ActorPerson, ID: p.ID, Name: p.Email})
		}
		if a == admitPerson && c.visit.Person.ID == 0 {
			return s.toSignIn(c)
		}
		if a == admitPerson && !safeMethod(c.Request().Method) {
			if err := s.checkCSRF(c); err != nil {
				return err
			}
		}
		return next(c)
	}
}

// loadToken admits a bearer token. A session's cookie is no substitute: a page
// of another site could make a browser send that.
func (s *Server) loadToken(c *call) error {
	scheme, bearer, _ := strings.Cut(c.Request().Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return errNoBearer
	}
	visit, err := s.access.ResolveToken(c.Request().Context(), strings.TrimSpace(bearer), c.slug())
	if errors.Is(err, access.ErrBearer) {
		return errWrongBearer
	}
	if err != nil {
		return err
	}
	c.enter(visit)
	return nil
}

// loadSession reads the session with its whole visit, and has it written back
// once, before the first byte of the answer, if the handler changed it.
func (s *Server) loadSession(c *call) error {
	token := ""
	if cookie, err := c.Cookie(s.sessions.Cookie.Name); err == nil {
		token = cookie.Value
	}
	ctx, err := s.sessions.Load(access.Asking(c.Request().Context(), c.slug()), token)
	if err != nil {
		return err
	}
	c.SetRequest(c.Request().WithContext(ctx))
	c.enter(access.VisitOf(ctx))
	c.csrf = s.sessions.GetString(ctx, sessionCSRF)
	c.Response().Before(func() { s.saveSession(c) })
	return nil
}

func (s *Server) saveSession(c *call) {
	ctx := c.Request().Context()
	switch s.sessions.Status(ctx) {
	case scs.Unmodified:
	case scs.Destroyed:
		s.sessions.WriteSessionCookie(ctx, c.Response(), "", time.Time{}) // the zero time deletes
	case scs.Modified:
		token, expiry, err := s.sessions.Commit(ctx)
		if err != nil { // the headers are about to leave: nobody may believe they are signed in
			c.failed = err
			c.Response().Status = http.StatusInternalServerError
			c.Response().Header().Del("Location")
			return
		}
		// The cookie's life is told by the machine's clock, the session's by ours.
		s.sessions.WriteSessionCookie(ctx, c.Response(), token, time.Now().Add(expiry.Sub(c.now)))
	}
}

// toSignIn leads to the sign-in page and remembers where a reader wanted to go.
func (s *Server) toSignIn(c *call) error {
	if c.Path() == wallPath { // nobody may be in front of it
		return s.parts.stores.wallSignedOut(c)
	}
	target := "/sign-in"
	if u := c.Request().URL; safeMethod(c.Request().Method) && u.Path != "/" {
		if next := localPath(u.RequestURI()); next != "" {
			target += "?next=" + url.QueryEscape(next)
		}
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.Redirect(http.StatusSeeOther, target)
}
