package overview

import (
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/fact"
)

func TestAMissingDayIsAGapAndNamed_N1(t *testing.T) {
	t.Parallel()
	in := reporttest.Three()
	in.Days = []report.StoredSummary{in.Days[0], in.Days[2]}
	s := overview(t, in, reporttest.ThreeDays).Summary
	reporttest.Equal(t, "value", s.TotalUpsoldValue, *reporttest.Dec("100.10"))
	reporttest.Equal(t, "missing days", s.Provenance.Missing, []civil.Date{reporttest.On("2026-11-18")})
	reporttest.Equal(t, "flag", s.Provenance.Has(report.FlagMissingDays), true)
	reporttest.Equal(t, "comparable", s.Provenance.Comparable(), false)
	reporttest.Equal(t, "replies", s.Provenance.Replies, 2)
	reporttest.Equal(t, "age", s.Provenance.FetchedAt, reporttest.Pulled(reporttest.On("2026-11-17")))
	reporttest.Equal(t, "age of the newest", s.Provenance.FetchedLast, reporttest.Pulled(reporttest.On("2026-11-19")))
}

func TestRatesAreRecomputedFromTheirPartsNeverAveraged_N2(t *testing.T) {
	t.Parallel()
	in := reporttest.Three() // 10 of 100 and 20 of 50: the mean of the days' rates would be 0.25
	s := overview(t, in, reporttest.ThreeDays).Summary
	reporttest.Equal(t, "basis", s.Provenance.Basis, report.Stitched)
	reporttest.Equal(t, "success rate", s.UpsellSuccessRate, reporttest.Dec("0.2"))
	reporttest.Equal(t, "average value", s.AverageUpsoldValue, reporttest.Dec("10.01"))
	reporttest.Nowhere(t, s, map[string]string{"the mean of the days' rates": "0.25", "their sum": "0.5"})

	window := reporttest.WindowSummary(reporttest.Span("2026-11-17", "2026-11-19"), "300.30", 30, 150)
	in.Windows = []report.StoredSummary{window}
	s = overview(t, in, reporttest.ThreeDays).Summary
	reporttest.Equal(t, "basis", s.Provenance.Basis, report.Reported)
	reporttest.Equal(t, "success rate", s.UpsellSuccessRate, reporttest.Dec("0.2"))
	reporttest.Equal(t, "average value", s.AverageUpsoldValue, reporttest.Dec("10.01"))
}

func TestWhatOneDayDoesNotReportIsLeftOutOfTheSum_N2(t *testing.T) {
	t.Parallel()
	in := reporttest.Three()
	reporttest.Equal(t, "views of three days", overview(t, in, reporttest.ThreeDays).Summary.OfferViews, reporttest.N64(1500))
	in.Days[1].OfferViews = nil
	s := overview(t, in, reporttest.ThreeDays).Summary
	if s.OfferViews != nil {
		t.Errorf("views are %d though one day has none", *s.OfferViews)
	}
	reporttest.Equal(t, "value", s.TotalUpsoldValue, *reporttest.Dec("300.30"))
}

func TestARateOverNothingHasNoValue_N20(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		day           report.StoredSummary
		rate, average *decimal.Decimal
	}{
		"no order was taken":    {reporttest.DaySummary("2026-11-19", "0", 0, 0), nil, nil},
		"nothing was upsold":    {reporttest.DaySummary("2026-11-19", "0", 0, 40), reporttest.Dec("0"), nil},
		"value without orders":  {reporttest.DaySummary("2026-11-19", "5", 0, 0), nil, nil},
		"an ordinary day":       {reporttest.DaySummary("2026-11-19", "5", 1, 4), reporttest.Dec("0.25"), reporttest.Dec("5")},
		"a third has an end":    {reporttest.DaySummary("2026-11-19", "10", 3, 3), reporttest.Dec("1"), reporttest.Dec("3.33333333")},
		"money back is allowed": {reporttest.DaySummary("2026-11-19", "-4", 2, 4), reporttest.Dec("0.5"), reporttest.Dec("-2")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := reporttest.Connected()
			reporttest.Keep(&in, c.day)
			o := overview(t, in, "window=yesterday")
			reporttest.Equal(t, "success rate", o.Summary.UpsellSuccessRate, c.rate)
			reporttest.Equal(t, "average", o.Summary.AverageUpsoldValue, c.average)
			reporttest.Equal(t, "the day's success rate", o.Trend.Days[0].SuccessRate, c.rate)
			reporttest.Equal(t, "the day's average", o.Trend.Days[0].Average, c.average)
		})
	}
}

