package report

import (
	"slices"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/fact"
)

// The longest windows that the services answer for, in days.
const (
	longestUpsell = 90
	longestGift   = 365
)

// nightlyUpsell and nightlyGift are the windows ending yesterday, in days, that are pulled every night
// and with a new store's first calls, so nobody has to request them.
var (
	nightlyUpsell = []int{7, 30, 90}
	nightlyGift   = []int{7, 30, 90, 365}
)

// askedFor is how long an answer is assumed to be on its way.
const askedFor = 10 * time.Minute

// rangePulls are the kinds of pulls for a window given by its two ends.
var rangePulls = []string{"summary.range", "stats.range", "top.range", "top.range.lowest", "gift.range"}

// Question is a window that the services can answer for in one call each.
type Question struct {
	Window   Window
	Services []string
	// Lists: the lists of offers and of gift campaigns are requested too.
	Lists bool
}

// Refresh is the progress of a refresh that someone requested.
type Refresh struct {
	// Answered of Total calls have finished, successfully or not; both are 0 if none is running.
	Answered, Total int
	// RunsAt is when the rest can run if no call is left in the budget; otherwise zero.
	RunsAt time.Time
}

// Running reports whether an answer is still to come.
func (r Refresh) Running() bool { return r.Total > 0 }

// Unanswered lists what the services could answer about the chosen window but haven't, or not since one
// of its days changed. The upsell app answers for up to 90 whole days; the gift app for up to 365 that
// end yesterday. Single days are pulled anyway. The comparison window is included if its stored days
// don't cover it.
func Unanswered(in Stored, c Choice, now time.Time, services ...string) (open []Question) {
	if in.Paused {
		return nil
	}
	b := Builder{In: in, Choice: c}
	ask := func(w Window, answered func(service string) bool) {
		q := Question{Window: w}
		for _, service := range services {
			i := slices.IndexFunc(in.Credentials, func(s StoredCredential) bool { return s.Service == service })
			if i >= 0 && !in.Credentials[i].Stopped() && askable(service, w, c.Today) && !answered(service) {
				q.Services = append(q.Services, service)
			}
		}
		if len(q.Services) > 0 && !in.asked(w, now) {
			open = append(open, q)
		}
	}
	ask(c.Window, func(service string) bool {
		return service == "upsell" && b.upsellAnswered(c.Window) || service == "gift" && b.giftAnswered(c.Window)
	})
	if c.Against != nil {
		ask(*c.Against, func(service string) bool { return service != "upsell" || b.wholeBefore(*c.Against) })
	}
	return open
}

// wholeBefore reports whether the comparison window needs no answer from the upsell app: all of it is
// stored, or it arrives every night along with the window after it.
func (b Builder) wholeBefore(w Window) bool {
	if w.End.AddDays(w.Days()) == b.Choice.Today.AddDays(-1) && slices.Contains(nightlyUpsell, w.Days()) {
		return true
	}
	s := b.summaryOf(w)
	return s.Empty == nil && s.Provenance.Comparable()
}

// askable reports whether the service can answer for the window in one call on that day, and no nightly
// pull brings the answer anyway.
func askable(service string, w Window, today civil.Date) bool {
	toYesterday := w.End == today.AddDays(-1)
	longest, nightly := longestUpsell, nightlyUpsell
	if service == "gift" {
		longest, nightly = longestGift, nightlyGift
		if !toYesterday {
			return false
		}
	}
	return w.End.Before(today) && w.Days() >= 2 && w.Days() <= longest && !(toYesterday && slices.Contains(nightly, w.Days()))
}

// Askable reports whether the service could be asked about the chosen window.
func (c Choice) Askable(service string) bool { return askable(service, c.Window, c.Today) }

// CalendarWindows are the weeks, months and quarters to request from the service on that day besides
// its nightly windows: the current and the last whole ones that it can answer for. The gift app answers
// for a whole one only on the day after it ended.
func CalendarWindows(service string, today civil.Date) (windows []Window) {
	for _, p := range []Preset{WeekToDate, LastWeek, MonthToDate, LastMonth, QuarterToDate, LastQuarter} {
		if w, ok := calendarWindow(p, today); ok && askable(service, w, today) && !slices.Contains(windows, w) {
			windows = append(windows, w)
		}
	}
	return windows
}

// Asking reports whether the chosen window or its comparison was requested and the answer is still to come.
func Asking(in Stored, c Choice, now time.Time) bool {
	return !in.Paused && slices.ContainsFunc(in.Ledger, func(l StoredPull) bool {
		return (l.isRange(c.Window) || c.Against != nil && l.isRange(*c.Against)) && l.onItsWay(now)
	})
}

// isRange reports whether the pull is for exactly the window, given by its two ends.
func (p StoredPull) isRange(w Window) bool {
	return slices.Contains(rangePulls, p.Pull) && p.Subject == w.subject()
}

// onItsWay reports whether the pull was requested recently and hasn't run yet.
func (p StoredPull) onItsWay(now time.Time) bool {
	return p.TriedAt.IsZero() && !p.DueAt.IsZero() && now.Sub(p.DueAt) < askedFor
}

// subject is the window's name in the ledger.
func (w Window) subject() string { return w.Start.String() + ".." + w.End.String() }

// asked reports whether requesting the window again is pointless: a pull for exactly it is on its way,
// was refused, has failed and will retry by itself, or was answered for other days.
func (in Stored) asked(w Window, now time.Time) bool {
	return slices.ContainsFunc(in.Ledger, func(l StoredPull) bool {
		return l.isRange(w) && (l.onItsWay(now) || !l.TriedAt.IsZero() && (l.Outcome != fact.PullGood || l.Applied != nil && *l.Applied != w))
	})
}

// TooOld reports whether the upsell app was asked about the window but its data doesn't go back that far.
func (in Stored) TooOld(w Window) bool {
	return slices.ContainsFunc(in.Ledger, func(l StoredPull) bool {
		return l.Pull == "summary.range" && l.isRange(w) && (l.Outcome == fact.PullRefused || l.Applied != nil && *l.Applied != w)
	})
}

// upsellAnswered reports whether the window's summary, placements and ranking are all there and as new
// as its days.
func (b Builder) upsellAnswered(w Window) bool {
	i := slices.IndexFunc(b.In.Windows, func(s StoredSummary) bool { return s.Window == w && !s.Partial })
	high, _ := b.topLists(w)
	if i < 0 || high == nil || !slices.ContainsFunc(b.In.StatWindows, func(s StoredStat) bool { return s.Window == w }) {
		return false
	}
	at := b.In.Windows[i].FetchedAt
	if b.isToday(at) {
		return true
	}
	return !slices.ContainsFunc(b.In.Days, func(d StoredSummary) bool { return w.Contains(d.Window.Start) && d.FetchedAt.After(at) })
}

// giftAnswered reports whether the gift service has answered for the window, or for the same number of
// days, since midnight on the store's clock.
func (b Builder) giftAnswered(w Window) bool {
	return slices.ContainsFunc(b.In.Gift, func(g StoredGift) bool {
		return !g.IncludesToday && (g.Window == w || g.AskedDays == w.Days()) && b.answeredToday(g)
	})
}
