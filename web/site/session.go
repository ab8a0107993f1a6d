package site

import (
	"crypto/subtle"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/alexedwards/scs/v2"

	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/session"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
)

const (
	// SessionCSRF is the session key of the token in its forms.
	SessionCSRF = "csrf"
	// SessionProved is the key of when its person last confirmed their identity, in seconds.
	SessionProved = "proved"
)

// CookieName has the __Host- prefix wherever the browser accepts it: such a cookie can't be set
// by a sibling host or over plain http.
func (s *Site) CookieName() string {
	if s.Secure() {
		return "__Host-storeglass"
	}
	return "storeglass"
}

// Acts makes the rest of the request be recorded as done by a, with the request's address.
func (c *Call) Acts(a audit.Actor) {
	a.Address, a.Request = c.RealIP(), c.ID
	c.SetRequest(c.Request().WithContext(audit.Acting(c.Request().Context(), a)))
}

// Enter notes who is asking. From here on, the database shows the request's context what that
// principal may see; before this, nothing.
func (c *Call) Enter(v db.Visit) {
	c.Visit = v
	c.SetRequest(c.Request().WithContext(db.WithVisit(c.Request().Context(), v)))
	if l, chosen := locale.Of(v.Person.Language); chosen {
		c.Speak(l)
	}
}

// AgentWords names a browser and its system as people do; the rest of the header isn't kept.
func AgentWords(agent string) string {
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

func SafeMethod(m string) bool {
	return m == http.MethodGet || m == http.MethodHead || m == http.MethodOptions
}

// CheckCSRF is the second defense after the check of the requesting site.
func (s *Site) CheckCSRF(c *Call) error {
	sent := c.Request().Header.Get("X-CSRF-Token")
	if sent == "" {
		if err := c.parsePosted(); err != nil {
			return err
		}
		sent = c.Request().PostForm.Get("csrf")
	}
	if c.CSRF == "" || subtle.ConstantTimeCompare([]byte(sent), []byte(c.CSRF)) != 1 {
		return ErrCSRF
	}
	return nil
}

// LocalPath returns next if it leads to one of our pages, otherwise "". Browsers read "//host",
// "/\host" and control characters as ways out.
func LocalPath(next string) string {
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

// SessionLife is how long a sign-in lasts. Use doesn't extend it, so reading a page writes
// nothing.
const SessionLife = 14 * 24 * time.Hour

func (s *Site) Secure() bool { return s.Base.Scheme == "https" }

func (s *Site) newSessions() *scs.SessionManager {
	m := scs.New()
	m.Store = s.SessionStore
	m.Codec = session.Codec{}
	m.HashTokenInStore = true
	m.Lifetime = SessionLife
	m.Cookie.Name = s.CookieName()
	m.Cookie.Secure = s.Secure()
	m.Cookie.HttpOnly = true
	m.Cookie.SameSite = http.SameSiteLaxMode
	m.Cookie.Path = "/"
	return m
}
