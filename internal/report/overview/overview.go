// Package overview makes a store's overview from its stored rows: the summary, the trend, the placements,
// coverage, the ranking of offers and the all-time totals. It never adds placements up, and it makes no
// gift numbers: those are package gift's.
package overview

import (
	"time"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/gift"

	"github.com/storeglass/storeglass/internal/locale"
)

// Endpoints, as provenance names them.
const (
	endpointSummary  = "GET /data/analytics/summary"
	endpointStats    = "GET /data/analytics/stats"
	EndpointTop      = "GET /data/analytics/top"
	endpointCoverage = "GET /data/analytics/coverage"
	endpointLifetime = "GET /data/analytics/lifetime"
)

// New builds a store's whole overview from its stored rows. now may be in any time zone; the
// choice was made on the store's clock.
func New(l locale.Locale, in report.Stored, c report.Choice, now time.Time) Overview {
	b := Builder{report.Builder{In: in, Choice: c, Now: now, Locale: l}}
	gifts := gift.Builder{Builder: b.Builder}
	todos := report.Todos(b.Locale, in.Alerts, now, in.Store.Timezone)
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
		Connected:    b.Connected("upsell"),
		Pulls:        report.PullsOf(in.Credentials, in.Paused),
		GiftLinked:   b.Connected("gift"),
		Summary:      b.summary(),
		Trend:        b.trend(),
		Placements:   b.placements(),
		Coverage:     b.coverage(),
		Top:          b.Top(),
		TopBefore:    b.topBefore(),
		Events:       b.Events(),
		EventsBefore: in.EventsBefore,
		Lifetime:     b.lifetime(),
		Gift:         gifts.Analytics(),
		Health:       gifts.Health(),
		Plan:         gifts.Plan(),
		Campaigns:    gifts.Campaigns(),
		Todos:        todos,
		Snoozed:      len(in.Alerts) - len(todos),
		Resolved:     in.Resolved,
	}
}

// Builder makes the overview's panels. Each method makes one panel and doesn't depend on any other.
type Builder struct{ report.Builder }
