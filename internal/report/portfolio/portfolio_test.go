package portfolio_test

import (
	"fmt"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/internal/report/portfolio"
	"github.com/storeglass/storeglass/internal/report/portfolio/portfoliotest"
	"github.com/storeglass/storeglass/internal/report/reporttest"
	"github.com/storeglass/storeglass/internal/report/stores"
)

func TestAStoresRowIsOnItsOwnClockAroundMidnight(t *testing.T) {
	t.Parallel()
	// At 10:30 UTC, three different days are in progress: it's 00:30 on the 21st on Kiritimati and
	// 23:30 on the 19th in Pago Pago.
	at := time.Date(2026, 11, 20, 10, 30, 0, 0, time.UTC)
	first, mid, last := portfoliotest.New(t, "kiritimati", "Pacific/Kiritimati", "USD", at), portfoliotest.New(t, "berlin", "Europe/Berlin", "USD", at), portfoliotest.New(t, "pago", "Pacific/Pago_Pago", "USD", at)
	p := list(t, "", at, first, mid, last)
	for slug, want := range map[string]report.Window{
		"kiritimati": reporttest.Span("2026-10-22", "2026-11-20"), "berlin": reporttest.Span("2026-10-21", "2026-11-19"), "pago": reporttest.Span("2026-10-20", "2026-11-18"),
	} {
		r := p.row(t, slug)
		reporttest.Equal(t, slug, *r.Window(), want)
		reporttest.Equal(t, slug+" is whole", len(r.Summary.Provenance.Missing), 0)
		reporttest.Equal(t, slug+" differs", r.Differs, slug != "kiritimati") // among equally common windows, the latest is the list's
		reporttest.Equal(t, slug+" is compared", r.Uncompared, "")
	}
	reporttest.Equal(t, "differ", p.Shown.Differ, 2)
	reporttest.Equal(t, "stitched", p.Shown.Stitched, 1)
	reporttest.Equal(t, "the picker", p.Choice().Window, p.Shown.Window)
	reporttest.Equal(t, "the last day of the picker", p.Choice().Today, reporttest.On("2026-11-21"))
	// Fixed dates are still each store's own days: in the last time zone the 20th hasn't begun, and the
	// 19th isn't over.
	p = list(t, "start=2026-11-18&end=2026-11-20", at, first, mid, last)
	reporttest.Equal(t, "the picker of fixed dates", p.Choice().Window, reporttest.Span("2026-11-18", "2026-11-20"))
	reporttest.Equal(t, "three days on the first clock", *p.row(t, "kiritimati").Window(), reporttest.Span("2026-11-18", "2026-11-20"))
	reporttest.Equal(t, "two", *p.row(t, "berlin").Window(), reporttest.Span("2026-11-18", "2026-11-19"))
	reporttest.Equal(t, "one", *p.row(t, "pago").Window(), report.OneDay(reporttest.On("2026-11-18")))
	p = list(t, "start=2026-11-19&end=2026-11-20", at, first, last)
	r := p.row(t, "pago")
	if r.Summary.Empty == nil || r.Window() != nil || r.Gift.Empty == nil {
		t.Errorf("a window without a finished day: %+v", r.Summary)
	}
	reporttest.Equal(t, "why", r.Summary.Empty.Title, "No day of this period is over yet")
}

