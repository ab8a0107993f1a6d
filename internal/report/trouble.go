package report

import (
	"slices"
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
)

// Trouble says why a panel's numbers are older than they should be.
type Trouble struct {
	// Title and Text are for people: "Not pulled since 12 Nov. You are seeing the last good numbers."
	Title string `json:"title"`
	Text  string `json:"text"`
	// Since is when the first failing attempt was made.
	Since time.Time `json:"since"`
	// NeedsPerson is true if retrying can't help.
	NeedsPerson bool `json:"needs_person"`
	// Disconnected is the service that has to be connected again, "" if none has.
	Disconnected string `json:"-"`
	// Next is the end of Text that says when the next check is. Mails drop it, since they are read later.
	Next string `json:"-"`
}

// dayPulls are the kinds of pulls for a single day.
var dayPulls = []string{"summary.day", "stats.day", "top.day"}

// Finish adds what later pulls say about a panel: trouble and staleness. An empty panel already states
// its cause.
func (b Builder) Finish(p Panel, service string, pulls ...string) Panel {
	p.Provenance = b.Suspected(p.Provenance, service)
	t := b.Trouble(service, pulls...)
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

// Trouble says why a service's named pulls bring no newer numbers; nil if they do, or are only waiting
// for their turn.
func (b Builder) Trouble(service string, pulls ...string) *Trouble {
	for _, c := range b.In.Credentials {
		if c.Service == service && c.Stopped() {
			t := b.Refused(c)
			t.Title = b.since(b.LastGood(pulls), c.PausedAt)
			return &t
		}
	}
	if t := b.disconnected(service, b.LastGood(pulls)); t != nil {
		return t
	}
	var days []StoredPull
	for _, l := range b.In.Ledger {
		if !slices.Contains(pulls, l.Pull) || l.Service != service || !b.about(l) {
			continue
		}
		switch {
		case slices.Contains(dayPulls, l.Pull):
			if l.bad() && !b.NotKept(l) {
				days = append(days, l)
			}
		case l.bad():
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

func (b Builder) disconnected(service string, good time.Time) *Trouble {
	if b.Connected(service) || good.IsZero() {
		return nil
	}
	return &Trouble{Title: b.since(good, time.Time{}), Text: b.T("state.disconnected." + service), Since: good, Disconnected: service}
}

// Disconnected is the banner of a service that has to be connected again; nil if it is connected, or
// never answered.
func (b Builder) Disconnected(service string) *Trouble {
	var good time.Time
	for _, l := range b.In.Ledger {
		if l.Service == service && l.LastGoodAt.After(good) {
			good = l.LastGoodAt
		}
	}
	return b.disconnected(service, good)
}

// Failed is the empty state of a panel if a named pull for exactly its window, or for a day of it, failed;
// otherwise nil. A window that the app refused may be too old for it, which is no failure.
func (b Builder) Failed(service string, pulls ...string) *Empty {
	if !slices.ContainsFunc(b.In.Ledger, func(l StoredPull) bool {
		own := slices.Contains(dayPulls, l.Pull) || l.Outcome != fact.PullRefused && (l.Asked != nil || slices.Contains(rangePulls, l.Pull))
		return l.Service == service && slices.Contains(pulls, l.Pull) && own && l.bad() && b.about(l) && !b.NotKept(l)
	}) {
		return nil
	}
	t := b.Trouble(service, pulls...)
	return &Empty{Cause: CauseFailed, Title: t.Title, Text: t.Text, Action: b.T("empty.see_sync"), Href: b.SyncHref()}
}

// Elsewhere is the empty state of a panel if the app was asked for exactly its window and answered for
// other dates, or with no placements; otherwise nil.
func (b Builder) Elsewhere(w Window, service string, pulls ...string) *Empty {
	i := slices.IndexFunc(b.In.Ledger, func(l StoredPull) bool {
		return l.Service == service && slices.Contains(pulls, l.Pull) && l.Outcome == fact.PullGood && l.Asked != nil && *l.Asked == w &&
			l.Applied != nil && (*l.Applied != w || strings.HasPrefix(l.Pull, "stats."))
	})
	if i < 0 {
		return nil
	}
	dates, applied := b.Dates(w.Start, w.End), *b.In.Ledger[i].Applied
	e := &Empty{Cause: CauseNotKept, Title: b.T("state.no_day.title"), Text: b.T("state.other_dates", "dates", dates, "applied", b.Dates(applied.Start, applied.End)), Action: b.T("empty.see_sync"), Href: b.SyncHref()}
	if applied == w {
		e.Text = b.T("state.no_rows", "dates", dates)
	}
	return e
}

// bad reports whether the pull's last try brought nothing and it isn't just waiting for its turn.
func (p StoredPull) bad() bool {
	return p.Outcome == fact.PullFailed || p.Outcome == fact.PullQuarantined || p.Outcome == fact.PullRefused || p.Outcome == fact.PullPaused
}

// NotKept reports whether the upsell app's history begins after a settled pull's day or window: it
// answered for another day, or refused what lies before the first stored day. That is no failure.
func (b Builder) NotKept(l StoredPull) bool {
	if l.Service != "upsell" || l.Outcome != fact.PullRefused || !l.DueAt.IsZero() {
		return false
	}
	first, _, ranged := strings.Cut(l.Subject, "..")
	d, err := civil.ParseDate(first)
	if err != nil {
		return false
	}
	elsewhere := !ranged && l.Asked != nil && l.Applied != nil && *l.Applied != *l.Asked
	return elsewhere || b.In.FirstDay.IsValid() && d.Before(b.In.FirstDay)
}

// Reason is why a pull brought nothing, based only on its outcome. What the service said is on the Sync page.
func (p StoredPull) Reason() locale.Message {
	switch p.Outcome {
	case fact.PullRefused, fact.PullQuarantined, fact.PullPaused:
		if p.Text.ID == "sync.said.other_days" {
			return locale.M("state.cause.elsewhere")
		}
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
	t := &Trouble{Since: failing[0].FailingSince}
	reason, kept := failing[0].Reason(), true
	for _, l := range failing {
		d, _ := civil.ParseDate(l.Subject) // about has already parsed it
		if len(days) == 0 || days[len(days)-1] != d {
			days = append(days, d)
		}
		if l.FailingSince.Before(t.Since) {
			t.Since = l.FailingSince
		}
		if l.Reason().ID != reason.ID {
			reason = locale.M("state.cause.several")
		}
		kept = kept && !l.LastGoodAt.IsZero()
		t.NeedsPerson = t.NeedsPerson || l.Outcome == fact.PullPaused
	}
	t.Text = reason.In(b.Locale)
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
	case slices.Contains(rangePulls, l.Pull):
		return l.isRange(b.Choice.Window)
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

// Refused says what happened to a stopped credential, what to do, and when it's checked again.
func (b Builder) Refused(c StoredCredential) Trouble {
	t := Trouble{Title: b.T("state.needs_attention." + c.Service), Text: c.Advice().In(b.Locale), Since: c.PausedAt, NeedsPerson: true}
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
