package report

import (
	"slices"
	"strings"
	"time"

	"github.com/golang-sql/civil"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
)

// Overdue is how late a pull may be before its numbers count as stale.
const Overdue = 3 * time.Hour

// dayPulls are the kinds of pulls for a single day.
var dayPulls = []string{"summary.day", "stats.day", "top.day"}

// Finish adds what later pulls say about a panel: trouble and staleness. An empty panel already states
// its cause.
func (b Builder) Finish(p Panel, service string, pulls ...string) Panel {
	p.Provenance = b.Suspected(p.Provenance, service)
	t := b.trouble(service, pulls...)
	if t == nil {
		return p
	}
	if p.Empty != nil {
		if p.Empty.Cause == CauseFilling {
			p.Empty = &Empty{Cause: CauseFailed, Title: t.Title, Text: t.Text, Action: b.T("empty.see_sync"), Href: b.SyncHref()}
		}
		return p
	}
	p.Trouble = t
	p.Provenance = p.Provenance.With(FlagStale)
	return p
}

// beside is the provenance of a comparison window. It can have trouble of its own while the chosen
// window is up to date (N1).
func (b Builder) beside(w Window, p Panel, kind string) Provenance {
	b.Choice.Window = w
	return b.Finish(p, "upsell", behind(p, kind)...).Provenance
}

// trouble says why a service's named pulls bring no newer numbers; nil if they do, or are only waiting
// for their turn.
func (b Builder) trouble(service string, pulls ...string) *Trouble {
	for _, c := range b.In.Credentials {
		if c.Service == service && c.Stopped() {
			t := b.Refused(c)
			t.Title = b.since(b.LastGood(pulls), c.PausedAt)
			return &t
		}
	}
	if good := b.LastGood(pulls); !b.connected(service) && !good.IsZero() {
		return &Trouble{Title: b.since(good, time.Time{}), Text: b.T("state.disconnected." + service), Since: good}
	}
	var days []StoredPull
	for _, l := range b.In.Ledger {
		if !slices.Contains(pulls, l.Pull) || l.Service != service || !b.about(l) {
			continue
		}
		bad := l.Outcome == fact.PullFailed || l.Outcome == fact.PullQuarantined || l.Outcome == fact.PullRefused || l.Outcome == fact.PullPaused
		switch {
		case slices.Contains(dayPulls, l.Pull):
			if bad {
				days = append(days, l)
			}
		case bad:
			return &Trouble{Title: b.since(l.LastGoodAt, l.FailingSince), Text: l.Reason().In(b.Locale), Since: l.FailingSince, NeedsPerson: l.Outcome == fact.PullPaused}
		case l.Outcome == fact.PullGood || l.Outcome == fact.PullWaiting:
			if !b.In.Paused && !l.DueAt.IsZero() && b.Now.Sub(l.DueAt) > Overdue {
				return &Trouble{
					Title: b.since(l.LastGoodAt, time.Time{}), Since: l.DueAt,
					Text: b.T("state.overdue", "ago", b.Age(b.Now, l.DueAt)),
				}
			}
		}
	}
	return b.dayTrouble(days)
}

// Reason is why a pull brought nothing, based only on its outcome. What the service said is on the Sync page.
func (p StoredPull) Reason() locale.Message {
	switch p.Outcome {
	case fact.PullRefused, fact.PullQuarantined, fact.PullPaused:
		return locale.M("state.cause." + string(p.Outcome))
	}
	return locale.M("state.cause.failed")
}

// dayTrouble names the days whose pulls fail. The rest of the window is fine.
func (b Builder) dayTrouble(failing []StoredPull) *Trouble {
	if len(failing) == 0 {
		return nil
	}
	slices.SortStableFunc(failing, func(a, c StoredPull) int { return strings.Compare(a.Subject, c.Subject) })
	var days []civil.Date
	t := &Trouble{Text: failing[0].Reason().In(b.Locale), Since: failing[0].FailingSince}
	kept := true
	for _, l := range failing {
		d, _ := civil.ParseDate(l.Subject) // about has already parsed it
		if len(days) == 0 || days[len(days)-1] != d {
			days = append(days, d)
		}
		if l.FailingSince.Before(t.Since) {
			t.Since = l.FailingSince
		}
		kept = kept && !l.LastGoodAt.IsZero()
		t.NeedsPerson = t.NeedsPerson || l.Outcome == fact.PullPaused
	}
	switch {
	case len(b.In.DaysKept) == 0:
		t.Title = b.since(time.Time{}, t.Since)
	case kept:
		t.Title = b.T("state.days_not_updated", "days", b.DayList(days))
	default:
		t.Title = b.T("state.days_not_loaded", "days", b.DayList(days))
	}
	return t
}

// windowPulls are the kinds of pulls for a named window.
var windowPulls = []string{"summary.window", "stats.window", "top.highest", "top.lowest", "gift.window"}

