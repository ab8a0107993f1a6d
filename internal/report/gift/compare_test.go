package gift

import (
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
)

const threeDaysOf = "start=2026-11-17&end=2026-11-19&compare="

func TestN74AGiftChangeFollowsTheComparisonInForce(t *testing.T) {
	t.Parallel()
	year := reporttest.GiftAnswer(reporttest.Span("2025-11-17", "2025-11-19"), 3)
	year.Revenue.Value, year.ConversionRate.Value = reporttest.Dec("4321.09"), reporttest.Dec("4.2")
	cases := map[string]struct {
		compare  string
		against  *report.Window
		previous *decimal.Decimal
		change   *decimal.Decimal
	}{
		"nothing":                  {"none", nil, nil, nil},
		"the window right before":  {"previous", reporttest.Ptr(reporttest.Span("2026-11-14", "2026-11-16")), reporttest.Dec("3999.01"), reporttest.Dec("8.05")},
		"a year earlier, reported": {"year", reporttest.Ptr(reporttest.Span("2025-11-17", "2025-11-19")), reporttest.Dec("4321.09"), reporttest.Dec("0")},
		"weekdays, not stored":     {"weekday", nil, nil, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := withGift(reporttest.GiftAnswer(reporttest.Span("2026-11-17", "2026-11-19"), 3))
			in.GiftAgainst = []report.StoredGift{year}
			g := shown(t, in, threeDaysOf+c.compare).Gift
			reporttest.Equal(t, "compared", g.Compared, c.against != nil)
			reporttest.Equal(t, "baseline", g.Against, c.against)
			reporttest.Equal(t, "previous", g.Revenue.Previous, c.previous)
			reporttest.Equal(t, "change", g.Revenue.ChangePercent, c.change)
		})
	}
}

func TestN74AComparisonIsMadeFromWholeDaysWhereNoAnswerIsStored(t *testing.T) {
	t.Parallel()
	in := withGift(reporttest.GiftAnswer(reporttest.Span("2026-11-17", "2026-11-19"), 3))
	in.GiftDays = []report.StoredGift{reporttest.GiftDay("2026-11-10", "1", "10", ""), reporttest.GiftDay("2026-11-11", "2", "20", ""), reporttest.GiftDay("2026-11-12", "3", "30.5", "")}
	g := shown(t, in, threeDaysOf+"weekday").Gift
	reporttest.Equal(t, "baseline", g.Against, reporttest.Ptr(reporttest.Span("2026-11-10", "2026-11-12")))
	reporttest.Equal(t, "previous", g.Revenue.Previous, reporttest.Dec("60.5"))
	reporttest.Equal(t, "a rate has no sum", g.ConversionRate.Previous, reporttest.Dec(""))
	reporttest.Equal(t, "the rate is not compared", g.ConversionRate.Uncompared, true)

	in.GiftDays[1].Currency = "EUR"
	reporttest.Equal(t, "with a day in another currency (N34)", shown(t, in, threeDaysOf+"weekday").Gift.Compared, false)
	in.GiftDays[1].Currency = "USD"
	in.GiftDays = in.GiftDays[1:]
	reporttest.Equal(t, "with a day missing", shown(t, in, threeDaysOf+"weekday").Gift.Compared, false)
}

func TestN74AGiftAnswerIsNoBaselineIfItIsDerivedPartialOrInAnotherCurrency(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*report.StoredGift){
		"derived":                   func(g *report.StoredGift) { g.Basis = "difference" },
		"partial (N45)":             func(g *report.StoredGift) { g.IncludesToday = true },
		"in another currency (N34)": func(g *report.StoredGift) { g.Currency = "EUR" },
	} {
		before := reporttest.GiftAnswer(reporttest.Span("2026-11-10", "2026-11-12"), 3)
		change(&before)
		in := withGift(reporttest.GiftAnswer(reporttest.Span("2026-11-17", "2026-11-19"), 3))
		in.GiftAgainst = []report.StoredGift{before}
		g := shown(t, in, threeDaysOf+"weekday").Gift
		if g.Compared || g.Revenue.Previous != nil || g.Revenue.ChangePercent != nil {
			t.Errorf("compared with an answer that is %s: %+v", name, g.Revenue)
		}
	}
}

func TestN74NothingIsComparedWithAValueThatIsNotShown_N47_N48(t *testing.T) {
	t.Parallel()
	now, before := reporttest.GiftAnswer(reporttest.Span("2026-11-17", "2026-11-19"), 3), reporttest.GiftAnswer(reporttest.Span("2026-11-10", "2026-11-12"), 3)
	change := func() Analytics {
		in := withGift(now)
		in.GiftAgainst = []report.StoredGift{before}
		return shown(t, in, threeDaysOf+"weekday").Gift
	}
	reporttest.Equal(t, "change of the rate", change().ConversionRate.ChangePercent, reporttest.Dec("0"))
	before.ConversionRate.Unit = "basis_points"
	reporttest.Equal(t, "a rate before in another unit", change().ConversionRate.Previous, reporttest.Dec(""))
	before.ConversionRate.Unit, now.ConversionRate.Unit = report.Percentage, "basis_points"
	reporttest.Equal(t, "change of a withheld rate", change().ConversionRate.ChangePercent, reporttest.Dec(""))
	now.AOVByFG.Value = nil
	reporttest.Equal(t, "change of no value", change().AOVByFG.ChangePercent, reporttest.Dec(""))
}

