package ledger

import (
	"slices"
	"strings"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/report"
	reportoffers "github.com/storeglass/storeglass/internal/report/offers"
)

// endpoints are what each kind of pull calls.
var endpoints = map[string]string{
	"summary.day":                    "/data/analytics/summary",
	"stats.day":                      "/data/analytics/stats",
	"top.day":                        "/data/analytics/top",
	"summary.window":                 "/data/analytics/summary",
	"stats.window":                   "/data/analytics/stats",
	"top.highest":                    "/data/analytics/top",
	"top.lowest":                     "/data/analytics/top",
	"coverage":                       "/data/analytics/coverage",
	"lifetime":                       "/data/analytics/lifetime",
	"offer_count":                    "/data/offers/count",
	"offers":                         "/data/offers",
	"top.day.lowest":                 "/data/analytics/top",
	"offers.priority":                "/data/offers/by-priority",
	reportoffers.PullSetup:           "/data/offer/{id}",
	reportoffers.PullStages:          "/data/offer/{id}/stages",
	reportoffers.PullRecommendations: "/data/products/recommendations",
	"summary.range":                  "/data/analytics/summary",
	"stats.range":                    "/data/analytics/stats",
	"top.range":                      "/data/analytics/top",
	"top.range.lowest":               "/data/analytics/top",
	"gift.window":                    "/analytics",
	"gift.range":                     "/analytics",
	"gift.today":                     "/analytics",
	"gift.plan":                      "/plan",
	"gift.setup_health":              "/setup-health",
	"gift.campaigns":                 "/campaigns",
	"gift.campaign":                  "/campaigns/{id}",
	"gift.widgets":                   "/widgets",
	"gift.widget":                    "/widgets/{type}",
	"gift.translations":              "/translations",
	"gift.settings":                  "/settings",
	"gift.span":                      "/analytics",
}

func (b builder) ledgerRow(l report.StoredPull) Row {
	row := Row{
		Service: l.Service, Pull: l.Pull, Subject: l.Subject, Endpoint: endpoints[l.Pull], Label: b.pullLabel(l),
		Window: b.windowWords(l), Attempts: l.Attempts, Lane: l.Lane,
	}
	if !l.LastGoodAt.IsZero() {
		row.LastGood = new(b.OnStoreClock(l.LastGoodAt))
	}
	if !l.DueAt.IsZero() && b.Connected(l.Service) && !b.In.Paused {
		row.Due = new(b.OnStoreClock(l.DueAt))
	}
	row.Outcome, row.State = b.outcomeWords(l)
	return row
}

// pullName is the display name of a kind of pull; unknown kinds keep their own name.
func (b builder) pullName(kind string) string {
	if _, known := endpoints[kind]; !known {
		return kind
	}
	return b.T("sync.pull." + strings.ReplaceAll(kind, ".", "_"))
}

func (b builder) pullLabel(l report.StoredPull) string {
	name, today := b.pullName(l.Pull), civil.DateOf(b.OnStoreClock(b.Now))
	d, err := civil.ParseDate(l.Subject)
	switch {
	case isOffer(l.Pull):
		return b.T("sync.row.offer", "pull", name, "offer", l.Subject)
	case l.Pull == "gift.campaign", l.Pull == "gift.widget", l.Pull == "gift.translations":
		return b.T("sync.row.of", "pull", name, "subject", l.Subject)
	case l.Pull == "gift.span" && err == nil:
		return b.T("sync.row.since", "pull", name, "day", b.DayNear(d, today))
	case l.Pull == "offers.priority":
		p, _ := report.ParsePlacement(l.Subject)
		return b.T("sync.row.of", "pull", name, "subject", p.Name())
	case err == nil && d == today:
		return b.T("sync.row.today", "pull", name)
	case err == nil:
		return b.T("sync.row.of", "pull", name, "subject", b.DayNear(d, today))
	case strings.HasPrefix(l.Subject, "prev"):
		return b.T("sync.row.days_before", "pull", name, "days", strings.TrimPrefix(l.Subject, "prev"))
	case strings.Contains(l.Subject, ".."): // its window is shown next to it
		return name
	case l.Subject == "1":
		return b.T("sync.row.yesterday", "pull", name)
	case l.Subject != "":
		return b.T("sync.row.days", "pull", name, "days", l.Subject)
	}
	return name
}

func (b builder) windowWords(l report.StoredPull) string {
	w := l.Applied
	if w == nil {
		w = l.Asked
	}
	switch {
	case w != nil && slices.Contains(l.Flags, report.FlagPartial) && w.Start == w.End:
		return b.Dates(w.Start, w.End) + " · " + b.T("provenance.part_of_day")
	case w != nil:
		return b.Dates(w.Start, w.End) + " · " + b.Days(w.Days())
	case l.Pull == "gift.setup_health" || l.Pull == "offer_count":
		return b.T("sync.window_now")
	case l.Subject != "" && l.TriedAt.IsZero(): // such as a day that nobody has asked about yet
		return "–"
	}
	return b.T("provenance.no_window")
}

func (b builder) outcomeWords(l report.StoredPull) (words, state string) {
	said := l.Text.In(b.Locale)
	switch l.Outcome {
	case fact.PullGood:
		if said == "" {
			return b.T("sync.outcome.good"), "active"
		}
		return b.T("sync.outcome.good_and", "said", said), "active"
	case fact.PullWaiting:
		return said, "slot"
	case fact.PullFailed:
		return b.T("sync.outcome.failed", "said", said), "waiting"
	case fact.PullQuarantined:
		if l.LastGoodAt.IsZero() {
			return b.T("sync.outcome.none_good", "said", said), "waiting"
		}
		return b.T("sync.outcome.last_good", "said", said), "waiting"
	case fact.PullRefused:
		switch elsewhere := isDay(l.Subject) && l.Asked != nil && l.Applied != nil && *l.Applied != *l.Asked; {
		case b.NotKept(l): // nobody can fix it: the service has no such day
			return b.T("sync.outcome.history_ends", "said", said), "none"
		case elsewhere:
			return b.T("sync.outcome.asked_later", "said", said), "waiting"
		}
		return said, "person"
	case fact.PullPaused:
		return said, "person"
	}
	return b.T("sync.outcome.never"), "none"
}
