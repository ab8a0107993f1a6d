package ledger

import (
	"slices"
	"strings"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// pullNames are the words for a kind of pull and its endpoint.
var pullNames = map[string]struct{ label, endpoint string }{
	"summary.day":              {"Summary", "/data/analytics/summary"},
	"stats.day":                {"Placements", "/data/analytics/stats"},
	"top.day":                  {"Ranking", "/data/analytics/top"},
	"summary.window":           {"Summary", "/data/analytics/summary"},
	"stats.window":             {"Placements", "/data/analytics/stats"},
	"top.highest":              {"Highest earners", "/data/analytics/top"},
	"top.lowest":               {"Lowest earners", "/data/analytics/top"},
	"coverage":                 {"Coverage", "/data/analytics/coverage"},
	"lifetime":                 {"Lifetime", "/data/analytics/lifetime"},
	"offer_count":              {"Offer count", "/data/offers/count"},
	"offers":                   {"Offers, page by page", "/data/offers"},
	"top.day.lowest":           {"Ranking, lowest first", "/data/analytics/top"},
	"offers.priority":          {"Display order", "/data/offers/by-priority"},
	report.PullSetup:           {"Set-up", "/data/offer/{id}"},
	report.PullStages:          {"Stages", "/data/offer/{id}/stages"},
	report.PullRecommendations: {"Recommendations", "/data/products/recommendations"},
	"gift.window":              {"Gift", "/analytics"},
	"gift.today":               {"Gift, today", "/analytics"},
	"gift.plan":                {"Plan", "/plan"},
	"gift.setup_health":        {"Setup health", "/setup-health"},
	"gift.campaigns":           {"Campaigns", "/campaigns"},
	"gift.campaign":            {"Campaign", "/campaigns/{id}"},
	"gift.widgets":             {"Widgets", "/widgets"},
	"gift.widget":              {"Widget", "/widgets/{type}"},
	"gift.translations":        {"Translations", "/translations"},
	"gift.settings":            {"Settings", "/settings"},
	"gift.span":                {"Gift, up to yesterday from", "/analytics"},
}

func (b builder) ledgerRow(l report.StoredPull) Row {
	name, known := pullNames[l.Pull]
	if !known {
		name.label = l.Pull
	}
	row := Row{
		Service: l.Service, Pull: l.Pull, Subject: l.Subject, Endpoint: name.endpoint, Label: b.pullLabel(name.label, l),
		Window: windowWords(l), Attempts: l.Attempts, Lane: l.Lane,
	}
	if !l.LastGoodAt.IsZero() {
		t := b.OnStoreClock(l.LastGoodAt)
		row.LastGood = &t
	}
	if !l.DueAt.IsZero() {
		t := b.OnStoreClock(l.DueAt)
		row.Due = &t
	}
	row.Outcome, row.State = outcomeWords(l)
	return row
}

func (b builder) pullLabel(label string, l report.StoredPull) string {
	d, err := civil.ParseDate(l.Subject)
	switch {
	case isOffer(l.Pull):
		return label + ", offer " + l.Subject
	case l.Pull == "gift.campaign", l.Pull == "gift.widget", l.Pull == "gift.translations":
		return label + ", " + l.Subject
	case l.Pull == "gift.span" && err == nil:
		return label + " " + locale.English.DayNear(d, civil.DateOf(b.OnStoreClock(b.Now)))
	case l.Pull == "offers.priority":
		p, _ := report.ParsePlacement(l.Subject)
		return label + ", " + string(p)
	case err == nil && d == civil.DateOf(b.OnStoreClock(b.Now)):
		return label + ", today"
	case err == nil:
		return label + ", " + locale.English.DayNear(d, civil.DateOf(b.OnStoreClock(b.Now)))
	case strings.HasPrefix(l.Subject, "prev"):
		return label + ", the " + strings.TrimPrefix(l.Subject, "prev") + " days before"
	case l.Subject == "1":
		return label + ", yesterday"
	case l.Subject != "":
		return label + ", " + l.Subject + " days"
	}
	return label
}

func windowWords(l report.StoredPull) string {
	w := l.Applied
	if w == nil {
		w = l.Asked
	}
	switch {
	case w != nil && slices.Contains(l.Flags, report.FlagPartial) && w.Start == w.End:
		return w.Label() + " · part of a day"
	case w != nil:
		return w.Label() + " · " + locale.English.Days(w.Days())
	case l.Pull == "gift.setup_health" || l.Pull == "offer_count":
		return "now"
	}
	return "no window"
}

func outcomeWords(l report.StoredPull) (words, state string) {
	switch l.Outcome {
	case "good":
		words = "Good"
		if l.Text != "" {
			words += ", " + l.Text
		}
		return words, "active"
	case "waiting":
		return l.Text, "slot"
	case "failed":
		return l.Text + ", waiting", "waiting"
	case "quarantined":
		if l.LastGoodAt.IsZero() {
			return l.Text + ", no good answer yet", "waiting"
		}
		return l.Text + ", last good kept", "waiting"
	case "refused":
		switch elsewhere := isDay(l.Subject) && l.Asked != nil && l.Applied != nil && *l.Applied != *l.Asked; {
		case elsewhere && l.DueAt.IsZero(): // nobody can mend it: the service knows no such day
			return l.Text + ": its history ends here", "none"
		case elsewhere:
			return l.Text + ", asked again later", "waiting"
		}
		return l.Text, "person"
	case "paused":
		return l.Text, "person"
	}
	return "Not tried yet", "none"
}