func TestAWindowAnsweredExactlyIsAsReportedAnyOtherIsStitched_N22(t *testing.T) {
	t.Parallel()
	w := reporttest.Span("2026-11-17", "2026-11-19")
	in := reporttest.Three()
	in.Windows = []report.StoredSummary{reporttest.WindowSummary(w, "301.00", 31, 151)}
	in.Windows[0].Source = "someone-else"
	s := overview(t, in, reporttest.ThreeDays).Summary
	reporttest.Equal(t, "basis", s.Provenance.Basis, report.Reported)
	reporttest.Equal(t, "value", s.TotalUpsoldValue, *reporttest.Dec("301"))
	reporttest.Equal(t, "window", s.Provenance.Window, &w)
	reporttest.Equal(t, "raw source (N24)", s.Provenance.Source, "someone-else")
	reporttest.Equal(t, "replies", s.Provenance.Replies, 1)

	in.Windows[0].Window.Start = reporttest.On("2026-11-16") // the service applied a different window than requested
	s = overview(t, in, reporttest.ThreeDays).Summary
	reporttest.Equal(t, "basis", s.Provenance.Basis, report.Stitched)
	reporttest.Equal(t, "value", s.TotalUpsoldValue, *reporttest.Dec("300.30"))
	reporttest.Equal(t, "source of our own sum", s.Provenance.Source, "")
	reporttest.Equal(t, "asked", s.Provenance.Asked, &w)
}

func TestTheReplyBehindAReportedWindowIsNamed(t *testing.T) {
	t.Parallel()
	w, other := reporttest.Span("2026-11-17", "2026-11-19"), reporttest.Span("2026-11-16", "2026-11-18")
	in := reporttest.Three()
	in.Windows = []report.StoredSummary{reporttest.WindowSummary(w, "301.00", 31, 151)}
	in.Ledger = []report.StoredPull{
		{Service: "upsell", Pull: "summary.window", Subject: "7", Outcome: fact.PullGood, Applied: &other},
		{Service: "upsell", Pull: "summary.window", Subject: "3", Outcome: fact.PullGood, Applied: &w},
	}
	p := overview(t, in, reporttest.ThreeDays).Summary.Provenance
	reporttest.Equal(t, "the reply", p.Pull+" "+p.Subject, "summary.window 3")
	in.Windows = []report.StoredSummary{reporttest.DaySummary("2026-11-18", "1", 1, 1)}
	p = overview(t, in, "start=2026-11-18&end=2026-11-18").Summary.Provenance
	reporttest.Equal(t, "a day's reply", p.Pull+" "+p.Subject, "summary.day 2026-11-18")
}

func TestTheFlagsOfAReplyReachItsReader_N19_N22(t *testing.T) {
	t.Parallel()
	w := reporttest.Span("2026-11-17", "2026-11-19")
	in := reporttest.Three()
	in.Windows = []report.StoredSummary{reporttest.WindowSummary(w, "301.00", 31, 151)}
	in.Windows[0].Flags = []report.Flag{report.FlagWindowDiffers, report.FlagRateDisagrees}
	in.Windows[0].Revised = true
	p := overview(t, in, reporttest.ThreeDays).Summary.Provenance
	for _, f := range []report.Flag{report.FlagWindowDiffers, report.FlagRateDisagrees, report.FlagRevised} {
		reporttest.Equal(t, string(f), p.Has(f), true)
	}
}

