// Package components holds what several parts of the site show: the document around a page,
// figures with their provenance, windows and their picker, trends, and what replaces what can't
// be shown. It knows nothing about the parts of the site.
package components

import (
	"cmp"
	"net/url"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// Base is what every page needs besides its own values.
type Base struct {
	// Title is the document's title without the product's name.
	Title string
	// Locale is the language that the page is written in.
	Locale locale.Locale
	// Brand replaces our own name, color and mark.
	Brand Brand
	// Path is the address of the page without its query; the picker's forms lead there.
	Path string
	// Tabs are the pages that exist here, in order; at most one is current.
	Tabs []Tab
	// Sub are this tab's pages if it has several; otherwise nil.
	Sub []Tab
	// Store is the store in view; nil on pages over several stores.
	Store *report.Store
	// Home is the address above the store's pages; empty means the store's own.
	Home string
	// Shared is set on pages for readers of a share link, who may see these pages and
	// nothing else; nil for people who are signed in.
	Shared *Shared
	// SettingsHref is the store's settings, for readers who may change them; otherwise empty.
	SettingsHref string
	// Writes is true for readers who may write notes.
	Writes bool
	// Refresh is after how many seconds a browser without JavaScript loads the page again,
	// because its store is filling in; 0 means never.
	Refresh int
	// Refreshing is the refresh from the services; nil if the reader may not, or it isn't
	// possible.
	Refreshing *Refreshing
	// Live is the address of the stream that announces changes; empty for pages that don't
	// update.
	Live string
	// Reader is the person reading. A page that is rendered once for all readers has none: a
	// [Seam] marks where each reader's own [Header] goes.
	Reader *Reader
	// Now is the time of the page, on the store's clock. Ages count from it.
	Now time.Time
	// Asset returns the address of a built file ("app.css"); nil serves plain names.
	Asset func(name string) string
	// ReplyHref returns the address of the raw stored reply behind a number, or "" if there is
	// none to show; nil shows no links.
	ReplyHref func(report.Provenance) string
}

// Brand replaces our own name, color and mark; empty fields keep our own. The addresses are of
// files that we made.
type Brand struct {
	Name string
	// Style is the style sheet with the color, Icon the mark in that color.
	Style, Icon string
	// Logo is a picture in place of the mark.
	Logo Logo
}

// Logo is a picture; without an address there is none.
type Logo struct {
	Src           string
	Width, Height int
	// FaintOnLight and FaintOnDark say that it needs its own background there.
	FaintOnLight, FaintOnDark bool
}

// alone reports whether the picture is shown without the name: if it is more than twice as wide
// as high, it probably contains one.
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

// Called is the name in use.
func (b Brand) Called() string { return cmp.Or(b.Name, "Storeglass") }

// written reports whether the name is shown next to the mark.
func (b Brand) written() bool { return b.Logo.Src == "" || b.Name != "" && !b.Logo.alone() }

// alt is the picture's text if the name isn't shown.
func (b Brand) alt() string {
	if b.written() {
		return ""
	}
	return b.Called()
}

// IconPath is the address of the browser's icon.
func (b Base) IconPath() string { return cmp.Or(b.Brand.Icon, b.AssetPath("icon.svg")) }

// Reader is what is personal on a page.
type Reader struct {
	// Person is who is signed in; nil on the sign-in page and on errors before it.
	Person *PersonView
	// CSRF is the token that every POST form carries in the field "csrf".
	CSRF string
	// Stores are the stores the person may see, for the switcher.
	Stores []report.Store
	// Window is the requested window as in the address; links to other stores keep it.
	Window string
	// PeopleHref leads to the pages about people; empty for readers who may not manage them.
	PeopleHref string
	// AddHref is where the person adds a store; empty for readers who may not.
	AddHref string
	// ShareHref leads to the store's share links; empty for readers who may not make any, and
	// without a store.
	ShareHref string
	// Alerts is the number of open alerts; 0 or no AlertsHref shows no bell.
	Alerts     int
	AlertsHref string
}

// Seam marks where the header goes in a page without a reader. No text can be mistaken for it,
// because outside text is escaped.
const Seam = "<!--header-->"

// TokenSeam marks where a form's CSRF token goes: see [Token].
const TokenSeam = "<!--token-->"

// Tab is one page in the header.
type Tab struct {
	Label   string
	Href    string
	Current bool
	// Count is the number of open items behind the tab; 0 shows none.
	Count int
}

// Shared is what a page reveals about its share link.
type Shared struct {
	// Until is the link's last day: "12 Dec 2026". It is empty where nothing about the link may
	// be shown, as on the password page.
	Until string
	// Fixed: the link's days stay the same, so nothing current is shown.
	Fixed bool
	// Offers and Gifts say that the link includes these pages, so that others may link to them.
	Offers, Gifts bool
	// Message is what From, a person's name, wrote to readers; may be empty.
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

// StoreHome is the address above the store's pages.
func (b Base) StoreHome() string {
	if b.Home == "" && b.Store != nil {
		return StoreHref(b.Store.Slug)
	}
	return b.Home
}

// OffersHome is StoreHome if the reader may see offers' pages, otherwise "".
func (b Base) OffersHome() string {
	if b.Shared != nil && !b.Shared.Offers {
		return ""
	}
	return b.StoreHome()
}

// TellsNow reports whether the page may show current facts that have no date.
func (b Base) TellsNow() bool { return b.Shared == nil || !b.Shared.Fixed }

// WindowQuery is the choice as a query for the page's files; on a share link it is the link's
// own window.
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

// OtherStore is the open page for another store, in the same window.
func (b Base) OtherStore(slug, window string) string {
	href := StoreHref(slug) + b.below()
	if window != "" {
		href += "?" + window
	}
	return href
}

// StoreHref is the overview of the store.
func StoreHref(slug string) string { return "/stores/" + url.PathEscape(slug) }

// Connectable lets a panel of a service that was never connected lead to where that is done, or
// say who can do it.
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

// Query has names and values by turns, except those without a value.
func Query(pairs ...string) url.Values {
	q := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			q.Set(pairs[i], pairs[i+1])
		}
	}
	return q
}
