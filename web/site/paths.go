package site

import (
	"slices"
	"strconv"
	"strings"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/components"
)

const AlertsPath = "/alerts"

// The addresses in mails. They don't ask who is reading: the secret in the address is all there
// is, and it appears in no page, header or log line. Opening one changes nothing, because mail
// scanners open links; only a POST does.
const (
	UnsubscribePath = "/unsubscribe/"
	ConfirmPath     = "/snapshots/confirm/"
	MailPath        = "/mail/"
	// BouncePath is for a mail server: its secret is a setting.
	BouncePath = "/bounces/"
)

// MailLinked reports whether the address is one of a link in a mail, or could be taken
// for one.
func (c *Call) MailLinked() bool {
	p := strings.ToLower(c.Request().URL.Path) + "/"
	return slices.ContainsFunc([]string{UnsubscribePath, ConfirmPath, MailPath, BouncePath}, func(prefix string) bool {
		return strings.HasPrefix(p, prefix)
	})
}

// Managed are the pages under the tab People, for anyone who manages people. Their labels are
// the ends of messages, people.tab.…
var Managed = []components.Tab{
	{Label: "people", Href: "/people"},
	{Label: "groups", Href: "/groups"},
	{Label: "tokens", Href: "/tokens"},
	{Label: "audit", Href: "/audit"},
	{Label: "branding", Href: "/branding"},
}

// UnderPeople is the address of the page that a route belongs to; empty for the
// routes of other tabs.
func UnderPeople(route string) string {
	for _, t := range Managed {
		if strings.HasPrefix(route+"/", t.Href+"/") {
			return t.Href
		}
	}
	return ""
}

// NewStorePath is the first step of adding a store; the second is below it.
const NewStorePath = "/stores/new"

func StorePath(slug string) string { return "/stores/" + slug }

func PersonPath(id int64) string { return "/people/" + strconv.FormatInt(id, 10) }

// RemovedPath lists the stores that can be brought back.
const RemovedPath = "/stores/removed"

// ReplyHref is the address of the raw reply behind a number of the store; empty if several
// replies are behind it.
func ReplyHref(slug string) func(report.Provenance) string {
	return func(p report.Provenance) string {
		if p.Pull == "" || p.FetchedAt.IsZero() {
			return ""
		}
		return StorePath(slug) + "/replies?" + components.Query("pull", p.Pull, "subject", p.Subject).Encode()
	}
}

// LivePath is the stream of a page about all stores; below a store's or a share link's
// address it is that of the store.
const LivePath = "/live"

const APIPrefix = "/api/"

func SettingsPath(slug string) string { return StorePath(slug) + "/settings" }

// RefreshPath is where a store's services are refreshed.
func RefreshPath(slug string) string { return StorePath(slug) + "/refresh" }

// ThresholdsPath is the page of a store's thresholds.
func ThresholdsPath(slug string) string { return StorePath(slug) + AlertsPath + "/thresholds" }

// NotesPath is the page of a store's notes; each is below it.
func NotesPath(slug string) string { return StorePath(slug) + "/notes" }

const (
	SharePrefix = "/share/"
	ShareHome   = SharePrefix + ":token"
)

func SharesPath(slug string) string { return StorePath(slug) + "/shares" }

// SnapshotsPath is the page of weekly mails; related pages are below it.
const SnapshotsPath = "/snapshots"

func SubscriptionPath(id int64) string { return SnapshotsPath + "/" + strconv.FormatInt(id, 10) }

// WallPath is the address of the list for a screen on a wall.
const WallPath = "/wall"
