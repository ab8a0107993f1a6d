package gift_test

import (
	"slices"
	"testing"

	"golang.org/x/net/html"

	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/gallery"
	"github.com/storeglass/storeglass/views/viewstest"
)

// Days that don't add up to what the service says for their window aren't hidden, and the page
// doesn't say that they will be pulled again: gift days can't be.
func TestGiftDaysThatDifferFromTheirWindowSaySo(t *testing.T) {
	t.Parallel()
	pages := gallery.Pages(components.Base{})
	i := slices.IndexFunc(pages, func(p gallery.Page) bool { return p.Name == "gifts-incomplete" })
	about := viewstest.Render(t, pages[i].View).All(func(n *html.Node) bool { return viewstest.Attr(n, "id") == "from-trend" })
	about[0].Has("Daily data adds up to 31,702.10", "the app reports 31,766.66", "Single days can’t be fetched again")
}
