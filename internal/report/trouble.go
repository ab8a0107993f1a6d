package report

import (
	"math"
	"slices"
	"time"

	"github.com/golang-sql/civil"
)

// overdue is how late a pull may be before its numbers are called stale.
const overdue = 3 * time.Hour

// dayPulls are the kinds that are about one day each.
var dayPulls = []string{"summary.day", "stats.day", "top.day"}

// finish adds what a later pull says about a panel: trouble, and staleness. An
// empty panel says its cause itself.
func (b builder) finish(p Panel, service string, pulls ...string) Panel {
	t := b.trouble(service, pulls...)
	if t == nil {
		return p
	}
	if p.Empty != nil {
		if p.Empty.Cause == CauseFilling {
			p.Empty = &Empty{Cause: CauseFailed, Title: t.Title, Text: t.Text, Action: "See the ledger", Href: b.syncHref()}
		}
		return p
	}
	p.Trouble = t
	p.Provenance = p.Provenance.With(FlagStale)
	return p
}

// trouble is why the named pulls of a service do not bring newer numbers; nil
// when they do, or when they only wait for their turn.
func (b builder) trouble(service string, pulls ...string) *Trouble {
	for _, c := range b.in.Credentials {
		if c.Service == service && c.State == "paused" {
			return &Trouble{Title: b.since(c.PausedAt, pulls), Text: c.Text, Since: c.PausedAt, NeedsPerson: true}
		}
	}
	for _, l := range b.in.Ledger {
		if !slices.Contains(pulls, l.Pull) || l.Service != service || !b.about(l) {
			continue
		}
		switch l.Outcome {
		case "failed", "quarantined", "refused", "paused":
			return &Trouble{Title: b.since(l.FailingSince, pulls), Text: l.Text, Since: l.FailingSince, NeedsPerson: l.Outcome == "paused"}
		case "good", "waiting":
			if !b.in.Paused && !l.DueAt.IsZero() && b.now.Sub(l.DueAt) > overdue && !slices.Contains(dayPulls, l.Pull) {
				return &Trouble{
					Title: b.since(l.LastGoodAt, pulls), Since: l.DueAt,
					Text: "The next pull was due " + Age(b.now, l.DueAt) + " and has not been made: is the worker running?",
				}
			}
		}
	}
	return nil
}

// windowPulls are the kinds that are about one named window each.
var windowPulls = []string{"summary.window", "stats.window", "top.highest", "top.lowest", "gift.window"}

// about reports whether a pull is about what the panels speak of: a day within
// the chosen window, exactly that window, or the current state.
func (b builder) about(l StoredPull) bool {
	switch {
	case slices.Contains(dayPulls, l.Pull):
		return b.recent(l.Subject)
	case slices.Contains(windowPulls, l.Pull):
		return l.Asked == nil || *l.Asked == b.choice.Window
	}
	return true
}

// recent limits a day's failure to the days that the panel speaks of.
func (b builder) recent(subject string) bool {
	d, err := civil.ParseDate(subject)
	return err == nil && b.choice.Window.Contains(d)
}

// since words when the numbers stand: the day after the last good answer.
func (b builder) since(t time.Time, pulls []string) string {
	var good time.Time
	for _, l := range b.in.Ledger {
		if slices.Contains(pulls, l.Pull) && l.LastGoodAt.After(good) {
			good = l.LastGoodAt
		}
	}
	if good.IsZero() {
		if t.IsZero() {
			return "Never pulled yet."
		}
		return "Never pulled yet: the first try failed " + Age(b.now, t) + "."
	}
	return "Not pulled since " + DayShort(civil.DateOf(b.onStoreClock(good))) + ". You are seeing the last good numbers."
}

// troubles are the banners: one for each service whose credential needs a person.
func (b builder) troubles() []Trouble {
	out := []Trouble{}
	for _, c := range b.in.Credentials {
		if c.State != "paused" {
			continue
		}
		title := "The upsell service needs a person."
		if c.Service == "gift" {
			title = "The gift service needs a person."
		}
		out = append(out, Trouble{Title: title, Text: c.Text, Since: c.PausedAt, NeedsPerson: true})
	}
	return out
}

func (b builder) freshness() Freshness {
	f := freshness(b.in.PulledAt, b.in.LastDay, b.now)
	switch {
	case len(b.troubles()) > 0:
		f.State = "failed"
	case f.State == "good" && b.filling() != nil:
		f.State = "filling"
	}
	return f
}

func freshness(pulled time.Time, last civil.Date, now time.Time) Freshness {
	if pulled.IsZero() {
		return Freshness{State: "filling", Words: "Nothing pulled yet"}
	}
	f := Freshness{PulledAt: &pulled, State: "good"}
	if now.Sub(pulled) > overdue {
		f.State = "stale"
	}
	if !last.IsValid() {
		f.Words = "No whole day stored yet, pulled " + Age(now, pulled)
		return f
	}
	f.DataTo = &last
	f.Words = "Data to " + DayShort(last) + ", pulled " + Age(now, pulled)
	return f
}

// callsADay is what a day of history costs: summary, stats, top.
const callsADay = 3

func (b builder) filling() *Filling {
	if !b.connected("upsell") || b.in.Paused {
		return nil
	}
	w := WindowEnding(b.choice.Today.AddDays(-1), b.in.HistoryDays)
	given := map[civil.Date]bool{} // days whose pull has failed: missing, not on their way
	for _, l := range b.in.Ledger {
		if l.Pull == "summary.day" && (l.Outcome == "refused" || l.Outcome == "failed" || l.Outcome == "quarantined") {
			if d, err := civil.ParseDate(l.Subject); err == nil {
				given[d] = true
			}
		}
	}
	kept := map[civil.Date]bool{}
	for _, d := range b.in.DaysKept {
		kept[d] = true
	}
	f := Filling{Planned: w.Days(), Window: w}
	left := 0
	for d := range w.All() {
		f.Days = append(f.Days, kept[d])
		switch {
		case kept[d]:
			f.Stored++
		case !given[d] && d != w.End: // yesterday follows its midnight, which is no filling
			left++
		}
	}
	if left == 0 {
		return nil
	}
	f.CallsLeft = left * callsADay
	pace := b.in.RateLimit - min(10, b.in.RateLimit/6)
	f.MinutesLeft = int(math.Ceil(float64(f.CallsLeft) / float64(max(1, pace))))
	return &f
}
