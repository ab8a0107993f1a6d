package report

import (
	"slices"

	"github.com/storeglass/storeglass/internal/fact"
)

// The longest windows that the services answer, in days.
const (
	longestUpsell = 90
	longestGift   = 365
)

// rangePulls are the kinds of pulls about one window that is named by its two ends.
var rangePulls = []string{"summary.range", "stats.range", "top.range", "top.range.lowest", "gift.range"}

// Unanswered are the services that could answer the chosen window in one go and haven't, or
// not since one of its days changed. The upsell app answers up to 90 whole days; the gift
// app up to 365 that end yesterday. A single day is pulled by itself.
func Unanswered(in Stored, c Choice, services ...string) (open []string) {
	w := c.Window
	if in.Paused || w.Days() < 2 || !w.End.Before(c.Today) || in.asked(w) {
		return nil
	}
	b := Builder{In: in, Choice: c}
	for _, service := range services {
		i := slices.IndexFunc(in.Credentials, func(s StoredCredential) bool { return s.Service == service })
		if i < 0 || in.Credentials[i].Stopped() {
			continue
		}
		switch {
		case service == "upsell" && w.Days() <= longestUpsell && !b.upsellAnswered(w),
			service == "gift" && w.Days() <= longestGift && w.End == c.Today.AddDays(-1) && !b.giftAnswered(w):
			open = append(open, service)
		}
	}
	return open
}

// Asking reports whether the chosen window was asked about and the answer is still to come.
func Asking(in Stored, c Choice) bool {
	return !in.Paused && slices.ContainsFunc(in.Ledger, func(l StoredPull) bool {
		return slices.Contains(rangePulls, l.Pull) && l.Subject == c.Window.subject() && l.TriedAt.IsZero() && !l.DueAt.IsZero()
	})
}

// subject is the window's name in the ledger.
func (w Window) subject() string { return w.Start.String() + ".." + w.End.String() }

// asked reports whether a pull about exactly the window was made lately: it is under way,
// or answered, or refused and not to be repeated.
func (in Stored) asked(w Window) bool {
	return slices.ContainsFunc(in.Ledger, func(l StoredPull) bool {
		return slices.Contains(rangePulls, l.Pull) && l.Subject == w.subject() && (l.TriedAt.IsZero() || l.Outcome != fact.PullGood)
	})
}

// upsellAnswered reports whether summary, placements and ranking of the window are there,
// and as new as its days. What is asked every night follows its days by itself.
func (b Builder) upsellAnswered(w Window) bool {
	i := slices.IndexFunc(b.In.Windows, func(s StoredSummary) bool { return s.Window == w && !s.Partial })
	high, _ := b.topLists(w)
	if i < 0 || high == nil || !slices.ContainsFunc(b.In.StatWindows, func(s StoredStat) bool { return s.Window == w }) {
		return false
	}
	at := b.In.Windows[i].FetchedAt
	if b.isToday(at) || b.nightly(w) {
		return true
	}
	return !slices.ContainsFunc(b.In.Days, func(d StoredSummary) bool { return w.Contains(d.Window.Start) && d.FetchedAt.After(at) })
}

// nightly reports whether the window is one that is asked every night.
func (b Builder) nightly(w Window) bool {
	return slices.ContainsFunc(b.In.Ledger, func(l StoredPull) bool {
		return l.Pull == "summary.window" && l.Applied != nil && *l.Applied == w
	})
}

// giftAnswered reports whether the gift service answered the window, or for as many days,
// since the store's midnight.
func (b Builder) giftAnswered(w Window) bool {
	return slices.ContainsFunc(b.In.Gift, func(g StoredGift) bool {
		return !g.IncludesToday && (g.Window == w || g.AskedDays == w.Days()) && b.answeredToday(g)
	})
}
