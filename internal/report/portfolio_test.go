package report

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
)

// kept is everything that is stored of one store of a list.
type kept struct {
	StoredStore
	days, windows []StoredSummary
	gifts         []StoredGift
	checks        []StoredCheck
	ledger        []StoredPull
}

// keptStore is a connected store with 60 whole days until its yesterday, 100 and ten
// upsold of a hundred orders a day.
func keptStore(t *testing.T, slug, zone, currency string, at time.Time) kept {
	t.Helper()
	loc, err := Zone(zone)
	if err != nil {
		t.Fatal(err)
	}
	yesterday := Today(at, loc).AddDays(-1)
	k := kept{StoredStore: StoredStore{
		Store: Store{Slug: slug, Name: strings.ToUpper(slug[:1]) + slug[1:], Timezone: zone, Currency: currency, Domain: slug + ".example"}, Location: loc,
		Credentials: []StoredCredential{{Service: "upsell", State: "good"}, {Service: "gift", State: "good"}},
		UpsellAt:    at.Add(-12 * time.Minute), GiftAt: at.Add(-time.Minute), LastDay: yesterday, DaysStored: 60, DaysPlanned: 60,
	}}
	for _, p := range Placements {
		k.Coverage = append(k.Coverage, StoredCover{Placement: p, ActiveCount: 1, TotalCount: 2})
	}
	for d := range WindowEnding(yesterday, 60).All() {
		k.days = append(k.days, k.day(d.String(), "100", 10, 100))
	}
	return k
}

func (k kept) day(day, value string, upsold, orders int64) StoredSummary {
	s := daySummary(day, value, upsold, orders)
	s.Currency = k.Store.Currency
	return s
}

// answered adds the service's answer for a window.
func (k *kept) answered(w Window, value string, upsold, orders int64) {
	s := windowSummary(w, value, upsold, orders)
	s.Currency = k.Store.Currency
	k.windows = append(k.windows, s)
}

// without drops a day.
func (k *kept) without(day string) {
	k.days = slices.DeleteFunc(slices.Clone(k.days), func(s StoredSummary) bool { return s.Window.Start == on(day) })
}

// until drops what came later.
func (k *kept) until(day string) {
	k.days = slices.DeleteFunc(slices.Clone(k.days), func(s StoredSummary) bool { return s.Window.Start.After(on(day)) })
	k.LastDay = on(day)
}

// list makes the list as the database would: it answers what the draft asks, and
// nothing else.
func list(t *testing.T, query string, at time.Time, stores ...kept) Portfolio {
	t.Helper()
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	q, err := ParsePortfolio(values, at)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	in := make([]StoredStore, len(stores))
	for i, s := range stores {
		in[i] = s.StoredStore
	}
	d := DraftPortfolio(q, in, 60, at)
	numbers := func() {
		for _, w := range d.Windows() {
			for _, r := range stores[w.Store].windows {
				if r.Window == w.Window {
					d.Answered(w.Store, r)
				}
			}
		}
		for _, w := range d.Open() {
			var sum StoredSum
			for _, r := range stores[w.Store].days {
				if !w.Window.Contains(r.Window.Start) || r.Partial {
					continue
				}
				first := sum.Currency
				sum.add(r.Window.Start, r)
				if first != "" && first != r.Currency {
					sum.Currency, sum.OtherCurrency = first, r.Currency
				}
			}
			if sum.Days > 0 {
				d.Summed(w, sum)
			}
		}
	}
	numbers()
	d.Arrange()
	numbers()
	for _, w := range d.Lines() {
		k := stores[w.Store]
		line := StoredLine{Ledger: k.ledger, Checks: k.checks}
		for _, r := range k.days {
			if w.Window.Contains(r.Window.Start) && !r.Partial {
				line.Days = append(line.Days, r)
			}
		}
		for _, g := range k.gifts {
			if g.Window.Days() == 1 && w.Window.Days() > 1 {
				line.GiftDays = append(line.GiftDays, g)
			} else {
				line.Gift = append(line.Gift, g)
			}
		}
		d.Detailed(w.Store, line)
	}
	return d.Portfolio()
}

// row is a store's row.
func (p Portfolio) row(t *testing.T, slug string) PortfolioRow {
	t.Helper()
	for _, s := range p.Sections {
		for _, r := range s.Rows {
			if r.Store.Slug == slug {
				return r
			}
		}
	}
	t.Fatalf("no row of %s", slug)
	return PortfolioRow{}
}

// outline is the list as "heading: store store; heading: store".
func (p Portfolio) outline() string {
	var out []string
	for _, s := range p.Sections {
		var slugs []string
		for _, r := range s.Rows {
			slugs = append(slugs, r.Store.Slug)
		}
		out = append(out, strings.TrimPrefix(s.Title+": ", ": ")+strings.Join(slugs, " "))
	}
	return strings.Join(out, "; ")
}

