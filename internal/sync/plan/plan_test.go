package plan

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the stores' zones, wherever this runs

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/report"
)

// It is noon of Friday, 20 November 2026, in New York.
var noon = time.Date(2026, time.November, 20, 17, 0, 0, 0, time.UTC)

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

func on(text string) civil.Date {
	d, err := civil.ParseDate(text)
	if err != nil {
		panic(err)
	}
	return d
}

// names lists a plan as text: "lifetime", "summary.day 2026-11-19".
func names(plan []Pull) []string {
	var out []string
	for _, p := range plan {
		out = append(out, strings.TrimSpace(string(p.Kind)+" "+p.Subject))
	}
	return out
}

// settle is a ledger in which every pull of a plan succeeded at one time.
func settle(l Ledger, plan []Pull, at time.Time, loc *time.Location) Ledger {
	if l == nil {
		l = Ledger{}
	}
	for _, p := range plan {
		l[Key{p.Kind, p.Subject}] = sqlc.Ledger{
			Pull: string(p.Kind), Subject: p.Subject, Service: p.Service, Outcome: fact.PullGood, DueAt: DueAgain(p, at, loc), Claim: p.Claim + 1, LastGoodAt: &at,
		}
	}
	return l
}

func sameList(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s:\n got %s\nwant %s", what, strings.Join(got, ", "), strings.Join(want, ", "))
	}
}

func TestANewStoreIsPulledInTheOrderOfUrgency(t *testing.T) {
	t.Parallel()
	loc := zone(t, "America/New_York")
	sameList(t, "upsell", names(Due(Upsell, nil, 10, noon, loc, 1000)),
		// the credential's check, the first page, then today and yesterday
		"offer_count", "summary.window 30", "stats.window 30", "top.highest 30", "coverage", "lifetime",
		"summary.day 2026-11-20", "stats.day 2026-11-20", "top.day 2026-11-20", "summary.day 2026-11-19", "stats.day 2026-11-19", "top.day 2026-11-19",
		// the last 7 days
		"summary.window 7", "summary.window prev7", "stats.window 7", "stats.window prev7", "top.highest 7", "top.lowest 7",
		"summary.day 2026-11-18", "stats.day 2026-11-18", "top.day 2026-11-18",
		"summary.day 2026-11-17", "stats.day 2026-11-17", "top.day 2026-11-17",
		"summary.day 2026-11-16", "stats.day 2026-11-16", "top.day 2026-11-16",
		"summary.day 2026-11-15", "stats.day 2026-11-15", "top.day 2026-11-15",
		"summary.day 2026-11-14", "stats.day 2026-11-14", "top.day 2026-11-14",
		"summary.day 2026-11-13", "stats.day 2026-11-13", "top.day 2026-11-13",
		// the list, then the last 30 days
		"offers", "summary.window prev30", "stats.window prev30", "top.lowest 30",
		"summary.day 2026-11-12", "stats.day 2026-11-12", "top.day 2026-11-12",
		"summary.day 2026-11-11", "stats.day 2026-11-11", "top.day 2026-11-11",
		"summary.day 2026-11-10", "stats.day 2026-11-10", "top.day 2026-11-10",
		// display orders, then the last 90 days
		"offers.priority post_purchase", "offers.priority thank_you", "offers.priority coupon", "offers.priority order_status",
		"summary.window 90", "summary.window prev90", "stats.window 90", "stats.window prev90", "top.highest 90", "top.lowest 90",
		// weeks, months and quarters
		"summary.range 2026-11-16..2026-11-19", "summary.range 2026-11-09..2026-11-15", "summary.range 2026-11-01..2026-11-19", "summary.range 2026-10-01..2026-10-31", "summary.range 2026-10-01..2026-11-19",
		"stats.range 2026-11-16..2026-11-19", "stats.range 2026-11-09..2026-11-15", "stats.range 2026-11-01..2026-11-19", "stats.range 2026-10-01..2026-10-31", "stats.range 2026-10-01..2026-11-19",
		"top.range 2026-11-16..2026-11-19", "top.range 2026-11-09..2026-11-15", "top.range 2026-11-01..2026-11-19", "top.range 2026-10-01..2026-10-31", "top.range 2026-10-01..2026-11-19",
		"top.range.lowest 2026-11-16..2026-11-19", "top.range.lowest 2026-11-09..2026-11-15", "top.range.lowest 2026-11-01..2026-11-19", "top.range.lowest 2026-10-01..2026-10-31", "top.range.lowest 2026-10-01..2026-11-19")
	sameList(t, "gift", names(Due(Gift, nil, 10, noon, loc, 1000)),
		"gift.setup_health", "gift.plan", "gift.window 30", "gift.today", "gift.window 1", "gift.window 7",
		"gift.campaigns", "gift.widgets", "gift.settings", "gift.translations en", "gift.window 90",
		"gift.range 2026-11-16..2026-11-19", "gift.range 2026-11-01..2026-11-19", "gift.range 2026-10-01..2026-11-19", "gift.window 365")
}

