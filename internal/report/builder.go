package report

import (
	"slices"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
)

// Builder turns one store's rows into panels. Each method makes one panel and doesn't depend on any other.
type Builder struct {
	In     Stored
	Choice Choice
	Now    time.Time
	// Locale is the reader's.
	locale.Locale
}

// OnStoreClock is the moment on the store's clock.
func (b Builder) OnStoreClock(t time.Time) time.Time {
	return t.In(Clock(b.In.Store.Timezone))
}

// Connected reports whether the store has a credential for the service.
func (b Builder) Connected(service string) bool {
	return slices.ContainsFunc(b.In.Credentials, func(c StoredCredential) bool { return c.Service == service })
}

// Provenance is what every panel's provenance shares: the store's clock.
func (b Builder) Provenance(endpoint string, basis Basis) Provenance {
	return Provenance{Endpoint: endpoint, Basis: basis, Timezone: b.In.Store.Timezone, TimezoneFrom: "store"}
}

// Reported is the provenance of one answer for exactly a window.
func (b Builder) Reported(endpoint string, w Window, source string, fetched time.Time, partial bool) Provenance {
	p := b.Provenance(endpoint, Reported)
	p.Window, p.Source, p.Replies = &w, source, 1
	p.FetchedAt, p.FetchedLast = fetched, fetched
	if partial {
		p = p.With(FlagPartial)
	}
	return p
}

// Current is the provenance of a current state, which has no window.
func (b Builder) Current(endpoint, pull string, fetched time.Time) Provenance {
	p := b.Provenance(endpoint, Reported)
	p.Pull, p.Replies = pull, 1
	p.FetchedAt, p.FetchedLast = fetched, fetched
	return p
}

// Stitched is the provenance of a sum over stored days; seen and missed add the days' ages and gaps.
func (b Builder) Stitched(endpoint string, w Window) Provenance {
	p := b.Provenance(endpoint, Stitched)
	p.Window = &w
	return p
}

// Seen notes one of the answers that a number is made of.
func (p *Provenance) Seen(fetched time.Time, revised bool) {
	p.Replies++
	if p.FetchedAt.IsZero() || fetched.Before(p.FetchedAt) {
		p.FetchedAt = fetched
	}
	if fetched.After(p.FetchedLast) {
		p.FetchedLast = fetched
	}
	if revised {
		p.Revised++
		*p = p.With(FlagRevised)
	}
}

// AddRepaired notes a day that was missed and filled in later.
func (p *Provenance) AddRepaired() {
	p.Repaired++
	*p = p.With(FlagRepaired)
}

// Missed notes a day that isn't stored.
func (p *Provenance) Missed(d civil.Date) {
	p.Missing = append(p.Missing, d)
	*p = p.With(FlagMissingDays)
}

// AddCut notes a day whose ranking may lack offers.
func (p *Provenance) AddCut(d civil.Date) {
	p.Cut = append(p.Cut, d)
	*p = p.With(FlagCut)
	p.Missed(d)
}

// Asked notes the requested window if it differs from the applied one.
func (b Builder) Asked(p Provenance) Provenance {
	w := b.Choice.Window
	if b.Choice.LeftOut != nil {
		w.End = *b.Choice.LeftOut
		p.LeftOut = b.Choice.LeftOut
	}
	p.Asked = &w
	return p
}

// Comparable reports whether the number may be compared: no partial days, no gaps, nothing the service
// left out.
func (p Provenance) Comparable() bool {
	return p.Window != nil && len(p.Missing) == 0 && !p.Has(FlagPartial) && !p.Has(FlagIncomplete)
}

// DayAt is the day of a moment on the store's clock, in words.
func (b Builder) DayAt(t time.Time) string {
	return b.DayNear(civil.DateOf(b.OnStoreClock(t)), civil.DateOf(b.OnStoreClock(b.Now)))
}

// DayOf is the day of a service's time on the store's clock.
func (b Builder) DayOf(text string) (civil.Date, bool) {
	return DayOf(text, Clock(b.In.Store.Timezone))
}

// SyncHref links to the store's Sync page.
func (b Builder) SyncHref() string { return "/stores/" + b.In.Store.Slug + "/sync" }

// ReplyOf finds the stored reply behind a reported window: the last pull for exactly that window.
func (b Builder) ReplyOf(kind string, w Window) (pull, subject string) {
	if w.Start == w.End {
		return kind + ".day", w.Start.String()
	}
	for _, l := range b.In.Ledger {
		if (l.Pull == kind+".window" || l.Pull == kind+".range") && l.Applied != nil && *l.Applied == w {
			return l.Pull, l.Subject
		}
	}
	return "", ""
}

// TwoCurrencies says why a window has no sum and no chart (N34).
func (b Builder) TwoCurrencies(before, after string, since civil.Date) *Empty {
	return &Empty{Cause: CauseNotKept, Title: b.T("state.two_currencies"), Text: b.T("state.two_currencies_from_to", "before", before, "after", after, "day", b.DayYear(since))}
}

// NotPulled is the empty state of a panel whose pull never succeeded; waiting is its title while the
// pull is on its way.
func (b Builder) NotPulled(service, pull string, waiting string) *Empty {
	if !b.Connected(service) {
		if service == "gift" {
			return &Empty{Cause: CauseNeverConnected, Title: b.T("state.gifts_not_connected.title"), Text: b.T("state.gifts_not_connected.text", "store", b.In.Store.Name)}
		}
		return &Empty{Cause: CauseNeverConnected, Title: b.T("state.upsells_not_connected.title"), Text: b.T("state.upsells_not_connected.text", "store", b.In.Store.Name)}
	}
	if t := b.Trouble(service, pull); t != nil {
		return &Empty{Cause: CauseFailed, Title: t.Title, Text: t.Text, Action: b.T("empty.see_sync"), Href: b.SyncHref()}
	}
	return &Empty{Cause: CauseFilling, Title: waiting, Text: b.T("state.pull_waits"), Action: b.T("panel.watch_sync"), Href: b.SyncHref()}
}

// IsToday reports whether a moment is on the store's current day or later.
func (b Builder) IsToday(at time.Time) bool {
	return !civil.DateOf(b.OnStoreClock(at)).Before(b.Choice.Today)
}

// Stopped reports whether pulls have stopped using the service's credential.
func (b Builder) Stopped(service string) bool {
	return slices.ContainsFunc(b.In.Credentials, func(c StoredCredential) bool { return c.Service == service && c.Stopped() })
}
