package gift_test

import (
	"slices"
	"testing"

	"golang.org/x/net/html"

	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/gallery"
	"github.com/storeglass/storeglass/views/viewstest"
)

func page(t *testing.T, name string) *viewstest.Doc {
	t.Helper()
	pages := gallery.Pages(components.Base{})
	i := slices.IndexFunc(pages, func(p gallery.Page) bool { return p.Name == name })
	return viewstest.Render(t, pages[i].View)
}

// Days that don't add up to what the service says for their window aren't hidden, and the page
// doesn't say that they will be pulled again: gift days can't be.
func TestGiftDaysThatDifferFromTheirWindowSaySo(t *testing.T) {
	t.Parallel()
	about := page(t, "gifts-incomplete").All(func(n *html.Node) bool { return viewstest.Attr(n, "id") == "from-trend" })
	about[0].Has("Daily data adds up to 31,702.10", "the app reports 31,766.66", "Single days can’t be fetched again")
}

// The page begins with what keeps gifts from appearing, and how to fix it. Clients can't fix it, and a
// share link shows no setup.
func TestWhatBlocksTheWidgetComesFirstButNotForClients(t *testing.T) {
	t.Parallel()
	page(t, "gifts").Has("The gift widget can’t appear. The app embed is off in your live theme, \u2068Alder 4.2\u2069. In the theme editor, open App embeds, turn on the gift widget and save. Gifts brought in $39,104 in the last 30 days, 15.6% more than in the 30 days before. 412 orders had a gift (349 before) and were worth $94.91 on average ($96.95 before). Data to")
	clients := page(t, "shared-gifts")
	clients.Has("Gifts Gifts brought in")
	clients.HasNot("can’t appear", "theme editor")
	page(t, "gifts-plain").HasNot("can’t appear")
}

func TestAStoreWithoutTheGiftAppLeadsToWhereItIsConnected(t *testing.T) {
	t.Parallel()
	d := page(t, "gifts-never-connected")
	d.Has("Connect the gift app to see what free gifts earn")
	if links := d.All(func(n *html.Node) bool { return viewstest.Attr(n, "href") == "/stores/fernhollow/settings/gift" }); len(links) != 1 {
		t.Errorf("%d links lead there", len(links))
	}
}