// Each night asks for the calendar windows once, and never for one whose last day the services may not have closed
// yet. The nights hold the end of a quarter of 90 days and the second month behind it.
func TestWeeksMonthsAndQuartersAreAskedOnceANight(t *testing.T) {
	t.Parallel()
	loc := zone(t, "America/New_York")
	for _, service := range []string{Upsell, Gift} {
		kinds := RangeKinds(service)
		ledger, most := Ledger{}, 0
		due := func(at time.Time) (asked []Pull) {
			for _, p := range Due(service, ledger, 0, at, loc, 1000) {
				if slices.Contains(kinds, string(p.Kind)) {
					asked = append(asked, p)
				}
			}
			return asked
		}
		first := on("2027-03-10")
		settle(ledger, due(first.In(loc).Add(12*time.Hour)), first.In(loc).Add(12*time.Hour), loc)
		for night := range 60 {
			midnight := MidnightAfter(first.AddDays(night), loc)
			today := report.Today(midnight, loc)
			sameList(t, service+" right after midnight", names(due(midnight.Add(AfterMidnight-time.Second))))
			asked := due(midnight.Add(AfterMidnight))
			if want := len(kinds) * len(report.CalendarWindows(service, today)); len(asked) != want {
				t.Errorf("%s asks %v on %s, want %d", service, names(asked), today, want)
			}
			most = max(most, len(asked))
			settle(ledger, asked, midnight.Add(time.Hour), loc)
			sameList(t, service+" later that day", names(due(midnight.Add(20*time.Hour))))
		}
		if want := map[string]int{Upsell: 6 * 4, Gift: 3}[service]; most != want {
			t.Errorf("%s: at most %d calls a night, want %d", service, most, want)
		}
	}
}

func TestTheFirst30DaysMayTakeTheCallsThatAreKeptForPeople(t *testing.T) {
	t.Parallel()
	loc := zone(t, "America/New_York")
	lanes := func(l Ledger, now time.Time) map[string]fact.Lane {
		out := map[string]fact.Lane{}
		for _, p := range Due(Upsell, l, 40, now, loc, 1000) {
			out[strings.TrimSpace(string(p.Kind)+" "+p.Subject)] = p.Lane
		}
		return out
	}
	first := lanes(nil, noon)
	for name, want := range map[string]fact.Lane{
		"offer_count": fact.Interactive, "summary.day 2026-11-20": fact.Interactive, "offers": fact.Interactive, "top.day 2026-10-21": fact.Interactive,
		"summary.day 2026-10-20": fact.Backfill, "summary.window 90": fact.Schedule, "offers.priority coupon": fact.Schedule,
	} {
		if first[name] != want {
			t.Errorf("%s goes by %s, want %s", name, first[name], want)
		}
	}
	// Once these days were tried, nobody waits for them anymore, whatever is due: not at night,
	// and not for a day that failed.
	tried := settle(nil, Due(Upsell, nil, 30, noon, loc, 1000), noon, loc)
	tried[Key{SummaryDay, "2026-11-10"}] = sqlc.Ledger{DueAt: new(noon), TriedAt: new(noon), Outcome: fact.PullFailed}
	for name, lane := range lanes(tried, noon.Add(13*time.Hour)) {
		if lane == fact.Interactive {
			t.Errorf("%s takes a call that is kept for people", name)
		}
	}
}

