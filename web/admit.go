package web

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/labstack/echo/v4"

	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/session"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/web/site"
)

// admit finds out who is asking before anything else is read. A path that isn't in the table is
// closed, too: nobody without access learns whether it exists.
func (s *Server) admit(next echo.HandlerFunc) echo.HandlerFunc {
	return func(ec echo.Context) error {
		c := ec.(*site.Call)
		a, known := s.admission[c.Path()]
		if !known && c.API() {
			a = site.AdmitToken
		}
		c.Acts(audit.Actor{Kind: audit.ActorNobody})
		if !known && c.Shared() { // not to sign-in, whose address would contain the link's secret
			return site.ErrShareGone
		}
		if !known && c.MailLinked() {
			return site.ErrMailGone
		}
		switch a {
		case site.AdmitAll:
			return next(c)
		case site.AdmitShare:
			if err := s.Parts.Share.Load(c); err != nil {
				return err
			}
			return next(c)
		case site.AdmitToken:
			if err := s.loadToken(c); err != nil {
				return err
			}
			c.Acts(audit.Actor{Kind: audit.ActorToken, ID: c.Visit.Token.ID, Name: c.Visit.Token.Name})
			return next(c)
		}
		if err := s.loadSession(c); err != nil {
			return err
		}
		if p := c.Visit.Person; p.ID != 0 {
			c.Acts(audit.Actor{Kind: audit.ActorPerson, ID: p.ID, Name: p.Email})
		}
		if a == site.AdmitPerson && c.Visit.Person.ID == 0 {
			return s.toSignIn(c)
		}
		if a == site.AdmitPerson && !site.SafeMethod(c.Request().Method) {
			if err := s.CheckCSRF(c); err != nil {
				return err
			}
		}
		return next(c)
	}
}

// loadToken admits a bearer token. A session's cookie isn't accepted here: another site's page
// could make a browser send it.
func (s *Server) loadToken(c *site.Call) error {
	scheme, bearer, _ := strings.Cut(c.Request().Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return site.ErrNoBearer
	}
	visit, err := s.Tokens.Resolve(c.Request().Context(), strings.TrimSpace(bearer), c.Slug())
	if errors.Is(err, fault.Denied) {
		return site.ErrWrongBearer
	}
	if err != nil {
		return err
	}
	c.Enter(visit)
	return nil
}

// loadSession reads the session with its whole visit. If the handler changed it, it is saved
// once, before the first byte of the answer.
func (s *Server) loadSession(c *site.Call) error {
	token := ""
	if cookie, err := c.Cookie(s.Sessions.Cookie.Name); err == nil {
		token = cookie.Value
	}
	ctx, err := s.Sessions.Load(session.Asking(c.Request().Context(), c.Slug()), token)
	if err != nil {
		return err
	}
	c.SetRequest(c.Request().WithContext(ctx))
	c.Enter(session.VisitOf(ctx))
	c.CSRF = s.Sessions.GetString(ctx, site.SessionCSRF)
	c.Response().Before(func() { s.saveSession(c) })
	return nil
}

func (s *Server) saveSession(c *site.Call) {
	ctx := c.Request().Context()
	switch s.Sessions.Status(ctx) {
	case scs.Unmodified:
	case scs.Destroyed:
		s.Sessions.WriteSessionCookie(ctx, c.Response(), "", time.Time{}) // the zero time deletes the cookie
	case scs.Modified:
		token, expiry, err := s.Sessions.Commit(ctx)
		if err != nil { // the headers are about to be sent: nobody may believe they are signed in
			c.Failed = err
			c.Response().Status = http.StatusInternalServerError
			c.Response().Header().Del("Location")
			return
		}
		// The cookie's life uses the machine's clock, the session's uses ours.
		s.Sessions.WriteSessionCookie(ctx, c.Response(), token, time.Now().Add(expiry.Sub(c.Now)))
	}
}

// toSignIn leads to the sign-in page and remembers where the reader wanted to go. A text that was
// typed is shown on the way.
func (s *Server) toSignIn(c *site.Call) error {
	if c.Path() == site.WallPath { // there may be no person in front of the screen
		return s.Parts.Stores.WallSignedOut(c)
	}
	target, u := "/sign-in", c.Request().URL
	switch {
	case !site.SafeMethod(c.Request().Method) && u.Path != "/sign-out":
		// What was sent isn't saved: the page says so and leads back to the form.
		v := url.Values{"done": {"unsaved"}}
		if from, err := url.Parse(c.Request().Referer()); err == nil && from.Host == s.Base.Host {
			// Without its query, which may say that something was saved before.
			if next := site.LocalPath(from.EscapedPath()); next != "" && next != "/" {
				v.Set("next", next)
			}
		}
		target += "?" + v.Encode()
		if c.Read() == nil && c.Typed() != "" {
			return site.ErrSignedOut(target)
		}
	case u.Path != "/": // LocalPath refuses /sign-out
		if next := site.LocalPath(u.RequestURI()); next != "" {
			target += "?next=" + url.QueryEscape(next)
		}
	}
	return s.SeeOther(c, target)
}
