package offers

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/views/components"
)

// FunnelPanel is what the customer sees: the trigger, then stage by stage. No
// number is on a branch: the service reports none.
type FunnelPanel struct {
	Setup  offers.Setup
	Stages offers.Stages
	Source components.Source
	// Coupon: the offer gives a code and has no product slot.
	Coupon bool
}

func (p FunnelPanel) nodes(l locale.Locale) []offers.FunnelNode {
	return offers.Funnel(l, p.Stages.Stages)
}

// deepest is how many stages are side by side on a wide screen; longer paths, or several trees,
// are drawn one below the other.
const deepest = 3

func (p FunnelPanel) tall() bool {
	nodes := p.nodes(locale.English)
	return len(nodes) > 1 || len(nodes) == 1 && (nodes[0].Depth() > deepest || wide(nodes[0]))
}

// wide reports whether a stage has more branches than a picture can show.
func wide(n offers.FunnelNode) bool { return len(n.Next) > 3 || slices.ContainsFunc(n.Next, wide) }

// twig is one branch with the stage it leads to; without a stage it says that
// nothing follows.
type twig struct {
	Node *offers.FunnelNode
	// Branch is accepted, declined, or the service's own word.
	Branch string
	// At is its place among Of branches, from the top; Rows its rows of the Total, below those
	// Above.
	At, Of, Rows, Above, Total int
}

// twigs are the branches that leave a stage, including those that end.
func twigs(l locale.Locale, n offers.FunnelNode, depth int) []twig {
	var out []twig
	if n.Ends(offers.Accepted) {
		out = append(out, twig{Branch: offers.Accepted, Rows: endRows})
	}
	for i := range n.Next {
		out = append(out, twig{Node: &n.Next[i], Branch: n.Next[i].Branch, Rows: nodeRows(l, n.Next[i], depth+1)})
	}
	if n.Ends(offers.Declined) {
		out = append(out, twig{Branch: offers.Declined, Rows: endRows})
	}
	return share(out)
}

func (t twig) word(l locale.Locale) string {
	switch t.Branch {
	case offers.Accepted, offers.Declined:
		return l.T("offers.branch." + t.Branch)
	case "":
		return l.T("offers.branch.then")
	}
	return t.Branch
}

func (t twig) class() string {
	switch t.Branch {
	case offers.Accepted, offers.Declined:
		return "twig " + t.Branch + " " + t.span()
	}
	return "twig unsaid " + t.span()
}

// edge is the line from the middle of the stage before to the middle of this one, in percent of
// this branch's own height. The previous stage is in the middle of all its branches.
func edge(l locale.Locale, t twig) templ.Component {
	start := (50*t.Total - 100*t.Above) / t.Rows
	if t.Of > 1 { // two lines never start at the same point
		start += 4 * t.Total * (2*t.At - t.Of + 1) / (t.Of - 1) / t.Rows
	}
	middle := (start + 50) / 2
	m := make(components.Markup, 0, 640)
	m.Put(`<svg class="edge" aria-hidden="true"><svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%" overflow="visible"><path vector-effect="non-scaling-stroke" d="M0 `,
		strconv.Itoa(start), "C55 ", strconv.Itoa(start), ` 45 50 100 50"/></svg>`)
	mark := ""
	switch t.Branch {
	case offers.Accepted:
		mark = "M-32 .2l2.200 2.400L-25.600-2.800"
	case offers.Declined:
		mark = "M-31.500-2.500l5 5M-26.500-2.500l-5 5"
	}
	if mark != "" {
		at, word := strconv.Itoa(middle)+"%", t.word(l)
		half := 15 + 3*utf8.RuneCountInString(word) // of the box, as wide as its word
		left := strconv.Itoa(-half)
		m.Put(`<svg x="50%" y="`, at, `" overflow="visible"><rect x="`, left, `" y="-10.500" width="`, strconv.Itoa(2*half), `" height="21" rx="10.500"/><path class="tick" transform="translate(`, strconv.Itoa(39-half), `)" d="`, mark, `"/><text x="`, strconv.Itoa(20-half), `" y="4">`, word, `</text></svg>`)
	}
	m.Put(`</svg>`)
	return m.Component()
}

// level is the class of a stage by its distance from the first.
func level(depth int) string { return "stage l" + strconv.Itoa(min(depth, 4)) }
