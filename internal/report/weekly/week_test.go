package weekly

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
	"github.com/storeglass/storeglass/internal/report/goal"
	"github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/internal/report/reporttest"
)

// weekOf is the mail for 9 to 15 November, seen some days later.
func weekOf(in report.Stored) Week {
	return weekIn(in, ChoiceOf(reporttest.On("2026-11-09"), reporttest.On("2026-11-20")))
}

func weekIn(in report.Stored, c report.Choice) Week {
	o := overview.New(locale.English, in, c, reporttest.Noon)
	why := answers.New(answers.Input{Choice: c, Summary: o.Summary, Placements: o.Placements, Top: &o.Top, TopBefore: o.TopBefore, Days: in.Days, Events: o.Events})
	return New(o, why, nil, time.Time{})
}

func TestTheHeadlineSaysWhatTheNumbersAllow(t *testing.T) {
	t.Parallel()
	now, before := reporttest.Span("2026-11-09", "2026-11-15"), reporttest.Span("2026-11-02", "2026-11-08")
	stored := func(windows ...report.StoredSummary) report.Stored {
		s := reporttest.Connected()
		reporttest.Keep(&s, reporttest.DaySummary("2026-11-08", "1", 1, 1))
		s.Windows = windows
		return s
	}
	gaps := reporttest.Connected()
	reporttest.Keep(&gaps, reporttest.DaySummary("2026-11-09", "10.50", 1, 9), reporttest.DaySummary("2026-11-11", "5", 1, 9))
	euros := reporttest.WindowSummary(before, "80", 8, 90)
	euros.Currency = "EUR"
	none := stored(reporttest.WindowSummary(now, "0", 0, 90))
	none.TopLists = []report.StoredTopList{{Window: now, Direction: "highest", Whole: true, ShopOfferCount: reporttest.N64(0), Currency: "USD", FetchedAt: reporttest.Noon}}
	for name, c := range map[string]struct {
		in   report.Stored
		want string
	}{
		"more":             {stored(reporttest.WindowSummary(now, "100", 10, 90), reporttest.WindowSummary(before, "80", 8, 90)), "Upsells brought in $100 last week, 25.0% more than the week before."},
		"less":             {stored(reporttest.WindowSummary(now, "60", 6, 90), reporttest.WindowSummary(before, "80", 8, 90)), "Upsells brought in $60.00 last week, 25.0% less than the week before."},
		"as much":          {stored(reporttest.WindowSummary(now, "80", 6, 90), reporttest.WindowSummary(before, "80", 8, 90)), "Upsells brought in $80.00 last week, about the same as the week before."},
		"no baseline":      {stored(reporttest.WindowSummary(now, "80", 6, 90), reporttest.WindowSummary(before, "0", 0, 90)), "Upsells brought in $80.00 last week, after nothing the week before."},
		"nothing before":   {stored(reporttest.WindowSummary(now, "80", 6, 90)), "Upsells brought in $80.00 last week."},
		"other currency":   {stored(reporttest.WindowSummary(now, "80", 6, 90), euros), "Upsells brought in $80.00 last week."},
		"nothing sold":     {stored(reporttest.WindowSummary(now, "0", 0, 90), reporttest.WindowSummary(before, "80", 8, 90)), "No upsell was sold last week, after $80.00 the week before."},
		"no offers":        {none, "There are no offers yet, so upsells brought in nothing last week."},
		"days are missing": {gaps, "Upsells brought in $15.50 on 2 of 7 days (9 – 15 Nov 2026)."},
		"nothing stored":   {reporttest.Connected(), "There are no upsell numbers for last week yet."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reporttest.Equal(t, "headline", weekOf(c.in).Headline, c.want)
		})
	}
}

