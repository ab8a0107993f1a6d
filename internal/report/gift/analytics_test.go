package gift

import (
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"

	"github.com/shopspring/decimal"
)

// panels are those of the gift service that a store's overview shows.
type panels struct {
	Gift      Analytics
	Health    SetupHealth
	Plan      Plan
	Campaigns Campaigns
}

func shown(t *testing.T, in report.Stored, query string) panels {
	t.Helper()
	b := Builder{report.Builder{In: in, Choice: reporttest.Choose(t, query), Now: reporttest.Noon, Locale: locale.English}}
	return panels{Gift: b.Analytics(), Health: b.Health(), Plan: b.Plan(), Campaigns: b.Campaigns()}
}

func withGift(answers ...report.StoredGift) report.Stored {
	in := reporttest.Three()
	in.Gift = answers
	return in
}

func TestTheGiftAnswerForExactlyTheWindowIsShown_N25(t *testing.T) {
	t.Parallel()
	w := reporttest.Span("2026-11-17", "2026-11-19")
	later := reporttest.GiftAnswer(reporttest.Span("2026-11-18", "2026-11-20"), 3)
	later.Revenue.Value = reporttest.Dec("1")
	g := shown(t, withGift(later, reporttest.GiftAnswer(w, 3)), reporttest.ThreeDays).Gift
	reporttest.Equal(t, "revenue", g.Revenue.Value, reporttest.Dec("4321.09"))
	reporttest.Equal(t, "differs", g.Provenance.Has(report.FlagWindowDiffers), false)
}

func TestAGiftWindowWithOtherDatesIsLabelledWithItsOwn_N25_N43(t *testing.T) {
	t.Parallel()
	other := reporttest.Span("2026-11-16", "2026-11-18")
	in := withGift(reporttest.GiftAnswer(other, 3))
	in.Gift[0].Timezone = "Asia/Tokyo"
	in.Ledger = []report.StoredPull{
		{Service: "gift", Pull: "gift.window", Subject: "7", Outcome: fact.PullGood, Applied: reporttest.Ptr(reporttest.Span("2026-11-12", "2026-11-18"))},
		{Service: "gift", Pull: "gift.day", Subject: "not this one", Outcome: fact.PullGood, Applied: &other},
		{Service: "gift", Pull: "gift.window", Subject: "3", Outcome: fact.PullGood, Applied: &other},
	}
	p := shown(t, in, reporttest.ThreeDays).Gift.Provenance
	reporttest.Equal(t, "window", p.Window, &other)
	reporttest.Equal(t, "asked", p.Asked, reporttest.Ptr(reporttest.Span("2026-11-17", "2026-11-19")))
	reporttest.Equal(t, "flag", p.Has(report.FlagWindowDiffers), true)
	reporttest.Equal(t, "clock (N26)", p.Timezone+" from "+p.TimezoneFrom, "Asia/Tokyo from gift")
	reporttest.Equal(t, "reply", p.Pull+" "+p.Subject, "gift.window 3")
}

func TestAGiftWindowOfAnotherLengthIsNotShown_N22(t *testing.T) {
	t.Parallel()
	in := withGift(reporttest.GiftAnswer(reporttest.Span("2026-11-13", "2026-11-19"), 7))
	in.Ledger = []report.StoredPull{{Service: "gift", Pull: "gift.window", Subject: "7", Outcome: fact.PullGood, LastGoodAt: reporttest.Noon}}
	g := shown(t, in, reporttest.ThreeDays).Gift
	if g.Empty == nil || g.Empty.Cause != report.CauseNotKept || g.Revenue.Value != nil {
		t.Errorf("7 days are shown for 3: %+v, %v", g.Empty, g.Revenue.Value)
	}
	dates, rest := g.Provenance.Words(locale.English)
	reporttest.Equal(t, "label", dates+rest, "17 – 19 Nov 2026 · 0 of 3 days · New York time · added up from daily data")
	asked, applied := reporttest.Span("2026-11-17", "2026-11-19"), reporttest.Span("2026-11-13", "2026-11-19")
	in.Ledger = append(in.Ledger, report.StoredPull{Service: "gift", Pull: "gift.range", Subject: "2026-11-17..2026-11-19", Outcome: fact.PullGood, LastGoodAt: reporttest.Noon, Asked: &asked, Applied: &applied})
	reporttest.Equal(t, "answered for other dates", shown(t, in, reporttest.ThreeDays).Gift.Empty.Text, "The app was asked about 17 – 19 Nov 2026 and answered for 13 – 19 Nov 2026.")
	failed := reporttest.BadPull("gift.range", "2026-11-17..2026-11-19", fact.PullQuarantined, "")
	failed.Service = "gift"
	in.Ledger = append(in.Ledger, failed)
	if e := shown(t, in, reporttest.ThreeDays).Gift.Empty; e == nil || e.Cause != report.CauseFailed {
		t.Errorf("its answer was quarantined: %+v", e)
	}
	in.Ledger = nil
	if e := shown(t, in, reporttest.ThreeDays).Gift.Empty; e == nil || e.Cause != report.CauseFilling {
		t.Errorf("before the first answer: %+v", e)
	}
}

