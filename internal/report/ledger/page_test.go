package ledger

import (
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"
)

// goodPull is a pull that succeeded 12 minutes ago and is due at 13:00 in New York.
func goodPull(service, pull, subject string) report.StoredPull {
	return report.StoredPull{
		Service: service, Pull: pull, Subject: subject, Lane: "schedule", Outcome: fact.PullGood,
		TriedAt: reporttest.Noon.Add(-12 * time.Minute), LastGoodAt: reporttest.Noon.Add(-12 * time.Minute), DueAt: reporttest.Noon.Add(time.Hour),
	}
}

func syncOf(pulls ...report.StoredPull) report.StoredSync {
	return report.StoredSync{Store: reporttest.Acme, Ledger: pulls, HistoryDays: 3, Credentials: []report.StoredCredential{{Service: "upsell", State: "good"}}}
}

func TestTheSyncPageSaysInWordsHowItStands(t *testing.T) {
	t.Parallel()
	count, lifetime := goodPull("upsell", "offer_count", ""), goodPull("upsell", "lifetime", "")
	failed := reporttest.BadPull("coverage", "", "failed", "Server error (500)")
	person := reporttest.BadPull("gift.plan", "", "paused", "Refused (403 NO_PLAN)")
	tomorrow, late := goodPull("upsell", "offers", ""), goodPull("upsell", "offers", "")
	tomorrow.DueAt = reporttest.Noon.Add(12*time.Hour + 20*time.Minute)
	late.DueAt = reporttest.Noon.Add(-time.Minute)
	settled, first := goodPull("upsell", "summary.day", "2026-11-01"), reporttest.BadPull("offers", "", "failed", "x")
	never := first
	settled.DueAt, never.DueAt = time.Time{}, time.Time{}
	first.LastGoodAt, never.LastGoodAt = time.Time{}, time.Time{}
	overdue := first
	overdue.DueAt = reporttest.Noon.Add(-time.Minute)
	for name, c := range map[string]struct {
		in   report.StoredSync
		want string
	}{
		"nothing":                              {syncOf(), "Nothing pulled yet."},
		"all good":                             {syncOf(count, lifetime), "Last pull 12 minutes ago, next at 13:00. 2 of 2 pulls are good, none is waiting, none needs attention."},
		"one waits":                            {syncOf(count, failed), "Last pull 12 minutes ago, next at 13:00. 1 of 2 pulls are good, 1 is waiting, none needs attention."},
		"two wait":                             {syncOf(count, failed, reporttest.BadPull("offers", "", "waiting", "Waiting for a slot (429)")), "Last pull 12 minutes ago, next at 13:00. 1 of 3 pulls are good, 2 are waiting, none needs attention."},
		"one needs":                            {syncOf(count, person), "Last pull 12 minutes ago, next at 13:00. 1 of 2 pulls are good, none is waiting, 1 needs attention."},
		"two need":                             {syncOf(person, reporttest.BadPull("gift.today", "", "refused", "Refused (404)")), "No good answer yet, next at 13:00. 0 of 2 pulls are good, none is waiting, 2 need attention."},
		"next tomorrow":                        {syncOf(tomorrow), "Last pull 12 minutes ago, next at 21 Nov, 00:20. 1 of 1 pull is good, none is waiting, none needs attention."},
		"due":                                  {syncOf(late), "Last pull 12 minutes ago, next is due now. 1 of 1 pull is good, none is waiting, none needs attention."},
		"the first is next, though read last":  {syncOf(tomorrow, settled, count), "Last pull 12 minutes ago, next at 13:00. 3 of 3 pulls are good, none is waiting, none needs attention."},
		"the first is next, though read first": {syncOf(count, settled, tomorrow), "Last pull 12 minutes ago, next at 13:00. 3 of 3 pulls are good, none is waiting, none needs attention."},
		"nothing is due":                       {syncOf(settled), "Last pull 12 minutes ago. 1 of 1 pull is good, none is waiting, none needs attention."},
		"never good, due":                      {syncOf(overdue), "No good answer yet, next is due now. 0 of 1 pull is good, 1 is waiting, none needs attention."},
		"never good, paused":                   {func() report.StoredSync { in := syncOf(first); in.Paused = true; return in }(), "No good answer yet, paused by a person. 0 of 1 pull is good, 1 is waiting, none needs attention."},
		"never again":                          {syncOf(never), "No good answer yet. 0 of 1 pull is good, 1 is waiting, none needs attention."},
		"never good":                           {syncOf(first), "No good answer yet, next at 13:00. 0 of 1 pull is good, 1 is waiting, none needs attention."},
		"paused by hand":                       {func() report.StoredSync { in := syncOf(count); in.Paused = true; return in }(), "Last pull 12 minutes ago, paused by a person. 1 of 1 pull is good, none is waiting, none needs attention."},
		"disconnected":                         {func() report.StoredSync { in := syncOf(late); in.Credentials = nil; return in }(), "Last pull 12 minutes ago. 1 of 1 pull is good, none is waiting, 1 app is disconnected."},
		"more than 1,000":                      {syncOf(many(1204)...), "Last pull 12 minutes ago, next at 13:00. 1,204 of 1,204 pulls are good, none is waiting, none needs attention."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reporttest.Equal(t, "words", New(locale.English, c.in, "all", reporttest.Noon).Words, c.want)
		})
	}
}

