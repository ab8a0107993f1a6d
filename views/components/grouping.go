package components

import (
	"net/url"

	"github.com/storeglass/storeglass/internal/report"
)

// Grouping is a way to group the days of a trend, with the page that shows it.
type Grouping struct {
	Group   report.Group
	Href    string
	Current bool
}

// groupedFrom is the shortest window, in days, whose weeks or months are worth a look.
const groupedFrom = 14

// Groupings are those of the page's window; none if it is too short.
func (b Base) Groupings(c report.Choice) (out []Grouping) {
	if c.Window.Days() < groupedFrom {
		return nil
	}
	for _, g := range report.Groups {
		out = append(out, Grouping{g, WithQuery(b.Path, b.grouped(c, g)) + "#trend-title", g == c.Group})
	}
	return out
}

// GroupedQuery is WindowQuery for the file of a trend, whose rows are the chart's points.
func (b Base) GroupedQuery(c report.Choice) string {
	if c.Group == report.ByDay || c.Group == "" {
		return b.WindowQuery(c)
	}
	return b.grouped(c, c.Group).Encode()
}

// grouped is the window, which is a share link's own, with a group.
func (b Base) grouped(c report.Choice, g report.Group) url.Values {
	q := url.Values{}
	if b.Shared == nil {
		q = c.Query()
	}
	q.Set("group", string(g))
	return q
}