func TestAWindowIsAsReportedOrStitched_N1(t *testing.T) {
	t.Parallel()
	k := portfoliotest.New(t, "acme", "America/New_York", "USD", reporttest.Noon)
	w := reporttest.Span("2026-10-21", "2026-11-19")
	r := list(t, "", reporttest.Noon, k).row(t, "acme")
	reporttest.Equal(t, "basis", r.Summary.Provenance.Basis, report.Stitched)
	reporttest.Equal(t, "value", r.Summary.TotalUpsoldValue, *reporttest.Dec("3000"))
	reporttest.Equal(t, "replies", r.Summary.Provenance.Replies, 30)
	k.Answered(w, "3000.01", 301, 3000)
	k.Answered(w.Previous(), "2000", 200, 3000)
	k.Checks = []report.StoredCheck{{Window: w, Check: report.Check{Days: 30, Reported: *reporttest.Dec("3000.01"), Stitched: *reporttest.Dec("3000")}}}
	k.Ledger = []report.StoredPull{{Service: "upsell", Pull: "summary.window", Subject: "30", Outcome: fact.PullGood, Applied: &w}}
	r = list(t, "", reporttest.Noon, k).row(t, "acme")
	reporttest.Equal(t, "basis", r.Summary.Provenance.Basis, report.Reported)
	reporttest.Equal(t, "value", r.Summary.TotalUpsoldValue, *reporttest.Dec("3000.01"))
	reporttest.Equal(t, "change", r.Delta.String(), "↑ 50.0% more")
	reporttest.Equal(t, "drift", r.Summary.Provenance.Has(report.FlagDrift), true)
	reporttest.Equal(t, "stale", r.Summary.Provenance.Has(report.FlagStale), false)
	reporttest.Equal(t, "reply", r.Summary.Provenance.Pull+" "+r.Summary.Provenance.Subject, "summary.window 30")
	for name, c := range map[string]report.Check{"sums that agree": {Agrees: true}, "a day that was missing": {Missing: 1}} {
		k.Checks[0].Check = c
		reporttest.Equal(t, "drift by "+name, list(t, "", reporttest.Noon, k).row(t, "acme").Summary.Provenance.Has(report.FlagDrift), false)
	}
	k.Checks = append(k.Checks, report.StoredCheck{Window: reporttest.Span("2026-11-13", "2026-11-19"), Check: report.Check{Days: 7}})
	k.Checks[0].Check = report.Check{Missing: 1}
	p := list(t, "", reporttest.Noon, k).row(t, "acme").Summary.Provenance
	reporttest.Equal(t, "drift of another window", p.Has(report.FlagDrift), false)
	reporttest.Equal(t, "check", p.Check, &report.Check{Missing: 1})
	// An answer from before the window was over is only used if there is nothing better, as on the overview.
	k.Windows[0].Partial = true
	reporttest.Equal(t, "partial", list(t, "", reporttest.Noon, k).row(t, "acme").Summary.Provenance.Basis, report.Stitched)
	k.Days = nil
	reporttest.Equal(t, "nothing better", list(t, "", reporttest.Noon, k).row(t, "acme").Summary.TotalUpsoldValue, *reporttest.Dec("3000.01"))
}

func TestTheHeadingOfTheListNamesTheWindowOfMostRows_N71(t *testing.T) {
	t.Parallel()
	added, answered, behind := portfoliotest.New(t, "acme", "UTC", "USD", reporttest.Noon), portfoliotest.New(t, "birch", "UTC", "USD", reporttest.Noon), portfoliotest.New(t, "cedar", "UTC", "USD", reporttest.Noon)
	answered.Answered(reporttest.Span("2026-10-21", "2026-11-19"), "3000", 300, 3000)
	behind.Until("2026-11-18")
	for name, c := range map[string]struct {
		stores []portfoliotest.Store
		want   portfolio.Window
	}{
		"one of three differs":             {[]portfoliotest.Store{behind, added, answered}, portfolio.Window{Window: reporttest.Span("2026-10-21", "2026-11-19"), Reported: 1, Stitched: 1, Differ: 1}},
		"of two that differ, the later":    {[]portfoliotest.Store{added, behind}, portfolio.Window{Window: reporttest.Span("2026-10-21", "2026-11-19"), Stitched: 1, Differ: 1}},
		"the same, the other way round":    {[]portfoliotest.Store{behind, answered}, portfolio.Window{Window: reporttest.Span("2026-10-21", "2026-11-19"), Reported: 1, Differ: 1}},
		"all on days other than the usual": {[]portfoliotest.Store{behind}, portfolio.Window{Window: reporttest.Span("2026-10-20", "2026-11-18"), Stitched: 1}},
	} {
		p := list(t, "by=nothing", reporttest.Noon, c.stores...)
		reporttest.Equal(t, name, p.Shown, &c.want)
		reporttest.Equal(t, name+": the picker", p.Choice().Window, c.want.Window)
		for _, r := range p.Sections[0].Rows {
			reporttest.Equal(t, name+": "+r.Store.Name+" says that it differs", r.Differs, *r.Window() != c.want.Window)
		}
	}
}