// A value that rounding makes equal to the one before would contradict the change beside it.
func TestAFigureBeforeIsNotShownWhereItReadsTheSame(t *testing.T) {
	t.Parallel()
	in := reporttest.Connected()
	reporttest.Keep(&in, reporttest.DaySummary("2026-11-08", "1", 1, 1))
	in.Windows = []report.StoredSummary{
		reporttest.WindowSummary(reporttest.Span("2026-11-09", "2026-11-15"), "100.001", 10, 90),
		reporttest.WindowSummary(reporttest.Span("2026-11-02", "2026-11-08"), "100.002", 8, 90),
	}
	w := weekOf(in)
	reporttest.Equal(t, "value", w.Figures[0].Value+w.Figures[0].Under, "$100.00")
	reporttest.Equal(t, "orders", w.Figures[1].Value+", "+w.Figures[1].Under, "10, was 8")
}

func TestAWeekThatHasNotBegunInItsStoreStaysWhole_N72(t *testing.T) {
	t.Parallel()
	first := reporttest.On("2026-11-16")
	reporttest.Equal(t, "its Sunday", ChoiceOf(first, first).Window, report.Window{Start: first, End: first.AddDays(6)})
	reporttest.Equal(t, "a day later", ChoiceOf(first, first.AddDays(1)).Window, report.OneDay(first))
}

// That a store has no offers, or sold nothing, is said where the numbers are: its ranking isn't missing.
func TestARankingOfNothingIsNotMissing(t *testing.T) {
	t.Parallel()
	now := reporttest.Span("2026-11-09", "2026-11-15")
	for offers, name := range []string{"no offers", "nothing sold"} {
		in := reporttest.Connected()
		reporttest.Keep(&in, reporttest.DaySummary("2026-11-08", "1", 1, 1))
		in.Windows = []report.StoredSummary{reporttest.WindowSummary(now, "0", 0, 90)}
		in.TopLists = []report.StoredTopList{{Window: now, Direction: "highest", Whole: true, ShopOfferCount: reporttest.N64(int64(offers)), Currency: "USD", FetchedAt: reporttest.Noon}}
		for _, missing := range weekOf(in).Missing {
			if strings.Contains(missing, "anking") || strings.Contains(missing, "earner") {
				t.Errorf("%s: %s", name, missing)
			}
		}
	}
}

func TestAnEarlierWeekIsNamed(t *testing.T) {
	t.Parallel()
	w := reporttest.Span("2026-10-26", "2026-11-01")
	s := reporttest.Connected()
	s.Windows = []report.StoredSummary{reporttest.WindowSummary(w, "80", 6, 90)}
	c := ChoiceOf(w.Start, reporttest.On("2026-11-20"))
	reporttest.Equal(t, "headline", weekIn(s, c).Headline, "Upsells brought in $80.00 in the week of 26 Oct – 1 Nov 2026.")
}

func TestARankingThatIsCutMovesNobodyItLacks_N16(t *testing.T) {
	t.Parallel()
	now, before := reporttest.Span("2026-11-09", "2026-11-15"), reporttest.Span("2026-11-02", "2026-11-08")
	row := func(id, revenue string) report.TopRow {
		return report.TopRow{OfferID: id, Name: strings.ToUpper(id), Placement: report.PostPurchase, Revenue: reporttest.Dec(revenue)}
	}
	list := func(w report.Window, whole bool, rows ...report.TopRow) []report.StoredTopList {
		return []report.StoredTopList{{Window: w, Direction: fact.Highest, Currency: "USD", Whole: whole, FetchedAt: reporttest.Noon, Rows: rows}}
	}
	moved := func(whole bool, before []report.StoredTopList) string {
		t.Helper()
		s := reporttest.Connected()
		s.Windows = []report.StoredSummary{reporttest.WindowSummary(now, "80", 6, 90)}
		s.TopLists = append(list(now, whole, row("a", "9"), row("b", "5")), before...)
		w := weekOf(s)
		for _, table := range w.Tables {
			if table.Title != "Moved most" {
				continue
			}
			var out []string
			for _, r := range table.Rows {
				out = append(out, r.Name+" "+r.Under)
			}
			return strings.Join(out, ", ")
		}
		reporttest.Equal(t, "said", slices.Contains(w.Missing, locale.English.T("weekly.moves_not_kept")), true)
		return "unknown"
	}
	reporttest.Equal(t, "whole", moved(true, list(before, true, row("a", "10"))), "B was $0.00, A was $10.00")
	reporttest.Equal(t, "cut now", moved(false, list(before, true, row("a", "10"))), "unknown")
	reporttest.Equal(t, "cut before", moved(true, list(before, false, row("a", "10"))), "unknown")
	reporttest.Equal(t, "not kept", moved(true, nil), "unknown")
}

