package overview

import (
	"slices"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
)

// firstAnswersCame are the pulls of a store's first page, all answered.
func firstAnswersCame() (all []report.StoredPull) {
	for _, p := range report.FirstPulls {
		all = append(all, report.StoredPull{Service: p.Service, Pull: p.Pull, Subject: p.Subject, Outcome: fact.PullGood, LastGoodAt: reporttest.Noon.Add(-10 * 24 * time.Hour)})
	}
	return all
}

func TestAPausedServiceExplainsEveryPanelOfItsOwn_N37(t *testing.T) {
	t.Parallel()
	in := reporttest.Three()
	in.Gift = []report.StoredGift{reporttest.GiftAnswer(reporttest.Span("2026-11-17", "2026-11-19"), 3)}
	in.Credentials[0] = report.StoredCredential{Service: "upsell", State: "paused", Cause: "token", Said: "Invalid token", PausedAt: reporttest.Noon.Add(-time.Hour)}
	in.Lifetime = &report.StoredLifetime{TotalRevenue: *reporttest.Dec("1"), Currency: "USD", FetchedAt: reporttest.Noon}
	w := reporttest.Span("2026-11-10", "2026-11-12")
	in.Ledger = append(firstAnswersCame(), report.StoredPull{Service: "upsell", Pull: "summary.window", Subject: "3", Outcome: fact.PullGood, Asked: &w, LastGoodAt: reporttest.Pulled(reporttest.On("2026-11-12"))})
	advice := locale.English.T("state.advice.upsell.refused") + " The app said: “Invalid token.”"
	o := overview(t, in, reporttest.ThreeDays)
	for name, p := range map[string]report.Panel{"summary": o.Summary.Panel, "trend": o.Trend.Panel, "lifetime": o.Lifetime.Panel} {
		if p.Trouble == nil || !p.Trouble.NeedsPerson || p.Trouble.Text != advice || !p.Provenance.Has(report.FlagStale) {
			t.Errorf("%s: %+v, flags %v", name, p.Trouble, p.Provenance.Flags)
		}
	}
	reporttest.Equal(t, "summary's title", o.Summary.Trouble.Title, "Not updated since 13 Nov. You’re seeing the last good numbers.")
	if o.Gift.Trouble != nil || o.Gift.Provenance.Has(report.FlagStale) {
		t.Errorf("the gift panel is in trouble too: %+v", o.Gift.Trouble)
	}
	reporttest.Equal(t, "banners", o.Troubles, []report.Trouble{{Title: "The upsell app needs attention.", Text: advice, Since: reporttest.Noon.Add(-time.Hour), NeedsPerson: true}})
	reporttest.Equal(t, "freshness", o.Freshness.State, "failed")
	if o.Filling != nil {
		t.Error("nothing is on its way while nobody may call")
	}
}

func TestAStalePreviousWindowSaysSo_N1(t *testing.T) {
	t.Parallel()
	w := reporttest.Span("2026-11-17", "2026-11-19")
	before := w.Previous()
	in := reporttest.Three()
	in.Windows = []report.StoredSummary{reporttest.WindowSummary(w, "300", 30, 150), reporttest.WindowSummary(before, "200", 20, 100)}
	for _, window := range []report.Window{w, before} {
		row := dayStat("2026-11-19", report.PostPurchase, 1, 1, "1")
		row.Window = window
		in.StatWindows = append(in.StatWindows, row)
	}
	for _, kind := range []string{"summary.window", "stats.window"} {
		bad := reporttest.BadPull(kind, "prev3", "failed", "Server error (500)")
		bad.Asked = &before
		in.Ledger = append(in.Ledger, bad)
	}
	o := overview(t, in, "start=2026-11-17&end=2026-11-19")
	for name, flagged := range map[string][2]bool{
		"summary":    {o.Summary.Provenance.Has(report.FlagStale), o.Summary.Previous.Provenance.Has(report.FlagStale)},
		"placements": {o.Placements.Provenance.Has(report.FlagStale), o.Placements.Compared.Has(report.FlagStale)},
	} {
		if flagged != [2]bool{false, true} {
			t.Errorf("%s: stale now and before: %v", name, flagged)
		}
	}
}

