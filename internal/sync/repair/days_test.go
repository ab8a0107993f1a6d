package repair

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"
	"github.com/storeglass/storeglass/internal/sync/plan"
)

func whole(n int64) *decimal.Decimal {
	d := decimal.NewFromInt(n)
	return &d
}

// worth is the revenue of a day in the made-up series.
func worth(d civil.Date) int64 { return 10 + int64(d.Day)*int64(d.Day) }

// retold is when the stored days of the made-up series were derived again.
var retold = time.Date(2026, time.November, 20, 16, 0, 0, 0, time.UTC)

// asked is the answer for a window as it comes on the day after its end.
func asked(start, end string) sqlc.GiftWindow {
	from, to := reporttest.On(start), reporttest.On(end)
	days := to.DaysSince(from) + 1
	sum := func(first civil.Date) *decimal.Decimal {
		var n int64
		for i := range days {
			n += worth(first.AddDays(i))
		}
		return whole(n)
	}
	at := to.AddDays(1).In(time.UTC).Add(17 * time.Hour)
	return sqlc.GiftWindow{
		BegunAt: &at, SameSince: &at, ProvenAt: &retold,
		WindowStart: from, WindowEnd: to, AskedDays: int32(days), Timezone: "America/New_York", Currency: "USD", Basis: "reported",
		Orders: sum(from), Revenue: sum(from), OrdersPrevious: sum(from.AddDays(-days)), RevenuePrevious: sum(from.AddDays(-days)),
		ConversionRateUnit: "percentage", FetchedAt: at,
	}
}

// singles are the answers for single days.
func singles(first string, n int) []sqlc.GiftWindow {
	var out []sqlc.GiftWindow
	for i := range n {
		d := reporttest.On(first).AddDays(i).String()
		out = append(out, asked(d, d))
	}
	return out
}

// but is a row with something changed.
func but(g sqlc.GiftWindow, change func(*sqlc.GiftWindow)) sqlc.GiftWindow {
	change(&g)
	return g
}

func inWords(days []DerivedDay) []string {
	var out []string
	for _, d := range days {
		out = append(out, fmt.Sprintf("%s %s %s", d.Day, d.Basis, d.Revenue))
	}
	return out
}

// inOrder are the days as they were asked for.
func inOrder(days []civil.Date) []string {
	var out []string
	for _, d := range days {
		out = append(out, d.String())
	}
	return out
}

func spanRow(start string, outcome fact.Outcome, change func(*sqlc.Ledger)) sqlc.Ledger {
	row := sqlc.Ledger{Pull: string(plan.GiftSpan), Subject: start, Outcome: outcome}
	if change != nil {
		change(&row)
	}
	return row
}

// Today is 20 November in New York; its windows end on the 19th.
func repairOf(t *testing.T, first string, rows []sqlc.GiftWindow, spans ...sqlc.Ledger) GiftRepair {
	t.Helper()
	today := reporttest.On("2026-11-20")
	return GiftDays(Stored{
		Rows: rows, Ledger: spans, First: reporttest.On(first), Today: today, Now: today.In(time.UTC).Add(17 * time.Hour), Loc: newYork(t),
	})
}

func newYork(t *testing.T) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

func sameDays(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	reporttest.Equal(t, what, strings.Join(got, ", "), strings.Join(want, ", "))
}