func TestAnAnswerWithTodayIsPartialAndNotCompared_N45(t *testing.T) {
	t.Parallel()
	today := reporttest.GiftAnswer(reporttest.Span("2026-11-19", "2026-11-20"), 1)
	today.IncludesToday = true
	g := shown(t, withGift(today), "window=today").Gift
	reporttest.Equal(t, "partial", g.Provenance.Has(report.FlagPartial), true)
	reporttest.Equal(t, "compared", g.Compared, false)
	for name, m := range map[string]report.GiftMetric{"orders": g.Orders, "revenue": g.Revenue, "conversion": g.ConversionRate, "with gift": g.AOVByFG, "store": g.AOVStore} {
		if m.Previous != nil || m.ChangePercent != nil || m.Value == nil {
			t.Errorf("%s of the running day is %+v", name, m)
		}
	}
	reporttest.Equal(t, "window as it is (N43)", g.Provenance.Window, reporttest.Ptr(reporttest.Span("2026-11-19", "2026-11-20")))

	// It never replaces a whole day, and no whole day replaces it.
	today.Window = report.OneDay(reporttest.On("2026-11-19"))
	if e := shown(t, withGift(today), "window=yesterday").Gift.Empty; e == nil {
		t.Error("a partial answer is shown for yesterday")
	}
	if e := shown(t, withGift(reporttest.GiftAnswer(report.OneDay(reporttest.On("2026-11-20")), 1)), "window=today").Gift.Empty; e == nil {
		t.Error("an answer without today is shown for today")
	}
}

func TestNullInAGiftMetricIsNoNumber_N46_N47(t *testing.T) {
	t.Parallel()
	in := withGift(reporttest.GiftAnswer(reporttest.Span("2026-11-17", "2026-11-19"), 3))
	in.Gift[0].Orders = report.GiftMetric{Value: reporttest.Dec("5"), Previous: reporttest.Dec("0")}
	in.Gift[0].Revenue = report.GiftMetric{Value: reporttest.Dec("5"), Previous: reporttest.Dec("4")}
	in.Gift[0].AOVByFG = report.GiftMetric{}
	g := shown(t, in, "start=2026-11-17&end=2026-11-19").Gift
	reporttest.Equal(t, "a change from zero", locale.English.ReportedChange(g.Orders.ChangePercent).String(), "no baseline")
	reporttest.Equal(t, "a change that wasn't sent", [3]bool{g.Orders.Uncompared, g.Revenue.Uncompared, g.AOVByFG.Uncompared}, [3]bool{false, true, false})
	reporttest.Equal(t, "no average", locale.English.MoneyOrDash(g.AOVByFG.Value, "USD").String(), "–")
	reporttest.Equal(t, "no average", g.AOVByFG.Value, reporttest.Dec(""))
}