// about reports whether a pull concerns what the panels show: a day within the chosen window, exactly
// that window, or the current state.
func (b Builder) about(l StoredPull) bool {
	switch {
	case slices.Contains(dayPulls, l.Pull):
		return b.recent(l.Subject)
	case slices.Contains(windowPulls, l.Pull):
		return l.Asked == nil || *l.Asked == b.Choice.Window
	}
	return true
}

// recent limits a day's failure to the days that the panel shows.
func (b Builder) recent(subject string) bool {
	d, err := civil.ParseDate(subject)
	return err == nil && b.Choice.Window.Contains(d)
}

// LastGood is the newest good answer of the named pulls.
func (b Builder) LastGood(pulls []string) time.Time {
	var good time.Time
	for _, l := range b.In.Ledger {
		if slices.Contains(pulls, l.Pull) && l.LastGoodAt.After(good) {
			good = l.LastGoodAt
		}
	}
	return good
}

// since says how old the numbers are: the day of the last good answer, or when the first attempt failed.
func (b Builder) since(good, failed time.Time) string {
	switch {
	case !good.IsZero():
		return b.T("state.not_updated_since", "day", b.Day(civil.DateOf(b.OnStoreClock(good))))
	case !failed.IsZero():
		return b.T("state.first_try_failed", "ago", b.Age(b.Now, failed))
	}
	return b.T("state.never_updated")
}

// troubles are the banners: one per service that refuses its credential.
func (b Builder) troubles() []Trouble {
	out := []Trouble{}
	for _, c := range b.In.Credentials {
		if c.Stopped() {
			out = append(out, b.Refused(c))
		}
	}
	return out
}

// Refused says what happened to a stopped credential, what to do, and when it's checked again.
func (b Builder) Refused(c StoredCredential) Trouble {
	t := Trouble{Title: b.T("state.needs_attention." + c.Service), Text: c.advice(b.Locale), Since: c.PausedAt, NeedsPerson: true}
	switch {
	case c.NeedsPerson():
	case c.Outage():
		t.Title, t.Text, t.NeedsPerson = b.T("state.doubted.outage_title."+c.Service), b.T("state.doubted.outage"), false
	default:
		t.Title, t.Text, t.NeedsPerson = b.T("state.doubted.title."+c.Service), b.T("state.doubted.text"), false
	}
	if c.NextProbe.After(b.Now) {
		at := b.OnStoreClock(c.NextProbe)
		t.Next = " " + b.T("state.checks_again", "day", b.Day(civil.DateOf(at)), "time", b.Time(at))
		t.Text += t.Next
	}
	return t
}

func (b Builder) freshness() Freshness {
	f := NewFreshness(b.Locale, b.In.PulledAt, b.In.LastDay, b.Now, b.Choice.Today)
	f.Paused = b.In.Paused
	switch {
	case len(b.troubles()) > 0:
		f.State = "failed"
	case f.State == "good" && b.filling() != nil:
		f.State = "filling"
	}
	return f
}

// Stopped reports whether pulls have stopped using the service's credential.
func (b Builder) Stopped(service string) bool {
	return slices.ContainsFunc(b.In.Credentials, func(c StoredCredential) bool { return c.Service == service && c.Stopped() })
}

// NewFreshness is good if the newest answer is recent and the last whole day is yesterday, or the day
// before during a day's first hours, while the nightly pulls run.
func NewFreshness(l locale.Locale, updated time.Time, last civil.Date, now time.Time, today civil.Date) Freshness {
	if updated.IsZero() {
		return Freshness{State: "filling", Words: l.T("panel.freshness.nothing")}
	}
	f := Freshness{PulledAt: &updated, State: "good"}
	if now.Sub(updated) > Overdue || last.IsValid() && today.DaysSince(last) > 2 {
		f.State = "stale"
	}
	if !last.IsValid() {
		f.Words = l.T("panel.freshness.no_day", "ago", l.Age(now, updated))
		return f
	}
	f.DataTo = &last
	f.Words = l.T("panel.freshness.to", "day", l.Day(last), "ago", l.Age(now, updated))
	return f
}

// FirstPull is a pull that a store's first page depends on.
type FirstPull struct{ Service, Pull, Subject string }

// FirstPulls are all of them. They run before anything else, because someone who just connected a store
// is looking at an empty page.
var FirstPulls = []FirstPull{
	{"upsell", "offer_count", ""}, {"upsell", "summary.window", "30"}, {"upsell", "stats.window", "30"},
	{"upsell", "top.highest", "30"}, {"upsell", "coverage", ""}, {"upsell", "lifetime", ""},
	{"gift", "gift.setup_health", ""}, {"gift", "gift.plan", ""}, {"gift", "gift.window", "30"},
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
	for _, first := range FirstPulls {
		if !b.connected(first.Service) || b.Stopped(first.Service) {
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
	if !b.connected("upsell") || b.Stopped("upsell") {
		return nil
	}
	w := WindowEnding(b.Choice.Today.AddDays(-1), b.In.HistoryDays)
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