func TestAFailingPullMarksItsOwnPanelOnly_N1(t *testing.T) {
	t.Parallel()
	w, other := reporttest.Span("2026-11-17", "2026-11-19"), reporttest.Span("2026-11-13", "2026-11-19")
	stored := reporttest.Three()
	stored.Windows = []report.StoredSummary{reporttest.WindowSummary(w, "300", 30, 150)}
	stored.Lifetime = &report.StoredLifetime{TotalRevenue: *reporttest.Dec("1"), Currency: "USD", FetchedAt: reporttest.Noon}
	stored.StatWindows = []report.StoredStat{dayStat("2026-11-19", report.PostPurchase, 1, 1, "1")}
	stored.StatWindows[0].Window = w
	asked := func(l report.StoredPull, w report.Window) report.StoredPull {
		l.Asked, l.LastGoodAt = &w, reporttest.Pulled(reporttest.On("2026-11-12"))
		return l
	}
	stored.FirstDay = reporttest.On("2026-11-18")
	settled := func(day string, applied civil.Date) report.StoredPull {
		l := reporttest.BadPull("summary.day", day, "refused", "The service answered for another day instead")
		one, other := report.OneDay(reporttest.On(day)), report.OneDay(applied)
		l.Asked, l.Applied, l.DueAt = &one, &other, time.Time{}
		return l
	}
	for name, c := range map[string]struct {
		pull   report.StoredPull
		panels []string
		title  string
	}{
		"a day before the app's history":        {settled("2026-11-17", reporttest.On("2026-11-18")), nil, ""},
		"a refused day before the first stored": {settled("2026-11-17", reporttest.On("2026-11-17")), nil, ""},
		"a refused day among the stored ones":   {settled("2026-11-18", reporttest.On("2026-11-18")), []string{"trend"}, "18 Nov couldn’t be loaded."},
		"the window itself":                     {asked(reporttest.BadPull("summary.window", "3", "failed", "Server error (500)"), w), []string{"summary"}, "Not updated since 13 Nov. You’re seeing the last good numbers."},
		"another window":                        {asked(reporttest.BadPull("summary.window", "7", "failed", "Server error (500)"), other), nil, ""},
		"its placements":                        {asked(reporttest.BadPull("stats.window", "3", "quarantined", "Reply breaks the contract"), w), []string{"placements"}, "Not updated since 13 Nov. You’re seeing the last good numbers."},
		"all time":                              {reporttest.BadPull("lifetime", "", "refused", "Refused (404)"), []string{"lifetime"}, "Not updated yet: the first try failed 3 hours ago."},
		"a day of the window":                   {reporttest.BadPull("summary.day", "2026-11-18", "failed", "Server error (500)"), []string{"trend"}, "18 Nov couldn’t be loaded."},
		"a day outside of it":                   {reporttest.BadPull("summary.day", "2026-11-12", "failed", "Server error (500)"), nil, ""},
		"a day that was pulled":                 {asked(reporttest.BadPull("summary.day", "2026-11-18", "failed", "Server error (500)"), report.OneDay(reporttest.On("2026-11-18"))), []string{"trend"}, "18 Nov couldn’t be updated. You’re seeing the last good numbers."},
		"a pull that only waits":                {reporttest.BadPull("lifetime", "", "waiting", "Waiting for a slot (429)"), nil, ""},
		"a pull of the other house":             {report.StoredPull{Service: "gift", Pull: "lifetime", Outcome: fact.PullFailed}, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := stored
			in.Ledger = []report.StoredPull{c.pull}
			o := overview(t, in, reporttest.ThreeDays)
			want := map[string]bool{}
			for _, p := range c.panels {
				want[p] = true
			}
			for panel, p := range map[string]report.Panel{"summary": o.Summary.Panel, "trend": o.Trend.Panel, "placements": o.Placements.Panel, "lifetime": o.Lifetime.Panel} {
				reporttest.Equal(t, panel+" in trouble", p.Trouble != nil, want[panel])
				reporttest.Equal(t, panel+" stale", p.Provenance.Has(report.FlagStale), want[panel])
				if p.Trouble != nil {
					reporttest.Equal(t, panel+" says", p.Trouble.Title, c.title)
					reporttest.Equal(t, panel+" tells", p.Trouble.Text, c.pull.Reason().In(locale.English))
					reporttest.Equal(t, panel+" since", p.Trouble.Since, reporttest.Noon.Add(-3*time.Hour))
				}
			}
		})
	}
}