func TestAStoresRowIsOnItsOwnClockAroundMidnight(t *testing.T) {
	t.Parallel()
	// At 10:30 UTC three days are under way: it is 00:30 of the 21st on Kiritimati,
	// 23:30 of the 19th in Pago Pago.
	at := time.Date(2026, 11, 20, 10, 30, 0, 0, time.UTC)
	first, mid, last := keptStore(t, "kiritimati", "Pacific/Kiritimati", "USD", at), keptStore(t, "berlin", "Europe/Berlin", "USD", at), keptStore(t, "pago", "Pacific/Pago_Pago", "USD", at)
	p := list(t, "", at, first, mid, last)
	for slug, want := range map[string]Window{
		"kiritimati": span("2026-10-22", "2026-11-20"), "berlin": span("2026-10-21", "2026-11-19"), "pago": span("2026-10-20", "2026-11-18"),
	} {
		r := p.row(t, slug)
		equal(t, slug, *r.Window(), want)
		equal(t, slug+" is whole", len(r.Summary.Provenance.Missing), 0)
		equal(t, slug+" differs", r.Differs, slug != "kiritimati") // of windows that are as frequent, the latest is the list's
		equal(t, slug+" is compared", r.Uncompared, "")
	}
	equal(t, "differ", p.Shown.Differ, 2)
	equal(t, "stitched", p.Shown.Stitched, 1)
	// The same days for everybody are still each store's own: on the last clock the 20th
	// has not come, and the 19th is not over.
	p = list(t, "start=2026-11-18&end=2026-11-20", at, first, mid, last)
	equal(t, "three days on the first clock", *p.row(t, "kiritimati").Window(), span("2026-11-18", "2026-11-20"))
	equal(t, "two", *p.row(t, "berlin").Window(), span("2026-11-18", "2026-11-19"))
	equal(t, "one", *p.row(t, "pago").Window(), OneDay(on("2026-11-18")))
	p = list(t, "start=2026-11-19&end=2026-11-20", at, first, last)
	r := p.row(t, "pago")
	if r.Summary.Empty == nil || r.Window() != nil || r.Gift.Empty == nil {
		t.Errorf("a window of which no day is over: %+v", r.Summary)
	}
	equal(t, "why", r.Summary.Empty.Title, "No day of this window is over yet")
}

func TestAWindowIsAsReportedOrStitched_N1(t *testing.T) {
	t.Parallel()
	k := keptStore(t, "acme", "America/New_York", "USD", noon)
	w := span("2026-10-21", "2026-11-19")
	r := list(t, "", noon, k).row(t, "acme")
	equal(t, "basis", r.Summary.Provenance.Basis, Stitched)
	equal(t, "value", r.Summary.TotalUpsoldValue, *dec("3000"))
	equal(t, "replies", r.Summary.Provenance.Replies, 30)
	k.answered(w, "3000.01", 301, 3000)
	k.answered(w.Previous(), "2000", 200, 3000)
	k.checks = []StoredCheck{{w, Check{Days: 30, Reported: *dec("3000.01"), Stitched: *dec("3000")}}}
	k.ledger = []StoredPull{{Service: "upsell", Pull: "summary.window", Subject: "30", Outcome: "good", Applied: &w}}
	r = list(t, "", noon, k).row(t, "acme")
	equal(t, "basis", r.Summary.Provenance.Basis, Reported)
	equal(t, "value", r.Summary.TotalUpsoldValue, *dec("3000.01"))
	equal(t, "change", r.Delta.String(), "↑ 50.0% more")
	equal(t, "change of orders", r.OrdersDelta.String(), "↑ 50.5% more")
	equal(t, "drift", r.Summary.Provenance.Has(FlagDrift), true)
	equal(t, "reply", r.Summary.Provenance.Pull+" "+r.Summary.Provenance.Subject, "summary.window 30")
	// An answer from before the window was over is the second choice, as on the overview.
	k.windows[0].Partial = true
	equal(t, "partial", list(t, "", noon, k).row(t, "acme").Summary.Provenance.Basis, Stitched)
}