func TestARateOfAnUnknownUnitIsWithheld_N48(t *testing.T) {
	t.Parallel()
	for unit, withheld := range map[string]bool{"percentage": false, "percent": false, "%": false, "fraction": true, "basis_points": true, "": true} {
		in := withGift(reporttest.GiftAnswer(reporttest.Span("2026-11-17", "2026-11-19"), 3))
		in.Gift[0].ConversionRate.Unit = unit
		m := shown(t, in, reporttest.ThreeDays).Gift.ConversionRate
		reporttest.Equal(t, "withheld with the unit "+unit, m.Withheld, withheld)
		if withheld {
			reporttest.Equal(t, "numbers with the unit "+unit, [3]*decimal.Decimal{m.Value, m.Previous, m.ChangePercent}, [3]*decimal.Decimal{})
		} else {
			reporttest.Equal(t, "value", m.Value, reporttest.Dec("4.3"))
		}
	}
	in := withGift(reporttest.GiftAnswer(reporttest.Span("2026-11-17", "2026-11-19"), 3))
	in.Gift[0].ConversionRate = report.GiftMetric{Previous: reporttest.Dec("4.2")}
	m := shown(t, in, reporttest.ThreeDays).Gift.ConversionRate
	reporttest.Equal(t, "a rate that was not sent is not withheld (N47)", m.Withheld, false)
	reporttest.Equal(t, "the one before, of an unknown unit", m.Previous, reporttest.Dec(""))
}

func TestACachedAnswerIsSaidToBeOne_N49(t *testing.T) {
	t.Parallel()
	in := withGift(reporttest.GiftAnswer(reporttest.Span("2026-11-17", "2026-11-19"), 3))
	reporttest.Equal(t, "fresh", shown(t, in, reporttest.ThreeDays).Gift.Provenance.Has(report.FlagCached), false)
	in.Gift[0].Cached = true
	p := shown(t, in, reporttest.ThreeDays).Gift.Provenance
	reporttest.Equal(t, "cached", p.Has(report.FlagCached), true)
	reporttest.Equal(t, "fetched", p.FetchedAt, reporttest.Noon.Add(-time.Hour))
}

func TestTheGiftAnswersFlagsReachTheReader(t *testing.T) {
	t.Parallel()
	in := withGift(reporttest.GiftAnswer(reporttest.Span("2026-11-17", "2026-11-19"), 3))
	in.Gift[0].Flags, in.Gift[0].Revised = []report.Flag{report.FlagWindowDiffers}, true
	p := shown(t, in, reporttest.ThreeDays).Gift.Provenance
	reporttest.Equal(t, "window differs", p.Has(report.FlagWindowDiffers), true)
	reporttest.Equal(t, "revised (N27)", p.Has(report.FlagRevised), true)

	day := reporttest.GiftDay("2026-11-18", "1", "5", "")
	day.Revised = true
	in = withGift()
	in.GiftDays = []report.StoredGift{reporttest.GiftDay("2026-11-17", "1", "5", ""), day}
	reporttest.Equal(t, "revised days of a sum (N27)", shown(t, in, reporttest.ThreeDays).Gift.Provenance.Revised, 1)
	h := Builder{report.Builder{In: in, Choice: reporttest.Choose(t, reporttest.ThreeDays), Now: reporttest.Noon}}.History()
	reporttest.Equal(t, "revised days of the series", h.Provenance.Revised, 1)
	reporttest.Equal(t, "the day that is not", h.Days[0].Flags, []report.Flag{})
	reporttest.Equal(t, "the day that is", h.Days[1].Flags, []report.Flag{report.FlagRevised})
}

func TestGiftAmountsOfTwoCurrenciesNeverMeet_N34(t *testing.T) {
	t.Parallel()
	in := reporttest.Connected()
	euros := reporttest.GiftDay("2026-11-18", "1", "5", "")
	euros.Currency = "EUR"
	in.GiftDays = []report.StoredGift{reporttest.GiftDay("2026-11-17", "1", "5", ""), euros, reporttest.GiftDay("2026-11-19", "1", "5", "")}
	const why = "The store changed from USD to EUR on 18 Nov 2026. Choose dates before or after that day; two currencies aren’t added up."
	if e := shown(t, in, reporttest.ThreeDays).Gift.Empty; e == nil || e.Text != why {
		t.Errorf("dollars and euros make a sum: %+v", e)
	}
	history := func() History {
		return Builder{report.Builder{In: in, Choice: reporttest.Choose(t, reporttest.ThreeDays), Now: reporttest.Noon, Locale: locale.English}}.History()
	}
	h := history()
	if h.Mixed == nil || h.Mixed.Text != why {
		t.Errorf("one axis has dollars and euros: %+v", h.Mixed)
	}
	for i, want := range []string{"USD", "EUR", "USD"} {
		reporttest.Equal(t, "currency of a day", h.Days[i].Currency, want)
	}
	in.GiftDays[1].Currency = "USD"
	if h, g := history(), shown(t, in, reporttest.ThreeDays).Gift; h.Mixed != nil || g.Empty != nil {
		t.Errorf("one currency is called two: %+v, %+v", h.Mixed, g.Empty)
	}
}