func TestFailingDaysAreNamedTogether_N1(t *testing.T) {
	t.Parallel()
	in := reporttest.Three()
	in.Ledger = []report.StoredPull{
		reporttest.BadPull("summary.day", "2026-11-19", "failed", "Server error (502)"), reporttest.BadPull("summary.day", "2026-11-17", "failed", "Server error (500)"),
	}
	in.Ledger[0].FailingSince = reporttest.Noon.Add(-5 * time.Hour)
	tr := overview(t, in, reporttest.ThreeDays).Trend.Trouble
	if tr == nil || tr.Title != "17 Nov and 19 Nov couldn’t be loaded." || tr.Text != in.Ledger[0].Reason().In(locale.English) || !tr.Since.Equal(reporttest.Noon.Add(-5*time.Hour)) {
		t.Errorf("%+v", tr)
	}
	in.Ledger[0].Outcome = fact.PullRefused // by the app: it won't be tried again, unlike the other day
	if tr := overview(t, in, reporttest.ThreeDays).Trend.Trouble; tr == nil || tr.Text != "There is more than one reason. See the Sync page for details." {
		t.Errorf("days that fail differently: %+v", tr)
	}
}

func TestAnOverdueWorkerIsNoticed_N1(t *testing.T) {
	t.Parallel()
	for late, noticed := range map[time.Duration]bool{3 * time.Hour: false, 3*time.Hour + time.Second: true} {
		in := reporttest.Three()
		in.Lifetime = &report.StoredLifetime{TotalRevenue: *reporttest.Dec("1"), Currency: "USD", FetchedAt: reporttest.Noon}
		in.Ledger = []report.StoredPull{{Service: "upsell", Pull: "lifetime", Outcome: fact.PullGood, DueAt: reporttest.Noon.Add(-late), LastGoodAt: reporttest.Noon.Add(-late - time.Hour)}}
		l := overview(t, in, reporttest.ThreeDays).Lifetime
		reporttest.Equal(t, "noticed after "+late.String(), l.Trouble != nil, noticed)
		if noticed {
			reporttest.Equal(t, "text", l.Trouble.Text, "The next update was due 3 hours ago and hasn’t happened. Check that the worker is running.")
			reporttest.Equal(t, "stale", l.Provenance.Has(report.FlagStale), true)
		}
		in.Paused = true // a person stopped the pulls: nothing is overdue
		reporttest.Equal(t, "noticed while paused", overview(t, in, reporttest.ThreeDays).Lifetime.Trouble != nil, false)
	}
}

func TestFreshnessSaysHowFarAndHowOld_N1(t *testing.T) {
	t.Parallel()
	day := func(n int) civil.Date { return reporttest.On("2026-11-20").AddDays(-n) }
	for name, c := range map[string]struct {
		pulled time.Time
		last   civil.Date
		state  string
		words  string
	}{
		"never":                    {time.Time{}, civil.Date{}, "filling", "No data yet"},
		"no whole day":             {reporttest.Noon.Add(-time.Minute), civil.Date{}, "good", "No full day stored yet, updated 1 minute ago"},
		"fresh":                    {reporttest.Noon.Add(-12 * time.Minute), day(1), "good", "Data to 19 Nov, updated 12 minutes ago"},
		"in the small hours":       {reporttest.Noon.Add(-12 * time.Minute), day(2), "good", "Data to 18 Nov, updated 12 minutes ago"},
		"pulled, and no days come": {reporttest.Noon.Add(-12 * time.Minute), day(3), "stale", "Data to 17 Nov, updated 12 minutes ago"},
		"three hours":              {reporttest.Noon.Add(-3 * time.Hour), day(1), "good", "Data to 19 Nov, updated 3 hours ago"},
		"more than three hours":    {reporttest.Noon.Add(-3*time.Hour - time.Second), day(1), "stale", "Data to 19 Nov, updated 3 hours ago"},
		"days":                     {reporttest.Noon.Add(-9 * 24 * time.Hour), day(10), "stale", "Data to 10 Nov, updated 9 days ago"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := report.NewFreshness(locale.English, c.pulled, c.last, reporttest.Noon, reporttest.On("2026-11-20"))
			reporttest.Equal(t, "state", f.State, c.state)
			reporttest.Equal(t, "words", f.Words, c.words)
			reporttest.Equal(t, "data to", f.DataTo != nil, c.last.IsValid())
			reporttest.Equal(t, "pulled", f.PulledAt != nil, !c.pulled.IsZero())
		})
	}
}