func TestAPlacementThatFellToNothingShowsWhatItLost(t *testing.T) {
	t.Parallel()
	now, before := reporttest.Span("2026-11-09", "2026-11-15"), reporttest.Span("2026-11-02", "2026-11-08")
	stat := func(w report.Window, p report.Placement, revenue string) report.StoredStat {
		return report.StoredStat{Window: w, Placement: p, Impressions: 9, Claims: 1, Revenue: reporttest.Dec(revenue), Currency: "USD", FetchedAt: reporttest.Noon}
	}
	s := reporttest.Connected()
	s.Windows = []report.StoredSummary{reporttest.WindowSummary(now, "80", 8, 90), reporttest.WindowSummary(before, "800", 80, 90)}
	s.StatWindows = []report.StoredStat{
		stat(now, report.PostPurchase, "80"), stat(now, report.ThankYou, "0"), stat(now, report.OrderStatus, "0"),
		stat(before, report.PostPurchase, "60"), stat(before, report.ThankYou, "740"), stat(before, report.OrderStatus, "0"), stat(before, report.Coupon, "12.50"),
	}
	for _, p := range []report.Placement{report.ThankYou, report.OrderStatus} {
		s.Coverage = append(s.Coverage, report.StoredCover{Placement: p, TotalCount: 2, Window: now, Currency: "USD", FetchedAt: reporttest.Noon})
	}
	var rows []string
	for _, r := range weekOf(s).Tables[0].Rows {
		rows = append(rows, r.Name+": "+r.Value+", "+r.Change()+" ("+r.Under+")")
	}
	reporttest.Equal(t, "placements", strings.Join(rows, "\n"), `Post-purchase upsell: $80.00, ↑ 33.3% more (9 views · 1 claim)
Thank you page upsell: $0.00, ↓ 100.0% less (9 views · 1 claim · was $740.00 · switched off)
Coupon offer: no data sent, – (was $12.50)
Order status page upsell: $0.00, switched off (9 views · 1 claim)`)
}

func TestAMailComparesPlacementsOfWholeWeeksOnly_N1_N74(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		without string
		want    string
	}{
		"both weeks whole":        {"", "= no change"},
		"a day of this week":      {"2026-11-11", "not compared"},
		"a day of the one before": {"2026-11-03", "not compared"},
	} {
		s := reporttest.Connected()
		for d := range reporttest.Span("2026-11-02", "2026-11-15").All() {
			reporttest.Keep(&s, reporttest.DaySummary(d.String(), "10", 1, 10))
			if d.String() != c.without {
				s.StatDays = append(s.StatDays, report.StoredStat{Window: report.OneDay(d), Placement: report.ThankYou, Impressions: 9, Claims: 1, Revenue: reporttest.Dec("10"), Currency: "USD", FetchedAt: reporttest.Noon})
			}
		}
		w := weekOf(s)
		reporttest.Equal(t, name, w.Tables[0].Rows[1].Change(), c.want)
		missing := slices.ContainsFunc(w.Missing, func(line string) bool { return strings.Contains(line, "11 Nov") })
		reporttest.Equal(t, name+": named in the mail", missing, c.without == "2026-11-11")
	}
}

func TestAMailMarksAnOfferThatWasDeleted_N17(t *testing.T) {
	t.Parallel()
	w := reporttest.Span("2026-11-09", "2026-11-15")
	s := reporttest.Connected()
	s.Windows = []report.StoredSummary{reporttest.WindowSummary(w, "80", 6, 90)}
	s.TopLists = []report.StoredTopList{{Window: w, Direction: fact.Highest, Whole: true, Currency: "USD", FetchedAt: reporttest.Noon, Rows: []report.TopRow{
		{OfferID: "a", Name: "A", Placement: report.ThankYou, Revenue: reporttest.Dec("9"), Deleted: true}, {OfferID: "b", Name: "B", Placement: report.ThankYou, Revenue: reporttest.Dec("5")},
	}}}
	var under []string
	for _, table := range weekOf(s).Tables {
		if table.Title == locale.English.T("weekly.best") {
			for _, r := range table.Rows {
				under = append(under, r.Under)
			}
		}
	}
	reporttest.Equal(t, "best offers", strings.Join(under, "; "), "Thank you page upsell · deleted; Thank you page upsell")
}