func TestTheSuccessRateIsMadeOfItsPartsAndNeverSummed_N2(t *testing.T) {
	t.Parallel()
	a, b := portfoliotest.New(t, "acme", "UTC", "USD", reporttest.Noon), portfoliotest.New(t, "birch", "UTC", "USD", reporttest.Noon)
	b.Days = nil
	for d := range report.WindowEnding(b.LastDay, 60).All() {
		b.Days = append(b.Days, b.Day(d.String(), "50", 30, 100))
	}
	p := list(t, "currency=USD", reporttest.Noon, a, b)
	reporttest.Equal(t, "acme", p.row(t, "acme").Summary.UpsellSuccessRate, reporttest.Dec("0.1"))
	reporttest.Equal(t, "birch", p.row(t, "birch").Summary.UpsellSuccessRate, reporttest.Dec("0.3"))
	reporttest.Nowhere(t, p, map[string]string{"the mean of the rates": "0.2", "their sum": "0.4", "both stores' orders": "6000"})
	none := portfoliotest.New(t, "cedar", "UTC", "USD", reporttest.Noon)
	for i := range none.Days {
		none.Days[i] = none.Day(none.Days[i].Window.Start.String(), "0", 0, 0)
	}
	if r := list(t, "", reporttest.Noon, none).row(t, "cedar"); r.Summary.UpsellSuccessRate != nil {
		t.Errorf("without an order the rate is %v", r.Summary.UpsellSuccessRate)
	}
}

func TestGiftRevenueIsNeverAddedToAnything_N3(t *testing.T) {
	t.Parallel()
	a, b := portfoliotest.New(t, "acme", "UTC", "USD", reporttest.Noon), portfoliotest.New(t, "birch", "UTC", "USD", reporttest.Noon)
	w := reporttest.Span("2026-10-21", "2026-11-19")
	for i, k := range []*portfoliotest.Store{&a, &b} {
		k.Gifts = []report.StoredGift{{Window: w, AskedDays: 30, Timezone: "UTC", Currency: "USD", Basis: "reported", FetchedAt: reporttest.Noon, Revenue: report.GiftMetric{Value: reporttest.Dec(fmt.Sprint(700 + i))}}}
	}
	p := list(t, "currency=USD", reporttest.Noon, a, b)
	reporttest.Equal(t, "gift revenue", p.row(t, "acme").Gift.Revenue.Value, reporttest.Dec("700"))
	reporttest.Equal(t, "its window", *p.row(t, "acme").Gift.Provenance.Window, w)
	reporttest.Nowhere(t, p, map[string]string{"gifts of two stores": "1401", "gifts and upsells": "3700", "and of the other": "3701", "all": "7401"})
	// Unlike value and orders, a value that wasn't sent isn't zero (N47).
	a.Gifts[0].Revenue.Value = nil
	if r := list(t, "", reporttest.Noon, a).row(t, "acme"); r.Gift.Revenue.Value != nil || r.Gift.Empty != nil {
		t.Errorf("gift revenue that was not sent is %+v", r.Gift)
	}
	a.Gifts = nil
	if r := list(t, "", reporttest.Noon, a).row(t, "acme"); r.Gift.Empty == nil {
		t.Error("gifts that were never pulled have a number")
	}
}

