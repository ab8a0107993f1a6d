// Package plan decides what to pull next and when: the kinds of pulls, the policy of
// each, their order, how long all of it will take, and how far back a service goes. It
// is pure: the same ledger, clock and limit give the same plan.
package plan

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/report"
)

// Due says what to pull for one service of a store, in order: at most limit pulls that are due
// now. It is pure: the same ledger, clock, offers and limit give the same plan. A row that
// another worker holds is skipped. offers are those shown on pages and those that are active,
// the most prominent first: their details come before all others'.
func Due(service string, ledger Ledger, historyDays int, now time.Time, loc *time.Location, limit int, offers ...string) []Pull {
	var plan []Pull
	places := make(map[string]int, len(offers))
	for i, id := range offers {
		places[id] = i - len(offers) // all others have 0
	}
	for p := range candidates(service, ledger, historyDays, now, loc) {
		row, known := ledger[Key{p.Kind, p.Subject}]
		if known {
			if row.DueAt == nil || row.DueAt.After(now) || Held(row, now) {
				continue
			}
			p.Claim, p.Attempts, p.due = row.Claim, int(row.Attempts), *row.DueAt
		}
		p.untried = row.TriedAt == nil && row.LastGoodAt == nil
		p.place = places[p.Subject]
		p.hurry(row, len(offers), now)
		plan = append(plan, p)
	}
	fillFast(plan, report.Today(now, loc))
	slices.SortStableFunc(plan, comparePulls)
	return plan[:min(len(plan), limit)]
}

// hurry raises the rank of a pull that someone waits for.
func (p *Pull) hurry(row sqlc.Ledger, offers int, now time.Time) {
	switch {
	case row.LastGoodAt == nil && firstPage[Key{p.Kind, p.Subject}]:
		p.rank = rankCheck // the person who just connected the store is looking at an empty page
	case wanted(row, now):
		p.rank, p.Lane = rankWanted, fact.Interactive
	case p.place < 0 && p.rank == rankRest && p.place+offers < detailsFirst:
		p.rank = rankShown
	case p.place < 0 && p.rank == rankRest:
		p.rank = rankActive
	}
}

// Wanted reports whether a person waits for the pull.
func (p Pull) Wanted() bool { return p.rank == rankWanted }

// fillFast lets a store's first 30 days use the calls reserved for people, because a person has
// just connected the store and waits. It stops after the last of these days.
func fillFast(plan []Pull, today civil.Date) {
	waits := slices.ContainsFunc(plan, func(p Pull) bool {
		return p.untried && p.rank <= rankMonth && p.Kind.NewestFirst() && today.DaysSince(p.Window.Start) > 1
	})
	for i := range plan {
		if waits && plan[i].rank <= rankMonth {
			plan[i].Lane = fact.Interactive
		}
	}
}

// comparePulls orders a plan: by rank, and within a rank windows and lists, then details, then
// days.
func comparePulls(a, b Pull) int {
	if c := cmp.Or(cmp.Compare(a.rank, b.rank), a.Kind.group()-b.Kind.group()); c != 0 {
		return c
	}
	switch a.Kind.group() {
	case groupDays:
		return b.Window.Start.DaysSince(a.Window.Start) // the newest day first
	case groupDetails:
		// Offers shown first, then what has just changed, then whose turn it is; an offer's details stay
		// together.
		return cmp.Or(a.place-b.place, b.due.Compare(a.due), strings.Compare(a.Subject, b.Subject))
	}
	return 0
}

// NextDue is when the next pull of the service is due; the zero time when none
// ever is. A row that a worker holds counts from the end of its lease.
func NextDue(service string, ledger Ledger, historyDays int, now time.Time, loc *time.Location) time.Time {
	var next time.Time
	consider := func(t time.Time) {
		if next.IsZero() || t.Before(next) {
			next = t
		}
	}
	for p := range candidates(service, ledger, historyDays, now, loc) {
		row, known := ledger[Key{p.Kind, p.Subject}]
		switch {
		case !known:
			consider(now)
		case row.DueAt == nil:
		case Held(row, now):
			consider(*row.ClaimedUntil)
		default:
			consider(*row.DueAt)
		}
	}
	// A new day brings new pulls, whatever is in the ledger.
	consider(MidnightAfter(report.Today(now, loc), loc).Add(time.Minute))
	return next
}

// candidates yields every pull that exists today, in the order of the policies.
func candidates(service string, ledger Ledger, historyDays int, now time.Time, loc *time.Location) iter.Seq[Pull] {
	today := report.Today(now, loc)
	return func(yield func(Pull) bool) {
		for _, pol := range policies {
			if pol.service != service {
				continue
			}
			for _, p := range pol.pulls(ledger, historyDays, today, ServiceDay(now, loc)) {
				if !yield(p) {
					return
				}
			}
		}
	}
}