func TestTheGiftHistoryHasGaps_N1_N47(t *testing.T) {
	t.Parallel()
	in := reporttest.Connected()
	day := reporttest.GiftAnswer(report.OneDay(reporttest.On("2026-11-18")), 1)
	day.Orders.Value = nil
	in.GiftDays = []report.StoredGift{day}
	h := Builder{report.Builder{In: in, Choice: reporttest.Choose(t, reporttest.ThreeDays), Now: reporttest.Noon}}.History()
	reporttest.Equal(t, "days", len(h.Days), 3)
	reporttest.Equal(t, "gaps", len(h.Provenance.Missing), 2)
	if d := h.Days[0]; d.Stored || d.Revenue != nil {
		t.Errorf("a day that is not stored is %+v", d)
	}
	if d := h.Days[1]; !d.Stored || d.Orders != nil || !d.Revenue.Equal(*reporttest.Dec("4321.09")) || d.Currency != "USD" {
		t.Errorf("the stored day is %+v", d)
	}
}

func TestN67YesterdayIsNeverAnOlderDay(t *testing.T) {
	t.Parallel()
	older := reporttest.GiftAnswer(reporttest.Span("2026-11-18", "2026-11-18"), 1)
	older.FetchedAt = reporttest.Noon.AddDate(0, 0, -1)
	const yesterday = "window=yesterday"
	if g := shown(t, withGift(older), yesterday).Gift; g.Empty == nil || g.Orders.Value != nil {
		t.Errorf("the day before yesterday is shown for yesterday: %+v", g)
	}
	week := reporttest.GiftAnswer(reporttest.Span("2026-11-11", "2026-11-17"), 7)
	week.FetchedAt = reporttest.Noon.AddDate(0, 0, -2)
	if g := shown(t, withGift(week), "start=2026-11-13&end=2026-11-19").Gift; g.Empty == nil || g.Orders.Value != nil {
		t.Errorf("seven other days are shown for these: %+v", g)
	}
	elsewhere := older
	elsewhere.FetchedAt = reporttest.Noon.Add(-time.Hour) // the service's yesterday is a different day than ours
	g := shown(t, withGift(elsewhere), yesterday).Gift
	reporttest.Equal(t, "window", *g.Provenance.Window, reporttest.Span("2026-11-18", "2026-11-18"))
	reporttest.Equal(t, "flagged", g.Provenance.Has(report.FlagWindowDiffers), true)
}