func TestAMailAddsUpGiftDaysAndSaysWhatTheyLack_N1_N2(t *testing.T) {
	t.Parallel()
	s := reporttest.Connected()
	s.Windows = []report.StoredSummary{reporttest.WindowSummary(reporttest.Span("2026-11-09", "2026-11-15"), "80", 6, 90)}
	for d := range reporttest.Span("2026-11-09", "2026-11-15").All() {
		if d.Day != 11 {
			s.GiftDays = append(s.GiftDays, reporttest.GiftDay(d.String(), "1", "10", ""))
		}
	}
	w := weekOf(s)
	var rows []string
	for _, table := range w.Tables {
		if table.Title == locale.English.T("weekly.gifts") {
			for _, r := range table.Rows {
				rows = append(rows, r.Name+" "+r.Value+" "+r.Change())
			}
		}
	}
	reporttest.Equal(t, "rows", strings.Join(rows, "; "), "Gift orders 6 not compared; Gift revenue $60.00 not compared")
	var gifts []string
	for _, line := range w.Missing {
		if strings.Contains(strings.ToLower(line), "gift") {
			gifts = append(gifts, line)
		}
	}
	reporttest.Equal(t, "missing", strings.Join(gifts, "\n"), `Gift conversion: the gift app gives a conversion rate only for dates that end yesterday. Daily rates can’t be combined into one.
Order value with a gift: the gift app gives an average only for dates that end yesterday. Daily averages can’t be combined into one.
Order value, all orders: the gift app gives an average only for dates that end yesterday. Daily averages can’t be combined into one.
Free gifts: 11 Nov is not in their sums.`)
}

func TestAMailSaysOfEachGiftNumberWhatIsNotKnown_N46_N47_N48_N74(t *testing.T) {
	t.Parallel()
	now, before := reporttest.Span("2026-11-09", "2026-11-15"), reporttest.Span("2026-11-02", "2026-11-08")
	for name, c := range map[string]struct {
		change func(*report.Stored, *report.StoredGift)
		want   string
	}{
		"as reported": {func(*report.Stored, *report.StoredGift) {}, "7,001 ↑ 16.4% more; $4,321.09 ↑ 8.1% more; 4.3% ↑ 0.3 points higher; $60.86 ↓ 7.2% less; $81.22 no baseline"},
		"null and no unit": {func(_ *report.Stored, g *report.StoredGift) {
			g.Orders.Value, g.ConversionRate.Unit = nil, "basis_points"
		}, "not reported –; $4,321.09 ↑ 8.1% more; unit not known, so not shown –; $60.86 ↓ 7.2% less; $81.22 no baseline"},
		"nothing before": {func(_ *report.Stored, g *report.StoredGift) { g.FetchedAt = g.FetchedAt.AddDate(0, 0, -3) }, "7,001 not compared; $4,321.09 not compared; 4.3% not compared; $60.86 not compared; $81.22 not compared"},
		"days before": {func(s *report.Stored, g *report.StoredGift) {
			g.FetchedAt = g.FetchedAt.AddDate(0, 0, -3)
			for d := range before.All() {
				s.GiftDays = append(s.GiftDays, reporttest.GiftDay(d.String(), "0", "10", ""))
			}
		}, "7,001 no baseline; $4,321.09 ↑ 6,073% more; 4.3% not compared; $60.86 not compared; $81.22 not compared"},
	} {
		s := reporttest.Connected()
		s.Windows = []report.StoredSummary{reporttest.WindowSummary(now, "80", 6, 90)}
		s.Gift = []report.StoredGift{reporttest.GiftAnswer(now, 7)}
		c.change(&s, &s.Gift[0])
		var rows []string
		for _, table := range weekOf(s).Tables {
			if table.Title == locale.English.T("weekly.gifts") {
				for _, r := range table.Rows {
					rows = append(rows, r.Value+" "+r.Change())
				}
			}
		}
		reporttest.Equal(t, name, strings.Join(rows, "; "), c.want)
	}
}