func TestADisconnectedAppIsNotUpToDate(t *testing.T) {
	t.Parallel()
	late := goodPull("gift", "gift.plan", "")
	late.DueAt = reporttest.Noon.Add(-time.Hour)
	in := syncOf(goodPull("upsell", "lifetime", ""), late)
	s := New(locale.English, in, "all", reporttest.Noon)
	reporttest.Equal(t, "dot without the gift app", s.Freshness.Sign(), "active")
	reporttest.Equal(t, "due", s.Due, 0)
	reporttest.Equal(t, "row is due", s.Rows[1].Due != nil, false)
	reporttest.Equal(t, "banners", s.Disconnected, []report.Trouble{{
		Title: "Not updated since 20 Nov. You’re seeing the last good numbers.", Text: locale.English.T("state.disconnected.gift"),
		Since: reporttest.Noon.Add(-12 * time.Minute), Disconnected: "gift",
	}})
	in.Credentials[0].Service = "gift"
	s = New(locale.English, in, "all", reporttest.Noon)
	reporttest.Equal(t, "dot without the upsell app", s.Freshness.State+" "+s.Freshness.Sign(), "stale none")
	reporttest.Equal(t, "due with the gift app", s.Due, 1)
	in.Paused = true
	s = New(locale.English, in, "due", reporttest.Noon)
	reporttest.Equal(t, "due while the store is paused", s.Due, 0)
	reporttest.Equal(t, "due rows while the store is paused", len(s.Rows), 0)
	in.Paused = false
	in.Credentials[0].State = "paused"
	reporttest.Equal(t, "dot if the other app refuses", New(locale.English, in, "all", reporttest.Noon).Freshness.Sign(), "person")
	in.Credentials, in.Ledger = nil, in.Ledger[1:]
	reporttest.Equal(t, "dot of a gift app alone", New(locale.English, in, "all", reporttest.Noon).Freshness.Sign(), "none")
}

func many(n int) []report.StoredPull {
	out := make([]report.StoredPull, n)
	for i := range out {
		out[i] = goodPull("upsell", "summary.day", reporttest.On("2026-11-19").AddDays(-i).String())
	}
	return out
}