// ServiceDay is today, but only once the services have had time to close the previous day.
func ServiceDay(now time.Time, loc *time.Location) civil.Date {
	return report.Today(now.Add(-AfterMidnight), loc)
}

// pulls are the kind's pulls that exist today, without days that the service no longer keeps.
// closed is the day after the last one that the services have closed.
func (pol policy) pulls(ledger Ledger, historyDays int, today, closed civil.Date) (out []Pull) {
	switch pol.shape {
	case single:
		var w *report.Window
		if pol.span > 0 {
			w = new(report.WindowEnding(today.AddDays(-1), pol.span))
		}
		return []Pull{pol.pull("", w, pol.rank, fact.Schedule)}
	case windows:
		for _, name := range pol.names {
			w := Named(name, today)
			out = append(out, pol.pull(name, &w, rankOfWindow(w), fact.Schedule))
		}
	case places:
		return pol.named(pol.names)
	case listed:
		if names := subjects(ledger, pol.kind); len(names) > 0 {
			return pol.named(names)
		}
		return pol.named(pol.names)
	case someDays:
		for _, d := range daysNamed(ledger, pol.kind) {
			p := pol.day(d, today)
			p.rank = max(p.rank, pol.rank) // after the windows: their lists may already prove it
			out = append(out, p)
		}
	case ranges:
		return pol.ranges(ledger, today, closed)
	case spans:
		return pol.spans(ledger, today)
	case days:
		end := Later(HistoryEnd(ledger, SummaryDay, today), HistoryEnd(ledger, pol.kind, today))
		for d := today; d.After(end) && today.DaysSince(d) <= historyDays; d = d.AddDays(-1) {
			out = append(out, pol.day(d, today))
		}
	}
	return out
}

func (pol policy) pull(subject string, w *report.Window, r rank, lane fact.Lane) Pull {
	return Pull{Kind: pol.kind, Service: pol.service, Subject: subject, Window: w, rank: r, Lane: lane}
}

// named are the pulls of subjects that have no window.
func (pol policy) named(names []string) (out []Pull) {
	for _, name := range names {
		out = append(out, pol.pull(name, nil, pol.rank, fact.Schedule))
	}
	return out
}

// day is the pull of a day.
func (pol policy) day(d, today civil.Date) Pull {
	r, lane := rankOfDay(d, today)
	return pol.pull(d.String(), new(report.OneDay(d)), r, lane)
}

// ranges are the pulls of the windows in the ledger, and of calendar windows that aren't.
func (pol policy) ranges(ledger Ledger, today, closed civil.Date) (out []Pull) {
	add := func(subject string, r rank) {
		w, ok := ParseRange(subject)
		if !ok || pol.service == Gift && w.End != today.AddDays(-1) { // its windows end yesterday: this one can no longer be asked for
			return
		}
		out = append(out, pol.pull(subject, &w, r, fact.Schedule))
	}
	for _, subject := range subjects(ledger, pol.kind) {
		add(subject, pol.rank)
	}
	for _, w := range report.CalendarWindows(pol.service, closed) {
		if subject := RangeSubject(w); !ledger.has(pol.kind, subject) {
			add(subject, rankCalendar)
		}
	}
	return out
}

// spans are the pulls of windows from the days in the ledger until yesterday.
func (pol policy) spans(ledger Ledger, today civil.Date) (out []Pull) {
	past := SpansEnd(ledger.Of(pol.kind))
	for _, d := range daysNamed(ledger, pol.kind) {
		if n := today.DaysSince(d); n >= 1 && n <= gift.MaxDays && d.After(past) {
			out = append(out, pol.pull(d.String(), new(report.WindowEnding(today.AddDays(-1), n)), rankOfSpan(d, today), fact.Backfill))
		}
	}
	return out
}

// subjects are a kind's subjects in the ledger, in order.
func subjects(ledger Ledger, kind Kind) []string {
	var out []string
	for key := range ledger {
		if key.Kind == kind {
			out = append(out, key.Subject)
		}
	}
	slices.Sort(out)
	return out
}

// RangeSubject names a window in the ledger by its two ends.
func RangeSubject(w report.Window) string { return w.Start.String() + ".." + w.End.String() }

// ParseRange is the window that RangeSubject named.
func ParseRange(subject string) (report.Window, bool) {
	from, to, ok := strings.Cut(subject, "..")
	start, err1 := civil.ParseDate(from)
	end, err2 := civil.ParseDate(to)
	return report.Window{Start: start, End: end}, ok && err1 == nil && err2 == nil
}

// daysNamed are the days among a kind's subjects in the ledger.
func daysNamed(ledger Ledger, kind Kind) []civil.Date {
	var out []civil.Date
	for _, subject := range subjects(ledger, kind) {
		if d, err := civil.ParseDate(subject); err == nil {
			out = append(out, d)
		}
	}
	return out
}
