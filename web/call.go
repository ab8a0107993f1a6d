package web

import (
	"crypto/rand"
	"net/netip"
	"regexp"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
)

// call is one request with what is known about its asker.
type call struct {
	echo.Context
	site *Site
	// id names the request in the log and on error pages.
	id    string
	start time.Time
	// now is the moment on the server's clock that the whole answer speaks of.
	now time.Time
	// visit is who asks and what they may see; empty until admitted.
	visit db.Visit
	// csrf is the session's token for forms; empty without a person.
	csrf string
	// link is the share link that is read; nil for people and tokens.
	link *access.ShareLink
	// store is the store in the address, on routes with :slug, or that of the link,
	// once its guard has let the reader pass.
	store db.ScopedStore
	// branding is what stands in place of our own name; nil until it was asked for.
	branding *shownBrand
	// locale is the language of the answer: the person's choice, else their browser's.
	// Programs are answered in English.
	locale locale.Locale
	// passing: the page speaks of seconds and is not kept.
	passing bool
	// failed is the error that was answered, for the log.
	failed error
}

func (s *Site) newCall(c echo.Context) *call {
	k := &call{Context: c, site: s, id: rand.Text(), start: time.Now(), now: s.now()}
	if k.answers() != asJSON {
		k.speak(locale.Match(c.Request().Header.Get("Accept-Language")))
	}
	return k
}

// asCall finds the call that an error belongs to, also when it never reached the first middleware.
func asCall(c echo.Context) *call {
	if k, ok := c.(*call); ok {
		return k
	}
	return &call{Context: c, start: time.Now(), now: time.Now()}
}

// speak has the answer written in l.
func (c *call) speak(l locale.Locale) {
	c.locale = l
	c.SetRequest(c.Request().WithContext(locale.With(c.Request().Context(), l)))
}

// slugs are checked before the database is asked, as its own rule would.
var slugForm = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$`)

// slug is the store's name in the address; empty when there is none, or it can't be one.
func (c *call) slug() string {
	if slug := c.Param("slug"); slugForm.MatchString(slug) {
		return slug
	}
	return ""
}

// minute is the moment that a page speaks of. Within one minute a page is the
// same page: so it can be cached, and a browser's copy confirmed.
func (c *call) minute() time.Time { return c.now.Truncate(time.Minute) }

// api reports whether the address is one of the JSON API.
func (c *call) api() bool { return strings.HasPrefix(c.Request().URL.Path, apiPrefix) }

// kind is what an address is answered with.
type kind int

const (
	asPage kind = iota
	asFile
	asJSON
)

// answers says what the address is answered with, and so what its errors look like.
func (c *call) answers() kind {
	switch p := c.Path(); {
	case c.api(), c.shared() && strings.HasSuffix(p, ".json"):
		return asJSON
	case c.shared() && (strings.HasSuffix(p, ".csv") || strings.HasSuffix(p, ".xlsx")):
		return asFile
	}
	return asPage
}

// may reports whether the person's role has the right.
func (c *call) may(right access.Right) bool { return access.Role(c.visit.Person.Role).May(right) }

// me is the person who is signed in.
func (c *call) me() access.Person {
	p := c.visit.Person
	return access.Person{ID: p.ID, Email: p.Email, Name: p.Name, Role: access.Role(p.Role), Joined: true}
}

// from is the client's address; the zero one when it can't be told.
func (c *call) from() netip.Addr {
	a, err := netip.ParseAddr(c.RealIP())
	if err != nil {
		return netip.Addr{}
	}
	return a
}