func TestEveryOutcomeHasWordsAndASign(t *testing.T) {
	t.Parallel()
	day, other := report.OneDay(reporttest.On("2025-06-30")), report.OneDay(reporttest.On("2025-07-07"))
	for name, c := range map[string]struct {
		pull         report.StoredPull
		words, state string
	}{
		"good":                {report.StoredPull{Outcome: fact.PullGood}, "Good", "active"},
		"good with a note":    {report.StoredPull{Outcome: fact.PullGood, Text: locale.Text("1 issue found")}, "Good, 1 issue found", "active"},
		"failed":              {report.StoredPull{Outcome: fact.PullFailed, Text: locale.Text("Server error (500)")}, "Server error (500), waiting", "waiting"},
		"waits for speed":     {report.StoredPull{Outcome: fact.PullWaiting, Text: locale.Text("Waiting for a slot (429)")}, "Waiting for a slot (429)", "slot"},
		"quarantined":         {report.StoredPull{Outcome: fact.PullQuarantined, Text: locale.Text("Reply breaks the contract"), LastGoodAt: reporttest.Noon}, "Reply breaks the contract, last good kept", "waiting"},
		"nothing was kept":    {report.StoredPull{Outcome: fact.PullQuarantined, Text: locale.Text("Reply breaks the contract")}, "Reply breaks the contract, no good answer yet", "waiting"},
		"refused":             {report.StoredPull{Outcome: fact.PullRefused, Text: locale.Text("Refused (404): no")}, "Refused (404): no", "person"},
		"refused, a window":   {report.StoredPull{Outcome: fact.PullRefused, Subject: "30", Text: locale.Text("Refused (400): no"), Asked: &day, Applied: &other, DueAt: reporttest.Noon}, "Refused (400): no", "person"},
		"refused, a day":      {report.StoredPull{Outcome: fact.PullRefused, Subject: "2025-06-30", Text: locale.Text("Refused (400): no"), Asked: &day, Applied: &day}, "Refused (400): no", "person"},
		"paused":              {report.StoredPull{Outcome: fact.PullPaused, Text: locale.Text("Refused (401): no")}, "Refused (401): no", "person"},
		"never tried":         {report.StoredPull{Outcome: fact.PullNever}, "Not tried yet", "none"},
		"history ends":        {report.StoredPull{Service: "upsell", Outcome: fact.PullRefused, Subject: "2025-06-30", Text: locale.Text("The service answered for 7 Jul 2025 instead"), Asked: &day, Applied: &other}, "The service answered for 7 Jul 2025 instead: its history ends here", "none"},
		"before the history":  {report.StoredPull{Service: "upsell", Outcome: fact.PullRefused, Subject: "2025-05-31", Text: locale.Text("Refused (422): too old"), Asked: &day}, "Refused (422): too old: its history ends here", "none"},
		"a year earlier":      {report.StoredPull{Service: "upsell", Outcome: fact.PullRefused, Subject: "2025-05-20..2025-06-10", Text: locale.Text("Refused (422): too old"), Asked: &day}, "Refused (422): too old: its history ends here", "none"},
		"within the history":  {report.StoredPull{Service: "upsell", Outcome: fact.PullRefused, Subject: "2025-06-02..2025-06-10", Text: locale.Text("Refused (400): no"), Asked: &day}, "Refused (400): no", "person"},
		"another day for now": {report.StoredPull{Outcome: fact.PullRefused, Subject: "2025-06-30", Text: locale.Text("The service answered for 7 Jul 2025 instead"), Asked: &day, Applied: &other, DueAt: reporttest.Noon}, "The service answered for 7 Jul 2025 instead, asked again later", "waiting"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := builder{report.Builder{In: report.Stored{FirstDay: reporttest.On("2025-06-02")}}}
			words, state := b.outcomeWords(c.pull)
			reporttest.Equal(t, "words", words, c.words)
			reporttest.Equal(t, "state", state, c.state)
		})
	}
}

func TestAnOutcomeIsSaidInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	for want, pull := range map[string]report.StoredPull{
		"Serverfehler (500), wartet":     {Outcome: fact.PullFailed, Text: locale.M("sync.said.server_error", "status", 500)},
		"Gelungen, 1 Problem gefunden":   {Outcome: fact.PullGood, Text: locale.M("sync.said.issues", "n", 1)},
		"Abgelehnt (404): no such store": {Outcome: fact.PullRefused, Text: locale.M("sync.said.refused_text", "status", 404, "text", "no such store")},
	} {
		words, _ := builder{Builder: report.Builder{Locale: locale.German}}.outcomeWords(pull)
		reporttest.Equal(t, want, words, want)
	}
}

func TestALedgerRowNamesItsPullAndWindow(t *testing.T) {
	t.Parallel()
	w, part := reporttest.Span("2026-10-21", "2026-11-19"), report.OneDay(reporttest.On("2026-11-20"))
	for name, c := range map[string]struct {
		pull                    report.StoredPull
		label, window, endpoint string
	}{
		"a day":          {report.StoredPull{Pull: "summary.day", Subject: "2026-11-04", Applied: reporttest.Ptr(report.OneDay(reporttest.On("2026-11-04")))}, "Summary, 4 Nov", "4 Nov 2026 · 1 day", "/data/analytics/summary"},
		"today":          {report.StoredPull{Pull: "top.day", Subject: "2026-11-20", Applied: &part, Flags: []report.Flag{report.FlagPartial}}, "Ranking, today", "20 Nov 2026 · part of a day", "/data/analytics/top"},
		"a window":       {report.StoredPull{Pull: "stats.window", Subject: "30", Applied: &w}, "Placements, 30 days", "21 Oct – 19 Nov 2026 · 30 days", "/data/analytics/stats"},
		"the one before": {report.StoredPull{Pull: "summary.window", Subject: "prev30", Asked: &w}, "Summary, the 30 days before", "21 Oct – 19 Nov 2026 · 30 days", "/data/analytics/summary"},
		"not asked yet":  {report.StoredPull{Pull: "gift.window", Subject: "1"}, "Gift, yesterday", "–", "/analytics"},
		"one campaign":   {report.StoredPull{Pull: "gift.campaign", Subject: "901", TriedAt: reporttest.Noon}, "Campaign, 901", "all time / current", "/campaigns/{id}"},
		"state":          {report.StoredPull{Pull: "gift.setup_health"}, "Setup health", "now", "/setup-health"},
		"all time (N21)": {report.StoredPull{Pull: "lifetime"}, "Lifetime", "all time / current", "/data/analytics/lifetime"},
		"unknown":        {report.StoredPull{Pull: "weather"}, "weather", "all time / current", ""},
		"as applied":     {report.StoredPull{Pull: "summary.day", Subject: "2026-11-04", Asked: reporttest.Ptr(report.OneDay(reporttest.On("2026-11-04"))), Applied: &w}, "Summary, 4 Nov", "21 Oct – 19 Nov 2026 · 30 days", "/data/analytics/summary"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			row := New(locale.English, syncOf(c.pull), "all", reporttest.Noon).Rows[0]
			reporttest.Equal(t, "label", row.Label, c.label)
			reporttest.Equal(t, "window", row.Window, c.window)
			reporttest.Equal(t, "endpoint", row.Endpoint, c.endpoint)
		})
	}
}

