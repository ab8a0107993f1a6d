package upsell

import (
	"cmp"
	"slices"
	"strings"
)

// StageLabel is a stage's label and which stage it follows. Its inner names aren't documented:
// every field is set only if it was found.
type StageLabel struct {
	// Name is the label; ID is what other stages may use instead.
	Name, ID string
	// Follows refers to the previous stage by name or id, "" on the first; [Stages.Parents]
	// resolves it.
	Follows string
	// Outcome is what happened to the previous stage.
	Outcome Outcome
}

// Outcome is whether the previous stage was accepted or declined.
type Outcome string

// The documented outcomes; "" if not given, as on the first stage.
const (
	Accepted Outcome = "accepted"
	Declined Outcome = "declined"
)

var followNames = []string{
	"follows", "followsstage", "after", "afterstage", "previous", "previousstage", "parent", "parentstage",
	"precededby", "from", "followsstageid", "followsid", "previousid", "previousstageid", "parentid", "parentstageid",
}

var outcomeNames = []string{
	"branch", "on", "outcome", "when", "condition", "path", "result", "decision", "response", "answer", "if", "status",
	"previousoutcome", "previousresult", "followson", "followswhen",
}

// DecodeRaw takes any value.
func (l *StageLabel) DecodeRaw(value []byte) error {
	n, err := readNode(value)
	if err != nil {
		return err
	}
	*l = StageLabel{}
	if n.kind != '{' {
		l.Name = n.text
		return nil
	}
	l.Name = n.firstText("label", "name", "title", "stagelabel", "stagename", "text", "stage")
	l.ID = n.firstText("id", "key", "stageid", "handle", "slug", "number", "position", "index", "order", "step")
	before := n.first(followNames...)
	if before.kind == '{' {
		l.Follows = before.firstText("id", "key", "stageid", "label", "name", "title", "stage", "stagelabel", "stagename", "text", "number", "position", "index")
	} else if before.named() {
		l.Follows = before.text
	}
	l.Outcome = n.outcome()
	if l.Outcome == "" {
		l.Outcome = before.outcome()
	}
	// For example followsAccepted: "First upsell".
	for at, name := range n.names {
		stem, outcome := cutOutcome(name)
		if l.Follows == "" && outcome != "" && n.items[at].named() && slices.Contains(followNames, stem) {
			l.Follows, l.Outcome = n.items[at].text, outcome
		}
	}
	return nil
}

// outcome finds one outcome; if two contradict each other, there is none.
func (n node) outcome() (found Outcome) {
	for at, name := range n.names {
		v, said := n.items[at], Outcome("")
		yes, ok := v.says()
		switch stem, of := cutOutcome(name); {
		case of != "" && ok && (stem == "" || stem == "is" || stem == "was" || stem == "if" || stem == "on" || stem == "previous" || stem == "previouswas"):
			if said = of; !yes {
				said = of.other()
			}
		case v.kind == '"' && slices.Contains(outcomeNames, name):
			said = outcomeOf(v.text)
		}
		if said != "" && found != "" && said != found {
			return ""
		}
		found = cmp.Or(said, found)
	}
	return found
}

func (o Outcome) other() Outcome {
	if o == Accepted {
		return Declined
	}
	return Accepted
}

// cutOutcome splits wasAccepted into "was" and Accepted.
func cutOutcome(name string) (stem string, o Outcome) {
	for _, end := range []string{"accepted", "accept"} {
		if stem, ok := strings.CutSuffix(name, end); ok {
			return stem, Accepted
		}
	}
	for _, end := range []string{"declined", "decline", "rejected", "refused"} {
		if stem, ok := strings.CutSuffix(name, end); ok {
			return stem, Declined
		}
	}
	return name, ""
}

// outcomeOf reads an outcome's words.
func outcomeOf(text string) Outcome {
	text = strings.ToLower(text)
	accepted := strings.Contains(text, "accept") || text == "yes"
	declined := strings.Contains(text, "declin") || strings.Contains(text, "reject") || strings.Contains(text, "refus") || text == "no"
	switch {
	case strings.Contains(text, "not "), accepted == declined:
		return ""
	case accepted:
		return Accepted
	}
	return Declined
}
