package web

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/views/components"
)

// render makes a page in memory: an error in the middle of it can still become an error page.
func (c *call) render(page templ.Component) ([]byte, error) {
	b := templ.GetBuffer()
	defer templ.ReleaseBuffer(b)
	if err := page.Render(c.Request().Context(), b); err != nil {
		return nil, err
	}
	return bytes.Clone(b.Bytes()), nil
}

// page renders and sends.
func (c *call) page(page templ.Component) error {
	body, err := c.render(page)
	if err != nil {
		return err
	}
	return c.send(newDocument(htmlType, body))
}

// storePage sends a page about the store in the address that differs between its
// readers in nothing but the header, and in whether it leads to the store's settings. It is made once for each revision of the
// store, minute and query; query is what was asked for, spelled in one way. view
// gets a base without a reader, so that nobody's own things can be in what others
// see.
func (c *call) storePage(query string, view func(components.Base) (templ.Component, error)) error {
	base := c.site.pageBase(c, "")
	reader := *base.Reader
	base.Reader = nil
	key := pageKey{store: c.store, path: base.Path, query: query, minute: base.Now.Unix(), locale: c.locale, keeps: base.SettingsHref != "", branding: c.site.brandFor(c).Revision}
	if c.link != nil {
		key.link = c.link.ID
	}
	kept := c.site.cache.get(key)
	if kept == nil {
		page, err := view(base)
		if err != nil {
			return err
		}
		body, err := c.render(page)
		if err != nil {
			return err
		}
		before, after, found := bytes.Cut(body, []byte(components.Seam))
		if !found {
			return fmt.Errorf("page %s has no place for a header", c.Path())
		}
		kept = &keptPage{before, after, etagOf(body)}
		if !c.passing {
			c.site.cache.put(key, kept)
		}
	}
	header, err := c.render(components.Header(base, reader))
	if err != nil {
		return err
	}
	return c.send(&document{htmlType, slices.Concat(kept.before, header, kept.after), etagOf([]byte(kept.etag + string(header)))})
}

// pageWithStatus is for a page that answers a mistake: it is neither compressed nor kept.
func (c *call) pageWithStatus(status int, page templ.Component) error {
	b := templ.GetBuffer()
	defer templ.ReleaseBuffer(b)
	if err := page.Render(c.Request().Context(), b); err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderCacheControl, "no-store")
	return c.Blob(status, htmlType, b.Bytes())
}

// pageBase is what every page needs beside its own values.
func (s *Site) pageBase(c *call, title string) components.Base {
	if c.shared() {
		return s.shareBase(c, title)
	}
	b := components.Base{Title: title, Locale: c.locale, Path: c.Request().URL.EscapedPath(), Now: c.minute(), Asset: s.asset, Brand: s.brandFor(c).view, Reader: &components.Reader{CSRF: c.csrf}}
	if c.mailLinked() { // the secret stays out of the page
		b.Path = "/"
	}
	if s.mayKeep(c) {
		b.Reader.AddHref = newStorePath
	}
	if p := c.visit.Person; p.ID != 0 {
		b.Reader.Person = &components.PersonView{Name: p.Name, Initials: initials(p.Name)}
		b.Reader.Stores, b.Reader.Window = c.visit.Stores, c.askedWindow()
		if c.may(access.Manage) {
			b.Reader.PeopleHref = "/people"
		}
	}
	switch {
	case c.store.Slug == "" && c.visit.Person.ID != 0:
		b.Tabs = []components.Tab{
			{Label: "Stores", Href: "/", Current: c.Path() == "/"},
			s.alertsTab(c),
			{Label: "Weekly mails", Href: snapshotsPath, Current: strings.HasPrefix(c.Path(), snapshotsPath)},
		}
		if c.may(access.Manage) {
			b.Tabs = append(b.Tabs, components.Tab{Label: "People", Href: "/people", Current: underPeople(c.Path()) != ""})
		}
	case c.store.Slug != "":
		alerts := s.alertsTab(c)
		b.Reader.Alerts, b.Reader.AlertsHref = alerts.Count, alerts.Href
		b.Store = &c.store.Store
		b.Now = b.Now.In(c.store.Location())
		b.ReplyHref = replyHref(c.store.Slug)
		if c.may(access.Share) {
			b.Reader.ShareHref = sharesPath(c.store.Slug)
		}
		home := storePath(c.store.Slug)
		b.Tabs = []components.Tab{
			{Label: "Overview", Href: home, Current: c.Path() == "/stores/:slug"},
			{Label: "Placements", Href: home + "/placements", Current: c.Path() == "/stores/:slug/placements"},
			{Label: "Offers", Href: home + "/offers", Current: strings.HasPrefix(c.Path(), "/stores/:slug/offers")},
			{Label: "Gifts", Href: home + "/gift", Current: strings.HasPrefix(c.Path(), "/stores/:slug/gift")},
			{Label: "Sync", Href: home + "/sync", Current: c.Path() == "/stores/:slug/sync"},
			alerts,
		}
		if c.may(access.Share) {
			b.Tabs = append(b.Tabs, components.Tab{Label: "Settings", Href: settingsPath(c.store.Slug), Current: strings.HasPrefix(c.Path(), "/stores/:slug/settings")})
		}
		if s.mayKeep(c) {
			b.SettingsHref = settingsPath(c.store.Slug)
		}
	}
	return b
}

// askedWindow is what the address asks about the window, and nothing else of it.
func (c *call) askedWindow() string {
	kept, asked := url.Values{}, c.QueryParams()
	for _, name := range []string{"window", "start", "end", "compare"} {
		if v := asked.Get(name); v != "" {
			kept.Set(name, v)
		}
	}
	return kept.Encode()
}

// initials are the first letters of the first and the last word of a name.
func initials(name string) string {
	words := strings.Fields(name)
	if len(words) == 0 {
		return "?"
	}
	first := []rune(words[0])[:1]
	if len(words) == 1 {
		return strings.ToUpper(string(first))
	}
	return strings.ToUpper(string(first) + string([]rune(words[len(words)-1])[:1]))
}

// mayKeep reports whether the person may change stores here.
func (s *Site) mayKeep(c *call) bool { return s.mayConnect && c.may(access.Connect) }

// seeOther leads to a page of ours; empty is the first one.
func (s *Site) seeOther(c *call, path string) error {
	if path == "" {
		path = "/"
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.Redirect(http.StatusSeeOther, path)
}
