package report

import (
	"slices"
	"time"

	"github.com/storeglass/storeglass/internal/fact"
)

// The longest windows that the services answer, in days.
const (
	longestUpsell = 90
	longestGift   = 365
)

// nightlyUpsell and nightlyGift are the windows to yesterday, in days, that are asked every
// night and with a new store's first calls: nobody has to ask for them.
var (
	nightlyUpsell = []int{7, 30, 90}
	nightlyGift   = []int{7, 30, 90, 365}
)

// askedFor is how long an answer is taken to be on its way.
const askedFor = 10 * time.Minute

// rangePulls are the kinds of pulls about one window that is named by its two ends.
var rangePulls = []string{"summary.range", "stats.range", "top.range", "top.range.lowest", "gift.range"}

// Unanswered are the services that could answer the chosen window in one go and haven't, or
// not since one of its days changed. The upsell app answers up to 90 whole days; the gift
// app up to 365 that end yesterday. A single day is pulled by itself.
func Unanswered(in Stored, c Choice, now time.Time, services ...string) (open []string) {
	w := c.Window
	if in.Paused || w.Days() < 2 || !w.End.Before(c.Today) || in.asked(w, now) {
		return nil
	}
	toYesterday := w.End == c.Today.AddDays(-1)
	nightly := func(days []int) bool { return toYesterday && slices.Contains(days, w.Days()) }
	b := Builder{In: in, Choice: c}
	for _, service := range services {
		i := slices.IndexFunc(in.Credentials, func(s StoredCredential) bool { return s.Service == service })
		if i < 0 || in.Credentials[i].Stopped() {
			continue
		}
		switch {
		case service == "upsell" && w.Days() <= longestUpsell && !nightly(nightlyUpsell) && !b.upsellAnswered(w),
			service == "gift" && w.Days() <= longestGift && toYesterday && !nightly(nightlyGift) && !b.giftAnswered(w):
			open = append(open, service)
		}
	}
	return open
}

// Asking reports whether the chosen window was asked about and the answer is still to come.
func Asking(in Stored, c Choice, now time.Time) bool {
	return !in.Paused && slices.ContainsFunc(in.Ledger, func(l StoredPull) bool { return l.isRange(c.Window) && l.onItsWay(now) })
}

// isRange reports whether the pull is about exactly the window, by its two ends.
func (p StoredPull) isRange(w Window) bool {
	return slices.Contains(rangePulls, p.Pull) && p.Subject == w.subject()
}

// onItsWay reports whether the pull was asked for a moment ago and not made yet.
func (p StoredPull) onItsWay(now time.Time) bool {
	return p.TriedAt.IsZero() && !p.DueAt.IsZero() && now.Sub(p.DueAt) < askedFor
}

// subject is the window's name in the ledger.
func (w Window) subject() string { return w.Start.String() + ".." + w.End.String() }

// asked reports whether asking once more brings nothing: a pull about exactly the window is on
// its way, was refused, has failed and has its own time, or was answered for other days.
func (in Stored) asked(w Window, now time.Time) bool {
	return slices.ContainsFunc(in.Ledger, func(l StoredPull) bool {
		return l.isRange(w) && (l.onItsWay(now) || !l.TriedAt.IsZero() && (l.Outcome != fact.PullGood || l.Applied != nil && *l.Applied != w))
	})
}

// upsellAnswered reports whether summary, placements and ranking of the window are there,
// and as new as its days.
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

// giftAnswered reports whether the gift service answered the window, or for as many days,
// since the store's midnight.
func (b Builder) giftAnswered(w Window) bool {
	return slices.ContainsFunc(b.In.Gift, func(g StoredGift) bool {
		return !g.IncludesToday && (g.Window == w || g.AskedDays == w.Days()) && b.answeredToday(g)
	})
}
