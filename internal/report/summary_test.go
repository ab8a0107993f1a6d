package report

import (
	"testing"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/fact"
)

func TestAMissingDayIsAGapAndNamed_N1(t *testing.T) {
	t.Parallel()
	in := three()
	in.Days = []StoredSummary{in.Days[0], in.Days[2]}
	s := overview(t, in, threeDays).Summary
	equal(t, "value", s.TotalUpsoldValue, *dec("100.10"))
	equal(t, "missing days", s.Provenance.Missing, []civil.Date{on("2026-11-18")})
	equal(t, "flag", s.Provenance.Has(FlagMissingDays), true)
	equal(t, "comparable", s.Provenance.Comparable(), false)
	equal(t, "replies", s.Provenance.Replies, 2)
	equal(t, "age", s.Provenance.FetchedAt, pulled(on("2026-11-17")))
	equal(t, "age of the newest", s.Provenance.FetchedLast, pulled(on("2026-11-19")))
}

func TestRatesAreRecomputedFromTheirPartsNeverAveraged_N2(t *testing.T) {
	t.Parallel()
	in := three() // 10 of 100 and 20 of 50: the mean of the days' rates would be 0.25
	s := overview(t, in, threeDays).Summary
	equal(t, "basis", s.Provenance.Basis, Stitched)
	equal(t, "success rate", s.UpsellSuccessRate, dec("0.2"))
	equal(t, "average value", s.AverageUpsoldValue, dec("10.01"))
	nowhere(t, s, map[string]string{"the mean of the days' rates": "0.25", "their sum": "0.5"})

	window := windowSummary(span("2026-11-17", "2026-11-19"), "300.30", 30, 150)
	window.UpsellSuccessRate, window.AverageUpsoldValue = dec("20"), dec("9.99") // as reported, but wrong
	in.Windows = []StoredSummary{window}
	s = overview(t, in, threeDays).Summary
	equal(t, "basis", s.Provenance.Basis, Reported)
	equal(t, "success rate", s.UpsellSuccessRate, dec("0.2"))
	equal(t, "average value", s.AverageUpsoldValue, dec("10.01"))
}

func TestWhatOneDayDoesNotReportIsLeftOutOfTheSum_N2(t *testing.T) {
	t.Parallel()
	in := three()
	equal(t, "views of three days", overview(t, in, threeDays).Summary.OfferViews, n64(1500))
	in.Days[1].OfferViews = nil
	s := overview(t, in, threeDays).Summary
	if s.OfferViews != nil {
		t.Errorf("views are %d though one day has none", *s.OfferViews)
	}
	equal(t, "value", s.TotalUpsoldValue, *dec("300.30"))
}

func TestARateOverNothingHasNoValue_N20(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		day           StoredSummary
		rate, average *decimal.Decimal
	}{
		"no order was taken":    {daySummary("2026-11-19", "0", 0, 0), nil, nil},
		"nothing was upsold":    {daySummary("2026-11-19", "0", 0, 40), dec("0"), nil},
		"value without orders":  {daySummary("2026-11-19", "5", 0, 0), nil, nil},
		"an ordinary day":       {daySummary("2026-11-19", "5", 1, 4), dec("0.25"), dec("5")},
		"a third has an end":    {daySummary("2026-11-19", "10", 3, 3), dec("1"), dec("3.33333333")},
		"money back is allowed": {daySummary("2026-11-19", "-4", 2, 4), dec("0.5"), dec("-2")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := connected()
			keep(&in, c.day)
			o := overview(t, in, "window=yesterday")
			equal(t, "success rate", o.Summary.UpsellSuccessRate, c.rate)
			equal(t, "average", o.Summary.AverageUpsoldValue, c.average)
			equal(t, "the day's success rate", o.Trend.Days[0].SuccessRate, c.rate)
			equal(t, "the day's average", o.Trend.Days[0].Average, c.average)
		})
	}
}

func TestAWindowAnsweredExactlyIsAsReportedAnyOtherIsStitched_N22(t *testing.T) {
	t.Parallel()
	w := span("2026-11-17", "2026-11-19")
	in := three()
	in.Windows = []StoredSummary{windowSummary(w, "301.00", 31, 151)}
	in.Windows[0].Source = "someone-else"
	s := overview(t, in, threeDays).Summary
	equal(t, "basis", s.Provenance.Basis, Reported)
	equal(t, "value", s.TotalUpsoldValue, *dec("301"))
	equal(t, "window", s.Provenance.Window, &w)
	equal(t, "raw source (N24)", s.Provenance.Source, "someone-else")
	equal(t, "replies", s.Provenance.Replies, 1)

	in.Windows[0].Window.Start = on("2026-11-16") // the service applied a different window than requested
	s = overview(t, in, threeDays).Summary
	equal(t, "basis", s.Provenance.Basis, Stitched)
	equal(t, "value", s.TotalUpsoldValue, *dec("300.30"))
	equal(t, "source of our own sum", s.Provenance.Source, "")
	equal(t, "asked", s.Provenance.Asked, &w)
}

