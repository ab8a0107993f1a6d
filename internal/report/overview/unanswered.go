package overview

import (
	"slices"
	"time"

	"github.com/storeglass/storeglass/internal/report"
)

// Unanswered lists what the services could answer about the chosen window but haven't, or not since one
// of its days changed. The upsell app answers for up to 90 whole days; the gift app for up to 365 that
// end yesterday. Single days are pulled anyway. The comparison window is included if its stored days
// don't cover it.
func Unanswered(in report.Stored, c report.Choice, now time.Time, services ...string) (open []report.Question) {
	if in.Paused {
		return nil
	}
	b := Builder{report.Builder{In: in, Choice: c}}
	ask := func(w report.Window, answered func(service string) bool) {
		q := report.Question{Window: w}
		for _, service := range services {
			i := slices.IndexFunc(in.Credentials, func(s report.StoredCredential) bool { return s.Service == service })
			if i >= 0 && !in.Credentials[i].Stopped() && (report.Choice{Window: w, Today: c.Today}).Askable(service) && !answered(service) {
				q.Services = append(q.Services, service)
			}
		}
		if len(q.Services) > 0 && !in.Asked(w, now) {
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
func (b Builder) wholeBefore(w report.Window) bool {
	if w.End.AddDays(w.Days()) == b.Choice.Today.AddDays(-1) && slices.Contains(report.NightlyUpsell, w.Days()) {
		return true
	}
	s := b.summaryOf(w)
	return s.Empty == nil && s.Provenance.Comparable()
}

// upsellAnswered reports whether the window's summary, placements and ranking are all there and as new
// as its days.
func (b Builder) upsellAnswered(w report.Window) bool {
	i := slices.IndexFunc(b.In.Windows, func(s report.StoredSummary) bool { return s.Window == w && !s.Partial })
	high, _ := b.topLists(w)
	if i < 0 || high == nil || !slices.ContainsFunc(b.In.StatWindows, func(s report.StoredStat) bool { return s.Window == w }) {
		return false
	}
	at := b.In.Windows[i].FetchedAt
	if b.IsToday(at) {
		return true
	}
	return !slices.ContainsFunc(b.In.Days, func(d report.StoredSummary) bool { return w.Contains(d.Window.Start) && d.FetchedAt.After(at) })
}

// giftAnswered reports whether the gift service has answered for the window, or for the same number of
// days, since midnight on the store's clock.
func (b Builder) giftAnswered(w report.Window) bool {
	return slices.ContainsFunc(b.In.Gift, func(g report.StoredGift) bool {
		return !g.IncludesToday && (g.Window == w || g.AskedDays == w.Days()) && b.IsToday(g.FetchedAt)
	})
}