func TestTheLedgerPutsFirstWhatNeedsAnEyeAndFoldsGoodDays(t *testing.T) {
	t.Parallel()
	settled := goodPull("upsell", "offer_count", "")
	settled.DueAt = time.Time{}
	in := syncOf(append(many(20), settled,
		goodPull("gift", "gift.plan", ""), goodPull("upsell", "lifetime", ""), reporttest.BadPull("coverage", "", "failed", "x"),
		reporttest.BadPull("summary.day", "2026-11-02", "paused", "x"))...)
	in.Credentials = append(in.Credentials, report.StoredCredential{Service: "gift", State: "good"})
	s := New(locale.English, in, "", reporttest.Noon)
	reporttest.Equal(t, "rows of a file", len(s.Rows), 25)
	s.Fold()
	var got []string
	for _, r := range s.Rows {
		got = append(got, r.Label)
	}
	reporttest.Equal(t, "order", strings.Join(got, "; "), "Summary, 2 Nov; Coverage; Lifetime; Offer count; Summary, 19 Nov; Summary, 18 Nov; Summary, 17 Nov; Summary, 16 Nov; Summary, 15 Nov; "+
		"Summary, 14 Nov; Summary, 13 Nov; Summary, 12 Nov; Summary, 11 Nov; Summary, 10 Nov; Summary, 9 Nov; Summary, 8 Nov; Plan")
	reporttest.Equal(t, "folded", s.Folded, 8)
	reporttest.Equal(t, "all", s.All, 25)
	reporttest.Equal(t, "due", s.Due, 0)
	reporttest.Equal(t, "good", s.Good, 23)
	reporttest.Equal(t, "filter", s.Filter, "all")

	waiting := New(locale.English, in, "waiting", reporttest.Noon)
	reporttest.Equal(t, "waiting rows", len(waiting.Rows), 2)
	reporttest.Equal(t, "all of them are counted", waiting.All, 25)
	reporttest.Equal(t, "due rows", len(New(locale.English, in, "due", reporttest.Noon).Rows), 0)
	later := New(locale.English, in, "due", reporttest.Noon.Add(time.Hour))
	reporttest.Equal(t, "due rows an hour later", len(later.Rows), 24)
	reporttest.Equal(t, "due an hour later", later.Due, 24)
	later.Fold()
	reporttest.Equal(t, "folded among those due", later.Folded, 0)
}

func TestRowsOfOneStateHaveOneOrder(t *testing.T) {
	t.Parallel()
	a, b, c := reporttest.BadPull("summary.day", "2026-11-01", "failed", "x"), reporttest.BadPull("summary.window", "30", "failed", "x"), reporttest.BadPull("top.day", "2026-11-05", "waiting", "x")
	for _, pulls := range [][]report.StoredPull{{a, b, c}, {a, c, b}, {b, a, c}, {b, c, a}, {c, a, b}, {c, b, a}} {
		var got []string
		for _, r := range New(locale.English, syncOf(pulls...), "waiting", reporttest.Noon).Rows {
			got = append(got, r.Label)
		}
		reporttest.Equal(t, "order", strings.Join(got, "; "), "Summary, 30 days; Ranking, 5 Nov; Summary, 1 Nov")
	}
}

// budgetOf is a budget with that many slots, some of them held, by lane.
func budgetOf(limit, reserve int, held map[fact.Lane]int) report.StoredBudget {
	b := report.StoredBudget{Service: "upsell", Tail: "a1b2", State: "good", Limit: limit, Reserve: reserve}
	n := 0
	for lane, count := range held {
		for range count {
			n++
			b.Slots = append(b.Slots, report.StoredSlot{Lane: lane, HeldUntil: reporttest.Noon.Add(time.Duration(n) * time.Second)})
		}
	}
	for n < limit { // those were held and are free again
		n++
		b.Slots = append(b.Slots, report.StoredSlot{Lane: "schedule", HeldUntil: reporttest.Noon})
	}
	return b
}