func TestN67TodayIsNotTwoDaysWhereYesterdayIsKnown(t *testing.T) {
	t.Parallel()
	asked := reporttest.Noon.Add(-time.Hour)
	both := reporttest.GiftAnswer(reporttest.Span("2026-11-19", "2026-11-20"), 1)
	both.IncludesToday, both.Begun, both.Since = true, asked, asked.Add(time.Second)
	yesterday := reporttest.GiftAnswer(reporttest.Span("2026-11-19", "2026-11-19"), 1)
	yesterday.Orders, yesterday.Revenue = report.GiftMetric{Value: reporttest.Dec("7000")}, report.GiftMetric{Value: reporttest.Dec("4000.09")}
	yesterday.Since, yesterday.Begun = asked.Add(-time.Hour), asked.Add(time.Minute)
	today := func(y report.StoredGift) Analytics {
		in := withGift(both)
		in.GiftDays = []report.StoredGift{y}
		return shown(t, in, "window=today").Gift
	}
	g := today(yesterday)
	reporttest.Equal(t, "window", *g.Provenance.Window, reporttest.Span("2026-11-20", "2026-11-20"))
	reporttest.Equal(t, "orders", g.Orders.Value.String(), "1")
	reporttest.Equal(t, "revenue", g.Revenue.Value.String(), "321")
	reporttest.Equal(t, "rate", g.ConversionRate.Value == nil, true)
	reporttest.Equal(t, "why there is none", g.ConversionRate.Reason, locale.English.T("state.filled_in_gift_day"))
	reporttest.Equal(t, "basis", g.Provenance.Basis, report.Derived)
	for name, change := range map[string]func(*report.StoredGift){
		"asked before alone":         func(y *report.StoredGift) { y.Begun = asked.Add(-time.Minute) },
		"changed meanwhile":          func(y *report.StoredGift) { y.Since = asked.Add(time.Second / 2) },
		"told by the cache alone":    func(y *report.StoredGift) { y.Since, y.Begun = time.Time{}, time.Time{} },
		"holds more than both days":  func(y *report.StoredGift) { y.Orders = report.GiftMetric{Value: reporttest.Dec("7002")} },
		"earned more than both":      func(y *report.StoredGift) { y.Revenue = report.GiftMetric{Value: reporttest.Dec("4321.10")} },
		"has no orders reported":     func(y *report.StoredGift) { y.Orders = report.GiftMetric{} },
		"has no revenue reported":    func(y *report.StoredGift) { y.Revenue = report.GiftMetric{} },
		"is another day":             func(y *report.StoredGift) { y.Window = reporttest.Span("2026-11-18", "2026-11-18") },
		"is in another currency now": func(y *report.StoredGift) { y.Currency = "EUR" },
	} {
		y := yesterday
		change(&y)
		g := today(y)
		reporttest.Equal(t, name+": window", *g.Provenance.Window, reporttest.Span("2026-11-19", "2026-11-20"))
		reporttest.Equal(t, name+": orders", g.Orders.Value.String(), "7001")
	}
}

func TestN67YesterdayIsTakenOffOnlyAnAnswerThatCoversItAndToday(t *testing.T) {
	t.Parallel()
	asked := reporttest.Noon.Add(-time.Hour)
	for name, c := range map[string]struct {
		window report.Window
		today  bool
		query  string
	}{
		"today alone":    {reporttest.Span("2026-11-20", "2026-11-20"), true, "window=today"},
		"two whole days": {reporttest.Span("2026-11-18", "2026-11-19"), false, "start=2026-11-18&end=2026-11-19&compare=none"},
	} {
		answer := reporttest.GiftAnswer(c.window, c.window.Days())
		answer.IncludesToday, answer.Begun, answer.Since = c.today, asked, asked.Add(time.Second)
		in := withGift(answer)
		before := reporttest.GiftAnswer(report.OneDay(c.window.End.AddDays(-1)), 1)
		before.Orders, before.Since, before.Begun = report.GiftMetric{Value: reporttest.Dec("7000")}, asked.Add(-time.Hour), asked.Add(time.Minute)
		in.GiftDays = []report.StoredGift{before}
		g := shown(t, in, c.query).Gift
		reporttest.Equal(t, name+": window", *g.Provenance.Window, c.window)
		reporttest.Equal(t, name+": orders", g.Orders.Value, reporttest.Dec("7001"))
		reporttest.Equal(t, name+": basis", g.Provenance.Basis, report.Reported)
	}
}

func TestN64ADayThatIsNotProvenSaysSo(t *testing.T) {
	t.Parallel()
	day := reporttest.GiftAnswer(reporttest.Span("2026-11-18", "2026-11-18"), 1)
	day.Basis, day.Unproven = "difference", true
	in := withGift(day)
	in.GiftDays = []report.StoredGift{day}
	h := Builder{report.Builder{In: in, Choice: reporttest.Choose(t, reporttest.ThreeDays), Now: reporttest.Noon}}.History()
	for name, p := range map[string]report.Provenance{
		"the day alone":            shown(t, in, "start=2026-11-18&end=2026-11-18").Gift.Provenance,
		"a sum that it is part of": shown(t, in, reporttest.ThreeDays).Gift.Provenance,
		"the daily series":         h.Provenance,
	} {
		reporttest.Equal(t, name, p.Has(report.FlagUnproven), true)
		reporttest.Equal(t, name+": days filled in later", p.Repaired, 1)
	}
	reporttest.Equal(t, "the day in the series", h.Days[1].Flags, []report.Flag{report.FlagUnproven})
}