func TestPreviousIsTrustedOnceThreePairsOfDaysShowIt(t *testing.T) {
	t.Parallel()
	quiet := func(g *sqlc.GiftWindow) {
		g.Orders, g.Revenue, g.OrdersPrevious, g.RevenuePrevious = whole(0), whole(0), whole(0), whole(0)
	}
	wrong := func(g *sqlc.GiftWindow) { g.RevenuePrevious = whole(1) }
	days := func(n int) []sqlc.GiftWindow { return singles("2026-10-01", n) }
	cases := map[string]struct {
		rows []sqlc.GiftWindow
		want bool
	}{
		"nothing stored":         {nil, false},
		"two pairs":              {days(3), false},
		"three pairs":            {days(4), true},
		"three pairs with a gap": {append(days(3), singles("2026-10-10", 2)...), true},
		"days without neighbours": {[]sqlc.GiftWindow{
			asked("2026-10-01", "2026-10-01"), asked("2026-10-03", "2026-10-03"), asked("2026-10-05", "2026-10-05"), asked("2026-10-07", "2026-10-07"),
		}, false},
		"one of eight changed late":   {append(days(8), but(asked("2026-10-09", "2026-10-09"), wrong)), true},
		"one of four disagrees":       {append(days(4), but(asked("2026-10-05", "2026-10-05"), wrong)), false},
		"one disagreed long ago":      {append([]sqlc.GiftWindow{asked("2026-09-30", "2026-09-30"), but(asked("2026-10-01", "2026-10-01"), wrong)}, singles("2026-10-02", 30)...), true},
		"only a rate disagrees":       {append(days(8), but(asked("2026-10-09", "2026-10-09"), func(g *sqlc.GiftWindow) { g.AovStorePrevious, g.AovStore = whole(1), whole(1) }), but(asked("2026-10-10", "2026-10-10"), func(g *sqlc.GiftWindow) { g.AovStorePrevious = whole(2) })), false},
		"days without orders":         {[]sqlc.GiftWindow{but(asked("2026-10-01", "2026-10-01"), quiet), but(asked("2026-10-02", "2026-10-02"), quiet), but(asked("2026-10-03", "2026-10-03"), quiet), but(asked("2026-10-04", "2026-10-04"), quiet)}, false},
		"nothing is said of it":       {[]sqlc.GiftWindow{asked("2026-10-01", "2026-10-01"), but(asked("2026-10-02", "2026-10-02"), func(g *sqlc.GiftWindow) { g.OrdersPrevious = nil })}, false},
		"another currency by then":    {append(days(3), but(asked("2026-10-04", "2026-10-04"), func(g *sqlc.GiftWindow) { g.Currency = "EUR" })), false},
		"one pair is of derived days": {append(days(3), but(asked("2026-10-04", "2026-10-04"), func(g *sqlc.GiftWindow) { g.Basis = "difference" })), false},
		"one pair is of other days":   {append(days(3), but(asked("2026-10-04", "2026-10-04"), func(g *sqlc.GiftWindow) { g.Flags = []report.Flag{"window_differs"} })), false},
		"windows are no days":         {[]sqlc.GiftWindow{asked("2026-10-01", "2026-10-02"), asked("2026-10-03", "2026-10-04"), asked("2026-10-05", "2026-10-06"), asked("2026-10-07", "2026-10-08")}, false},
	}
	for name, c := range cases {
		if got := previousIsTheDayBefore(c.rows); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}

func TestAMissedDayIsToldByTheNextOne(t *testing.T) {
	t.Parallel()
	rows := append(singles("2026-11-10", 5), singles("2026-11-16", 4)...) // the 15th was missed
	rows[5].ConversionRatePrevious, rows[5].AovByFgPrevious = whole(3), whole(7)
	got := repairOf(t, "2026-11-10", rows)
	sameDays(t, "derived", inWords(got.Days), fmt.Sprint("2026-11-15 previous ", worth(reporttest.On("2026-11-15"))))
	sameDays(t, "asked", inOrder(got.Spans))
	d := got.Days[0]
	if !d.ConversionRate.Equal(*whole(3)) || !d.AOVByFG.Equal(*whole(7)) || d.AOVStore != nil || d.ConversionRateUnit != "percentage" {
		t.Errorf("what else the next day says is kept: %+v", d)
	}
}

func TestARunOfMissedDaysTakesOneSpanMoreThanDays(t *testing.T) {
	t.Parallel()
	// The 14th to the 16th were missed, and nothing shows yet what `previous` is. The window
	// from the 16th, a Monday, is asked for every night.
	rows := []sqlc.GiftWindow{asked("2026-11-13", "2026-11-13"), asked("2026-11-17", "2026-11-17"), asked("2026-11-18", "2026-11-18"), asked("2026-11-19", "2026-11-19")}
	got := repairOf(t, "2026-11-13", rows)
	sameDays(t, "derived", inWords(got.Days))
	sameDays(t, "asked", inOrder(got.Spans), "2026-11-17", "2026-11-15", "2026-11-14")
	for _, start := range []string{"2026-11-14", "2026-11-15", "2026-11-16", "2026-11-17"} {
		rows = append(rows, asked(start, "2026-11-19"))
	}
	got = repairOf(t, "2026-11-13", rows)
	sameDays(t, "derived", inWords(got.Days),
		fmt.Sprint("2026-11-16 difference ", worth(reporttest.On("2026-11-16"))), fmt.Sprint("2026-11-15 difference ", worth(reporttest.On("2026-11-15"))), fmt.Sprint("2026-11-14 difference ", worth(reporttest.On("2026-11-14"))))
	sameDays(t, "asked", inOrder(got.Spans))
	if d := got.Days[0]; d.ConversionRate != nil || d.AOVByFG != nil || d.AOVStore != nil || d.ConversionRateUnit != "" {
		t.Errorf("a rate was derived by subtracting (N2): %+v", d)
	}
}

func TestWindowsThatAreAskedForAnywayAreNoSpans(t *testing.T) {
	t.Parallel()
	// The 13th begins the last seven days, the 16th the week, the 1st the month; the 19th is yesterday.
	got := repairOf(t, "2026-10-31", []sqlc.GiftWindow{asked("2026-11-13", "2026-11-13"), asked("2026-11-19", "2026-11-19")})
	sameDays(t, "asked", inOrder(got.Spans),
		"2026-11-18", "2026-11-17", "2026-11-15", "2026-11-14", "2026-11-12", "2026-11-11", "2026-11-10", "2026-11-09", "2026-11-08",
		"2026-11-07", "2026-11-06", "2026-11-05", "2026-11-04", "2026-11-03", "2026-11-02", "2026-10-31")
}

func TestThePastIsToldAsFarAsItIsWantedAndTheServiceFollows(t *testing.T) {
	t.Parallel()
	yesterday := []sqlc.GiftWindow{asked("2026-11-19", "2026-11-19")}
	oldest := func(r GiftRepair) string { return r.Spans[len(r.Spans)-1].String() }
	if r := repairOf(t, "2026-10-02", yesterday); oldest(r) != "2026-10-02" || !slices.Contains(r.Spans, reporttest.On("2026-11-18")) {
		t.Errorf("asked %v", r.Spans)
	}
	if r := repairOf(t, "2020-01-01", yesterday); oldest(r) != "2025-11-21" { // 365 days back begins a window that is asked anyway
		t.Errorf("the oldest asked is %s", oldest(r))
	}
	clamped := spanRow("2026-11-03", "refused", func(l *sqlc.Ledger) {
		asked, applied := reporttest.On("2026-11-03"), reporttest.On("2026-11-05")
		l.AskedStart, l.AppliedStart = &asked, &applied
	})
	if r := repairOf(t, "2026-10-01", yesterday, clamped); oldest(r) != "2026-11-05" {
		t.Errorf("the oldest asked is %s, where the service says that it begins on the 5th", oldest(r))
	}
}

func TestWhatWasAnsweredTodayOrGivenUpIsNotAskedAgain(t *testing.T) {
	t.Parallel()
	rows := []sqlc.GiftWindow{asked("2026-11-17", "2026-11-17"), asked("2026-11-19", "2026-11-19")}
	at := reporttest.On("2026-11-20").In(time.UTC).Add(16*time.Hour + 30*time.Minute)
	sameDays(t, "missing", inOrder(repairOf(t, "2026-11-17", rows).Spans), "2026-11-18")
	sameDays(t, "refused", inOrder(repairOf(t, "2026-11-17", rows, spanRow("2026-11-18", "refused", nil)).Spans))
	sameDays(t, "answered today", inOrder(repairOf(t, "2026-11-17", rows, spanRow("2026-11-18", "good", func(l *sqlc.Ledger) { l.LastGoodAt = &at })).Spans))
	before := at.AddDate(0, 0, -1)
	sameDays(t, "answered yesterday", inOrder(repairOf(t, "2026-11-17", rows, spanRow("2026-11-18", "good", func(l *sqlc.Ledger) { l.LastGoodAt = &before })).Spans), "2026-11-18")
}

// A service that always answers from its cache proves no day. Its windows are asked for less and less.
func TestADayThatStaysUnprovenIsAskedForLessAndLess_N64(t *testing.T) {
	t.Parallel()
	now := reporttest.On("2026-11-20").In(time.UTC).Add(17 * time.Hour)
	for _, c := range []struct {
		unproven, answered time.Duration // ago
		asks               bool
	}{
		{44 * time.Minute, 44 * time.Minute, false},
		{45 * time.Minute, 45 * time.Minute, true},
		{2 * time.Hour, 59 * time.Minute, false},
		{2 * time.Hour, time.Hour, true},
		{9 * time.Hour, 4 * time.Hour, false},
		{30 * 24 * time.Hour, 11 * time.Hour, false},
	} {
		cached := func(g *sqlc.GiftWindow) {
			g.BegunAt, g.SameSince, g.Cached, g.FetchedAt = nil, nil, true, now.Add(-c.answered)
		}
		day := but(asked("2026-11-18", "2026-11-18"), func(g *sqlc.GiftWindow) {
			g.ProvenAt, g.Basis, g.FetchedAt = nil, "difference", now.Add(-c.unproven)
		})
		rows := []sqlc.GiftWindow{day, asked("2026-11-19", "2026-11-19"), but(asked("2026-11-18", "2026-11-19"), cached)}
		if got := repairOf(t, "2026-11-18", rows).Spans; len(got) > 0 != c.asks {
			t.Errorf("unproven for %s, answered %s ago: asks %v", c.unproven, c.answered, inOrder(got))
		}
	}
}

func TestTwoWindowsTellADayOnlyWhereTheyBelongTogether_N2_N34_N43_N47(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		change func(longer, shorter *sqlc.GiftWindow)
		why    string
	}{
		"two currencies":      {func(l, _ *sqlc.GiftWindow) { l.Currency = "EUR" }, "two_currencies"},
		"two clocks":          {func(l, _ *sqlc.GiftWindow) { l.Timezone = "Asia/Tokyo" }, "two_zones"},
		"no orders":           {func(l, _ *sqlc.GiftWindow) { l.Orders = nil }, "no_value"},
		"no revenue":          {func(_, s *sqlc.GiftWindow) { s.Revenue = nil }, "no_value"},
		"another period":      {func(_, s *sqlc.GiftWindow) { s.Flags = []report.Flag{"window_differs"} }, "other_period"},
		"another length":      {func(l, _ *sqlc.GiftWindow) { l.AskedDays = 9 }, "other_period"},
		"less in the longer":  {func(l, _ *sqlc.GiftWindow) { l.Revenue = whole(1) }, "less_in_longer"},
		"fewer in the longer": {func(l, _ *sqlc.GiftWindow) { l.Orders = whole(1) }, "less_in_longer"},
	}
	for name, c := range cases {
		longer, shorter := asked("2026-11-16", "2026-11-19"), asked("2026-11-17", "2026-11-19")
		c.change(&longer, &shorter)
		got := repairOf(t, "2026-11-16", append(singles("2026-11-17", 3), longer, shorter))
		sameDays(t, name+": derived", inWords(got.Days))
		sameDays(t, name+": asked", inOrder(got.Spans))
		if got.Lost[reporttest.On("2026-11-16")] != c.why {
			t.Errorf("%s: %v", name, got.Lost)
		}
	}
	got := repairOf(t, "2026-11-16", append(singles("2026-11-17", 3), asked("2026-11-16", "2026-11-19"), asked("2026-11-17", "2026-11-19")))
	if strings.Join(inWords(got.Days), "") != fmt.Sprint("2026-11-16 difference ", worth(reporttest.On("2026-11-16"))) || len(got.Lost) > 0 {
		t.Errorf("the two as they are tell %v, lost %v", inWords(got.Days), got.Lost)
	}
}

