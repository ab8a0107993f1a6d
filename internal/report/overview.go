package report

import (
	"time"

	"github.com/golang-sql/civil"
	"github.com/storeglass/storeglass/internal/locale"
)

// Endpoints, as provenance names them.
const (
	endpointSummary     = "GET /data/analytics/summary"
	endpointStats       = "GET /data/analytics/stats"
	EndpointTop         = "GET /data/analytics/top"
	endpointCoverage    = "GET /data/analytics/coverage"
	endpointLifetime    = "GET /data/analytics/lifetime"
	endpointGift        = "GET /analytics"
	endpointSetupHealth = "GET /setup-health"
	endpointPlan        = "GET /plan"
	endpointCampaigns   = "GET /campaigns"
)

// NewOverview builds a store's whole overview from its stored rows. now may be in any time zone; the
// choice was made on the store's clock.
func NewOverview(l locale.Locale, in Stored, c Choice, now time.Time) Overview {
	b := Builder{In: in, Choice: c, Now: now, Locale: l}
	todos := Todos(b.Locale, in.Alerts, now, in.Store.Timezone)
	return Overview{
		Locale:       l,
		Store:        in.Store,
		Now:          b.OnStoreClock(now),
		Choice:       c,
		Freshness:    b.freshness(),
		Asking:       in.Asking,
		BeforeTooOld: c.Against != nil && in.TooOld(*c.Against),
		Filling:      b.filling(),
		Troubles:     b.troubles(),
		Connected:    b.connected("upsell"),
		Pulls:        PullsOf(in.Credentials, in.Paused),
		GiftLinked:   b.connected("gift"),
		Summary:      b.summary(),
		Trend:        b.trend(),
		Placements:   b.placements(),
		Coverage:     b.coverage(),
		Top:          b.Top(),
		TopBefore:    b.topBefore(),
		Events:       b.Events(),
		Lifetime:     b.lifetime(),
		Gift:         b.Gift(),
		Health:       b.Health(),
		Plan:         b.Plan(),
		Campaigns:    b.Campaigns(),
		Todos:        todos,
		Snoozed:      len(in.Alerts) - len(todos),
		Resolved:     in.Resolved,
	}
}

// Builder turns one store's rows into panels. Each method makes one panel and doesn't depend on any other.
type Builder struct {
	In     Stored
	Choice Choice
	Now    time.Time
	// Locale is the reader's.
	locale.Locale
}

func (b Builder) OnStoreClock(t time.Time) time.Time {
	if loc, err := Zone(b.In.Store.Timezone); err == nil {
		return t.In(loc)
	}
	return t.UTC()
}

func (b Builder) connected(service string) bool {
	for _, c := range b.In.Credentials {
		if c.Service == service {
			return true
		}
	}
	return false
}

// Provenance is what every panel's provenance shares: the store's clock.
func (b Builder) Provenance(endpoint string, basis Basis) Provenance {
	return Provenance{Endpoint: endpoint, Basis: basis, Timezone: b.In.Store.Timezone, TimezoneFrom: "store"}
}

// reported is the provenance of one answer for exactly a window.
func (b Builder) reported(endpoint string, w Window, source string, fetched time.Time, partial bool) Provenance {
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

func (p *Provenance) repaired() {
	p.Repaired++
	*p = p.With(FlagRepaired)
}

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