func TestAmountsOfTwoCurrenciesMeetInNoSumAndNoOrder_N34(t *testing.T) {
	t.Parallel()
	usd, eur, more := portfoliotest.New(t, "acme", "UTC", "USD", reporttest.Noon), portfoliotest.New(t, "birch", "UTC", "EUR", reporttest.Noon), portfoliotest.New(t, "cedar", "UTC", "EUR", reporttest.Noon)
	more.Answered(reporttest.Span("2026-10-21", "2026-11-19"), "9000", 10, 1000)
	p := list(t, "by=nothing", reporttest.Noon, usd, eur, more)
	if p.Total != nil {
		t.Errorf("dollars and euros come to %s", p.Total.Value)
	}
	p = list(t, "sort=value&by=nothing", reporttest.Noon, usd, eur, more)
	reporttest.Equal(t, "said", p.Unsorted, true)
	reporttest.Equal(t, "by name instead", p.outline(), "acme birch cedar")
	reporttest.Nowhere(t, p, map[string]string{"all three": "15000", "two": "6000"})
	p = list(t, "currency=EUR&sort=value&by=nothing", reporttest.Noon, usd, eur, more)
	reporttest.Equal(t, "said", p.Unsorted, false)
	reporttest.Equal(t, "by value", p.outline(), "cedar birch")
	reporttest.Equal(t, "lowest first", list(t, "currency=EUR&sort=value&reverse=true&by=nothing", reporttest.Noon, usd, eur, more).outline(), "birch cedar")
	reporttest.Equal(t, "total", p.Total.Value, *reporttest.Dec("12000"))
	reporttest.Equal(t, "of stores", p.Total.Stores, 2)
	reporttest.Equal(t, "orders", p.Total.Orders, int64(310))
	// A store that changed its currency has amounts in the old one.
	eur.Days = nil
	for d := range report.WindowEnding(eur.LastDay, 60).All() {
		s := reporttest.DaySummary(d.String(), "1000", 10, 100)
		eur.Days = append(eur.Days, s) // in dollars, more of them than the other has euros
	}
	p = list(t, "currency=EUR&sort=value&by=nothing", reporttest.Noon, usd, eur, more)
	reporttest.Equal(t, "total", p.Total.Value, *reporttest.Dec("9000"))
	reporttest.Equal(t, "left out", fmt.Sprint(p.Total.Left), "[{Birch its numbers are in USD}]")
	reporttest.Equal(t, "last in the order", p.outline(), "cedar birch")
	eur.Days[55].Currency = "EUR"
	r := list(t, "", reporttest.Noon, eur).row(t, "birch")
	if r.Summary.Empty == nil || len(r.Spark) != 0 || !r.Summary.TotalUpsoldValue.IsZero() && r.Summary.Empty == nil {
		t.Errorf("two currencies in one window: %s, a line of %d points", r.Summary.TotalUpsoldValue, len(r.Spark))
	}
}

func TestATotalIsOfWholeWindowsOnlyAndNamesWhoIsLeftOut_N1(t *testing.T) {
	t.Parallel()
	whole, gap, paused, none, before := portfoliotest.New(t, "acme", "UTC", "USD", reporttest.Noon), portfoliotest.New(t, "birch", "UTC", "USD", reporttest.Noon),
		portfoliotest.New(t, "cedar", "UTC", "USD", reporttest.Noon), portfoliotest.New(t, "dogwood", "UTC", "USD", reporttest.Noon), portfoliotest.New(t, "elm", "UTC", "USD", reporttest.Noon)
	gap.Without("2026-11-03")
	paused.Paused = true
	none.Days, none.LastDay = nil, civil.Date{}
	before.Without("2026-10-01")
	p := list(t, "", reporttest.Noon, whole, gap, paused, none, before)
	reporttest.Equal(t, "one currency among all is as good as chosen", p.Currency, "USD")
	reporttest.Equal(t, "total", p.Total.Value, *reporttest.Dec("6000"))
	reporttest.Equal(t, "stores", p.Total.Stores, 2)
	reporttest.Equal(t, "left out", fmt.Sprint(p.Total.Left), "[{Birch 1 day is missing} {Cedar last good numbers} {Dogwood no numbers}]")
	reporttest.Equal(t, "compared", p.Total.Compared, 1)
	reporttest.Equal(t, "change", p.Total.Change.String(), "= no change")
	r := p.row(t, "birch")
	reporttest.Equal(t, "value of 29 days", r.Summary.TotalUpsoldValue, *reporttest.Dec("2900"))
	reporttest.Equal(t, "missing", fmt.Sprint(r.Summary.Provenance.Missing), "[2026-11-03]")
	for i, v := range r.Spark {
		reporttest.Equal(t, "a gap in the line", v == nil, i == 13)
	}
}

func TestAStoreInSeveralGroupsIsCountedOnce(t *testing.T) {
	t.Parallel()
	a, b := portfoliotest.New(t, "acme", "UTC", "USD", reporttest.Noon), portfoliotest.New(t, "birch", "UTC", "USD", reporttest.Noon)
	a.Groups, b.Groups = []stores.Group{{ID: 1, Name: "North"}, {ID: 2, Name: "Retail"}}, []stores.Group{{ID: 2, Name: "Retail"}}
	p := list(t, "by=group", reporttest.Noon, a, b)
	reporttest.Equal(t, "list", p.outline(), "North: acme; Retail: acme birch")
	reporttest.Equal(t, "total", p.Total.Value, *reporttest.Dec("6000"))
	reporttest.Equal(t, "matched", p.Matched, 2)
	reporttest.Equal(t, "one group", list(t, "by=group&group=1", reporttest.Noon, a, b).outline(), "North: acme")
}