func TestEveryPullAsksForWholeDaysOfTheStoresClock_N22_N23_N28(t *testing.T) {
	t.Parallel()
	want := map[string]report.Window{
		"summary.day 2026-11-20": report.OneDay(on("2026-11-20")), "summary.day 2026-11-13": report.OneDay(on("2026-11-13")),
		"summary.window 30":     {Start: on("2026-10-21"), End: on("2026-11-19")},
		"summary.window prev30": {Start: on("2026-09-21"), End: on("2026-10-20")},
		"stats.window 90":       {Start: on("2026-08-22"), End: on("2026-11-19")},
		"stats.window prev90":   {Start: on("2026-05-24"), End: on("2026-08-21")},
		"top.lowest 7":          {Start: on("2026-11-13"), End: on("2026-11-19")},
		"coverage":              {Start: on("2026-10-21"), End: on("2026-11-19")},
	}
	for _, p := range Due(Upsell, nil, 7, noon, zone(t, "America/New_York"), 1000) {
		name := strings.TrimSpace(string(p.Kind) + " " + p.Subject)
		if (p.Kind == LifetimeNow || p.Kind == OfferCountNow) && p.Window != nil {
			t.Errorf("%s has the window %s", name, p.Window)
		}
		if p.Window != nil && p.Window.Days() > 90 {
			t.Errorf("%s asks for %d days", name, p.Window.Days())
		}
		if w, ok := want[name]; ok {
			delete(want, name)
			if *p.Window != w {
				t.Errorf("%s asks for %s, want %s", name, p.Window, w)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("not planned: %v", want)
	}
}

func TestNothingIsPulledBeforeItIsDue(t *testing.T) {
	t.Parallel()
	loc := zone(t, "America/New_York")
	ledger := settle(nil, Due(Upsell, nil, 10, noon, loc, 1000), noon, loc)
	sameList(t, "at once", names(Due(Upsell, ledger, 10, noon.Add(time.Hour-time.Second), loc, 1000)))
	sameList(t, "an hour later", names(Due(Upsell, ledger, 10, noon.Add(time.Hour), loc, 1000)),
		"offer_count", "summary.day 2026-11-20", "stats.day 2026-11-20", "top.day 2026-11-20", "coverage", "lifetime")

	midnight := time.Date(2026, time.November, 21, 5, 0, 0, 0, time.UTC)
	ledger = settle(ledger, Due(Upsell, ledger, 10, midnight.Add(-30*time.Minute), loc, 1000), midnight.Add(-30*time.Minute), loc)
	sameList(t, "at midnight the new day alone", names(Due(Upsell, ledger, 10, midnight, loc, 1000)),
		"summary.day 2026-11-21", "stats.day 2026-11-21", "top.day 2026-11-21")
	ledger = settle(ledger, Due(Upsell, ledger, 10, midnight, loc, 1000), midnight, loc)
	night := names(Due(Upsell, ledger, 10, midnight.Add(20*time.Minute), loc, 1000))
	sameList(t, "the first of the night", night[:4], "offer_count", "summary.day 2026-11-20", "stats.day 2026-11-20", "top.day 2026-11-20")
	trailing := slices.DeleteFunc(slices.Clone(night), func(name string) bool { return !strings.HasPrefix(name, "top.day ") })
	sameList(t, "7 days trail", trailing[len(trailing)-1:], "top.day 2026-11-14")
}

func TestThePlanIsCutAtItsLimitAndTheSameForTheSameLedger(t *testing.T) {
	t.Parallel()
	loc := zone(t, "America/New_York")
	whole := names(Due(Upsell, nil, 90, noon, loc, 1000))
	for _, limit := range []int{0, 1, 5, len(whole), len(whole) + 1} {
		sameList(t, fmt.Sprintf("limit %d", limit), names(Due(Upsell, nil, 90, noon, loc, limit)), whole[:min(limit, len(whole))]...)
	}
	// The ledger may be in any order: maps have none.
	ledger := Ledger{}
	r := rand.New(rand.NewPCG(1, 2))
	for _, p := range Due(Upsell, nil, 90, noon, loc, 1000) {
		if due := noon.Add(time.Duration(r.IntN(200)-100) * time.Minute); r.IntN(2) == 0 {
			ledger[Key{p.Kind, p.Subject}] = sqlc.Ledger{DueAt: &due}
		}
	}
	once := names(Due(Upsell, ledger, 90, noon, loc, 1000))
	for range 5 {
		sameList(t, "again", names(Due(Upsell, ledger, 90, noon, loc, 1000)), once...)
	}
}

func TestARowThatAnotherWorkerHoldsIsPassedOver(t *testing.T) {
	t.Parallel()
	loc := zone(t, "America/New_York")
	for name, c := range map[string]struct {
		until *time.Time
		taken bool
	}{
		"free":            {nil, true},
		"held":            {new(noon.Add(time.Second)), false},
		"the lease ended": {new(noon), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ledger := Ledger{{LifetimeNow, ""}: {DueAt: new(noon.Add(-time.Hour)), ClaimedUntil: c.until, Claim: 7, Attempts: 2}}
			found := false
			for _, p := range Due(Upsell, ledger, 1, noon, loc, 1000) {
				if p.Kind == LifetimeNow {
					found = true
					if p.Claim != 7 || p.Attempts != 2 {
						t.Errorf("planned with claim %d after %d attempts, want 7 and 2", p.Claim, p.Attempts)
					}
				}
			}
			if found != c.taken {
				t.Errorf("planned: %v, want %v", found, c.taken)
			}
		})
	}
}

func TestARefusedOldDayEndsTheHistory(t *testing.T) {
	t.Parallel()
	loc := zone(t, "America/New_York")
	oldest := func(l Ledger) string {
		plan := names(Due(Upsell, l, 90, noon, loc, 1000))
		plan = slices.DeleteFunc(plan, func(name string) bool { return !strings.Contains(name, ".day ") })
		return plan[len(plan)-1]
	}
	for name, c := range map[string]struct {
		day     string
		kind    Kind
		outcome fact.Outcome
		want    string
	}{
		"answered for another day":     {"2026-11-01", SummaryDay, fact.PullRefused, "top.day 2026-11-02"},
		"failed only":                  {"2026-11-01", SummaryDay, fact.PullFailed, "top.day 2026-08-22"},
		"answered so, but not settled": {"2026-11-13", SummaryDay, fact.PullRefused, "top.day 2026-08-22"},
		"answered so, just settled":    {"2026-11-12", SummaryDay, fact.PullRefused, "top.day 2026-11-13"},
		"another kind was":             {"2026-11-01", TopDay, fact.PullRefused, "stats.day 2026-08-22"},
		"a window was":                 {"30", SummaryDay, fact.PullRefused, "top.day 2026-08-22"},
		"beyond what is kept":          {"2026-01-01", SummaryDay, fact.PullRefused, "top.day 2026-08-22"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked, applied := on("2026-01-01"), on("2026-01-02")
			ledger := Ledger{{c.kind, c.day}: {Outcome: c.outcome, AskedStart: &asked, AppliedStart: &applied}}
			if got := oldest(ledger); got != c.want {
				t.Errorf("the plan ends with %s, want %s", got, c.want)
			}
		})
	}
	asked := on("2026-01-01")
	no, good := sqlc.Ledger{Outcome: fact.PullRefused, AskedStart: &asked}, sqlc.Ledger{Outcome: fact.PullGood}
	for name, c := range map[string]struct {
		ledger Ledger
		want   string
	}{
		"one refused day may be a slip": {Ledger{{SummaryDay, "2026-11-01"}: no}, "top.day 2026-08-22"},
		"two in a row are the end":      {Ledger{{SummaryDay, "2026-11-01"}: no, {SummaryDay, "2026-10-31"}: no}, "top.day 2026-11-02"},
		"two apart are slips":           {Ledger{{SummaryDay, "2026-11-01"}: no, {SummaryDay, "2026-10-01"}: no}, "top.day 2026-08-22"},
		"though newer ones were good":   {Ledger{{SummaryDay, "2026-11-01"}: no, {SummaryDay, "2026-10-31"}: no, {SummaryDay, "2026-11-02"}: good}, "top.day 2026-11-02"},
		"one answered for itself":       {Ledger{{SummaryDay, "2026-11-01"}: {Outcome: fact.PullRefused, AskedStart: &asked, AppliedStart: &asked}}, "top.day 2026-08-22"},
		"an older day was answered":     {Ledger{{SummaryDay, "2026-11-01"}: no, {SummaryDay, "2026-10-31"}: no, {SummaryDay, "2026-09-01"}: good}, "top.day 2026-08-22"},
	} {
		if got := oldest(c.ledger); got != c.want {
			t.Errorf("%s: the plan ends with %s, want %s", name, got, c.want)
		}
	}
}