// Without the gift app, the numbers beside the dot are as good as before.
func TestADisconnectedUpsellAppIsNotUpToDate(t *testing.T) {
	t.Parallel()
	for i, service := range []string{"upsell", "gift"} {
		in := reporttest.Three()
		in.PulledAt, in.LastDay = reporttest.Noon.Add(-time.Minute), reporttest.On("2026-11-19")
		in.Ledger = []report.StoredPull{{Service: service, Pull: "x", Outcome: fact.PullGood, LastGoodAt: reporttest.Noon.Add(-time.Minute)}}
		reporttest.Equal(t, service+" connected", overview(t, in, reporttest.ThreeDays).Freshness.Off, false)
		in.Credentials = slices.Delete(slices.Clone(in.Credentials), i, i+1)
		f := overview(t, in, reporttest.ThreeDays).Freshness
		reporttest.Equal(t, service+" disconnected", f.Off && f.State == "stale" && f.Sign() == "none", service == "upsell")
	}
}

func TestFillingCountsTheDaysStillToCome_N28(t *testing.T) {
	t.Parallel()
	at := func(days int, change func(*report.Stored)) report.Stored {
		in := reporttest.Three()
		in.HistoryDays = days
		if change != nil {
			change(&in)
		}
		return in
	}
	refuse := func(due time.Time) func(*report.Stored) {
		return func(in *report.Stored) {
			l := reporttest.BadPull("summary.day", "2026-11-15", "refused", "The service answered for another day")
			l.DueAt = due
			in.Ledger = []report.StoredPull{l}
		}
	}
	for name, c := range map[string]struct {
		in                    report.Stored
		stored, planned, left int
	}{
		"everything is stored":   {at(3, nil), 0, 0, 0},
		"seven days are missing": {at(10, nil), 3, 10, 7},
		"ninety days":            {at(90, nil), 3, 90, 87},
		"nothing but yesterday":  {at(1, func(in *report.Stored) { in.DaysKept = nil }), 0, 0, 0}, // its turn comes after midnight
		"a failed day is not on its way": {at(4, func(in *report.Stored) {
			in.Ledger = []report.StoredPull{reporttest.BadPull("summary.day", "2026-11-16", "failed", "x")}
		}), 0, 0, 0},
		"a day refused for now": {at(10, refuse(reporttest.Noon)), 3, 10, 6},
		// Nothing before it is ever requested: history begins on 16 November.
		"a day refused permanently": {at(10, refuse(time.Time{})), 3, 4, 1},
		"paused":                    {at(90, func(in *report.Stored) { in.Paused = true }), 0, 0, 0},
		"not connected":             {at(90, func(in *report.Stored) { in.Credentials = in.Credentials[1:] }), 0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := c.in
			in.Ledger = append(firstAnswersCame(), in.Ledger...)
			o := overview(t, in, reporttest.ThreeDays)
			if c.left == 0 {
				if o.Filling != nil {
					t.Errorf("%+v is on its way, want nothing", *o.Filling)
				}
				return
			}
			f := o.Filling
			if f == nil {
				t.Fatal("nothing is on its way")
			}
			reporttest.Equal(t, "stored", f.Stored, c.stored)
			reporttest.Equal(t, "planned", f.Planned, c.planned)
			reporttest.Equal(t, "one mark a day", len(f.Days), c.planned)
			reporttest.Equal(t, "days to come", f.DaysLeft, c.left)
			reporttest.Equal(t, "freshness", o.Freshness.State, "filling")
		})
	}
}