func TestAChangeNeedsTwoWholeWindows(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change     func(*portfoliotest.Store)
		query      string
		delta, why string
	}{
		"both are":           {func(*portfoliotest.Store) {}, "", "= no change", ""},
		"a day of now":       {func(k *portfoliotest.Store) { k.Without("2026-11-03") }, "", "not compared", "1 day is missing"},
		"two days of before": {func(k *portfoliotest.Store) { k.Without("2026-10-03"); k.Without("2026-10-04") }, "", "not compared", "2 days of the previous period are missing"},
		"nothing before":     {func(k *portfoliotest.Store) { k.Days = k.Days[30:] }, "", "not compared", "the previous period is not stored"},
		"nothing before yet": {func(k *portfoliotest.Store) { k.Days, k.DaysLeft = k.Days[30:], 30 }, "", "earlier days loading", "earlier days loading"},
		"a part of it yet":   {func(k *portfoliotest.Store) { k.Days, k.DaysLeft = k.Days[10:], 30 }, "", "earlier days loading", "earlier days loading"},
		"another currency": {func(k *portfoliotest.Store) {
			k.Answered(reporttest.Span("2026-09-21", "2026-10-20"), "1", 1, 1)
			k.Windows[0].Currency = "EUR"
		}, "", "not compared", "the previous period is in EUR"},
		"before, but too early": {func(k *portfoliotest.Store) {
			k.Days = k.Days[30:]
			k.Answered(reporttest.Span("2026-09-21", "2026-10-20"), "1", 1, 1)
			k.Windows[0].Partial = true
		}, "", "not compared", "a day of the previous period wasn’t over"},
		"zero before":            {func(k *portfoliotest.Store) { k.Answered(reporttest.Span("2026-09-21", "2026-10-20"), "0", 0, 1000) }, "", "no baseline", ""},
		"nothing chosen":         {func(*portfoliotest.Store) {}, "compare=none", "not compared", "no comparison chosen"},
		"stale":                  {func(k *portfoliotest.Store) { k.UpsellAt = reporttest.Noon.Add(-4 * time.Hour) }, "", "not compared", "these are the last good numbers"},
		"no number at all (N20)": {func(k *portfoliotest.Store) { k.Days, k.LastDay = nil, civil.Date{} }, "", "–", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := portfoliotest.New(t, "acme", "UTC", "USD", reporttest.Noon)
			c.change(&k)
			r := list(t, c.query, reporttest.Noon, k).row(t, "acme")
			reporttest.Equal(t, "change", r.Delta.String(), c.delta)
			reporttest.Equal(t, "why not", r.Uncompared, c.why)
		})
	}
}

// Shortly after midnight the nightly pulls haven't arrived: the last whole days are shown, with their
// dates; a calendar month can't be shifted like that.
func TestDaysThatAreNotThereYetAreNotCountedAsZero_N1(t *testing.T) {
	t.Parallel()
	k := portfoliotest.New(t, "acme", "UTC", "USD", reporttest.Noon)
	k.Until("2026-11-18")
	r := list(t, "", reporttest.Noon, k).row(t, "acme")
	reporttest.Equal(t, "window", *r.Window(), reporttest.Span("2026-10-20", "2026-11-18"))
	reporttest.Equal(t, "whole", len(r.Summary.Provenance.Missing), 0)
	reporttest.Equal(t, "stale", r.Stale, false)
	reporttest.Equal(t, "compared with its own days before", r.Delta.String(), "not compared") // only 29 of those are stored
	k = portfoliotest.New(t, "acme", "UTC", "USD", reporttest.Noon)
	k.Until("2026-11-18")
	k.Answered(reporttest.Span("2026-09-20", "2026-10-19"), "1500", 10, 100)
	reporttest.Equal(t, "change", list(t, "", reporttest.Noon, k).row(t, "acme").Delta.String(), "↑ 100.0% more")
	// The service has already answered for the whole window.
	k.Answered(reporttest.Span("2026-10-21", "2026-11-19"), "3100", 10, 100)
	reporttest.Equal(t, "window", *list(t, "", reporttest.Noon, k).row(t, "acme").Window(), reporttest.Span("2026-10-21", "2026-11-19"))
	// Fixed dates stay as requested, with the gap.
	r = list(t, "start=2026-11-10&end=2026-11-19", reporttest.Noon, k).row(t, "acme")
	reporttest.Equal(t, "fixed", *r.Window(), reporttest.Span("2026-11-10", "2026-11-19"))
	reporttest.Equal(t, "missing", fmt.Sprint(r.Summary.Provenance.Missing), "[2026-11-19]")
	reporttest.Equal(t, "month to date", *list(t, "window=month_to_date", reporttest.Noon, k).row(t, "acme").Window(), reporttest.Span("2026-11-01", "2026-11-19"))
}