func TestNextDueIsTheEarliestOfAll(t *testing.T) {
	t.Parallel()
	loc := zone(t, "America/New_York")
	settled := func(change func(Ledger)) Ledger {
		l := settle(nil, Due(Upsell, nil, 2, noon, loc, 1000), noon, loc)
		change(l)
		return l
	}
	newDay := time.Date(2026, time.November, 21, 5, 1, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		ledger Ledger
		want   time.Time
	}{
		"a new store":        {nil, noon},
		"all settled":        {settled(func(Ledger) {}), noon.Add(time.Hour)},
		"one is new":         {settled(func(l Ledger) { delete(l, Key{LifetimeNow, ""}) }), noon},
		"one is due earlier": {settled(func(l Ledger) { l[Key{LifetimeNow, ""}] = sqlc.Ledger{DueAt: new(noon.Add(5 * time.Minute))} }), noon.Add(5 * time.Minute)},
		"one is overdue":     {settled(func(l Ledger) { l[Key{LifetimeNow, ""}] = sqlc.Ledger{DueAt: new(noon.Add(-time.Hour))} }), noon.Add(-time.Hour)},
		"the overdue is held": {settled(func(l Ledger) {
			l[Key{LifetimeNow, ""}] = sqlc.Ledger{DueAt: new(noon.Add(-time.Hour)), ClaimedUntil: new(noon.Add(2 * time.Minute))}
		}), noon.Add(2 * time.Minute)},
		"a new day begins": {settled(func(l Ledger) {
			for k, row := range l {
				row.DueAt = nil
				l[k] = row
			}
		}), newDay},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := NextDue(Upsell, c.ledger, 2, noon, loc); !got.Equal(c.want) {
				t.Errorf("next due %s, want %s", got.UTC(), c.want)
			}
		})
	}
}

// A tick may come late, twice or never: due times are stored in the ledger, so what is pulled
// depends only on the clock.
func TestMissedAndDoubledTicksChangeNothing(t *testing.T) {
	t.Parallel()
	loc := zone(t, "America/New_York")
	start := time.Date(2026, time.November, 1, 4, 30, 0, 0, time.UTC) // half an hour into a 25-hour day
	run := func(ticks ...time.Duration) (Ledger, int) {
		l, pulls := settle(nil, Due(Upsell, nil, 9, start, loc, 1000), start, loc), 0
		for _, after := range ticks {
			plan := Due(Upsell, l, 9, start.Add(after), loc, 1000)
			pulls += len(plan)
			l = settle(l, plan, start.Add(after), loc)
		}
		return l, pulls
	}
	once, pulls := run(26 * time.Hour)
	twice, same := run(26*time.Hour, 26*time.Hour)
	if pulls == 0 || pulls != same || len(once) != len(twice) {
		t.Errorf("%d pulls after one tick, %d after two at the same moment", pulls, same)
	}
	if left := Due(Upsell, once, 9, start.Add(26*time.Hour), loc, 1000); len(left) > 0 {
		t.Errorf("after a day without a tick one tick leaves %v", names(left))
	}
}
