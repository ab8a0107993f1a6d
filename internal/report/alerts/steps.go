package alerts

import (
	"slices"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
)

// Open is an outage that has not ended.
type Open struct {
	ID            int64
	Rule, Subject string
	Since, SeenAt time.Time
	// OpenedAt is zero while it is not announced yet, CalmSince while it is wrong.
	OpenedAt, CalmSince time.Time
	Title               locale.Message
	Text                locale.Sentences
}

// StepKind is what happens to an outage.
type StepKind string

// The steps.
const (
	// StepSuspect: seen, and not for long enough to tell anybody.
	StepSuspect StepKind = "suspect"
	// StepOpen: people are told.
	StepOpen StepKind = "open"
	// StepKeep: it goes on, in the finding's words.
	StepKeep StepKind = "keep"
	// StepCalm: nothing is wrong now, and not for long enough to believe it.
	StepCalm StepKind = "calm"
	// StepRecover: people who were told are told that it is over.
	StepRecover StepKind = "recover"
	// StepGone: what it was about is not there any more; nobody is told.
	StepGone StepKind = "gone"
	// StepForget: nobody had been told.
	StepForget StepKind = "forget"
)

// Step is one outage's next step.
type Step struct {
	Kind StepKind
	// ID is zero for an outage that has no row yet.
	ID int64
	Finding
}

// Steps works out what happens to the outages of a store by what was found now.
// Asked again with the outcome it answers nothing new, but that time has passed.
func Steps(open []Open, found []Finding, now time.Time) []Step {
	var out []Step
	met := map[[2]string]bool{}
	for _, f := range found {
		key := [2]string{f.Rule, f.Subject}
		if met[key] { // the service named it twice
			continue
		}
		met[key] = true
		rule, known := RuleOf(f.Rule)
		if !known {
			continue
		}
		if f.Since.IsZero() || f.Since.After(now) {
			f.Since = now
		}
		i := slices.IndexFunc(open, func(o Open) bool { return o.Rule == f.Rule && o.Subject == f.Subject })
		if i < 0 {
			if f.Standing == Wrong {
				kind := StepSuspect
				if rule.Grace == 0 {
					kind = StepOpen
				}
				out = append(out, Step{kind, 0, f})
			}
			continue
		}
		if kind := next(open[i], rule, f.Standing, now); kind != "" {
			out = append(out, Step{kind, open[i].ID, f})
		}
	}
	for _, o := range open {
		if !met[[2]string{o.Rule, o.Subject}] {
			kind := StepGone
			if o.OpenedAt.IsZero() {
				kind = StepForget
			}
			out = append(out, Step{kind, o.ID, Finding{Rule: o.Rule, Subject: o.Subject, Title: o.Title, Text: o.Text}})
		}
	}
	return out
}

// next is empty where the outage stays as it is.
func next(o Open, rule Rule, is Standing, now time.Time) StepKind {
	told := !o.OpenedAt.IsZero()
	switch {
	case is == Wrong && !told && now.Sub(o.SeenAt) >= rule.Grace:
		return StepOpen
	case is == Wrong:
		return StepKeep
	case is == Unknown:
		return ""
	case !told:
		return StepForget
	case rule.Calm > 0 && o.CalmSince.IsZero():
		return StepCalm
	case rule.Calm > 0 && now.Sub(o.CalmSince) < rule.Calm:
		return ""
	}
	return StepRecover
}