func TestAStoppedStoreShowsItsLastGoodNumbersWithTheirDays(t *testing.T) {
	t.Parallel()
	k := portfoliotest.New(t, "acme", "America/New_York", "USD", reporttest.Noon)
	k.Until("2026-11-11")
	k.UpsellAt = reporttest.Noon.Add(-9 * 24 * time.Hour)
	refused := time.Date(2026, 11, 12, 15, 0, 0, 0, time.UTC)
	k.Credentials[0] = report.StoredCredential{Service: "upsell", State: "paused", Cause: "token", PausedAt: refused}
	k.Alerts, k.Need = 1, report.OpenAlert{Rule: "credential", Title: locale.M("store.need.upsell_token"), Since: refused}
	r := list(t, "", reporttest.Noon, k, portfoliotest.New(t, "birch", "America/New_York", "USD", reporttest.Noon), portfoliotest.New(t, "cedar", "America/New_York", "USD", reporttest.Noon)).row(t, "acme")
	reporttest.Equal(t, "window", *r.Window(), reporttest.Span("2026-10-13", "2026-11-11"))
	reporttest.Equal(t, "value", r.Summary.TotalUpsoldValue, *reporttest.Dec("3000"))
	reporttest.Equal(t, "stale", r.Stale, true)
	reporttest.Equal(t, "flag", r.Summary.Provenance.Has(report.FlagStale), true)
	reporttest.Equal(t, "differs", r.Differs, true)
	reporttest.Equal(t, "freshness", r.Freshness.Words+", "+r.Freshness.State, "Data to 11 Nov, updated 9 days ago, failed")
	reporttest.Equal(t, "health", r.Health.Line(), "Upsell token refused · since 12 Nov")
	reporttest.Equal(t, "group", r.Health.Group, stores.HealthPerson)
}

func TestADisconnectedUpsellAppLeavesItsLastGoodNumbersInTheList(t *testing.T) {
	t.Parallel()
	k := portfoliotest.New(t, "acme", "America/New_York", "USD", reporttest.Noon)
	k.Credentials = k.Credentials[1:]
	r := list(t, "", reporttest.Noon, k).row(t, "acme")
	reporttest.Equal(t, "value", r.Summary.TotalUpsoldValue, *reporttest.Dec("3000"))
	reporttest.Equal(t, "stale", r.Stale && r.Summary.Provenance.Has(report.FlagStale), true)
	reporttest.Equal(t, "sign", r.Freshness.Sign(), "none")
}

