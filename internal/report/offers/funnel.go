package offers

import (
	"cmp"
	"slices"

	"github.com/storeglass/storeglass/internal/locale"
)

// FunnelNode is a stage with the stages after it. Branches have no numbers: the service reports none.
type FunnelNode struct {
	Stage StageBody
	// Title is the stage's label; "The offer" if the service sends none.
	Title string
	// Branch is "accepted" or "declined", depending on how the previous stage ended; any other value is
	// the service's own word.
	Branch string
	// Next are the stages after it: accepted first, then declined, then the rest.
	Next []FunnelNode
	// Note says why a stage that names a previous one is on its own.
	Note string
}

// The ways a stage ends.
const (
	Accepted = "accepted"
	Declined = "declined"
)

// Ends reports whether the funnel ends on this branch although another branch goes on.
func (n FunnelNode) Ends(branch string) bool {
	return len(n.Next) > 0 && !slices.ContainsFunc(n.Next, func(next FunnelNode) bool {
		return next.Branch != Accepted && next.Branch != Declined || next.Branch == branch
	})
}

// Depth is the number of stages on the longest path.
func (n FunnelNode) Depth() int {
	deepest := 0
	for _, next := range n.Next {
		deepest = max(deepest, next.Depth())
	}
	return deepest + 1
}

// Funnel arranges the stages as trees. Each stage appears once. A stage becomes a root with a note in l
// if its previous stage is unknown or ambiguous, or if it leads back to itself.
func Funnel(l locale.Locale, stages []StageBody) []FunnelNode {
	byLabel := map[string][]int{}
	for i, s := range stages {
		if s.Label != "" {
			byLabel[s.Label] = append(byLabel[s.Label], i)
		}
	}
	children, notes := map[int][]int{}, map[int]string{}
	var roots []int
	for i, s := range stages {
		before := byLabel[s.Follows]
		switch {
		case s.Follows == "":
			roots = append(roots, i)
		case len(before) == 1 && before[0] != i:
			children[before[0]] = append(children[before[0]], i)
		case len(before) > 1:
			notes[i] = l.T("offers.funnel.same_name", "stage", quoted(l, s.Follows), "n", len(before))
			roots = append(roots, i)
		case len(before) == 1:
			notes[i] = l.T("offers.funnel.itself")
			roots = append(roots, i)
		default:
			notes[i] = l.T("offers.funnel.not_sent", "stage", quoted(l, s.Follows))
			roots = append(roots, i)
		}
	}
	drawn := make([]bool, len(stages))
	var node func(int) FunnelNode
	node = func(i int) FunnelNode {
		drawn[i] = true
		n := FunnelNode{Stage: stages[i], Title: cmp.Or(stages[i].Label, l.T("offers.funnel.the_offer")), Branch: stages[i].Branch, Note: notes[i]}
		for _, way := range []string{Accepted, Declined, ""} {
			for _, j := range children[i] {
				known := stages[j].Branch == Accepted || stages[j].Branch == Declined
				if !drawn[j] && (stages[j].Branch == way || way == "" && !known) {
					n.Next = append(n.Next, node(j))
				}
			}
		}
		return n
	}
	var out []FunnelNode
	for _, i := range roots {
		out = append(out, node(i))
	}
	for i := range stages { // the remaining stages form circles: cut each open at its first stage
		if !drawn[i] {
			notes[i] = l.T("offers.funnel.circle", "stage", quoted(l, stages[i].Follows))
			out = append(out, node(i))
		}
	}
	return out
}
