package account

import (
	"crypto/rand"
	"net/http"
	"strconv"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/session"
	"github.com/storeglass/storeglass/web/site"
)

// startSession signs the person in under a new id, so that an id known earlier is worthless.
// way is how they proved their identity.
func (s *Handlers) startSession(c *site.Call, p access.Person, way string) error {
	ctx := c.Request().Context()
	if err := s.Audit.Record(ctx, audit.Event{Action: audit.SignedIn, Actor: p.Actor(), Subject: way}); err != nil {
		return err
	}
	atProvider := s.Sessions.GetString(ctx, sessionSSO) // other tabs may still be there
	if err := s.freshSession(c, site.SessionLife); err != nil {
		return err
	}
	if atProvider != "" {
		s.Sessions.Put(ctx, sessionSSO, atProvider)
	}
	s.Sessions.Put(ctx, session.PersonKey, strconv.FormatInt(p.ID, 10))
	s.Sessions.Put(ctx, session.WayKey, way)
	s.Sessions.Put(ctx, session.AddressKey, c.RealIP())
	s.Sessions.Put(ctx, session.AgentKey, site.AgentWords(c.Request().UserAgent()))
	s.Sessions.Put(ctx, site.SessionProved, strconv.FormatInt(c.Now.Unix(), 10))
	s.rememberDevice(c, p.Email)
	return nil
}

// freshSession begins a session under a new id, with only a token for forms in it; the old
// session ends.
func (s *Handlers) freshSession(c *site.Call, life time.Duration) error {
	ctx := c.Request().Context()
	if s.Sessions.Token(ctx) != "" {
		if err := s.Sessions.Destroy(ctx); err != nil {
			return err
		}
	}
	c.CSRF = rand.Text()
	s.Sessions.Put(ctx, site.SessionCSRF, c.CSRF)
	s.Sessions.SetDeadline(ctx, c.Now.Add(life).UTC())
	return nil
}

// deviceCookie is the cookie with the token from signin.DeviceToken.
func (s *Handlers) deviceCookie() string { return s.CookieName() + "-device" }

const deviceLife = 365 * 24 * time.Hour

// rememberDevice lets the browser remember that this person signed in here, so that strangers'
// attempts at their account don't count against it.
func (s *Handlers) rememberDevice(c *site.Call, email string) {
	if s.SignIn.DeviceKnows(s.device(c), email) {
		return
	}
	if token := s.SignIn.DeviceToken(email); token != "" {
		c.SetCookie(&http.Cookie{
			Name: s.deviceCookie(), Value: token, Path: "/", MaxAge: int(deviceLife.Seconds()),
			Secure: s.Secure(), HttpOnly: true, SameSite: http.SameSiteLaxMode,
		})
	}
}

func (s *Handlers) device(c *site.Call) string {
	if cookie, err := c.Cookie(s.deviceCookie()); err == nil {
		return cookie.Value
	}
	return ""
}
