package plan

import (
	"slices"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/report"
)

// Refreshed are the pulls of today and those that make up a question's window, whether or not
// they were answered before. If no service answers the window in one call, its days are left
// out: all but the current one are pulled every night anyway.
func Refreshed(q report.Question, today civil.Date, historyDays int) (keys []Key) {
	asked := []civil.Date{today}
	if age := today.DaysSince(q.Window.Start); q.Window.Days() == 1 && age > 0 && age <= historyDays {
		asked = append(asked, q.Window.Start)
	}
	toYesterday := q.Window.End == today.AddDays(-1)
	choice := report.Choice{Window: q.Window, Today: today}
	for _, p := range policies {
		if !slices.Contains(q.Services, p.service) {
			continue
		}
		switch p.shape {
		case days:
			for _, d := range asked {
				keys = append(keys, Key{p.kind, d.String()})
			}
		case windows:
			for _, name := range p.names {
				if toYesterday && Named(name, today) == q.Window {
					keys = append(keys, Key{p.kind, name})
				}
			}
		case ranges:
			if choice.Askable(p.service) {
				keys = append(keys, Key{p.kind, RangeSubject(q.Window)})
			}
		case single:
			if p.kind == GiftToday || q.Lists && (p.kind == OfferPage || p.kind == GiftCampaigns) {
				keys = append(keys, Key{p.kind, ""})
			}
		}
	}
	return keys
}