func TestAMailSaysWhetherAMissingDayIsCounted_N1(t *testing.T) {
	t.Parallel()
	s := reporttest.Connected()
	for d := range reporttest.Span("2026-11-02", "2026-11-15").All() {
		if d.Day != 11 {
			reporttest.Keep(&s, reporttest.DaySummary(d.String(), "10", 1, 10))
		}
	}
	reporttest.Equal(t, "a sum of days", weekOf(s).Missing[0], "11 Nov is missing from the daily numbers. The true total is higher by that day’s sales.")
	s.Windows = []report.StoredSummary{reporttest.WindowSummary(reporttest.Span("2026-11-09", "2026-11-15"), "80", 6, 90)}
	reporttest.Equal(t, "a reported week", weekOf(s).Missing[0], "11 Nov is missing from the daily numbers. The total of the week is as reported and includes it.")
}

// A reader in Tokyo gets the mail about a New York store while it's still Sunday there.
func TestAWeekThatIsNotOverInItsStoreCountsTheDaysThatAre_N72(t *testing.T) {
	t.Parallel()
	s := reporttest.Connected()
	for d := range reporttest.Span("2026-10-26", "2026-11-14").All() {
		reporttest.Keep(&s, reporttest.DaySummary(d.String(), "100", 10, 100))
	}
	c := ChoiceOf(reporttest.On("2026-11-09"), reporttest.On("2026-11-15"))
	o := overview.New(locale.English, s, c, mondayInTokyo)
	why := answers.New(answers.Input{Choice: c, Summary: o.Summary})
	week := func(patience time.Duration) Week { return New(o, why, nil, mondayInTokyo.Add(patience)) }
	w := week(6 * time.Hour)
	reporttest.Equal(t, "window", w.Window, "9 – 14 Nov 2026 · 6 days · New York time · added up from daily data")
	reporttest.Equal(t, "comparison", w.Compared, "compared with 3 – 8 Nov 2026 · 6 days · New York time · added up from daily data")
	reporttest.Equal(t, "headline", w.Headline, "Upsells brought in $600 in the last 6 days, about the same as in the 6 days before.")
	reporttest.Equal(t, "value", w.Figures[0].Value+" "+w.Figures[0].Change(), "$600.00 = no change")
	reporttest.Equal(t, "missing", strings.Contains(strings.Join(w.Missing, " "), "15 Nov is not over there yet and not counted."), true)
	reporttest.Equal(t, "midnight is nine hours away", w.Complete, true)
	reporttest.Equal(t, "with ten hours of patience", week(10*time.Hour).Complete, false)
	o.Pulls.RefusedAt = mondayInTokyo.AddDate(0, 0, -9)
	reporttest.Equal(t, "with a token that was refused before", week(10*time.Hour).Complete, true)
}

func TestAMailSaysHowFarTheGoalIsAtTheEndOfItsWeek(t *testing.T) {
	t.Parallel()
	set := &report.StoredGoal{Kind: fact.GoalOrders, Amount: decimal.NewFromInt(300)}
	last := civil.Date{Year: 2026, Month: time.November, Day: 15}
	for back := range 60 {
		set.Days = append(set.Days, report.StoredSummary{Window: report.OneDay(last.AddDays(-back)), TotalUpsoldOrders: 12})
	}
	g := goal.New(report.Store{Timezone: "America/New_York"}, set, last, true)
	got := goalLines(locale.English, g)
	want := []string{
		"November goal: 180 of 300", "On pace for about 360, more than the goal.",
		"upsold orders · 1 – 15 Nov 2026 · 15 days · New York time · added up from daily data", "The pace is an estimate: 4 of 5 months end in its range.",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
