package report

import (
	"time"

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
		Connected:    b.Connected("upsell"),
		Pulls:        PullsOf(in.Credentials, in.Paused),
		GiftLinked:   b.Connected("gift"),
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