func TestTheSuccessRateIsMadeOfItsPartsAndNeverSummed_N2(t *testing.T) {
	t.Parallel()
	a, b := keptStore(t, "acme", "UTC", "USD", noon), keptStore(t, "birch", "UTC", "USD", noon)
	b.days = nil
	for d := range WindowEnding(b.LastDay, 60).All() {
		b.days = append(b.days, b.day(d.String(), "50", 30, 100))
	}
	p := list(t, "currency=USD", noon, a, b)
	equal(t, "acme", p.row(t, "acme").Summary.UpsellSuccessRate, dec("0.1"))
	equal(t, "birch", p.row(t, "birch").Summary.UpsellSuccessRate, dec("0.3"))
	nowhere(t, p, map[string]string{"the mean of the rates": "0.2", "their sum": "0.4", "both stores' orders": "6000"})
	none := keptStore(t, "cedar", "UTC", "USD", noon)
	for i := range none.days {
		none.days[i] = none.day(none.days[i].Window.Start.String(), "0", 0, 0)
	}
	if r := list(t, "", noon, none).row(t, "cedar"); r.Summary.UpsellSuccessRate != nil || r.RateDelta.Direction != NoNumber {
		t.Errorf("without an order the rate is %v, %v", r.Summary.UpsellSuccessRate, r.RateDelta)
	}
}

func TestGiftRevenueIsNeverAddedToAnything_N3(t *testing.T) {
	t.Parallel()
	a, b := keptStore(t, "acme", "UTC", "USD", noon), keptStore(t, "birch", "UTC", "USD", noon)
	w := span("2026-10-21", "2026-11-19")
	for i, k := range []*kept{&a, &b} {
		k.gifts = []StoredGift{{Window: w, AskedDays: 30, Timezone: "UTC", Currency: "USD", Basis: "reported", FetchedAt: noon, Revenue: GiftMetric{Value: dec(fmt.Sprint(700 + i))}}}
	}
	p := list(t, "currency=USD", noon, a, b)
	equal(t, "gift revenue", p.row(t, "acme").Gift.Revenue.Value, dec("700"))
	equal(t, "its window", *p.row(t, "acme").Gift.Provenance.Window, w)
	nowhere(t, p, map[string]string{"gifts of two stores": "1401", "gifts and upsells": "3700", "and of the other": "3701", "all": "7401"})
	// Unlike value and orders, what was not sent is not zero (N47).
	a.gifts[0].Revenue.Value = nil
	if r := list(t, "", noon, a).row(t, "acme"); r.Gift.Revenue.Value != nil || r.Gift.Empty != nil {
		t.Errorf("gift revenue that was not sent is %+v", r.Gift)
	}
	a.gifts = nil
	if r := list(t, "", noon, a).row(t, "acme"); r.Gift.Empty == nil {
		t.Error("gifts that were never pulled have a number")
	}
}

func TestAmountsOfTwoCurrenciesMeetInNoSumAndNoOrder_N34(t *testing.T) {
	t.Parallel()
	usd, eur, more := keptStore(t, "acme", "UTC", "USD", noon), keptStore(t, "birch", "UTC", "EUR", noon), keptStore(t, "cedar", "UTC", "EUR", noon)
	more.answered(span("2026-10-21", "2026-11-19"), "9000", 10, 1000)
	p := list(t, "by=nothing", noon, usd, eur, more)
	if p.Total != nil {
		t.Errorf("dollars and euros come to %s", p.Total.Value)
	}
	p = list(t, "sort=value&by=nothing", noon, usd, eur, more)
	equal(t, "said", p.Unsorted, true)
	equal(t, "by name instead", p.outline(), "acme birch cedar")
	nowhere(t, p, map[string]string{"all three": "15000", "two": "6000"})
	p = list(t, "currency=EUR&sort=value&by=nothing", noon, usd, eur, more)
	equal(t, "said", p.Unsorted, false)
	equal(t, "by value", p.outline(), "cedar birch")
	equal(t, "lowest first", list(t, "currency=EUR&sort=value&reverse=true&by=nothing", noon, usd, eur, more).outline(), "birch cedar")
	equal(t, "total", p.Total.Value, *dec("12000"))
	equal(t, "of stores", p.Total.Stores, 2)
	equal(t, "orders", p.Total.Orders, int64(310))
	// Who changed to another currency since has amounts in the one before.
	eur.days = nil
	for d := range WindowEnding(eur.LastDay, 60).All() {
		s := daySummary(d.String(), "100", 10, 100)
		eur.days = append(eur.days, s) // in dollars
	}
	p = list(t, "currency=EUR&sort=value&by=nothing", noon, usd, eur, more)
	equal(t, "total", p.Total.Value, *dec("9000"))
	equal(t, "left out", fmt.Sprint(p.Total.Left), "[{Birch its numbers are in USD}]")
	equal(t, "last in the order", p.outline(), "cedar birch")
	eur.days[55].Currency = "EUR"
	r := list(t, "", noon, eur).row(t, "birch")
	if r.Summary.Empty == nil || len(r.Spark) != 0 || !r.Summary.TotalUpsoldValue.IsZero() && r.Summary.Empty == nil {
		t.Errorf("two currencies in one window: %s, a line of %d points", r.Summary.TotalUpsoldValue, len(r.Spark))
	}
}