func TestTheReplyBehindAReportedWindowIsNamed(t *testing.T) {
	t.Parallel()
	w, other := span("2026-11-17", "2026-11-19"), span("2026-11-16", "2026-11-18")
	in := three()
	in.Windows = []StoredSummary{windowSummary(w, "301.00", 31, 151)}
	in.Ledger = []StoredPull{
		{Service: "upsell", Pull: "summary.window", Subject: "7", Outcome: fact.PullGood, Applied: &other},
		{Service: "upsell", Pull: "summary.window", Subject: "3", Outcome: fact.PullGood, Applied: &w},
	}
	p := overview(t, in, threeDays).Summary.Provenance
	equal(t, "the reply", p.Pull+" "+p.Subject, "summary.window 3")
	in.Windows = []StoredSummary{daySummary("2026-11-18", "1", 1, 1)}
	p = overview(t, in, "start=2026-11-18&end=2026-11-18").Summary.Provenance
	equal(t, "a day's reply", p.Pull+" "+p.Subject, "summary.day 2026-11-18")
}

func TestTheFlagsOfAReplyReachItsReader_N19_N22(t *testing.T) {
	t.Parallel()
	w := span("2026-11-17", "2026-11-19")
	in := three()
	in.Windows = []StoredSummary{windowSummary(w, "301.00", 31, 151)}
	in.Windows[0].Flags = []Flag{FlagWindowDiffers, FlagRateDisagrees}
	in.Windows[0].Revised = true
	p := overview(t, in, threeDays).Summary.Provenance
	for _, f := range []Flag{FlagWindowDiffers, FlagRateDisagrees, FlagRevised} {
		equal(t, string(f), p.Has(f), true)
	}
}

func TestAPartialDayIsNeverCounted_N27(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*StoredSummary){
		"a day that was pulled while it ran": func(d *StoredSummary) { d.Partial = true },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := three()
			change(&in.Days[1])
			o := overview(t, in, threeDays)
			equal(t, "value", o.Summary.TotalUpsoldValue, *dec("100.10"))
			equal(t, "missing", o.Summary.Provenance.Missing, []civil.Date{on("2026-11-18")})
			equal(t, "stored in the chart", o.Trend.Days[1].Stored, false)
		})
	}
}

func TestAnAnswerGivenBeforeTheWindowWasOverIsTheSecondChoice_N27(t *testing.T) {
	t.Parallel()
	w := span("2026-11-17", "2026-11-19")
	in := three()
	in.Windows = []StoredSummary{windowSummary(w, "299.00", 29, 149)}
	in.Windows[0].Partial = true
	s := overview(t, in, threeDays).Summary
	equal(t, "basis", s.Provenance.Basis, Stitched)
	equal(t, "value", s.TotalUpsoldValue, *dec("300.30"))

	in.Days = nil // there is nothing better
	s = overview(t, in, threeDays).Summary
	equal(t, "basis", s.Provenance.Basis, Reported)
	equal(t, "value", s.TotalUpsoldValue, *dec("299"))
	equal(t, "partial", s.Provenance.Has(FlagPartial), true)
	equal(t, "comparable", s.Provenance.Comparable(), false)
}

func TestTodayAloneIsShownAsPartial_N27(t *testing.T) {
	t.Parallel()
	in := three()
	today := daySummary("2026-11-20", "55.50", 5, 20)
	today.Partial, today.FetchedAt = true, noon.Add(-10*60e9)
	keep(&in, today)
	in.Windows = []StoredSummary{today}
	o := overview(t, in, "window=today")
	equal(t, "value", o.Summary.TotalUpsoldValue, *dec("55.50"))
	equal(t, "partial", o.Summary.Provenance.Has(FlagPartial), true)
	if o.Trend.Today == nil || !o.Trend.Today.Partial || len(o.Trend.Days) != 0 {
		t.Errorf("today is drawn as %+v beside %d whole days", o.Trend.Today, len(o.Trend.Days))
	}
	equal(t, "the axis is in", o.Trend.Currency, "USD")
}

func TestADayLeftOutIsNamed_N27(t *testing.T) {
	t.Parallel()
	in := three()
	s := overview(t, in, "start=2026-11-17&end=2026-11-20&compare=none").Summary
	today := on("2026-11-20")
	equal(t, "left out", s.Provenance.LeftOut, &today)
	equal(t, "applied", s.Provenance.Window, ptr(span("2026-11-17", "2026-11-19")))
	equal(t, "asked", s.Provenance.Asked, ptr(span("2026-11-17", "2026-11-20")))
	equal(t, "missing", len(s.Provenance.Missing), 0)
}

