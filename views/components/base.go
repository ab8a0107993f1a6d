// Package components holds what several parts of the site show: the document around a
// page, figures with their provenance, windows and their picker, trends, and what stands
// where nothing can be shown. It knows no part of the site.
package components

import (
	"net/url"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// Base is what every page needs beside its own values.
type Base struct {
	// Title is the document's title without the product's name.
	Title string
	// Locale is the language that the page is written in.
	Locale locale.Locale
	// Brand is what stands in place of our own name, colour and mark.
	Brand Brand
	// Path is the address of the page without its query; the picker's forms lead there.
	Path string
	// Tabs are the pages that exist here, in order; exactly one is current, or none.
	Tabs []Tab
	// Sub are the pages beside this one, where a tab stands for several; else nil.
	Sub []Tab
	// Store is the store in view; nil on pages over several stores.
	Store *report.Store
	// Home is the address that the store's pages stand below; empty is the store's own.
	Home string
	// Shared is set on pages for readers of a share link, who may see these pages and
	// nothing else; nil for people who are signed in.
	Shared *Shared
	// SettingsHref is the store's settings, on pages for those who may change them;
	// empty on the same pages for everyone else.
	SettingsHref string
	// Writes is true on pages for those who may write notes.
	Writes bool
	// Refresh is after how many seconds a browser without JavaScript loads the page again,
	// because its store is filling in; 0 for never.
	Refresh int
	// Refreshing has the services asked again; nil where the reader may not, or nobody can.
	Refreshing *Refreshing
	// Live is the address of the stream that says when the page is worth loading again;
	// empty for pages that stay as they are.
	Live string
	// Reader is who reads. A page that is made once for all its readers has none:
	// a [Seam] stands where each of them meets a [Header] of their own.
	Reader *Reader
	// Now is the moment the page speaks of, on the store's clock. Ages count from it.
	Now time.Time
	// Asset returns the address of a built file ("app.css"); nil serves plain names.
	Asset func(name string) string
	// ReplyHref returns the address of the raw stored reply behind a number, or
	// "" when there is none to show; nil shows no link.
	ReplyHref func(report.Provenance) string
}

// Brand is what stands in place of our own name, colour and mark; what is empty is
// our own. Addresses are of files that we made.
type Brand struct {
	Name string
	// Style is the style sheet with the colour, Icon the mark in it.
	Style, Icon string
	// Logo is a picture in place of the mark.
	Logo Logo
}

// Logo is a picture; without an address it is none.
type Logo struct {
	Src           string
	Width, Height int
	// FaintOnLight and FaintOnDark say that it needs a ground of its own there.
	FaintOnLight, FaintOnDark bool
}

// alone reports whether the picture stands without the name: more than twice as wide
// as high, it holds one itself.
func (l Logo) alone() bool { return l.Width > 2*l.Height }

// style is how it is drawn.
func (l Logo) style() string {
	switch {
	case l.FaintOnLight:
		return "logo on-dark"
	case l.FaintOnDark:
		return "logo on-light"
	}
	return "logo"
}

// Called is the name.
func (b Brand) Called() string {
	if b.Name == "" {
		return "Storeglass"
	}
	return b.Name
}

// written reports whether the name stands beside the mark.
func (b Brand) written() bool { return b.Logo.Src == "" || b.Name != "" && !b.Logo.alone() }

// alt is what the picture says where the name does not.
func (b Brand) alt() string {
	if b.written() {
		return ""
	}
	return b.Called()
}

// IconPath is the address of the browser's icon.
func (b Base) IconPath() string {
	if b.Brand.Icon != "" {
		return b.Brand.Icon
	}
	return b.AssetPath("icon.svg")
}

// Reader is what a page holds that is its reader's own.
type Reader struct {
	// Person is who is signed in; nil on the sign-in page and on errors before it.
	Person *PersonView
	// CSRF is the token that every POST form carries in the field "csrf".
	CSRF string
	// Stores are those the person may see, for the switcher.
	Stores []report.Store
	// Window is the asked window as the address has it, which another store's page keeps.
	Window string
	// PeopleHref leads to the pages about people; empty for who may not manage them.
	PeopleHref string
	// AddHref is where the person adds a store; empty for who may not.
	AddHref string
	// ShareHref leads to the store's share links; empty for who may not make any, and
	// without a store.
	ShareHref string
	// Alerts is the number of open alerts; 0 or no AlertsHref shows no bell.
	Alerts     int
	AlertsHref string
}

// Seam stands in a page without a reader where the header belongs. No text can
// be mistaken for it: what comes from elsewhere is escaped.
const Seam = "<!--header-->"

// TokenSeam is the same where a form takes its reader's CSRF token: see [Token].
const TokenSeam = "<!--token-->"

// Tab is one page in the header.
type Tab struct {
	Label   string
	Href    string
	Current bool
	// Count is the open ones among what the tab leads to; 0 shows none.
	Count int
}

// Shared is what a page tells of the share link through which it is read.
type Shared struct {
	// Until is the link's last day: "12 Dec 2026". Empty tells nothing of the link, as
	// on the page that asks for its password.
	Until string
	// Fixed: the link's days stay the same, so nothing is told of now.
	Fixed bool
	// Offers and Gifts say that the link shows these pages, so that others may lead there.
	Offers, Gifts bool
	// Message is what From, a person's name, says to readers; empty for nothing.
	Message, From string
}

// PersonView is the signed-in person as the header shows them.
type PersonView struct{ Name, Initials string }

// AssetPath returns the address of a built file.
func (b Base) AssetPath(name string) string {
	if b.Asset == nil {
		return "/static/" + name
	}
	return b.Asset(name)
}

// T is a message in the language of the page; see [locale.Locale.T].
func (b Base) T(id string, args ...any) string { return b.Locale.T(id, args...) }

// DocumentTitle is the text of the title element.
func (b Base) DocumentTitle() string {
	name := b.Brand.Called()
	switch {
	case b.Store != nil && b.Title != "" && b.Title != b.Store.Name:
		return b.Title + " · " + b.Store.Name + " · " + name
	case b.Store != nil:
		return b.Store.Name + " · " + name
	case b.Title == "":
		return name
	}
	return b.Title + " · " + name
}

// StoreHome is the address that the store's pages stand below.
func (b Base) StoreHome() string {
	if b.Home == "" && b.Store != nil {
		return StoreHref(b.Store.Slug)
	}
	return b.Home
}

// OffersHome is the same where the offers' pages may be read, else "".
func (b Base) OffersHome() string {
	if b.Shared != nil && !b.Shared.Offers {
		return ""
	}
	return b.StoreHome()
}

// TellsNow reports whether the page speaks of what is true now and has no day.
func (b Base) TellsNow() bool { return b.Shared == nil || !b.Shared.Fixed }

// WindowQuery is the choice as an address of the page's files has it; the window of
// a share link is the link's own.
func (b Base) WindowQuery(c report.Choice) string {
	if b.Shared != nil {
		return ""
	}
	return c.Query().Encode()
}

// below is the part of the open page's address below its store's.
func (b Base) below() string {
	for _, t := range b.Tabs {
		if below, ok := strings.CutPrefix(t.Href, b.StoreHome()); ok && t.Current {
			return below
		}
	}
	return ""
}

// OtherStore is the page that is open, of another store and in the same window.
func (b Base) OtherStore(slug, window string) string {
	href := StoreHref(slug) + b.below()
	if window != "" {
		href += "?" + window
	}
	return href
}

// StoreHref is the overview of the store.
func StoreHref(slug string) string { return "/stores/" + url.PathEscape(slug) }

// Connectable lets a panel of a service that was never connected lead to where it is,
// or say who can.
func (b Base) Connectable(e report.Empty, service string) report.Empty {
	switch {
	case e.Cause != report.CauseNeverConnected, b.Shared != nil:
	case b.SettingsHref == "":
		e.Text += " " + b.T("empty.who_can_connect")
	default:
		e.Action, e.Href = b.T("empty.connect."+service), b.SettingsHref+"/"+service
	}
	return e
}

// ReplyAddress is the address of the raw reply, or "".
func (b Base) ReplyAddress(p report.Provenance) string {
	if b.ReplyHref == nil {
		return ""
	}
	return b.ReplyHref(p)
}

func WithQuery(path string, q url.Values) string {
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}