func TestATotalIsOfWholeWindowsOnlyAndNamesWhoIsLeftOut_N1(t *testing.T) {
	t.Parallel()
	whole, gap, paused, none, before := keptStore(t, "acme", "UTC", "USD", noon), keptStore(t, "birch", "UTC", "USD", noon),
		keptStore(t, "cedar", "UTC", "USD", noon), keptStore(t, "dogwood", "UTC", "USD", noon), keptStore(t, "elm", "UTC", "USD", noon)
	gap.without("2026-11-03")
	paused.Paused = true
	none.days, none.LastDay = nil, civil.Date{}
	before.without("2026-10-01")
	p := list(t, "", noon, whole, gap, paused, none, before)
	equal(t, "one currency among all is as good as chosen", p.Currency, "USD")
	equal(t, "total", p.Total.Value, *dec("6000"))
	equal(t, "stores", p.Total.Stores, 2)
	equal(t, "left out", fmt.Sprint(p.Total.Left), "[{Birch 1 day is missing} {Cedar last good numbers} {Dogwood no numbers}]")
	equal(t, "compared", p.Total.Compared, 1)
	equal(t, "change", p.Total.Change.String(), "= no change")
	r := p.row(t, "birch")
	equal(t, "value of 29 days", r.Summary.TotalUpsoldValue, *dec("2900"))
	equal(t, "missing", fmt.Sprint(r.Summary.Provenance.Missing), "[2026-11-03]")
	for i, v := range r.Spark {
		equal(t, "a gap in the line", v == nil, i == 13)
	}
}

func TestAStoreInSeveralGroupsIsCountedOnce(t *testing.T) {
	t.Parallel()
	a, b := keptStore(t, "acme", "UTC", "USD", noon), keptStore(t, "birch", "UTC", "USD", noon)
	a.Groups, b.Groups = []StoreGroup{{1, "North"}, {2, "Retail"}}, []StoreGroup{{2, "Retail"}}
	p := list(t, "by=group", noon, a, b)
	equal(t, "list", p.outline(), "North: acme; Retail: acme birch")
	equal(t, "total", p.Total.Value, *dec("6000"))
	equal(t, "matched", p.Matched, 2)
	equal(t, "one group", list(t, "by=group&group=1", noon, a, b).outline(), "North: acme")
}

func TestAChangeNeedsTwoWholeWindows(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change     func(*kept)
		query      string
		delta, why string
	}{
		"both are":               {func(*kept) {}, "", "= no change", ""},
		"a day of now":           {func(k *kept) { k.without("2026-11-03") }, "", "not compared", "1 day is missing"},
		"two days of before":     {func(k *kept) { k.without("2026-10-03"); k.without("2026-10-04") }, "", "not compared", "in the window before, 2 days are missing"},
		"nothing before":         {func(k *kept) { k.days = k.days[30:] }, "", "not compared", "the window before is not stored"},
		"nothing before yet":     {func(k *kept) { k.days, k.DaysLeft = k.days[30:], 30 }, "", "previous not stored yet", "previous not stored yet"},
		"a part of it yet":       {func(k *kept) { k.days, k.DaysLeft = k.days[10:], 30 }, "", "previous not stored yet", "previous not stored yet"},
		"another currency":       {func(k *kept) { k.answered(span("2026-09-21", "2026-10-20"), "1", 1, 1); k.windows[0].Currency = "EUR" }, "", "not compared", "the window before is in EUR"},
		"zero before":            {func(k *kept) { k.answered(span("2026-09-21", "2026-10-20"), "0", 0, 1000) }, "", "no baseline", ""},
		"nothing chosen":         {func(*kept) {}, "compare=none", "not compared", "nothing was chosen to compare with"},
		"stale":                  {func(k *kept) { k.UpsellAt = noon.Add(-4 * time.Hour) }, "", "not compared", "these are the last good numbers"},
		"no number at all (N20)": {func(k *kept) { k.days, k.LastDay = nil, civil.Date{} }, "", "–", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := keptStore(t, "acme", "UTC", "USD", noon)
			c.change(&k)
			r := list(t, c.query, noon, k).row(t, "acme")
			equal(t, "change", r.Delta.String(), c.delta)
			equal(t, "why not", r.Uncompared, c.why)
			if c.why != "" {
				equal(t, "orders", r.OrdersDelta.Direction, NotCompared)
				equal(t, "rate", r.RateDelta.Direction, NotCompared)
			}
		})
	}
}

