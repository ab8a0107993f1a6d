package site

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
)

// render makes a page in memory: so an error midway can still become an error page.
func (c *Call) render(page templ.Component) ([]byte, error) {
	b := templ.GetBuffer()
	defer templ.ReleaseBuffer(b)
	if err := page.Render(c.Request().Context(), b); err != nil {
		return nil, err
	}
	return bytes.Clone(b.Bytes()), nil
}

func (c *Call) Page(page templ.Component) error {
	body, err := c.render(page)
	if err != nil {
		return err
	}
	return c.Send(NewDocument(HTMLType, body))
}

// StorePage sends a page about the store in the address that is the same for all readers except
// for the header, the form token and what they may do. It is rendered once per revision of the
// store, minute and query; query must be normalized. view gets a base without a reader, so
// nothing personal can be in what others see.
func (c *Call) StorePage(query string, view func(components.Base) (templ.Component, error)) error {
	base := c.Site.PageBase(c, "")
	reader := *base.Reader
	base.Reader = nil
	key := PageKey{Store: c.Store, Path: base.Path, Query: query, Minute: base.Now.Unix(), locale: c.locale, keeps: base.SettingsHref != "", writes: base.Writes, charts: c.asksCharts(), pulls: c.May(access.Pull), branding: c.Site.BrandFor(c).Revision, alerts: c.Visit.AlertsMark}
	if c.Link != nil {
		key.link = c.Link.ID
	}
	kept := c.Site.Cache.Get(key)
	if kept == nil {
		page, err := view(base)
		if err != nil {
			return err
		}
		body, err := c.render(page)
		if err != nil {
			return err
		}
		var found bool
		if kept, found = keep(body); !found {
			return fmt.Errorf("page %s has no place for a header", c.Path())
		}
		if !c.passing {
			c.Site.Cache.Put(key, kept)
		}
	}
	header, err := c.render(components.Header(base, reader))
	if err != nil {
		return err
	}
	token, err := c.render(form.Hidden("csrf", reader.CSRF))
	if err != nil {
		return err
	}
	return c.Send(&Document{HTMLType, kept.with(header, token), etagOf(slices.Concat([]byte(kept.etag), header, token))})
}

// PageWithStatus sends a page about a mistake, neither compressed nor cached.
func (c *Call) PageWithStatus(status int, page templ.Component) error {
	body, err := c.render(page)
	if err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderCacheControl, "no-store")
	return c.Blob(status, HTMLType, body)
}

// PageBase is what every page needs besides its own values.
func (s *Site) PageBase(c *Call, title string) components.Base {
	if c.Shared() {
		return s.shareBase(c, title)
	}
	b := components.Base{Title: title, Locale: c.locale, Path: c.Request().URL.EscapedPath(), Now: c.Minute(), Asset: s.asset, Brand: s.BrandFor(c).View, Reader: &components.Reader{CSRF: c.CSRF}}
	if c.MailLinked() { // the secret stays out of the page
		b.Path = "/"
	}
	if s.MayKeep(c) {
		b.Reader.AddHref = NewStorePath
	}
	if c.Live {
		b.Live = c.live()
	}
	if p := c.Visit.Person; p.ID != 0 {
		b.Reader.Person = &components.PersonView{Name: p.Name, Initials: Initials(p.Name)}
		b.Reader.Stores, b.Reader.Window = c.Visit.Stores, c.askedWindow()
		if c.May(access.Manage) {
			b.Reader.PeopleHref = "/people"
		}
	}
	switch {
	case c.Store.Slug == "" && c.Visit.Person.ID != 0:
		b.Tabs = []components.Tab{
			{Label: b.T("tab.stores"), Href: "/", Current: c.Path() == "/"},
			c.alertsTab(),
			{Label: b.T("tab.weekly_mails"), Href: SnapshotsPath, Current: strings.HasPrefix(c.Path(), SnapshotsPath)},
		}
		if c.May(access.Manage) {
			b.Tabs = append(b.Tabs, components.Tab{Label: b.T("tab.people"), Href: "/people", Current: UnderPeople(c.Path()) != ""})
		}
	case c.Store.Slug != "":
		alerts := c.alertsTab()
		b.Reader.Alerts, b.Reader.AlertsHref = alerts.Count, alerts.Href
		b.Store = &c.Store.Store
		b.Now = b.Now.In(c.Store.Location())
		b.ReplyHref = ReplyHref(c.Store.Slug)
		if c.May(access.Share) {
			b.Reader.ShareHref = SharesPath(c.Store.Slug)
		}
		home := StorePath(c.Store.Slug)
		b.Tabs = []components.Tab{
			{Label: b.T("tab.overview"), Href: home, Current: c.Path() == "/stores/:slug"},
			{Label: b.T("tab.placements"), Href: home + "/placements", Current: c.Path() == "/stores/:slug/placements"},
			{Label: b.T("tab.offers"), Href: home + "/offers", Current: strings.HasPrefix(c.Path(), "/stores/:slug/offers")},
			{Label: b.T("tab.gifts"), Href: home + "/gift", Current: strings.HasPrefix(c.Path(), "/stores/:slug/gift")},
			{Label: b.T("tab.sync"), Href: home + "/sync", Current: c.Path() == "/stores/:slug/sync"},
			alerts,
		}
		if c.May(access.Share) {
			b.Tabs = append(b.Tabs, components.Tab{Label: b.T("tab.settings"), Href: SettingsPath(c.Store.Slug), Current: strings.HasPrefix(c.Path(), "/stores/:slug/settings")})
		}
		if s.MayKeep(c) {
			b.SettingsHref = SettingsPath(c.Store.Slug)
		}
		b.Writes = c.May(access.Share)
	}
	return b
}

// live is the address of the page's stream. It names the revision that the page was made from,
// so that changes before the stream opens aren't missed.
func (c *Call) live() string {
	if c.Store.Slug == "" {
		return LivePath
	}
	home := StorePath(c.Store.Slug)
	if c.Link != nil {
		home = c.Home()
	}
	return home + LivePath + "?revision=" + strconv.FormatInt(c.Store.Revision, 10)
}

// askedWindow is only the part of the query that chooses the window.
func (c *Call) askedWindow() string {
	kept, asked := url.Values{}, c.QueryParams()
	for _, name := range WindowParams {
		if v := asked.Get(name); v != "" {
			kept.Set(name, v)
		}
	}
	return kept.Encode()
}

// Initials are the first letters of the first and the last word of a name.
func Initials(name string) string {
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

// MayKeep reports whether the person may change stores here.
func (s *Site) MayKeep(c *Call) bool { return s.mayConnect && c.May(access.Connect) }

// SeeOther redirects to one of our pages; empty means the first one.
func (s *Site) SeeOther(c *Call, path string) error {
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.Redirect(http.StatusSeeOther, cmp.Or(path, "/"))
}

// Then redirects to path when a form's work is done; err is why it isn't.
func (s *Site) Then(c *Call, err error, path string) error {
	if err != nil {
		return err
	}
	return s.SeeOther(c, path)
}
