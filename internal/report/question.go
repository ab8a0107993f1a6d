package report

import (
	"slices"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/fact"
)

// The longest windows that the services answer for, in days.
const (
	LongestUpsell = 90
	longestGift   = 365
)

// NightlyUpsell and nightlyGift are the windows ending yesterday, in days, that are pulled every night
// and with a new store's first calls, so nobody has to request them.
var (
	NightlyUpsell = []int{7, 30, 90}
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
	// Stalled: nothing was tried for [StalledAfter], and no budget is the reason.
	Stalled bool
}

// StalledAfter is how long a refresh may go without any answer: three tries of a slow service.
const StalledAfter = 2 * time.Minute

// Running reports whether an answer is still to come.
func (r Refresh) Running() bool { return r.Total > 0 }

// askable reports whether the service can answer for the window in one call on that day, and no nightly
// pull brings the answer anyway.
func askable(service string, w Window, today civil.Date) bool {
	toYesterday := w.End == today.AddDays(-1)
	longest, nightly := LongestUpsell, NightlyUpsell
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

// Asked reports whether requesting the window again is pointless: a pull for exactly it is on its way,
// was refused, has failed and will retry by itself, or was answered for other days.
func (in Stored) Asked(w Window, now time.Time) bool {
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
