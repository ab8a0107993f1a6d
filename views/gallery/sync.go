package gallery

import (
	"time"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/ledger"
)

func cells(counts ...int) []ledger.SlotState {
	states := []ledger.SlotState{ledger.SlotInteractive, ledger.SlotSchedule, ledger.SlotBackfill, ledger.SlotForeign, ledger.SlotFree, ledger.SlotReserved}
	var out []ledger.SlotState
	for i, n := range counts {
		for range n {
			out = append(out, states[i])
		}
	}
	return out
}

// FernhollowSync is the Sync page of the pictures.
func FernhollowSync() ledger.Page {
	store := Fernhollow().Store
	s := ledger.Page{
		Store: store, Now: now, Freshness: report.Freshness{State: "good"}, Filter: "all",
		Pulled: minutesAgo(12),
		Words:  "Last pull 12 minutes ago, next at 13:00. 28 of 31 pulls are good, 3 wait, none needs attention.",
		Budgets: []ledger.Budget{
			{Service: "upsell", Tail: "4f2a", Limit: 60, Used: 31, Reserved: 10, Cells: cells(2, 11, 18, 0, 19, 10), State: "good", Note: "A slot is held until 60 seconds after its reply. Next slot free in 4 seconds."},
			{Service: "gift", Tail: "91c7", Limit: 60, Used: 6, Foreign: 13, Reserved: 10, Cells: cells(0, 6, 0, 13, 31, 10), State: "good", Note: "The service says 41 left where we count 54: someone else uses this key. Slowed down to 41."},
		},
		CheckText:    "30 and 90 days agree with the service, checked last night",
		FoldedOffers: 63,
		All:          31, Due: 4, Waiting: 3, Good: 28, Folded: 21,
	}
	strip := report.Window{Start: date(2026, 7, 17), End: window.End}
	revised := map[string]bool{"2026-10-22": true, "2026-10-26": true, "2026-11-17": true, "2026-11-18": true, "2026-11-19": true}
	for d := range strip.All() {
		s.Days = append(s.Days, report.StoredDay{Day: d, Stored: d != missing && d != date(2026, 9, 23), Revised: revised[d.String()]})
	}
	at := func(day, hour, minute int) *time.Time {
		t := time.Date(2026, 11, day, hour, minute, 0, 0, newYork)
		return &t
	}
	soon := now.Add(48 * time.Second)
	night := at(21, 0, 20)
	s.Rows = []ledger.Row{
		{Service: "upsell", Label: "Summary, 4 Nov", Endpoint: "/data/analytics/summary", Window: "4 Nov 2026 · 1 day", Outcome: "Server error (500), waiting", State: "waiting", Due: at(20, 14, 0), Attempts: 3},
		{Service: "upsell", Label: "Summary, today", Endpoint: "/data/analytics/summary", Window: "20 Nov 2026 · part of a day", Outcome: "Good", State: "active", LastGood: at(20, 11, 43), Due: at(20, 13, 0), Attempts: 1},
		{Service: "upsell", Label: "Reported 30 days", Endpoint: "/data/analytics/summary", Window: "21 Oct – 19 Nov 2026 · 30 days", Outcome: "Good", State: "active", LastGood: at(20, 0, 24), Due: night, Attempts: 1},
		{Service: "upsell", Label: "Reported 90 days", Endpoint: "/data/analytics/summary", Window: "22 Aug – 19 Nov 2026 · 90 days", Outcome: "Good", State: "active", LastGood: at(20, 0, 24), Due: night, Attempts: 1},
		{Service: "upsell", Label: "Placements, 19 Nov", Endpoint: "/data/analytics/stats", Window: "19 Nov 2026 · 1 day", Outcome: "Good, 2 values revised", State: "active", LastGood: at(20, 0, 26), Due: night, Attempts: 1},
		{Service: "upsell", Label: "Lifetime", Endpoint: "/data/analytics/lifetime", Window: "no window", Outcome: "Good", State: "active", LastGood: at(20, 11, 17), Due: at(20, 13, 0), Attempts: 1},
		{Service: "upsell", Label: "Offers by priority", Endpoint: "/data/offers/by-priority", Window: "no window", Outcome: "Waiting for a slot (429)", State: "slot", LastGood: at(19, 0, 31), Due: &soon},
		{Service: "upsell", Label: "Set-up, offer 8801", Endpoint: "/data/offer/{id}", Window: "no window", Outcome: "Good", State: "active", LastGood: at(19, 0, 40), Due: at(26, 0, 20), Attempts: 1},
		{Service: "gift", Label: "Gift 30 days", Endpoint: "/analytics?days=30", Window: "21 Oct – 19 Nov 2026 · 30 days", Outcome: "Good", State: "active", LastGood: at(20, 0, 28), Due: night, Attempts: 1},
		{Service: "gift", Label: "Setup health", Endpoint: "/setup-health", Window: "now", Outcome: "Good, 1 issue found", State: "active", LastGood: at(20, 11, 14), Due: at(20, 12, 14), Attempts: 1},
		{Service: "gift", Label: "Translations, fr", Endpoint: "/translations?locale=fr", Window: "no window", Outcome: "Reply cut short, last good kept", State: "waiting", LastGood: at(14, 2, 6), Due: at(21, 2, 0), Attempts: 1},
	}
	return s
}

// BrokenSync is a store whose token is refused and whose sync a person paused.
func BrokenSync() ledger.Page {
	s := FernhollowSync()
	s.Paused, s.Person, s.Good, s.Waiting = true, 17, 11, 3
	s.Words = "Last pull 9 days ago, paused by a person. 11 of 31 pulls are good, 3 wait, 17 need attention."
	s.Budgets[0].State, s.Budgets[0].Cause = "paused", "The service says “Invalid token”. Create a new one and give it with dashboard store set."
	s.Rows[0].State, s.Rows[0].Outcome, s.Rows[0].Due = "person", "Token refused (401)", nil
	s.Freshness.State = "failed"
	s.CheckText = "not compared yet"
	s.Rows = append(s.Rows, ledger.Row{Service: "upsell", Label: "Set-up, offer " + unbroken, Endpoint: "/data/offer/{id}", Window: "no window", Outcome: "Good", State: "active", Due: s.Rows[0].Due, Attempts: 1})
	return s
}

// EmptySync is a store whose first pull has not come back.
func EmptySync() ledger.Page {
	return ledger.Page{Store: Fernhollow().Store, Now: now, Freshness: report.Freshness{State: "filling"}, Words: "Nothing pulled yet.", Filter: "all"}
}