func TestAPartialDayIsNeverCounted_N27(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*report.StoredSummary){
		"a day that was pulled while it ran": func(d *report.StoredSummary) { d.Partial = true },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := reporttest.Three()
			change(&in.Days[1])
			o := overview(t, in, reporttest.ThreeDays)
			reporttest.Equal(t, "value", o.Summary.TotalUpsoldValue, *reporttest.Dec("100.10"))
			reporttest.Equal(t, "missing", o.Summary.Provenance.Missing, []civil.Date{reporttest.On("2026-11-18")})
			reporttest.Equal(t, "stored in the chart", o.Trend.Days[1].Stored, false)
		})
	}
}

func TestAnAnswerGivenBeforeTheWindowWasOverIsTheSecondChoice_N27(t *testing.T) {
	t.Parallel()
	w := reporttest.Span("2026-11-17", "2026-11-19")
	in := reporttest.Three()
	in.Windows = []report.StoredSummary{reporttest.WindowSummary(w, "299.00", 29, 149)}
	in.Windows[0].Partial = true
	early := dayStat("2026-11-19", report.PostPurchase, 9, 7, "1")
	early.Window, early.Partial = w, true
	in.StatWindows, in.StatDays = []report.StoredStat{early}, fourAndFour().StatDays
	o := overview(t, in, reporttest.ThreeDays)
	s := o.Summary
	reporttest.Equal(t, "basis", s.Provenance.Basis, report.Stitched)
	reporttest.Equal(t, "value", s.TotalUpsoldValue, *reporttest.Dec("300.30"))
	reporttest.Equal(t, "claims", o.Placements.Rows[0].Claims, int64(214))

	in.Days, in.StatDays = nil, nil // there is nothing better
	o = overview(t, in, reporttest.ThreeDays)
	s = o.Summary
	reporttest.Equal(t, "claims", o.Placements.Rows[0].Claims, int64(7))
	reporttest.Equal(t, "partial placements", o.Placements.Provenance.Has(report.FlagPartial), true)
	reporttest.Equal(t, "basis", s.Provenance.Basis, report.Reported)
	reporttest.Equal(t, "value", s.TotalUpsoldValue, *reporttest.Dec("299"))
	reporttest.Equal(t, "partial", s.Provenance.Has(report.FlagPartial), true)
	reporttest.Equal(t, "comparable", s.Provenance.Comparable(), false)
}

func TestTodayAloneIsShownAsPartial_N27(t *testing.T) {
	t.Parallel()
	in := reporttest.Three()
	today := reporttest.DaySummary("2026-11-20", "55.50", 5, 20)
	today.Partial, today.FetchedAt = true, reporttest.Noon.Add(-10*60e9)
	reporttest.Keep(&in, today)
	in.Windows = []report.StoredSummary{today}
	o := overview(t, in, "window=today")
	reporttest.Equal(t, "value", o.Summary.TotalUpsoldValue, *reporttest.Dec("55.50"))
	reporttest.Equal(t, "partial", o.Summary.Provenance.Has(report.FlagPartial), true)
	if o.Trend.Today == nil || !o.Trend.Today.Partial || len(o.Trend.Days) != 0 || o.Trend.Empty != nil {
		t.Errorf("today is drawn as %+v beside %d whole days (%v)", o.Trend.Today, len(o.Trend.Days), o.Trend.Empty)
	}
	if rows := o.Trend.Rows(); len(rows) != 1 || !rows[0].Partial {
		t.Errorf("the rows of a file of today are %+v", rows)
	}
	reporttest.Equal(t, "the axis is in", o.Trend.Currency, "USD")
}