// Shortly after midnight the night's pulls have not come: the last whole days are
// shown and say which they are; a month can't be moved.
func TestDaysThatAreNotThereYetAreNotCountedAsZero_N1(t *testing.T) {
	t.Parallel()
	k := keptStore(t, "acme", "UTC", "USD", noon)
	k.until("2026-11-18")
	r := list(t, "", noon, k).row(t, "acme")
	equal(t, "window", *r.Window(), span("2026-10-20", "2026-11-18"))
	equal(t, "whole", len(r.Summary.Provenance.Missing), 0)
	equal(t, "stale", r.Stale, false)
	equal(t, "compared with its own days before", r.Delta.String(), "not compared") // 29 of those are stored
	k = keptStore(t, "acme", "UTC", "USD", noon)
	k.until("2026-11-18")
	k.answered(span("2026-09-20", "2026-10-19"), "1500", 10, 100)
	equal(t, "change", list(t, "", noon, k).row(t, "acme").Delta.String(), "↑ 100.0% more")
	// The service has answered for the whole window already.
	k.answered(span("2026-10-21", "2026-11-19"), "3100", 10, 100)
	equal(t, "window", *list(t, "", noon, k).row(t, "acme").Window(), span("2026-10-21", "2026-11-19"))
	// Fixed days stay as they were asked for, with the gap.
	r = list(t, "start=2026-11-10&end=2026-11-19", noon, k).row(t, "acme")
	equal(t, "fixed", *r.Window(), span("2026-11-10", "2026-11-19"))
	equal(t, "missing", fmt.Sprint(r.Summary.Provenance.Missing), "[2026-11-19]")
	equal(t, "month to date", *list(t, "window=month_to_date", noon, k).row(t, "acme").Window(), span("2026-11-01", "2026-11-19"))
}

func TestAStoppedStoreShowsItsLastGoodNumbersWithTheirDays(t *testing.T) {
	t.Parallel()
	k := keptStore(t, "acme", "America/New_York", "USD", noon)
	k.until("2026-11-11")
	k.UpsellAt = noon.Add(-9 * 24 * time.Hour)
	k.Credentials[0] = StoredCredential{Service: "upsell", State: "paused", Cause: "token", PausedAt: time.Date(2026, 11, 12, 15, 0, 0, 0, time.UTC)}
	r := list(t, "", noon, k, keptStore(t, "birch", "America/New_York", "USD", noon), keptStore(t, "cedar", "America/New_York", "USD", noon)).row(t, "acme")
	equal(t, "window", *r.Window(), span("2026-10-13", "2026-11-11"))
	equal(t, "value", r.Summary.TotalUpsoldValue, *dec("3000"))
	equal(t, "stale", r.Stale, true)
	equal(t, "flag", r.Summary.Provenance.Has(FlagStale), true)
	equal(t, "differs", r.Differs, true)
	equal(t, "freshness", r.Freshness.Words+", "+r.Freshness.State, "Data to 11 Nov, last good pull 9 days ago, failed")
	equal(t, "health", r.Health.Words, "Upsell token refused since 12 Nov")
	equal(t, "group", r.Health.Group, HealthPerson)
}

