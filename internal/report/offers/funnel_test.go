package offers

import (
	"fmt"
	"strings"
	"testing"
	"testing/quick"

	"github.com/storeglass/storeglass/internal/report/reporttest"

	"github.com/storeglass/storeglass/internal/locale"
)

// drawnTree prints a funnel as text: "First(+Second(+Third) -Other)".
func drawnTree(nodes []FunnelNode) string {
	var out []string
	for _, n := range nodes {
		text := map[string]string{Accepted: "+", Declined: "-", "": ""}[n.Branch]
		if n.Branch != Accepted && n.Branch != Declined && n.Branch != "" {
			text = "?"
		}
		text += n.Title
		if n.Note != "" {
			text += "!"
		}
		if len(n.Next) > 0 {
			text += "(" + drawnTree(n.Next) + ")"
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

func stageAt(label, follows, branch string) StageBody {
	return StageBody{Label: label, Follows: follows, Branch: branch}
}

func TestStagesBecomeATree(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		stages []StageBody
		want   string
	}{
		"nothing":                  {nil, ""},
		"single":                   {[]StageBody{{}}, "The offer"},
		"three stages":             {[]StageBody{stageAt("A", "", ""), stageAt("B", "A", Accepted), stageAt("C", "A", Declined), stageAt("D", "B", Accepted)}, "A(+B(+D) -C)"},
		"declined is listed first": {[]StageBody{stageAt("A", "", ""), stageAt("C", "A", Declined), stageAt("B", "A", Accepted)}, "A(+B -C)"},
		"children before parents":  {[]StageBody{stageAt("B", "A", Accepted), stageAt("A", "", "")}, "A(+B)"},
		"a branch without a word":  {[]StageBody{stageAt("A", "", ""), stageAt("B", "A", "")}, "A(B)"},
		"a branch of another word": {[]StageBody{stageAt("A", "", ""), stageAt("B", "A", "skipped"), stageAt("C", "A", Accepted)}, "A(+C ?B)"},
		"an unknown stage before":  {[]StageBody{stageAt("A", "", ""), stageAt("B", "Z", Accepted)}, "A +B!"},
		"a name that two have":     {[]StageBody{stageAt("A", "", ""), stageAt("B", "A", Accepted), stageAt("B", "A", Declined), stageAt("C", "B", Accepted)}, "A(+B -B) +C!"},
		"itself":                   {[]StageBody{stageAt("A", "A", Accepted)}, "+A!"},
		"a circle":                 {[]StageBody{stageAt("A", "B", Accepted), stageAt("B", "A", Accepted)}, "+A!(+B)"},
		"a circle beside a tree":   {[]StageBody{stageAt("R", "", ""), stageAt("A", "C", ""), stageAt("B", "A", ""), stageAt("C", "B", ""), stageAt("D", "C", Declined)}, "R A!(B(C(-D)))"},
	} {
		reporttest.Equal(t, name, drawnTree(Funnel(locale.English, c.stages)), c.want)
	}
}

func TestEveryStageStandsInTheTreeOnce(t *testing.T) {
	t.Parallel()
	count := func(nodes []FunnelNode) int {
		n := 0
		var walk func([]FunnelNode)
		walk = func(nodes []FunnelNode) {
			for _, each := range nodes {
				n++
				walk(each.Next)
			}
		}
		walk(nodes)
		return n
	}
	check := func(follows []uint8, branches []uint8) bool {
		var stages []StageBody
		for i, f := range follows {
			s := StageBody{Label: fmt.Sprint(i % 17)}
			if f%5 != 0 {
				s.Follows = fmt.Sprint(int(f) % (len(follows) + 2))
			}
			if i < len(branches) {
				s.Branch = []string{Accepted, Declined, "", "odd"}[branches[i]%4]
			}
			stages = append(stages, s)
		}
		return count(Funnel(locale.English, stages)) == len(stages)
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 2000}); err != nil {
		t.Error(err)
	}
}

func TestAWayThatEndsIsSaidOnlyWhereAnotherGoesOn(t *testing.T) {
	t.Parallel()
	n := Funnel(locale.English, []StageBody{stageAt("A", "", ""), stageAt("B", "A", Accepted)})[0]
	reporttest.Equal(t, "accepted goes on", n.Ends(Accepted), false)
	reporttest.Equal(t, "declined ends", n.Ends(Declined), true)
	reporttest.Equal(t, "the last stage", n.Next[0].Ends(Declined), false)
	reporttest.Equal(t, "depth", n.Depth(), 2)
	unsaid := Funnel(locale.English, []StageBody{stageAt("A", "", ""), stageAt("B", "A", "")})[0]
	reporttest.Equal(t, "a branch without an outcome may be either", unsaid.Ends(Declined), false)
}

func TestAStageThatStandsAloneSaysWhy(t *testing.T) {
	t.Parallel()
	for want, stages := range map[string][]StageBody{
		"Follows “B”, the name of 2 stages.":       {stageAt("C", "B", Accepted), stageAt("B", "", ""), stageAt("B", "", "")},
		"Follows “Z”, which the app did not send.": {stageAt("C", "Z", Accepted)},
		"Follows “D”, which leads back to it.":     {stageAt("C", "D", ""), stageAt("D", "C", "")},
		"Names itself as the stage before it.":     {stageAt("C", "C", "")},
	} {
		reporttest.Equal(t, "note", reporttest.Unisolated(Funnel(locale.English, stages)[0].Note), want)
	}
}