// The days in an answer from days ago may have been corrected since.
func TestN61AnOlderAnswersPreviousGivesWayToStoredDays(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		age  time.Duration
		want string
	}{"today's": {time.Hour, "61"}, "an older one": {72 * time.Hour, "5"}} {
		in := withGift(reporttest.GiftAnswer(reporttest.Span("2026-11-18", "2026-11-19"), 2))
		in.Gift[0].FetchedAt = reporttest.Noon.Add(-c.age)
		in.GiftAgainst = []report.StoredGift{reporttest.GiftDay("2026-11-16", "2", "20", ""), reporttest.GiftDay("2026-11-17", "3", "30", "")}
		in.GiftDays = in.GiftAgainst
		got := shown(t, in, "start=2026-11-18&end=2026-11-19").Gift.Orders.Previous
		if got == nil || got.String() != c.want {
			t.Errorf("%s: the orders before are %v, want %s", name, got, c.want)
		}
	}
}

func TestTheBaselineOfAnAnswerWithOtherDatesIsItsOwn_N43_N74(t *testing.T) {
	t.Parallel()
	g := shown(t, withGift(reporttest.GiftAnswer(reporttest.Span("2026-11-16", "2026-11-18"), 3)), threeDaysOf+"previous").Gift
	reporttest.Equal(t, "baseline", g.Against, reporttest.Ptr(reporttest.Span("2026-11-13", "2026-11-15")))
}

func TestARateKeepsTheDigitsThatItsChangeNeeds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ now, before, want string }{
		"a tenth":          {"8.0", "7.2", "8.0% was 7.2%: ↑ 0.8 points higher"},
		"a hundredth":      {"3.44", "3.42", "3.44% was 3.42%: ↑ 0.02 points higher"},
		"over a rounding":  {"3.46", "3.44", "3.46% was 3.44%: ↑ 0.02 points higher"},
		"down":             {"3.4", "4.4", "3.4% was 4.4%: ↓ 1.0 point lower"},
		"nothing":          {"3.42", "3.42", "3.4% was 3.4%: = no change"},
		"beyond all of it": {"3.420001", "3.42", "3.4200% was 3.4200%: ↑ under 0.0001 points higher"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			is, was, change := locale.English.ComparePercents(*reporttest.Dec(c.now), *reporttest.Dec(c.before))
			reporttest.Equal(t, "words", is.String()+" was "+was.String()+": "+change.String(), c.want)
		})
	}
}

func TestAWindowOfAnotherYearNamesIt(t *testing.T) {
	t.Parallel()
	today := reporttest.On("2026-11-20")
	reporttest.Equal(t, "this year", locale.English.DatesNear(reporttest.On("2026-08-24"), reporttest.On("2026-11-19"), today), "24 Aug – 19 Nov")
	reporttest.Equal(t, "a year earlier", locale.English.DatesNear(reporttest.On("2025-08-24"), reporttest.On("2025-11-21"), today), "24 Aug – 21 Nov 2025")
	reporttest.Equal(t, "over New Year", locale.English.DatesNear(reporttest.On("2025-12-30"), reporttest.On("2026-01-02"), today), "30 Dec 2025 – 2 Jan 2026")
}

func TestARateChangesInPointsAndNeverInPercentOfItself_N18(t *testing.T) {
	t.Parallel()
	fell := report.GiftMetric{Value: reporttest.Dec("8.0"), Previous: reporttest.Dec("8.8"), ChangePercent: reporttest.Dec("-9.09"), Unit: report.Percentage}
	for l, want := range map[locale.Locale]string{locale.English: "↓ 0.8 points lower", locale.German: "↓ 0,8 Punkte niedriger", locale.French: "↓ en baisse de 0,8 point", locale.Spanish: "↓ 0,8 puntos menos"} {
		reporttest.Equal(t, l.Code(), fell.RateChange(l).String(), want)
	}
	for want, m := range map[string]report.GiftMetric{
		"↑ 0.3 points higher": {Value: reporttest.Dec("4.3"), Previous: reporttest.Dec("4.0"), ChangePercent: reporttest.Dec("7.5")},
		"↑ 1.0 point higher":  {Value: reporttest.Dec("5"), Previous: reporttest.Dec("4"), ChangePercent: reporttest.Dec("25")},
		"↓ 0.03 points lower": {Value: reporttest.Dec("3.91"), Previous: reporttest.Dec("3.94"), ChangePercent: reporttest.Dec("-0.76")},
		"= no change":         {Value: reporttest.Dec("4"), Previous: reporttest.Dec("4.00"), ChangePercent: reporttest.Dec("0")},
		"no baseline":         {Value: reporttest.Dec("4"), Previous: reporttest.Dec("0")},
		"not compared":        {Value: reporttest.Dec("4"), ChangePercent: reporttest.Dec("7.5")},
		"–":                   {Previous: reporttest.Dec("4"), ChangePercent: reporttest.Dec("-100")},
	} {
		reporttest.Equal(t, want, m.RateChange(locale.English).String(), want)
	}
}