func TestAStoresHealthInOneLine(t *testing.T) {
	t.Parallel()
	off := func(n, created int) func(*kept) {
		return func(k *kept) {
			for i := range n {
				k.Coverage[i] = StoredCover{Placement: k.Coverage[i].Placement, TotalCount: int64(created)}
			}
		}
	}
	issue := func(code string) func(*kept) {
		return func(k *kept) {
			k.Gift = ReadGiftSetup([]StoredHealth{{"issues", StoredJSON{Body: []byte(`[{"code":"` + code + `","message":"m"}]`), FetchedAt: noon}}}, nil)
		}
	}
	plan := func(body string) func(*kept) {
		return func(k *kept) { k.Gift = ReadGiftSetup(nil, &StoredJSON{Body: []byte(body), FetchedAt: noon}) }
	}
	paused := func(service, cause string) func(*kept) {
		return func(k *kept) {
			i := slices.IndexFunc(k.Credentials, func(c StoredCredential) bool { return c.Service == service })
			k.Credentials[i].State, k.Credentials[i].Cause = "paused", cause
		}
	}
	for name, c := range map[string]struct {
		change func(*kept)
		want   string
	}{
		"all live":                  {func(*kept) {}, "working active All placements live"},
		"one off":                   {off(1, 2), "working off 1 placement switched off"},
		"off and never":             {func(k *kept) { off(2, 2)(k); k.Coverage[3] = StoredCover{Placement: OrderStatus} }, "working off 2 placements switched off, 1 never created"},
		"never created":             {off(1, 0), "working none Post-purchase upsell never created"},
		"two never created":         {off(2, 0), "working none 2 placements never created"},
		"no offers (N15)":           {off(4, 0), "working none No offers yet"},
		"filling":                   {func(k *kept) { k.DaysStored, k.DaysPlanned, k.DaysLeft = 34, 120, 86 }, "filling filling 34 of 120 days stored | All placements live"},
		"nothing yet":               {func(k *kept) { k.LastDay, k.DaysPlanned, k.Coverage = civil.Date{}, 0, nil }, "filling filling Filling in"},
		"paused by a person":        {func(k *kept) { k.Paused = true }, "paused none Paused | All placements live"},
		"not connected":             {func(k *kept) { k.Credentials = nil }, "person none Not connected"},
		"gifts alone":               {func(k *kept) { k.Credentials = k.Credentials[1:] }, "working none Free gifts only"},
		"upsell token (N37)":        {paused("upsell", "token"), "person person Upsell token refused | All placements live"},
		"upsell address":            {paused("upsell", "wrong_shop"), "person person Upsell address refused | All placements live"},
		"no plan (N40)":             {paused("gift", "NO_PLAN"), "person person Gift plan ended | All placements live"},
		"trial over (N40)":          {paused("gift", "trial_lapsed"), "person person Gift trial ended | All placements live"},
		"app uninstalled (N41)":     {paused("gift", "APP_UNINSTALLED"), "person person Gift app uninstalled | All placements live"},
		"gift key":                  {paused("gift", "INVALID_KEY"), "person person Gift key refused | All placements live"},
		"late":                      {func(k *kept) { k.UpsellAt = noon.Add(-5 * time.Hour) }, "late waiting Late: last pull 5 hours ago | All placements live"},
		"late days":                 {func(k *kept) { k.until("2026-11-16") }, "late waiting Late: no day since 16 Nov | All placements live"},
		"embed off":                 {issue("APP_EMBED_DISABLED"), "person waiting Gift widget can’t appear | All placements live"},
		"no campaign":               {issue("NO_ACTIVE_CAMPAIGN"), "working active All placements live | No active gift campaign"},
		"an unknown issue":          {issue("<b>"), "working active All placements live | Gift set-up has a problem"},
		"embed of a dead key":       {func(k *kept) { issue("APP_EMBED_DISABLED")(k); paused("gift", "token")(k) }, "person person Gift key refused | All placements live"},
		"too many campaigns":        {plan(`{"campaigns_exceeded":true}`), "person waiting More gift campaigns than the plan allows | All placements live"},
		"revenue used up":           {plan(`{"revenue_used":"500","revenue_limit":"500"}`), "person waiting Gift plan’s revenue limit reached | All placements live"},
		"no limit (N55)":            {plan(`{"revenue_used":"500","revenue_limit":null,"revenue_unlimited":true}`), "working active All placements live"},
		"trial ends soon":           {plan(`{"trial_ends_at":"2026-11-25T00:00:00","is_paid":false}`), "working active All placements live | Gift trial ends 25 Nov"},
		"trial ends later":          {plan(`{"trial_ends_at":"2026-12-25T00:00:00","is_paid":false}`), "working active All placements live"},
		"paid":                      {plan(`{"trial_ends_at":"2026-11-25T00:00:00","is_paid":true}`), "working active All placements live"},
		"a plan that can't be read": {plan(`[`), "working active All placements live"},
		"a token before a warning":  {func(k *kept) { paused("upsell", "token")(k); issue("APP_EMBED_DISABLED")(k) }, "person person Upsell token refused | Gift widget can’t appear | All placements live"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := keptStore(t, "acme", "America/New_York", "USD", noon)
			c.change(&k)
			h := list(t, "", noon, k).row(t, "acme").Health
			equal(t, "health", fmt.Sprintf("%s %s %s", h.Group, h.Sign, strings.Join(append([]string{h.Words}, h.Also...), " | ")), c.want)
		})
	}
}

func TestFreshnessSaysWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*kept)
		want   string
	}{
		"good":             {func(*kept) {}, "good: Data to 19 Nov, pulled 12 minutes ago"},
		"filling":          {func(k *kept) { k.DaysLeft = 86 }, "filling: Data to 19 Nov, filling the past"},
		"nothing pulled":   {func(k *kept) { k.LastDay, k.UpsellAt, k.GiftAt = civil.Date{}, time.Time{}, time.Time{} }, "filling: Nothing pulled yet"},
		"old":              {func(k *kept) { k.UpsellAt = noon.Add(-4 * time.Hour) }, "stale: Data to 19 Nov, pulled 4 hours ago"},
		"paused":           {func(k *kept) { k.Paused = true }, "stale: Data to 19 Nov, last good pull 12 minutes ago"},
		"gifts alone":      {func(k *kept) { k.Credentials, k.UpsellAt = k.Credentials[1:], time.Time{} }, "good: Gifts alone, pulled 1 minute ago"},
		"not connected":    {func(k *kept) { k.Credentials = nil }, "stale: Nothing is pulled, last pull 12 minutes ago"},
		"younger gifts do": {func(k *kept) { k.UpsellAt = noon.Add(-5 * time.Hour) }, "stale: Data to 19 Nov, pulled 5 hours ago"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := keptStore(t, "acme", "America/New_York", "USD", noon)
			c.change(&k)
			f := list(t, "", noon, k).row(t, "acme").Freshness
			equal(t, "freshness", f.State+": "+f.Words, c.want)
		})
	}
}

func TestFiltersNarrowAndCountWhatTheOthersLeave(t *testing.T) {
	t.Parallel()
	a, b, c := keptStore(t, "acme", "UTC", "USD", noon), keptStore(t, "birch", "UTC", "EUR", noon), keptStore(t, "cedar", "Asia/Tokyo", "EUR", noon)
	a.Tags, b.Tags = []string{"vip"}, []string{"vip", "new"}
	a.Groups, c.Groups = []StoreGroup{{1, "North"}}, []StoreGroup{{2, "South"}}
	c.Paused = true
	for query, want := range map[string]string{
		"":                                  "Working: acme birch; Paused: cedar",
		"currency=EUR":                      "Working: birch; Paused: cedar",
		"currency=eur":                      "Working: birch; Paused: cedar",
		"tag=vip":                           "Working: acme birch",
		"tag=vip&currency=EUR":              "Working: birch",
		"group=2":                           "Paused: cedar",
		"group=7":                           "",
		"health=paused":                     "Paused: cedar",
		"q=CEDAR.example":                   "Paused: cedar",
		"q=%20Ac":                           "Working: acme",
		"q=zebra":                           "",
		"by=nothing":                        "acme birch cedar",
		"by=tag":                            "new: birch; vip: acme birch; Without a tag: cedar",
		"by=tag&tag=new":                    "new: birch",
		"by=currency":                       "EUR: birch cedar; USD: acme",
		"by=clock":                          "Tokyo time: cedar; UTC: acme birch",
		"by=group":                          "North: acme; South: cedar; In no group: birch",
		"by=nothing&sort=name":              "acme birch cedar",
		"by=nothing&sort=orders":            "acme birch cedar",
		"by=nothing&sort=name&reverse=true": "cedar birch acme",
	} {
		equal(t, query, list(t, query, noon, a, b, c).outline(), want)
	}
	p := list(t, "currency=EUR&tag=vip", noon, a, b, c)
	equal(t, "currencies", fmt.Sprint(p.Currencies), "[{EUR EUR 1 true} {USD USD 1 false}]")
	equal(t, "any currency", p.AnyCurrency, 2)
	equal(t, "tags", fmt.Sprint(p.Tags), "[{new new 1 false} {vip vip 1 true}]")
	equal(t, "groups", fmt.Sprint(p.Groups), "[{1 North 0 false} {2 South 0 false}]")
	equal(t, "of", fmt.Sprint(p.Matched, " of ", p.Known), "1 of 3")
}

func TestOrdersPutWhatHasNoNumberLast(t *testing.T) {
	t.Parallel()
	high, low, none := keptStore(t, "acme", "UTC", "USD", noon), keptStore(t, "birch", "UTC", "EUR", noon), keptStore(t, "cedar", "UTC", "JPY", noon)
	w := span("2026-10-21", "2026-11-19")
	high.answered(w, "6000", 500, 1000)
	low.answered(w, "2000", 100, 1000)
	none.days, none.LastDay = nil, civil.Date{}
	high.UpsellAt, low.UpsellAt = noon.Add(-time.Minute), noon.Add(-time.Hour)
	for query, want := range map[string]string{
		"sort=orders": "acme birch cedar", "sort=orders&reverse=true": "birch acme cedar",
		"sort=rate": "acme birch cedar", "sort=rate&reverse=true": "birch acme cedar",
		"sort=delta": "acme birch cedar", "sort=delta&reverse=true": "birch acme cedar",
		"sort=freshness": "birch cedar acme", "sort=freshness&reverse=true": "acme cedar birch",
	} {
		equal(t, query, list(t, "by=nothing&"+query, noon, high, low, none).outline(), want)
	}
}

