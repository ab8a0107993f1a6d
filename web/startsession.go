package web

import (
	"crypto/rand"
	"net/http"
	"strconv"
	"time"

	"github.com/storeglass/storeglass/internal/access"
)

// startSession signs the person in under a new id, so that an id known before is
// worth nothing. way says by what they proved who they are.
func (s *accountHandlers) startSession(c *call, p access.Person, way string) error {
	ctx := c.Request().Context()
	if err := s.access.Record(ctx, access.Event{Action: access.SignedIn, Actor: p.Actor(), Subject: way}); err != nil {
		return err
	}
	if err := s.freshSession(c, sessionLife); err != nil {
		return err
	}
	s.sessions.Put(ctx, access.SessionPerson, strconv.FormatInt(p.ID, 10))
	s.sessions.Put(ctx, access.SessionWay, way)
	s.sessions.Put(ctx, access.SessionAddress, c.RealIP())
	s.sessions.Put(ctx, access.SessionAgent, agentWords(c.Request().UserAgent()))
	s.sessions.Put(ctx, sessionProved, strconv.FormatInt(c.now.Unix(), 10))
	s.rememberDevice(c, p.Email)
	return nil
}

// freshSession begins a session under a new id, with a token for forms and nothing
// else in it; the one before ends.
func (s *accountHandlers) freshSession(c *call, life time.Duration) error {
	ctx := c.Request().Context()
	if s.sessions.Token(ctx) != "" {
		if err := s.sessions.Destroy(ctx); err != nil {
			return err
		}
	}
	c.csrf = rand.Text()
	s.sessions.Put(ctx, sessionCSRF, c.csrf)
	s.sessions.SetDeadline(ctx, c.now.Add(life).UTC())
	return nil
}

// deviceCookie keeps what access.DeviceToken gave.
func (s *accountHandlers) deviceCookie() string { return s.cookieName() + "-device" }

const deviceLife = 365 * 24 * time.Hour

// rememberDevice has the browser keep that this person signed in here, so that
// strangers' attempts at their account don't count against it.
func (s *accountHandlers) rememberDevice(c *call, email string) {
	if s.access.DeviceKnows(s.device(c), email) {
		return
	}
	if token := s.access.DeviceToken(email); token != "" {
		c.SetCookie(&http.Cookie{
			Name: s.deviceCookie(), Value: token, Path: "/", MaxAge: int(deviceLife.Seconds()),
			Secure: s.secure(), HttpOnly: true, SameSite: http.SameSiteLaxMode,
		})
	}
}

func (s *accountHandlers) device(c *call) string {
	if cookie, err := c.Cookie(s.deviceCookie()); err == nil {
		return cookie.Value
	}
	return ""
}