func TestADayLeftOutIsNamed_N27(t *testing.T) {
	t.Parallel()
	in := reporttest.Three()
	s := overview(t, in, "start=2026-11-17&end=2026-11-20&compare=none").Summary
	today := reporttest.On("2026-11-20")
	reporttest.Equal(t, "left out", s.Provenance.LeftOut, &today)
	reporttest.Equal(t, "applied", s.Provenance.Window, reporttest.Ptr(reporttest.Span("2026-11-17", "2026-11-19")))
	reporttest.Equal(t, "asked", s.Provenance.Asked, reporttest.Ptr(reporttest.Span("2026-11-17", "2026-11-20")))
	reporttest.Equal(t, "missing", len(s.Provenance.Missing), 0)
}

func TestRevisedDaysAreCounted_N27(t *testing.T) {
	t.Parallel()
	in := fourAndFour()
	in.Days[0].Revised, in.Days[1].Revised = true, true
	in.StatDays[1].Revised, in.StatDays[5].Revised, in.StatDays[6].Revised = true, true, true // not the day's first row
	o := overview(t, in, reporttest.ThreeDays)
	for name, p := range map[string]report.Provenance{
		"sum": o.Summary.Provenance, "chart": o.Trend.Provenance, "placements": o.Placements.Provenance, "placements' bars": o.Placements.Drawn,
	} {
		reporttest.Equal(t, "revised days of the "+name, p.Revised, 2)
		reporttest.Equal(t, "flag of the "+name, p.Has(report.FlagRevised), true)
	}
	reporttest.Equal(t, "the first point", o.Trend.Days[0].Revised, true)
	reporttest.Equal(t, "the last point", o.Trend.Days[2].Revised, false)
	reporttest.Equal(t, "their week", o.Trend.Grouped(report.ByWeek).Days[0].Revised, true)

	in.StatWindows = in.StatDays[:4]
	for i := range in.StatWindows {
		in.StatWindows[i].Window = reporttest.Span("2026-11-17", "2026-11-19")
	}
	reporttest.Equal(t, "placements as reported", overview(t, in, reporttest.ThreeDays).Placements.Provenance.Has(report.FlagRevised), true)
}

func TestAmountsOfTwoCurrenciesNeverMeetInASum_N34(t *testing.T) {
	t.Parallel()
	in := reporttest.Three()
	in.Days[1].Currency = "EUR"
	s := overview(t, in, reporttest.ThreeDays).Summary
	if s.Empty == nil || s.Empty.Cause != report.CauseNotKept {
		t.Fatalf("the sum of dollars and euros is %s %s", s.Currency, s.TotalUpsoldValue)
	}
	reporttest.Equal(t, "text", s.Empty.Text, "The store changed from USD to EUR on 18 Nov 2026. Choose dates before or after that day; two currencies aren’t added up.")

	in.Windows = []report.StoredSummary{reporttest.WindowSummary(reporttest.Span("2026-11-17", "2026-11-19"), "270", 30, 150)}
	in.Windows[0].Currency = "EUR"
	s = overview(t, in, reporttest.ThreeDays).Summary
	if s.Empty != nil || s.Currency != "EUR" {
		t.Errorf("the answer for the whole window is in %q (%v), want EUR", s.Currency, s.Empty)
	}
}

func TestAComparisonKeepsItsOwnCurrency_N34(t *testing.T) {
	t.Parallel()
	in := reporttest.Connected()
	before := reporttest.DaySummary("2026-11-18", "10", 1, 2)
	before.Currency = "EUR"
	reporttest.Keep(&in, before, reporttest.DaySummary("2026-11-19", "20", 1, 2))
	s := overview(t, in, "window=yesterday").Summary
	if s.Previous == nil || s.Previous.Currency != "EUR" || s.Currency != "USD" {
		t.Errorf("%s is compared with %+v: both must say their currency", s.Currency, s.Previous)
	}
}