func TestBudgetCellsShowWhoHoldsWhat_N38(t *testing.T) {
	t.Parallel()
	const held = "A slot is held until 60 seconds after its reply."
	for name, c := range map[string]struct {
		in                      report.StoredBudget
		used, foreign, reserved int
		cells                   map[SlotState]int
		note                    string
	}{
		"nothing held":    {budgetOf(60, 10, nil), 0, 0, 10, map[SlotState]int{SlotFree: 50, SlotReserved: 10}, held},
		"by every lane":   {budgetOf(60, 10, map[fact.Lane]int{"interactive": 2, "schedule": 12, "backfill": 7}), 21, 0, 10, map[SlotState]int{SlotInteractive: 2, SlotSchedule: 12, SlotBackfill: 7, SlotFree: 29, SlotReserved: 10}, held},
		"the reserve":     {budgetOf(60, 10, map[fact.Lane]int{"schedule": 50, "interactive": 4}), 54, 0, 6, map[SlotState]int{SlotInteractive: 4, SlotSchedule: 50, SlotReserved: 6}, held},
		"spent":           {budgetOf(3, 0, map[fact.Lane]int{"schedule": 3}), 3, 0, 0, map[SlotState]int{SlotSchedule: 3}, held + " Next slot free in 1 second."},
		"someone else":    {budgetOf(60, 10, map[fact.Lane]int{"schedule": 5, "foreign": 20}), 5, 20, 10, map[SlotState]int{SlotSchedule: 5, SlotForeign: 20, SlotFree: 25, SlotReserved: 10}, "The app counts 20 more than we sent: someone else uses this token. Slowed down to 40."},
		"a raised limit":  {budgetOf(600, 10, map[fact.Lane]int{"schedule": 300}), 300, 0, 10, map[SlotState]int{SlotSchedule: 30, SlotFree: 29, SlotReserved: 1}, held},
		"one of a raised": {budgetOf(600, 10, map[fact.Lane]int{"backfill": 1}), 1, 0, 10, map[SlotState]int{SlotBackfill: 1, SlotFree: 59}, held},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := syncOf()
			in.Budgets = []report.StoredBudget{c.in}
			b := New(locale.English, in, "all", reporttest.Noon).Budgets[0]
			reporttest.Equal(t, "token", b.Service+" "+b.Tail+" "+string(b.State), "upsell a1b2 good")
			reporttest.Equal(t, "limit", b.Limit, c.in.Limit)
			cells := map[SlotState]int{}
			for _, s := range b.Cells {
				cells[s]++
			}
			reporttest.Equal(t, "cells", cells, c.cells)
			reporttest.Equal(t, "number of cells", len(b.Cells), min(60, c.in.Limit))
			reporttest.Equal(t, "used", b.Used, c.used)
			reporttest.Equal(t, "foreign", b.Foreign, c.foreign)
			reporttest.Equal(t, "reserved", b.Reserved, c.reserved)
			reporttest.Equal(t, "note", b.Note, c.note)
		})
	}
}

func TestBudgetCellsStandInOneOrderAndTheNextFreeSlotIsTimed(t *testing.T) {
	t.Parallel()
	in := syncOf()
	in.Budgets = []report.StoredBudget{budgetOf(6, 1, map[fact.Lane]int{"backfill": 1, "foreign": 1, "interactive": 1, "schedule": 1})}
	b := New(locale.English, in, "all", reporttest.Noon).Budgets[0]
	reporttest.Equal(t, "order", b.Cells, []SlotState{SlotInteractive, SlotSchedule, SlotBackfill, SlotForeign, SlotFree, SlotReserved})
	reporttest.Equal(t, "next free while one is", b.NextFree, time.Time{})
	spent := budgetOf(2, 0, nil)
	spent.Slots = []report.StoredSlot{{Lane: "schedule", HeldUntil: reporttest.Noon.Add(48 * time.Second)}, {Lane: "schedule", HeldUntil: reporttest.Noon.Add(31 * time.Second)}}
	spent.State = "paused"
	in.Credentials = []report.StoredCredential{{Service: spent.Service, State: "paused", Cause: "token", Said: "no"}}
	other := budgetOf(2, 0, nil)
	other.Service = "gift"
	in.Budgets = []report.StoredBudget{spent, other}
	s := New(locale.English, in, "all", reporttest.Noon)
	b = s.Budgets[0]
	reporttest.Equal(t, "the other service's", string(s.Budgets[1].State)+": "+s.Budgets[1].Cause, "good: ")
	for name, c := range map[string]struct{ probed, paused, want bool }{
		"never checked again": {false, false, false}, "checked again": {true, false, true}, "of a paused store": {true, true, false},
	} {
		in.Paused, in.Credentials[0].NextProbe = c.paused, time.Time{}
		if c.probed {
			in.Credentials[0].NextProbe = reporttest.Noon.Add(time.Hour)
		}
		reporttest.Equal(t, "refused, "+name, New(locale.English, in, "all", reporttest.Noon).Refused, c.want)
	}
	reporttest.Equal(t, "next free", b.NextFree, reporttest.Noon.Add(31*time.Second))
	reporttest.Equal(t, "note", b.Note, "A slot is held until 60 seconds after its reply. Next slot free in 31 seconds.")
	reporttest.Equal(t, "state", string(b.State)+": "+b.Cause, "paused: "+locale.English.T("state.advice.upsell.refused")+" The app said: “no.”")
}

