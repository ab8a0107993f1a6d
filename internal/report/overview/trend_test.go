package overview

import (
	"testing"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"

	"github.com/golang-sql/civil"
)

func TestTheChartHasEveryDayAndAGapIsNoZero_N1(t *testing.T) {
	t.Parallel()
	in := reporttest.Three()
	in.Days = in.Days[1:] // the 17th is not stored; on the 19th nothing was sold
	tr := overview(t, in, reporttest.ThreeDays).Trend
	if len(tr.Days) != 3 {
		t.Fatalf("%d points, want one for each of 3 days", len(tr.Days))
	}
	gap, zero := tr.Days[0], tr.Days[2]
	if gap.Stored || gap.Value != nil || gap.Orders != nil || gap.TotalOrders != nil || gap.Views != nil {
		t.Errorf("the missing day has numbers: %+v", gap)
	}
	if !zero.Stored || zero.Value == nil || !zero.Value.IsZero() || *zero.Orders != 0 {
		t.Errorf("the day without sales has no zero: %+v", zero)
	}
	reporttest.Equal(t, "missing", tr.Provenance.Missing, []civil.Date{reporttest.On("2026-11-17")})
}

func TestTheRunningDayIsDrawnApartAndNotCounted_N27(t *testing.T) {
	t.Parallel()
	in := reporttest.Three()
	today := reporttest.DaySummary("2026-11-20", "55.50", 5, 20)
	today.Partial = true
	reporttest.Keep(&in, today)
	tr := overview(t, in, reporttest.ThreeDays).Trend
	reporttest.Equal(t, "points", len(tr.Days), 3)
	reporttest.Equal(t, "replies behind the chart", tr.Provenance.Replies, 3)
	if tr.Today == nil || tr.Today.Day != reporttest.On("2026-11-20") || !tr.Today.Partial {
		t.Errorf("today is %+v", tr.Today)
	}
	reporttest.Equal(t, "rows of a file of the three days", len(tr.Rows()), 3)
	if far := overview(t, in, "start=2026-11-17&end=2026-11-18").Trend.Today; far != nil {
		t.Errorf("today is drawn beside a window that ended before: %+v", far)
	}
}

func TestAmountsOfTwoCurrenciesNeverShareAnAxis_N34(t *testing.T) {
	t.Parallel()
	in := reporttest.Three()
	in.Days[2].Currency = "EUR"
	tr := overview(t, in, reporttest.ThreeDays).Trend
	if tr.Empty == nil || tr.Empty.Title != "Two currencies in these dates" {
		t.Errorf("one chart in %q holds dollars and euros (%v)", tr.Currency, tr.Empty)
	}
	for i, want := range []string{"USD", "USD", "EUR"} {
		reporttest.Equal(t, "currency of a day", tr.Days[i].Currency, want)
	}

	one := reporttest.Three()
	today := reporttest.DaySummary("2026-11-20", "5", 1, 1)
	today.Partial, today.Currency = true, "EUR"
	reporttest.Keep(&one, today)
	if tr := overview(t, one, reporttest.ThreeDays).Trend; tr.Today != nil || tr.Currency != "USD" || tr.Empty != nil {
		t.Errorf("today's euros are drawn in a chart in %s: %+v", tr.Currency, tr.Today)
	}

	then := reporttest.Connected()
	before := reporttest.DaySummary("2026-11-16", "9", 1, 1)
	before.Currency = "EUR"
	reporttest.Keep(&then, before, reporttest.DaySummary("2026-11-17", "1", 1, 1), reporttest.DaySummary("2026-11-18", "1", 1, 1), reporttest.DaySummary("2026-11-19", "1", 1, 1))
	if tr := overview(t, then, "start=2026-11-17&end=2026-11-19").Trend; tr.Against != nil || tr.AgainstWindow != nil {
		t.Errorf("a line in euros is drawn on an axis in %s", tr.Currency)
	}
}

func TestTheComparisonLineIsLeftOutWhenNoDayOfItIsStored(t *testing.T) {
	t.Parallel()
	in := reporttest.Three()
	tr := overview(t, in, "start=2026-11-17&end=2026-11-19").Trend
	if tr.Against != nil || tr.AgainstWindow != nil {
		t.Errorf("compared with %d days of %v", len(tr.Against), tr.AgainstWindow)
	}
	tr = overview(t, in, "start=2026-11-18&end=2026-11-19").Trend // the 16th and the 17th
	if len(tr.Against) != 2 || tr.Against[0].Stored || !tr.Against[1].Stored {
		t.Errorf("the line before is %+v, want a gap and a day", tr.Against)
	}
}

func TestMarksAreOnTheStoresClock_N26(t *testing.T) {
	t.Parallel()
	in := reporttest.Three()
	gone := reporttest.Noon
	in.Campaigns = []report.Campaign{
		{Name: "in UTC", StartDate: "2026-11-18T04:30:00Z"},                                  // 23:30 of the 17th in New York
		{Name: "without a zone", StartDate: "2026-11-18T04:30:00", EndDate: "2026-11-19"},    // already on the store's clock
		{Name: "before", StartDate: "2026-11-17T03:00:00Z", EndDate: "not a date"},           // the 16th
		{Name: "no longer listed", StartDate: "2026-11-18", LastListed: &gone, EndDate: "x"}, // its current dates aren't known
	}
	reporttest.Equal(t, "marks", overview(t, in, reporttest.ThreeDays).Trend.Marks, []report.Mark{
		{Day: reporttest.On("2026-11-17"), Start: true, Gift: true, Name: "in UTC"},
		{Day: reporttest.On("2026-11-18"), Start: true, Gift: true, Name: "without a zone"},
		{Day: reporttest.On("2026-11-19"), Gift: true, Name: "without a zone"},
	})
}