func TestAStoresHealthInOneLine(t *testing.T) {
	t.Parallel()
	off := func(n, created int) func(*portfoliotest.Store) {
		return func(k *portfoliotest.Store) {
			for i := range n {
				k.Coverage[i] = report.StoredCover{Placement: k.Coverage[i].Placement, TotalCount: int64(created)}
			}
		}
	}
	open := func(n int, rule, title string) func(*portfoliotest.Store) {
		return func(k *portfoliotest.Store) {
			k.Alerts, k.Need = n, report.OpenAlert{Rule: rule, Title: locale.M(title, "placement", "Coupon offer"), Do: locale.M("alert.do.placement", "place", "Coupon offer"), Since: reporttest.Noon}
		}
	}
	paused := func(service, cause string) func(*portfoliotest.Store) {
		return func(k *portfoliotest.Store) {
			i := slices.IndexFunc(k.Credentials, func(c report.StoredCredential) bool { return c.Service == service })
			k.Credentials[i].State, k.Credentials[i].Cause, k.Credentials[i].PausedAt = "paused", cause, reporttest.Noon.AddDate(0, 0, -2)
		}
	}
	for name, c := range map[string]struct {
		change func(*portfoliotest.Store)
		want   string
	}{
		"all live": {func(*portfoliotest.Store) {}, "working active Live"},
		"one off":  {off(1, 2), "working off 1 placement off"},
		"off and never": {func(k *portfoliotest.Store) {
			off(2, 2)(k)
			k.Coverage[3] = report.StoredCover{Placement: report.OrderStatus}
		}, "working off 2 placements off | 1 never created"},
		"never created":            {off(1, 0), "working active Live | 1 never created"},
		"two never created":        {off(2, 0), "working active Live | 2 never created"},
		"no offers (N15)":          {off(4, 0), "working none No offers yet"},
		"filling":                  {func(k *portfoliotest.Store) { k.DaysStored, k.DaysPlanned, k.DaysLeft = 34, 120, 86 }, "filling filling 34 of 120 days"},
		"filling, one off":         {func(k *portfoliotest.Store) { off(1, 2)(k); k.DaysStored, k.DaysPlanned, k.DaysLeft = 34, 120, 86 }, "filling filling 34 of 120 days | 1 placement off"},
		"no placement is listed":   {func(k *portfoliotest.Store) { k.Coverage = nil }, "working none Working"},
		"nothing yet":              {func(k *portfoliotest.Store) { k.LastDay, k.DaysPlanned, k.Coverage = civil.Date{}, 0, nil }, "filling filling Filling in"},
		"paused by a person":       {func(k *portfoliotest.Store) { k.Paused = true }, "paused none Paused"},
		"not connected":            {func(k *portfoliotest.Store) { k.Credentials = nil; open(1, "unconnected", "store.need.services")(k) }, "person person Not connected | since 20 Nov | Put an offer on Coupon offer"},
		"not connected, snoozed":   {func(k *portfoliotest.Store) { k.Credentials = nil }, "late none Not connected"},
		"gifts alone":              {func(k *portfoliotest.Store) { k.Credentials, k.UpsellAt = k.Credentials[1:], time.Time{} }, "working none Free gifts only"},
		"upsells disconnected":     {func(k *portfoliotest.Store) { k.Credentials = k.Credentials[1:] }, "paused none Upsells disconnected | Data to 19 Nov"},
		"refused, not checked yet": {paused("upsell", "token"), "late person Upsell token refused | since 18 Nov, 12:00"},
		"refused (N37)": {func(k *portfoliotest.Store) {
			paused("upsell", "token")(k)
			open(1, "credential", "store.need.upsell_token")(k)
		}, "person person Upsell token refused | since 20 Nov | Put an offer on Coupon offer"},
		"two things to do": {open(2, "embed-off", "alert.widget.off"), "person person Gift widget off | since 20 Nov | Put an offer on Coupon offer + 1"},
		"a placement off":  {open(1, "placement-off", "alert.placement.off"), "person off Placement off | since 20 Nov | Put an offer on Coupon offer"},
		"a warning":        {open(1, "plan", "store.need.revenue"), "person waiting Gift plan | since 20 Nov | Put an offer on Coupon offer"},
		"late":             {func(k *portfoliotest.Store) { k.UpsellAt = reporttest.Noon.Add(-5 * time.Hour) }, "late waiting Data late | Data to 19 Nov"},
		"late days":        {func(k *portfoliotest.Store) { k.Until("2026-11-16") }, "late waiting Data late | Data to 16 Nov"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := portfoliotest.New(t, "acme", "America/New_York", "USD", reporttest.Noon)
			c.change(&k)
			h := list(t, "", reporttest.Noon, k).row(t, "acme").Health
			got := fmt.Sprintf("%s %s %s", h.Group, h.Sign, h.Words)
			for _, more := range []string{h.Note, h.ToDo} {
				if more != "" {
					got += " | " + more
				}
			}
			if h.More > 0 {
				got += fmt.Sprint(" + ", h.More)
			}
			reporttest.Equal(t, "health", got, c.want)
		})
	}
}

func TestFreshnessSaysWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*portfoliotest.Store)
		want   string
	}{
		"good":             {func(*portfoliotest.Store) {}, "good: Data to 19 Nov, updated 12 minutes ago"},
		"filling":          {func(k *portfoliotest.Store) { k.DaysLeft = 86 }, "filling: Data to 19 Nov, loading older days"},
		"nothing pulled":   {func(k *portfoliotest.Store) { k.LastDay, k.UpsellAt, k.GiftAt = civil.Date{}, time.Time{}, time.Time{} }, "filling: Nothing loaded yet"},
		"old":              {func(k *portfoliotest.Store) { k.UpsellAt = reporttest.Noon.Add(-4 * time.Hour) }, "stale: Data to 19 Nov, updated 4 hours ago"},
		"paused":           {func(k *portfoliotest.Store) { k.Paused = true }, "stale: Data to 19 Nov, updated 12 minutes ago"},
		"gifts alone":      {func(k *portfoliotest.Store) { k.Credentials, k.UpsellAt = k.Credentials[1:], time.Time{} }, "good: Gifts only, updated 1 minute ago"},
		"disconnected":     {func(k *portfoliotest.Store) { k.Credentials = k.Credentials[1:] }, "stale: Data to 19 Nov, updated 12 minutes ago"},
		"not connected":    {func(k *portfoliotest.Store) { k.Credentials = nil }, "stale: No longer updated, updated 12 minutes ago"},
		"younger gifts do": {func(k *portfoliotest.Store) { k.UpsellAt = reporttest.Noon.Add(-5 * time.Hour) }, "stale: Data to 19 Nov, updated 5 hours ago"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := portfoliotest.New(t, "acme", "America/New_York", "USD", reporttest.Noon)
			c.change(&k)
			f := list(t, "", reporttest.Noon, k).row(t, "acme").Freshness
			reporttest.Equal(t, "freshness", f.State+": "+f.Words, c.want)
		})
	}
}

// The stores that moved most are chosen from all that pass the filters. Sparklines are drawn only for the page.
func TestBothWindowsOfEveryMatchedStoreAreReadAndTheLinesOfThePage(t *testing.T) {
	t.Parallel()
	stores := make([]stores.Stored, portfolio.StoresPerPage+10)
	for i := range stores {
		stores[i] = portfoliotest.New(t, fmt.Sprintf("store-%02d", i), "UTC", []string{"USD", "EUR"}[i%2], reporttest.Noon).Stored
	}
	for query, want := range map[string][2]int{
		"sort=orders":  {2 * len(stores), portfolio.StoresPerPage},
		"":             {2 * len(stores), portfolio.StoresPerPage},
		"compare=none": {len(stores), portfolio.StoresPerPage},
		"currency=USD": {len(stores), len(stores) / 2}, // half of them
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		q, err := portfolio.ParseQuery(values, reporttest.Noon)
		if err != nil {
			t.Fatal(err)
		}
		d := portfolio.New(locale.English, q, stores, reporttest.Noon)
		read := len(d.Windows())
		d.Arrange()
		if got := [2]int{read, len(d.Lines())}; got != want {
			t.Errorf("%q: %d windows and %d lines are read, want %d", query, got[0], got[1], want)
		}
	}
}

func TestTheZerosOfAStoreWithoutOffersAreNumbers(t *testing.T) {
	t.Parallel()
	for cause, want := range map[report.Cause]bool{report.CauseNoOffers: true, report.CauseFilling: false, report.CauseFailed: false, report.CauseNotKept: false} {
		r := portfolio.Row{Summary: overview.Summary{Panel: report.Panel{Empty: &report.Empty{Cause: cause}}}}
		reporttest.Equal(t, string(cause), r.HasNumbers(), want)
	}
}

func TestTheListIsSortedAndNarrowedByGoals(t *testing.T) {
	t.Parallel()
	store := func(slug string, goal int64) portfoliotest.Store { // each sells 300 orders a month
		k := portfoliotest.New(t, slug, "Europe/Berlin", "EUR", reporttest.Noon)
		if goal > 0 {
			k.Goal = &report.StoredGoal{Kind: fact.GoalOrders, Amount: decimal.NewFromInt(goal), Days: k.Days}
		}
		return k
	}
	all := []portfoliotest.Store{store("acme", 200), store("birch", 0), store("cedar", 600), store("dune", 400)}
	for query, want := range map[string]string{
		"sort=goal":                               "cedar dune acme birch",
		"sort=goal&reverse=true":                  "acme dune cedar birch",
		"goal=at_risk":                            "cedar dune",
		"goal=at_risk&q=dune":                     "dune",
		"goal=at_risk&sort=goal&by=nothing&q=acm": "",
	} {
		reporttest.Equal(t, query, list(t, query, reporttest.Noon, all...).outline(), want)
	}
}
