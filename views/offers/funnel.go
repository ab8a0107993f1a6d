package offers

import (
	"slices"
	"strconv"

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

// edge is where the line of a branch starts and has its middle, in percent of the branch's own
// height. The previous stage is in the middle of all its branches.
func (t twig) edge() (start, middle int) {
	start = (50*t.Total - 100*t.Above) / t.Rows
	if t.Of > 1 { // two lines never start at the same point
		start += 4 * t.Total * (2*t.At - t.Of + 1) / (t.Of - 1) / t.Rows
	}
	return start, (start + 50) / 2
}

// tick is the path of the mark beside the branch's word; empty for a branch that has no name.
func (t twig) tick() string {
	switch t.Branch {
	case offers.Accepted:
		return "M-32 .2l2.200 2.400L-25.600-2.800"
	case offers.Declined:
		return "M-31.500-2.500l5 5M-26.500-2.500l-5 5"
	}
	return ""
}

// level is the class of a stage by its distance from the first.
func level(depth int) string { return "stage l" + strconv.Itoa(min(depth, 4)) }
