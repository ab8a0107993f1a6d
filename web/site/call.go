package site

import (
	"cmp"
	"crypto/rand"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/sharing"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/views/components/chart"
)

// Call is one request with what we know about its principal.
type Call struct {
	echo.Context
	Site *Site
	// ID names the request in the log and on error pages.
	ID    string
	Start time.Time
	// Now is the time on the server's clock for the whole answer.
	Now time.Time
	// Visit is who is asking and what they may see; empty until admitted.
	Visit db.Visit
	// CSRF is the session's token for forms; empty without a person.
	CSRF string
	// Link is the share link that is read; nil for people and tokens.
	Link *sharing.Link
	// Store is the store in the address, on routes with :slug, or that of the link, once its
	// guard has admitted the reader.
	Store db.ScopedStore
	// branding is what replaces our own name; nil until it is needed.
	branding *Brand
	// locale is the language of the answer: the person's choice, else their browser's. Programs
	// get English.
	locale locale.Locale
	// Live: the page follows its stores while it is open.
	Live bool
	// passing: the page shows seconds and isn't cached.
	passing bool
	// again is when a program tries again for such an answer; zero means in a few seconds.
	again time.Duration
	// Failed is the error that was answered, for the log.
	Failed error
}

func (s *Site) NewCall(c echo.Context) *Call {
	k := &Call{Context: c, Site: s, ID: rand.Text(), Start: time.Now(), Now: s.Now()}
	if k.asksCharts() {
		k.SetRequest(k.Request().WithContext(chart.WithData(k.Request().Context())))
	}
	if k.Answers() != AsJSON {
		k.Speak(locale.Match(c.Request().Header.Get("Accept-Language")))
	}
	return k
}

// AsCall finds the call that an error belongs to, even if it never reached the first middleware.
func AsCall(c echo.Context) *Call {
	if k, ok := c.(*Call); ok {
		return k
	}
	return &Call{Context: c, Start: time.Now(), Now: time.Now()}
}

// asksCharts reports whether an open page requests itself again for its charts' data.
func (c *Call) asksCharts() bool { return c.QueryParams().Has("charts") }

func (c *Call) Locale() locale.Locale { return c.locale }

// Speak switches the answer to l.
func (c *Call) Speak(l locale.Locale) {
	c.locale = l
	c.SetRequest(c.Request().WithContext(locale.With(c.Request().Context(), l)))
}

// T is a message in the language of the answer; see [locale.Locale.T].
func (c *Call) T(id string, args ...any) string { return c.locale.T(id, args...) }

// SlugForm is checked before the database is asked; the database has the same rule.
var SlugForm = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$`)

// Slug is the store's name in the address; empty if there is none or it is invalid.
func (c *Call) Slug() string {
	if slug := c.Param("slug"); SlugForm.MatchString(slug) {
		return slug
	}
	return ""
}

// ByID makes a handler of one for the id in the address, or else in the form; ErrNotFound if that
// isn't a number.
func ByID(handle func(*Call, int64) error) func(*Call) error {
	return func(c *Call) error {
		id, err := strconv.ParseInt(cmp.Or(c.Param("id"), c.Form().Get("id")), 10, 64)
		if err != nil || id <= 0 {
			return ErrNotFound
		}
		return handle(c, id)
	}
}

// Done says what was just done, if the address names one of the messages: "people.done." and
// the like. The address's own text never reaches the page.
func (c *Call) Done(messages string) string {
	if done := c.QueryParam("done"); locale.Has(messages + done) {
		return c.T(messages + done)
	}
	return ""
}

// Minute is Now, to the minute. Within one minute a page stays the same, so it can be cached
// and a browser's copy confirmed.
func (c *Call) Minute() time.Time { return c.Now.Truncate(time.Minute) }

// API reports whether the address is one of the JSON API.
func (c *Call) API() bool { return strings.HasPrefix(c.Request().URL.Path, APIPrefix) }

// kind is the form of an address's answers.
type kind int

const (
	AsPage kind = iota
	AsFile
	AsJSON
)

// Answers says how the address is answered, and so what its errors look like.
func (c *Call) Answers() kind {
	switch p := c.Path(); {
	case c.API(), c.Shared() && strings.HasSuffix(p, ".json"):
		return AsJSON
	case c.Shared() && (strings.HasSuffix(p, ".csv") || strings.HasSuffix(p, ".xlsx")):
		return AsFile
	}
	return AsPage
}

// May reports whether the person's role has the right.
func (c *Call) May(right access.Right) bool { return access.Role(c.Visit.Person.Role).May(right) }

// Me is the person who is signed in.
func (c *Call) Me() access.Person {
	p := c.Visit.Person
	return access.Person{ID: p.ID, Email: p.Email, Name: p.Name, Role: access.Role(p.Role), Joined: true}
}

// From is the client's address; the zero address if unknown.
func (c *Call) From() netip.Addr {
	a, _ := netip.ParseAddr(c.RealIP())
	return a
}
