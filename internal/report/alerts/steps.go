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
	// OpenedAt is zero until people are notified, CalmSince while it's still wrong.
	OpenedAt, CalmSince time.Time
	// DoneAt is when someone marked it as done; zero if nobody did.
	DoneAt time.Time
	Title  locale.Message
	Text   locale.Sentences
}

// StepKind is what happens to an outage.
type StepKind string

// The steps.
const (
	// StepSuspect: seen, but not for long enough to notify anyone.
	StepSuspect StepKind = "suspect"
	// StepOpen: people are notified.
	StepOpen StepKind = "open"
	// StepKeep: it continues; the alert gets the finding's new wording.
	StepKeep StepKind = "keep"
	// StepCalm: nothing is wrong now, but not for long enough to be sure.
	StepCalm StepKind = "calm"
	// StepRecover: people who were notified learn that it's resolved.
	StepRecover StepKind = "recover"
	// StepGone: its subject no longer exists; nobody is notified.
	StepGone StepKind = "gone"
	// StepForget: nobody had been notified.
	StepForget StepKind = "forget"
)

// Step is one outage's next step.
type Step struct {
	Kind StepKind
	// ID is zero for an outage without a row yet.
	ID int64
	// Again: someone marked it as done a day ago, and it's still wrong.
	Again bool
	Finding
}

// Steps works out what happens to a store's outages, given what was found now. Once its steps are
// applied, running it again has no effect, except that time has passed.
func Steps(open []Open, found []Finding, now time.Time) []Step {
	var out []Step
	met := map[[2]string]bool{}
	for _, f := range found {
		key := [2]string{f.Rule, f.Subject}
		if met[key] { // the service listed it twice
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
				out = append(out, Step{Kind: kind, Finding: f})
			}
			continue
		}
		if kind := next(open[i], rule, f.Standing, now); kind != "" {
			out = append(out, Step{kind, open[i].ID, kind == StepKeep && again(open[i], rule, now), f})
		}
	}
	for _, o := range open {
		if !met[[2]string{o.Rule, o.Subject}] {
			kind := StepGone
			if o.OpenedAt.IsZero() && o.DoneAt.IsZero() {
				kind = StepForget
			}
			out = append(out, Step{Kind: kind, ID: o.ID, Finding: Finding{Rule: o.Rule, Subject: o.Subject, Title: o.Title, Text: o.Text}})
		}
	}
	return out
}

// next is empty if the outage stays as it is.
func next(o Open, rule Rule, is Standing, now time.Time) StepKind {
	opened, done := !o.OpenedAt.IsZero(), !o.DoneAt.IsZero()
	switch {
	case is == Wrong && !opened && !done && now.Sub(o.SeenAt) >= rule.Grace:
		return StepOpen
	case is == Wrong:
		return StepKeep
	case is == Unknown:
		return ""
	case !opened && !done:
		return StepForget
	case rule.Calm > 0 && o.CalmSince.IsZero():
		return StepCalm
	case rule.Calm > 0 && now.Sub(o.CalmSince) < rule.Calm:
		return ""
	}
	return StepRecover
}

// doneFor is how long a broken thing that was marked as done gets the benefit of the doubt.
const doneFor = 24 * time.Hour

// again reports whether an outage that someone marked as done comes back. A broken thing or missing
// numbers do if they persist; dismissed advice doesn't.
func again(o Open, rule Rule, now time.Time) bool {
	return !o.DoneAt.IsZero() && now.Sub(o.DoneAt) >= doneFor && (rule.Group == Broken || rule.Group == Data)
}