func TestTheNightlyComparisonBelongsToItsOwnWindow(t *testing.T) {
	t.Parallel()
	in := reporttest.Three()
	check := report.StoredCheck{Window: reporttest.Span("2026-11-17", "2026-11-19"), Check: report.Check{Days: 3, Reported: *reporttest.Dec("301"), Stitched: *reporttest.Dec("300.30"), At: reporttest.Noon}}
	in.Check = &check
	p := overview(t, in, reporttest.ThreeDays).Summary.Provenance
	reporttest.Equal(t, "check", p.Check, &check.Check)
	reporttest.Equal(t, "drift", p.Has(report.FlagDrift), true)

	check.Agrees = true
	reporttest.Equal(t, "drift of sums that agree", overview(t, in, reporttest.ThreeDays).Summary.Provenance.Has(report.FlagDrift), false)

	check.Agrees, check.Missing = false, 1 // nothing was compared: a day was missing
	reporttest.Equal(t, "drift with a day missing", overview(t, in, reporttest.ThreeDays).Summary.Provenance.Has(report.FlagDrift), false)
	check.Window = reporttest.Span("2026-11-16", "2026-11-19")
	if overview(t, in, reporttest.ThreeDays).Summary.Provenance.Check != nil {
		t.Error("the check of another window is shown")
	}
}

func TestTheClockIsTheStoresAndSaidToBe_N26(t *testing.T) {
	t.Parallel()
	o := overview(t, reporttest.Three(), reporttest.ThreeDays)
	reporttest.Equal(t, "time zone", o.Summary.Provenance.Timezone+" from "+o.Summary.Provenance.TimezoneFrom, "America/New_York from store")
	reporttest.Equal(t, "the page's clock", o.Now.Format("15:04 MST"), "12:00 EST")
}

func TestDaysThatFailedAreNotSaidToBeOutsideOfWhatIsKept_N15(t *testing.T) {
	t.Parallel()
	window := reporttest.Span("2026-11-17", "2026-11-19")
	for name, c := range map[string]struct {
		pull, subject string
		outcome       fact.Outcome
		failed        bool
	}{
		"its window":          {"summary.window", "3", fact.PullQuarantined, true},
		"a day of it":         {"summary.day", "2026-11-18", fact.PullQuarantined, true},
		"by its two ends":     {"summary.range", "2026-11-17..2026-11-19", fact.PullFailed, true},
		"another window":      {"summary.range", "2026-11-16..2026-11-19", fact.PullFailed, false},
		"a day before it":     {"summary.day", "2026-11-16", fact.PullFailed, false},
		"refused: too old":    {"summary.range", "2026-11-17..2026-11-19", fact.PullRefused, false},
		"a pull that is fine": {"summary.window", "3", fact.PullGood, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := reporttest.Connected()
			reporttest.Keep(&in, reporttest.DaySummary("2026-10-01", "1", 1, 1), reporttest.DaySummary("2026-10-02", "1", 1, 1))
			summary := reporttest.BadPull(c.pull, c.subject, c.outcome, "")
			if c.pull == "summary.window" {
				summary.Asked = &window
			}
			stats, top := summary, summary
			stats.Pull, top.Pull = strings.Replace(c.pull, "summary", "stats", 1), strings.Replace(c.pull, "summary", "top", 1)
			if c.pull == "summary.window" {
				top.Pull = "top.highest"
			}
			in.Ledger = []report.StoredPull{summary, stats, top}
			o := overview(t, in, reporttest.ThreeDays)
			for panel, e := range map[string]*report.Empty{"summary": o.Summary.Empty, "placements": o.Placements.Empty, "ranking": o.Top.Empty} {
				if want := (map[bool]report.Cause{true: report.CauseFailed, false: report.CauseNotKept})[c.failed]; e == nil || e.Cause != want {
					t.Errorf("%s: %+v, want %s", panel, e, want)
				}
			}
		})
	}
}