func TestAListIsReadPageByPage(t *testing.T) {
	t.Parallel()
	var stores []kept
	for i := range 230 {
		stores = append(stores, keptStore(t, fmt.Sprintf("store-%03d", i), "UTC", []string{"USD", "EUR"}[i%2], noon))
	}
	p := list(t, "page=3", noon, stores...)
	equal(t, "pages", p.Pages, 3)
	equal(t, "rows", len(p.Sections[0].Rows), 30)
	equal(t, "first", p.Sections[0].Rows[0].Store.Slug, "store-200")
	equal(t, "count of the heading", p.Sections[0].Count, 230)
	equal(t, "beyond", list(t, "page=9", noon, stores...).Page, 3)
	equal(t, "all", len(list(t, "show=all", noon, stores...).Sections[0].Rows), 230)
	// The page does not change what is added up.
	p = list(t, "currency=EUR&page=2", noon, stores...)
	equal(t, "rows", len(p.Sections[0].Rows), 15)
	equal(t, "total", p.Total.Value, decimal.NewFromInt(115*3000))
	equal(t, "oldest", p.Oldest.Name, "Store-001")
}

func TestAPortfolioQueryIsReadAndWrittenBack(t *testing.T) {
	t.Parallel()
	for _, query := range []string{
		"", "window=last_7_days", "end=2026-11-05&start=2026-11-01", "compare=year", "currency=EUR", "group=7", "health=late", "q=caf%C3%A9",
		"tag=a+b", "by=clock&reverse=true&sort=delta", "page=4", "show=all", "compare=none&window=last_month",
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		q, err := ParsePortfolio(values, noon)
		if err != nil {
			t.Errorf("%s: %v", query, err)
		}
		equal(t, query, q.Values().Encode(), query)
		if q.Words() == "" {
			t.Errorf("%s has no words", query)
		}
	}
	for query, field := range map[string]string{
		"window=fortnight": "window", "window=today": "window", "window=all": "window", "start=2026-11-05": "end", "start=2027-01-01&end=2027-01-02": "end",
		"compare=x": "compare", "currency=EURO": "currency", "currency=%3C%3E%22": "currency", "group=x": "group", "group=-1": "group", "health=ill": "health",
		"by=colour": "by", "sort=luck": "sort", "reverse=maybe": "reverse", "show=some": "show", "page=0": "page", "tag=" + strings.Repeat("x", 41): "tag",
		"q=" + strings.Repeat("x", 201): "q", "q=a%00b": "q", "q=%ff": "q", "tag=a%0Ab": "tag", "window=last_7_days&start=2026-11-01&end=2026-11-02": "window",
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		q, err := ParsePortfolio(values, noon)
		wrong := (*ChoiceError)(nil)
		if !errors.As(err, &wrong) || wrong.Field != field {
			t.Errorf("%s: %v, want a word about %s", query, err, field)
		}
		if _, err := ParsePortfolio(q.Values(), noon); err != nil {
			t.Errorf("%s: what was read of it can't be asked: %v", query, err)
		}
	}
	// On the clock where the day begins first it is the 21st already.
	if _, err := ParsePortfolio(url.Values{"start": {"2026-11-20"}, "end": {"2026-11-21"}}, noon); err != nil {
		t.Errorf("a day that has begun somewhere: %v", err)
	}
}

// A list of a thousand stores in an order of one number reads the windows before of the
// fifty that it shows.
func TestOnlyWhatIsShownOrGoneByIsCompared(t *testing.T) {
	t.Parallel()
	stores := make([]StoredStore, StoresPerPage+10)
	for i := range stores {
		stores[i] = keptStore(t, fmt.Sprintf("store-%02d", i), "UTC", []string{"USD", "EUR"}[i%2], noon).StoredStore
	}
	for query, want := range map[string][2]int{
		"sort=orders":  {len(stores), StoresPerPage},
		"sort=delta":   {2 * len(stores), 0},
		"":             {2 * StoresPerPage, 0},
		"currency=USD": {len(stores), 0}, // half of them, and their windows before for the total's change
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		q, err := ParsePortfolio(values, noon)
		if err != nil {
			t.Fatal(err)
		}
		d := DraftPortfolio(q, stores, 60, noon)
		first := len(d.Windows())
		d.Arrange()
		if got := [2]int{first, len(d.Windows())}; got != want {
			t.Errorf("%q: %d windows are read, then %d; want %d", query, got[0], got[1], want)
		}
	}
}

func TestTheZerosOfAStoreWithoutOffersAreNumbers(t *testing.T) {
	t.Parallel()
	for cause, want := range map[Cause]bool{CauseNoOffers: true, CauseFilling: false, CauseFailed: false, CauseNotKept: false} {
		r := PortfolioRow{Summary: Summary{Panel: Panel{Empty: &Empty{Cause: cause}}}}
		equal(t, string(cause), r.HasNumbers(), want)
	}
}
