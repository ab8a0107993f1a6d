package gallery

import (
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
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
func FernhollowSync(l locale.Locale) ledger.Page {
	store := Fernhollow(l).Store
	s := ledger.Page{
		Store: store, Now: now, Freshness: report.Freshness{State: "good"}, Filter: "all",
		Pulled: minutesAgo(12),
		Words:  l.T("sync.last_pull.next", "ago", l.Age(now, minutesAgo(12)), "time", "13:00") + " " + l.T("sync.how_many", "good", 28, "n", 31, "wait", l.T("sync.wait", "n", 3), "attention", l.T("sync.none_need_attention")),
		Budgets: []ledger.Budget{
			{Service: "upsell", Tail: "4f2a", Limit: 60, Used: 31, Reserved: 10, Cells: cells(2, 11, 18, 0, 19, 10), State: "good", Note: l.T("sync.slot_held") + " " + l.T("sync.next_slot", "n", 4)},
			{Service: "gift", Tail: "91c7", Limit: 60, Used: 6, Foreign: 13, Reserved: 10, Cells: cells(0, 6, 0, 13, 31, 10), State: "good", Note: l.T("sync.someone_else", "n", 13, "limit", 41)},
		},
		CheckText:    l.T("sync.check.agree", "lengths", l.List([]string{"30", "90"})),
		FoldedOffers: 63,
		All:          31, Due: 4, Waiting: 3, Good: 28, Folded: 21,
	}
	strip := report.Window{Start: date(2026, 7, 17), End: window.End}
	revised := map[string]bool{"2026-10-22": true, "2026-10-26": true, "2026-11-17": true, "2026-11-18": true, "2026-11-19": true}
	for d := range strip.All() {
		s.Days = append(s.Days, report.StoredDay{Day: d, Stored: d != missing && d != date(2026, 9, 23), Revised: revised[d.String()]})
	}
	at := func(day, hour, minute int) *time.Time {
		return new(time.Date(2026, 11, day, hour, minute, 0, 0, newYork))
	}
	soon := now.Add(48 * time.Second)
	night := at(21, 0, 20)
	days := func(from, to civil.Date) string {
		return l.Dates(from, to) + " · " + l.Days(report.Window{Start: from, End: to}.Days())
	}
	s.Rows = []ledger.Row{
		{Service: "upsell", Label: l.T("sync.row.of", "pull", l.T("sync.pull.summary_day"), "subject", l.Day(missing)), Endpoint: "/data/analytics/summary", Window: days(missing, missing), Outcome: l.T("sync.outcome.failed", "said", l.T("sync.said.server_error", "status", 500)), State: "waiting", Due: at(20, 14, 0), Attempts: 3},
		{Service: "upsell", Label: l.T("sync.row.today", "pull", l.T("sync.pull.summary_window")), Endpoint: "/data/analytics/summary", Window: l.DayYear(today) + " · " + l.T("provenance.part_of_day"), Outcome: l.T("sync.outcome.good"), State: "active", LastGood: at(20, 11, 43), Due: at(20, 13, 0), Attempts: 1},
		{Service: "upsell", Label: l.T("sync.row.days", "pull", l.T("sync.pull.summary_window"), "days", "30"), Endpoint: "/data/analytics/summary", Window: days(window.Start, window.End), Outcome: l.T("sync.outcome.good"), State: "active", LastGood: at(20, 0, 24), Due: night, Attempts: 1},
		{Service: "upsell", Label: l.T("sync.row.days", "pull", l.T("sync.pull.summary_window"), "days", "90"), Endpoint: "/data/analytics/summary", Window: days(date(2026, 8, 22), window.End), Outcome: l.T("sync.outcome.good"), State: "active", LastGood: at(20, 0, 24), Due: night, Attempts: 1},
		{Service: "upsell", Label: l.T("sync.row.of", "pull", l.T("sync.pull.stats_day"), "subject", l.Day(window.End)), Endpoint: "/data/analytics/stats", Window: days(window.End, window.End), Outcome: l.T("sync.outcome.good"), State: "active", LastGood: at(20, 0, 26), Due: night, Attempts: 1},
		{Service: "upsell", Label: l.T("sync.pull.lifetime"), Endpoint: "/data/analytics/lifetime", Window: l.T("provenance.no_window"), Outcome: l.T("sync.outcome.good"), State: "active", LastGood: at(20, 11, 17), Due: at(20, 13, 0), Attempts: 1},
		{Service: "upsell", Label: l.T("sync.pull.offers_priority"), Endpoint: "/data/offers/by-priority", Window: l.T("provenance.no_window"), Outcome: l.T("sync.said.slot"), State: "slot", LastGood: at(19, 0, 31), Due: &soon},
		{Service: "upsell", Label: l.T("sync.row.offer", "pull", l.T("sync.pull.offer_setup"), "offer", "8801"), Endpoint: "/data/offer/{id}", Window: l.T("provenance.no_window"), Outcome: l.T("sync.outcome.good"), State: "active", LastGood: at(19, 0, 40), Due: at(26, 0, 20), Attempts: 1},
		{Service: "gift", Label: l.T("sync.row.days", "pull", l.T("sync.pull.gift_window"), "days", "30"), Endpoint: "/analytics?days=30", Window: days(window.Start, window.End), Outcome: l.T("sync.outcome.good"), State: "active", LastGood: at(20, 0, 28), Due: night, Attempts: 1},
		{Service: "gift", Label: l.T("sync.pull.gift_setup_health"), Endpoint: "/setup-health", Window: l.T("sync.window_now"), Outcome: l.T("sync.outcome.good"), State: "active", LastGood: at(20, 11, 14), Due: at(20, 12, 14), Attempts: 1},
		{Service: "gift", Label: l.T("sync.row.of", "pull", l.T("sync.pull.gift_translations"), "subject", "fr"), Endpoint: "/translations?locale=fr", Window: l.T("provenance.no_window"), Outcome: l.T("sync.outcome.last_good", "said", l.T("sync.said.cut_off", "why", "unexpected EOF")), State: "waiting", LastGood: at(14, 2, 6), Due: at(21, 2, 0), Attempts: 1},
	}
	return s
}

// BrokenSync is a store whose token is refused and whose sync a person paused.
func BrokenSync(l locale.Locale) ledger.Page {
	s := FernhollowSync(l)
	s.Paused, s.Person, s.Good, s.Waiting = true, 17, 11, 3
	s.Words = l.T("sync.last_pull.paused", "ago", l.T("age.days", "n", 9)) + " " + l.T("sync.how_many", "good", 11, "n", 31, "wait", l.T("sync.wait", "n", 3), "attention", l.T("sync.need_attention", "n", 17))
	s.Budgets[0].State, s.Budgets[0].Cause = "paused", l.T("state.advice.upsell.refused")
	s.Rows[0].State, s.Rows[0].Outcome, s.Rows[0].Due = "person", l.T("sync.said.refused", "status", 401), nil
	s.Freshness.State = "failed"
	s.CheckText = l.T("sync.check.never")
	s.Rows = append(s.Rows, ledger.Row{Service: "upsell", Label: l.T("sync.row.offer", "pull", l.T("sync.pull.offer_setup"), "offer", unbroken), Endpoint: "/data/offer/{id}", Window: l.T("provenance.no_window"), Outcome: l.T("sync.outcome.good"), State: "active", Due: s.Rows[0].Due, Attempts: 1})
	return s
}

// EmptySync is a store whose first pull has not come back.
func EmptySync(l locale.Locale) ledger.Page {
	return ledger.Page{Store: Fernhollow(l).Store, Now: now, Freshness: report.Freshness{State: "filling"}, Words: l.T("sync.nothing_pulled"), Filter: "all"}
}