func TestAnAnswerForOtherDatesIsNamed_N22(t *testing.T) {
	t.Parallel()
	in := reporttest.Connected()
	reporttest.Keep(&in, reporttest.DaySummary("2026-10-01", "1", 1, 1))
	asked, month := reporttest.Span("2026-11-17", "2026-11-19"), reporttest.Span("2026-10-21", "2026-11-19")
	pull := func(kind string, applied report.Window) report.StoredPull {
		return report.StoredPull{Service: "upsell", Pull: kind, Subject: "2026-11-17..2026-11-19", Outcome: fact.PullGood, LastGoodAt: reporttest.Noon, Asked: &asked, Applied: &applied}
	}
	in.Ledger = []report.StoredPull{pull("summary.range", month), pull("stats.range", asked), pull("coverage", month)}
	o := overview(t, in, reporttest.ThreeDays)
	reporttest.Equal(t, "other dates", o.Summary.Empty.Text, "The app was asked about 17 – 19 Nov 2026 and answered for 21 Oct – 19 Nov 2026.")
	reporttest.Equal(t, "no placements", o.Placements.Empty.Text, "The app answered for 17 – 19 Nov 2026, but its reply lists nothing.")
	reporttest.Equal(t, "no coverage", o.Coverage.Empty.Text, "The app answered for 21 Oct – 19 Nov 2026, but its reply lists nothing.")
	in.Ledger[2].Outcome = fact.PullFailed
	reporttest.Equal(t, "coverage that failed since", overview(t, in, reporttest.ThreeDays).Coverage.Empty.Cause, report.CauseFailed)
	in.Ledger[2].Outcome, in.Ledger[2].Applied = fact.PullWaiting, nil
	reporttest.Equal(t, "coverage in the queue", overview(t, in, reporttest.ThreeDays).Coverage.Empty.Cause, report.CauseFilling)
	in.Ledger[2].Outcome, in.Ledger[2].Applied = fact.PullGood, &month

	day := reporttest.BadPull("summary.day", "2026-11-18", fact.PullRefused, "")
	reporttest.Equal(t, "refused", day.Reason().ID, "state.cause.refused")
	day.Text = locale.M("sync.said.other_days", "days", locale.Period(month))
	reporttest.Equal(t, "answered for other days", day.Reason().ID, "state.cause.elsewhere")
}

func TestNothingStoredSaysItsCause_N15(t *testing.T) {
	t.Parallel()
	failing := report.StoredPull{Service: "upsell", Pull: "summary.day", Subject: "2026-11-18", Outcome: fact.PullFailed, Text: locale.Text("Server error (500)"), FailingSince: reporttest.Noon.Add(-3 * 3600e9), Attempts: 2}
	for name, c := range map[string]struct {
		in    func() report.Stored
		cause report.Cause
		title string
	}{
		"never connected": {func() report.Stored { return report.Stored{Store: reporttest.Acme} }, report.CauseNeverConnected, "Connect Acme to see what its upsells earn"},
		"filling":         {reporttest.Connected, report.CauseFilling, "Loading your first numbers"},
		"failed": {func() report.Stored {
			in := reporttest.Connected()
			in.Ledger = []report.StoredPull{failing}
			return in
		}, report.CauseFailed, "Not updated yet: the first try failed 3 hours ago."},
		"asked for and on its way": {func() report.Stored {
			in := reporttest.Connected()
			in.Asking = true
			reporttest.Keep(&in, reporttest.DaySummary("2026-10-01", "1", 1, 1), reporttest.DaySummary("2026-10-02", "1", 1, 1))
			return in
		}, report.CauseFilling, "These dates are loading"},
		"outside of what is kept": {func() report.Stored {
			in := reporttest.Connected()
			reporttest.Keep(&in, reporttest.DaySummary("2026-10-01", "1", 1, 1), reporttest.DaySummary("2026-10-02", "1", 1, 1))
			return in
		}, report.CauseNotKept, "No data for these dates"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := overview(t, c.in(), reporttest.ThreeDays)
			for panel, e := range map[string]*report.Empty{"summary": o.Summary.Empty, "trend": o.Trend.Empty, "placements": o.Placements.Empty} {
				if e == nil || e.Cause != c.cause || e.Title != c.title {
					t.Errorf("%s: %+v, want %s, %q", panel, e, c.cause, c.title)
				}
			}
		})
	}
}
