package web

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/components"
)

const alertsPath = "/alerts"

// The addresses that links in mails lead to. Nobody is asked who they are: the secret in
// the address is all there is, and it stands in no page, header or line of the log. To
// open one changes nothing, since programs that look through mails open links; only a
// POST does.
const (
	unsubscribePath = "/unsubscribe/"
	confirmPath     = "/snapshots/confirm/"
	mailPath        = "/mail/"
	// bouncePath is for a mail server: its secret is a setting.
	bouncePath = "/bounces/"
)

// mailLinked reports whether the address is one of a link in a mail, or could be taken
// for one.
func (c *call) mailLinked() bool {
	p := strings.ToLower(c.Request().URL.Path)
	for _, prefix := range []string{unsubscribePath, confirmPath, mailPath, bouncePath} {
		if strings.HasPrefix(p, prefix) || p == strings.TrimSuffix(prefix, "/") {
			return true
		}
	}
	return false
}

// managed are the pages behind the tab People, for who manages people.
var managed = []components.Tab{
	{Label: "People", Href: "/people"},
	{Label: "Groups and tags", Href: "/groups"},
	{Label: "API tokens", Href: "/tokens"},
	{Label: "Audit log", Href: "/audit"},
	{Label: "Branding", Href: "/branding"},
}

// underPeople is the address of the page that a route belongs to; empty for the
// routes of other tabs.
func underPeople(route string) string {
	for _, t := range managed {
		if route == t.Href || strings.HasPrefix(route, t.Href+"/") {
			return t.Href
		}
	}
	return ""
}

// newStorePath is the first step of adding a store; the second is below it.
const newStorePath = "/stores/new"

func storePath(slug string) string { return "/stores/" + slug }

func personPath(id int64) string { return "/people/" + strconv.FormatInt(id, 10) }

// removedPath lists the stores that can be brought back.
const removedPath = "/stores/removed"

// replyHref is the address of the raw reply behind a number of the store; empty
// where several replies are behind it.
func replyHref(slug string) func(report.Provenance) string {
	return func(p report.Provenance) string {
		if p.Pull == "" || p.FetchedAt.IsZero() {
			return ""
		}
		q := url.Values{"pull": {p.Pull}}
		if p.Subject != "" {
			q.Set("subject", p.Subject)
		}
		return storePath(slug) + "/replies?" + q.Encode()
	}
}

const apiPrefix = "/api/"

func settingsPath(slug string) string { return storePath(slug) + "/settings" }

const (
	sharePrefix = "/share/"
	shareHome   = sharePrefix + ":token"
)

func sharesPath(slug string) string { return storePath(slug) + "/shares" }

// snapshotsPath is the page of weekly mails; those beside it are below it.
const snapshotsPath = "/snapshots"

func subscriptionPath(id int64) string { return snapshotsPath + "/" + strconv.FormatInt(id, 10) }

// wallPath is the address of the list for a screen on a wall.
const wallPath = "/wall"