func TestYesterdayIsAskedAgainAfterAnAnswerThatHoldsYesterdayAndToday(t *testing.T) {
	t.Parallel()
	at := func(clock string) time.Time {
		moment, err := time.Parse(time.RFC3339, "2026-11-20T"+clock+":00Z")
		if err != nil {
			t.Fatal(err)
		}
		return moment
	}
	seen := func(g sqlc.GiftWindow, begun time.Time) sqlc.GiftWindow {
		g.BegunAt, g.SameSince, g.FetchedAt = &begun, &begun, begun
		return g
	}
	yesterday := asked("2026-11-19", "2026-11-19")
	both := seen(but(asked("2026-11-19", "2026-11-20"), func(g *sqlc.GiftWindow) { g.IncludesToday = true }), at("14:00"))
	cases := map[string]struct {
		rows []sqlc.GiftWindow
		want string
	}{
		"yesterday was seen before":  {[]sqlc.GiftWindow{seen(yesterday, at("13:00")), both}, "2026-11-19"},
		"yesterday was seen since":   {[]sqlc.GiftWindow{seen(yesterday, at("15:00")), both}, ""},
		"the answer is today's only": {[]sqlc.GiftWindow{seen(yesterday, at("13:00")), seen(but(asked("2026-11-20", "2026-11-20"), func(g *sqlc.GiftWindow) { g.IncludesToday = true }), at("14:00"))}, ""},
		"the service has a cache":    {[]sqlc.GiftWindow{but(seen(yesterday, at("13:00")), func(g *sqlc.GiftWindow) { g.Cached = true }), both}, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sameDays(t, "asked", inOrder(repairOf(t, "2026-11-19", c.rows).Spans), strings.Fields(c.want)...)
		})
	}
}
