package web

import (
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/labstack/echo/v4"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
)

const (
	// sessionCSRF is the session's key of the token that its forms carry.
	sessionCSRF = "csrf"
	// sessionProved is the key of when its person last proved who they are, in seconds.
	sessionProved = "proved"
)

// cookieName has the __Host- prefix wherever the browser accepts it: such a
// cookie can't be set by a neighbouring host or over plain http.
func (s *Server) cookieName() string {
	if s.secure() {
		return "__Host-storeglass"
	}
	return "storeglass"
}

func (s *Server) newSessions() *scs.SessionManager {
	m := scs.New()
	m.Store = s.access.Sessions()
	m.Codec = access.SessionCodec{}
	m.HashTokenInStore = true
	m.Lifetime = sessionLife
	m.Cookie.Name = s.cookieName()
	m.Cookie.Secure = s.secure()
	m.Cookie.HttpOnly = true
	m.Cookie.SameSite = http.SameSiteLaxMode
	m.Cookie.Path = "/"
	return m
}

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
			if err := s.loadShare(c); err != nil {
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

// acts has what the rest of the request does recorded as done by a, from where the
// request came.
func (c *call) acts(a access.Actor) {
	a.Address, a.Request = c.RealIP(), c.id
	c.SetRequest(c.Request().WithContext(access.Acting(c.Request().Context(), a)))
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

// enter notes who asks. From here on the database shows the request's context
// what that asker holds, and before here nothing.
func (c *call) enter(v db.Visit) {
	c.visit = v
	c.SetRequest(c.Request().WithContext(db.WithVisit(c.Request().Context(), v)))
	if l, chosen := locale.Of(v.Person.Language); chosen {
		c.speak(l)
	}
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

// startSession signs the person in under a new id, so that an id known before is
// worth nothing. way says by what they proved who they are.
func (s *Server) startSession(c *call, p access.Person, way string) error {
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
func (s *Server) freshSession(c *call, life time.Duration) error {
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
func (s *Server) deviceCookie() string { return s.cookieName() + "-device" }

const deviceLife = 365 * 24 * time.Hour

// rememberDevice has the browser keep that this person signed in here, so that
// strangers' attempts at their account don't count against it.
func (s *Server) rememberDevice(c *call, email string) {
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

func (s *Server) device(c *call) string {
	if cookie, err := c.Cookie(s.deviceCookie()); err == nil {
		return cookie.Value
	}
	return ""
}

// agentWords names a browser and its system as people do; the rest of what it
// says of itself is not kept.
func agentWords(agent string) string {
	first := func(names ...string) string {
		for i := 0; i < len(names); i += 2 {
			if strings.Contains(agent, names[i]) {
				return names[i+1]
			}
		}
		return ""
	}
	browser := first("Edg", "Edge", "OPR/", "Opera", "SamsungBrowser", "Samsung Internet", "Firefox", "Firefox", "FxiOS", "Firefox", "Chrom", "Chrome", "CriOS", "Chrome", "Safari", "Safari", "curl", "curl")
	system := first("iPhone", "iPhone", "iPad", "iPad", "Android", "Android", "Windows", "Windows", "Macintosh", "Mac", "CrOS", "ChromeOS", "Linux", "Linux")
	switch {
	case browser == "":
		return system
	case system == "":
		return browser
	}
	return browser + " on " + system
}

func safeMethod(m string) bool {
	return m == http.MethodGet || m == http.MethodHead || m == http.MethodOptions
}

// checkCSRF is the second wall behind the check of the asking site.
func (s *Server) checkCSRF(c *call) error {
	sent := c.Request().Header.Get("X-CSRF-Token")
	if sent == "" {
		if err := c.parsePosted(); err != nil {
			return err
		}
		sent = c.Request().PostForm.Get("csrf")
	}
	if c.csrf == "" || subtle.ConstantTimeCompare([]byte(sent), []byte(c.csrf)) != 1 {
		return errCSRF
	}
	return nil
}

// toSignIn leads to the sign-in page and remembers where a reader wanted to go.
func (s *Server) toSignIn(c *call) error {
	if c.Path() == wallPath { // nobody may be in front of it
		return s.wallSignedOut(c)
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

// localPath returns next if it leads to a page of ours, else "". Browsers read
// "//host", "/\host" and control characters as ways out.
func localPath(next string) string {
	if len(next) > 2000 || !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") {
		return ""
	}
	for _, r := range next {
		if r < ' ' || r == '\\' || r == 0x7f {
			return ""
		}
	}
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || strings.HasPrefix(u.Path, "//") || strings.HasPrefix(u.Path, "/sign-") {
		return ""
	}
	return next
}