func TestRevisedDaysAreCounted_N27(t *testing.T) {
	t.Parallel()
	in := three()
	in.Days[0].Revised, in.Days[1].Revised = true, true
	o := overview(t, in, threeDays)
	equal(t, "revised days of the sum", o.Summary.Provenance.Revised, 2)
	equal(t, "flag", o.Summary.Provenance.Has(FlagRevised), true)
	equal(t, "the first point", o.Trend.Days[0].Revised, true)
	equal(t, "the last point", o.Trend.Days[2].Revised, false)
}

func TestAmountsOfTwoCurrenciesNeverMeetInASum_N34(t *testing.T) {
	t.Parallel()
	in := three()
	in.Days[1].Currency = "EUR"
	s := overview(t, in, threeDays).Summary
	if s.Empty == nil || s.Empty.Cause != CauseNotKept {
		t.Fatalf("the sum of dollars and euros is %s %s", s.Currency, s.TotalUpsoldValue)
	}
	equal(t, "text", s.Empty.Text, "The store changed from USD to EUR on 18 Nov 2026. Choose dates before or after that day; two currencies aren’t added up.")

	in.Windows = []StoredSummary{windowSummary(span("2026-11-17", "2026-11-19"), "270", 30, 150)}
	in.Windows[0].Currency = "EUR"
	s = overview(t, in, threeDays).Summary
	if s.Empty != nil || s.Currency != "EUR" {
		t.Errorf("the answer for the whole window is in %q (%v), want EUR", s.Currency, s.Empty)
	}
}

func TestAComparisonKeepsItsOwnCurrency_N34(t *testing.T) {
	t.Parallel()
	in := connected()
	before := daySummary("2026-11-18", "10", 1, 2)
	before.Currency = "EUR"
	keep(&in, before, daySummary("2026-11-19", "20", 1, 2))
	s := overview(t, in, "window=yesterday").Summary
	if s.Previous == nil || s.Previous.Currency != "EUR" || s.Currency != "USD" {
		t.Errorf("%s is compared with %+v: both must say their currency", s.Currency, s.Previous)
	}
}

func TestTheNightlyComparisonBelongsToItsOwnWindow(t *testing.T) {
	t.Parallel()
	in := three()
	check := StoredCheck{Window: span("2026-11-17", "2026-11-19"), Check: Check{Days: 3, Reported: *dec("301"), Stitched: *dec("300.30"), At: noon}}
	in.Check = &check
	p := overview(t, in, threeDays).Summary.Provenance
	equal(t, "check", p.Check, &check.Check)
	equal(t, "drift", p.Has(FlagDrift), true)

	check.Missing = 1 // nothing was compared: a day was missing
	equal(t, "drift with a day missing", overview(t, in, threeDays).Summary.Provenance.Has(FlagDrift), false)
	check.Window = span("2026-11-16", "2026-11-19")
	if overview(t, in, threeDays).Summary.Provenance.Check != nil {
		t.Error("the check of another window is shown")
	}
}

func TestTheClockIsTheStoresAndSaidToBe_N26(t *testing.T) {
	t.Parallel()
	o := overview(t, three(), threeDays)
	equal(t, "time zone", o.Summary.Provenance.Timezone+" from "+o.Summary.Provenance.TimezoneFrom, "America/New_York from store")
	equal(t, "the page's clock", o.Now.Format("15:04 MST"), "12:00 EST")
}

func TestNothingStoredSaysItsCause_N15(t *testing.T) {
	t.Parallel()
	failing := StoredPull{Service: "upsell", Pull: "summary.day", Subject: "2026-11-18", Outcome: fact.PullFailed, Text: "Server error (500)", FailingSince: noon.Add(-3 * 3600e9), Attempts: 2}
	for name, c := range map[string]struct {
		in    func() Stored
		cause Cause
		title string
	}{
		"never connected": {func() Stored { return Stored{Store: acme} }, CauseNeverConnected, "Connect Acme to see what its upsells earn"},
		"filling":         {connected, CauseFilling, "Loading your first numbers"},
		"failed": {func() Stored {
			in := connected()
			in.Ledger = []StoredPull{failing}
			return in
		}, CauseFailed, "Not updated yet: the first try failed 3 hours ago."},
		"outside of what is kept": {func() Stored {
			in := connected()
			keep(&in, daySummary("2026-10-01", "1", 1, 1), daySummary("2026-10-02", "1", 1, 1))
			return in
		}, CauseNotKept, "No data for these dates"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := overview(t, c.in(), threeDays)
			for panel, e := range map[string]*Empty{"summary": o.Summary.Empty, "trend": o.Trend.Empty, "placements": o.Placements.Empty} {
				if e == nil || e.Cause != c.cause || e.Title != c.title {
					t.Errorf("%s: %+v, want %s, %q", panel, e, c.cause, c.title)
				}
			}
		})
	}
}