// Gift data that still arrives doesn't make stored days newer.
func TestFreshnessIsTheAgeOfTheDays_N1(t *testing.T) {
	t.Parallel()
	old := goodPull("upsell", "summary.day", "2026-11-19")
	old.LastGoodAt = reporttest.Noon.Add(-5 * time.Hour)
	older := old
	older.LastGoodAt = older.LastGoodAt.Add(-time.Hour)
	in := syncOf(old, older, goodPull("gift", "gift.plan", ""))
	in.Credentials = append(in.Credentials, report.StoredCredential{Service: "gift", State: "good"})
	in.Days = []report.StoredDay{{Day: reporttest.On("2026-11-19"), Stored: true}}
	s := New(locale.English, in, "all", reporttest.Noon)
	reporttest.Equal(t, "freshness", s.Freshness.State+": "+s.Freshness.Words, "stale: Data to 19 Nov, updated 5 hours ago")
	reporttest.Equal(t, "paused", s.Freshness.Off || s.Refused, false)
	reporttest.Equal(t, "words", strings.HasPrefix(s.Words, "Last pull 12 minutes ago"), true)
	reporttest.Equal(t, "gifts alone", New(locale.English, syncOf(goodPull("gift", "gift.plan", "")), "all", reporttest.Noon).Freshness.Words, "No full day stored yet, updated 12 minutes ago")
}

func TestTheDaysStripHasOneMarkADayAndItsRevisions_N1_N27(t *testing.T) {
	t.Parallel()
	in := syncOf(goodPull("upsell", "lifetime", ""))
	in.Days = []report.StoredDay{{Day: reporttest.On("2026-11-15"), Stored: true}, {Day: reporttest.On("2026-11-17"), Stored: true, Revised: true}, {Day: reporttest.On("2026-11-18"), Stored: true}}
	s := New(locale.English, in, "all", reporttest.Noon)
	reporttest.Equal(t, "strip", s.Days, []report.StoredDay{{Day: reporttest.On("2026-11-17"), Stored: true, Revised: true}, {Day: reporttest.On("2026-11-18"), Stored: true, Revised: false}, {Day: reporttest.On("2026-11-19"), Stored: false, Revised: false}})
	reporttest.Equal(t, "freshness", s.Freshness.Words, "Data to 18 Nov, updated 12 minutes ago")
	in.FirstDay = reporttest.On("2026-11-15") // more is stored than requested
	reporttest.Equal(t, "first mark", New(locale.English, in, "all", reporttest.Noon).Days[0], report.StoredDay{Day: reporttest.On("2026-11-15"), Stored: true, Revised: false})
	in.FirstDay = reporttest.On("2026-11-18") // more is requested than there was
	reporttest.Equal(t, "first mark of a younger store", New(locale.English, in, "all", reporttest.Noon).Days[0].Day, reporttest.On("2026-11-17"))
	in.Credentials[0].State = "paused"
	reporttest.Equal(t, "freshness of a paused store", New(locale.English, in, "all", reporttest.Noon).Freshness.State, "failed")
}

