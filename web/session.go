package web

import (
	"crypto/subtle"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/alexedwards/scs/v2"

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
func (s *Site) cookieName() string {
	if s.secure() {
		return "__Host-storeglass"
	}
	return "storeglass"
}

// acts has what the rest of the request does recorded as done by a, from where the
// request came.
func (c *call) acts(a access.Actor) {
	a.Address, a.Request = c.RealIP(), c.id
	c.SetRequest(c.Request().WithContext(access.Acting(c.Request().Context(), a)))
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
func (s *Site) checkCSRF(c *call) error {
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

// sessionLife is how long a sign-in lasts. It does not grow by use, so that
// reading a page writes nothing.
const sessionLife = 14 * 24 * time.Hour

func (s *Site) secure() bool { return s.base.Scheme == "https" }

func (s *Site) newSessions() *scs.SessionManager {
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
