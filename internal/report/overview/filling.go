package overview

import (
	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/report"
)

// history is the part that completes last, which ends the filling.
func history(parts []report.Part) (last report.Part) {
	for _, p := range parts {
		if p.Service == "upsell" && p.Days > 0 && p.Seconds >= last.Seconds {
			last = p
		}
	}
	return last
}

func (b Builder) freshness() report.Freshness {
	f := report.NewFreshness(b.Locale, b.In.PulledAt, b.In.LastDay, b.Now, b.Choice.Today)
	f.Off = b.In.Paused
	switch {
	case len(b.troubles()) > 0:
		f.State = "failed"
	case b.Disconnected("upsell") != nil:
		f.State, f.Off = "stale", true
	case f.State == "good" && b.filling() != nil:
		f.State = "filling"
	}
	return f
}

// filling is nil once everything on its way has arrived.
func (b Builder) filling() *Filling {
	if b.In.Paused {
		return nil
	}
	f := b.fillingPast()
	answers, of := b.firstAnswers()
	if answers < of && f == nil {
		f = &Filling{}
	}
	if f != nil {
		f.Answers, f.AnswersOf = answers, of
	}
	return f
}

// firstAnswers counts the first page's pulls, for services that are connected and in use, and how many
// of them have finished, successfully or not.
func (b Builder) firstAnswers() (answers, of int) {
	for _, first := range report.FirstPulls {
		if !b.Connected(first.Service) || b.Stopped(first.Service) {
			continue
		}
		of++
		for _, l := range b.In.Ledger {
			if l.Pull == first.Pull && l.Subject == first.Subject && (!l.LastGoodAt.IsZero() || l.Outcome != fact.PullNever && l.Outcome != fact.PullWaiting) {
				answers++
			}
		}
	}
	return answers, of
}

// fillingPast is how much of the planned history is stored; nil if all of it is.
func (b Builder) fillingPast() *Filling {
	if !b.Connected("upsell") || b.Stopped("upsell") {
		return nil
	}
	w := report.WindowEnding(b.Choice.Today.AddDays(-1), b.In.HistoryDays)
	kept := map[civil.Date]bool{}
	oldest := b.Choice.Today
	for _, d := range b.In.DaysKept {
		kept[d] = true
		if d.Before(oldest) {
			oldest = d
		}
	}
	given := map[civil.Date]bool{} // days whose pull has failed: missing, but not on their way
	for _, l := range b.In.Ledger {
		d, err := civil.ParseDate(l.Subject)
		if l.Pull != "summary.day" || err != nil {
			continue
		}
		switch l.Outcome {
		case fact.PullFailed, fact.PullQuarantined:
			given[d] = true
		case fact.PullRefused:
			given[d] = true
			if l.DueAt.IsZero() && !d.Before(w.Start) && d.Before(oldest) { // the service's history begins after this day
				w.Start = d.AddDays(1)
			}
		}
	}
	f := Filling{Planned: w.Days(), Window: w}
	left := 0
	for d := range w.All() {
		f.Days = append(f.Days, kept[d])
		switch {
		case kept[d]:
			f.Stored++
		case !given[d] && d != w.End: // yesterday is pulled after midnight as usual, which isn't filling
			left++
		}
	}
	if left == 0 {
		return nil
	}
	f.DaysLeft = left
	return &f
}

// troubles are the banners: one per service that refuses its credential.
func (b Builder) troubles() []report.Trouble {
	out := []report.Trouble{}
	for _, c := range b.In.Credentials {
		if c.Stopped() {
			out = append(out, b.Refused(c))
		}
	}
	return out
}