func TestTheNightlyComparisonInWords(t *testing.T) {
	t.Parallel()
	check := func(days int, agrees bool, missing int) report.StoredCheck {
		return report.StoredCheck{Window: report.WindowEnding(reporttest.On("2026-11-19"), days), Check: report.Check{Agrees: agrees, Days: days - missing, Missing: missing, At: reporttest.Noon}}
	}
	older := check(30, false, 0)
	older.Window = report.WindowEnding(reporttest.On("2026-11-18"), 30)
	for name, c := range map[string]struct {
		checks []report.StoredCheck
		want   string
	}{
		"never":             {nil, "not compared yet"},
		"both":              {[]report.StoredCheck{check(90, true, 0), check(30, true, 0)}, "30 and 90 days agree with the app to the cent"},
		"shortest first":    {[]report.StoredCheck{check(90, true, 0), check(7, true, 0)}, "7 and 90 days agree with the app to the cent"},
		"one differs":       {[]report.StoredCheck{check(90, true, 0), check(30, false, 0)}, "30 days differ from the app and are pulled again"},
		"one has gaps":      {[]report.StoredCheck{check(90, false, 40), check(30, true, 0)}, "30 days agree with the app to the cent"},
		"only gaps":         {[]report.StoredCheck{check(90, false, 40)}, "not compared yet"},
		"the newest counts": {[]report.StoredCheck{check(30, true, 0), older}, "30 days agree with the app to the cent"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := syncOf()
			in.Checks = c.checks
			s := New(locale.English, in, "all", reporttest.Noon)
			reporttest.Equal(t, "words", s.CheckText, c.want)
		})
	}
}

func TestTimesOnTheSyncPageAreTheStores_N26(t *testing.T) {
	t.Parallel()
	row := New(locale.English, syncOf(goodPull("upsell", "lifetime", "")), "all", reporttest.Noon).Rows[0]
	reporttest.Equal(t, "due", row.Due.Format("2 Jan 15:04 MST"), "20 Nov 13:00 EST")
	reporttest.Equal(t, "last good", row.LastGood.Format("15:04 MST"), "11:48 EST")
	never := New(locale.English, syncOf(report.StoredPull{Pull: "lifetime", Outcome: fact.PullRefused}), "all", reporttest.Noon).Rows[0]
	if never.Due != nil || never.LastGood != nil {
		t.Errorf("never due is %v, never good %v", never.Due, never.LastGood)
	}
}

func TestGoodPullsOfSingleOffersAreFoldedAndNamed(t *testing.T) {
	t.Parallel()
	pulls := []report.StoredPull{goodPull("upsell", "offers.priority", "thank_you"), reporttest.BadPull("offer.stages", "o9", "failed", "x")}
	for _, id := range []string{"o1", "o2", "o3", "o4", "o5"} {
		pulls = append(pulls, goodPull("upsell", "offer.setup", id))
	}
	s := New(locale.English, syncOf(pulls...), "all", reporttest.Noon)
	s.Fold()
	var got []string
	for _, r := range s.Rows {
		got = append(got, r.Label)
	}
	reporttest.Equal(t, "rows", strings.Join(got, "; "), "Stages, offer o9; Setup, offer o1; Setup, offer o2; Setup, offer o3; Display order, Thank you page upsell")
	reporttest.Equal(t, "folded", s.FoldedOffers, 2)
	reporttest.Equal(t, "all of them are counted", s.All, 7)
	reporttest.Equal(t, "endpoint", s.Rows[0].Endpoint, "/data/offer/{id}/stages")
}

func TestN73APausedStoreHasNoSignOfWork(t *testing.T) {
	t.Parallel()
	reporttest.Equal(t, "sign", New(locale.English, report.StoredSync{Store: reporttest.Acme, Paused: true}, "", reporttest.Noon).Freshness.Sign(), "none")
}
