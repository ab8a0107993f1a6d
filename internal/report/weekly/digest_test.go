package weekly

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/portfolio/portfoliotest"
	"github.com/storeglass/storeglass/internal/report/reporttest"
)

var digestWeek = reporttest.Span("2026-11-09", "2026-11-15")

// agency has stores of every kind in the week of 9 – 15 Nov 2026: an upsold value of 100 and ten upsold
// orders per day, unless stated otherwise.
func agency(t *testing.T) []portfoliotest.Store {
	t.Helper()
	grew := portfoliotest.New(t, "grew", "America/New_York", "USD", reporttest.Noon)
	grew.Answered(digestWeek, "910.50", 91, 700)
	fell := portfoliotest.New(t, "fell", "Asia/Tokyo", "JPY", reporttest.Noon)
	fell.Answered(digestWeek, "350", 35, 700)
	tiny := portfoliotest.New(t, "tiny", "Europe/Berlin", "EUR", reporttest.Noon)
	for i := range tiny.Days {
		tiny.Days[i].TotalUpsoldOrders = 0
	}
	tiny.Answered(digestWeek, "9000", 3, 700)
	same := portfoliotest.New(t, "same", "Europe/Berlin", "EUR", reporttest.Noon)
	gap := portfoliotest.New(t, "gap", "Europe/Berlin", "EUR", reporttest.Noon)
	gap.Without("2026-11-11")
	late := portfoliotest.New(t, "late", "Europe/Berlin", "EUR", reporttest.Noon)
	late.Credentials[0] = report.StoredCredential{Service: "upsell", State: "paused", Cause: "token", PausedAt: reporttest.Noon.AddDate(0, 0, -20)}
	late.Alerts, late.Need = 1, report.OpenAlert{Rule: "credential", Title: locale.M("store.need.upsell_token"), Since: reporttest.Noon.AddDate(0, 0, -20)}
	late.Until("2026-10-31")
	return []portfoliotest.Store{grew, fell, tiny, same, gap, late}
}

func digestOf(t *testing.T, stores ...portfoliotest.Store) Week {
	t.Helper()
	return NewDigest(locale.English, portfoliotest.List(t, locale.English, DigestQuery(digestWeek.Start), reporttest.Noon, stores...), time.Time{})
}

// said is the digest as lines of text.
func said(w Week) string {
	lines := []string{w.Subject, w.Headline, w.Window, w.Compared, w.Preheader}
	for _, f := range w.Figures {
		lines = append(lines, f.Name+": "+f.Value+" "+f.Change())
	}
	for _, t := range w.Tables {
		lines = append(lines, "== "+t.Title+" ("+t.Note+"; "+t.Window+")")
		for _, r := range t.Rows {
			lines = append(lines, r.Name+": "+r.Value+", "+r.Under+", "+r.Change())
		}
	}
	for _, t := range w.Todos {
		lines = append(lines, "! "+t.Title+": "+t.Text)
	}
	return strings.Join(append(lines, w.Missing...), "\n")
}

func TestADigestSetsStoresSideBySideAndAddsNothingUp(t *testing.T) {
	t.Parallel()
	reporttest.Equal(t, "digest", said(digestOf(t, agency(t)...)), `6 stores: 2 earned more, 1 less, week of 9 – 15 Nov
2 of 4 stores earned more than the week before; 2 stores are missing days; 1 store needs attention.
Week of 9 – 15 Nov 2026 · days counted are shown for each store · in each store’s time zone · 3 as reported, 2 added up from daily data
compared with 2 – 8 Nov 2026 · 7 days
Grew ↑ 30.1% more, Fell ↓ 50.0% less. Week of 9 – 15 Nov 2026 · days counted are shown for each store · in each store’s time zone · 3 as reported, 2 added up from daily data
All stores: 6 
Earned more: 2 of 4 compared
Earned less: 1 of 4 compared
Need attention: 1 of 6 stores
== Grew most (Upsold value; 9 – 15 Nov 2026 · 7 days · New York time · as reported)
Grew: $910.50, was $700.00, ↑ 30.1% more
== Fell most (Upsold value; 9 – 15 Nov 2026 · 7 days · Tokyo time · as reported)
Fell: ¥350, was ¥700, ↓ 50.0% less
== All stores (side by side, no total; Week of 9 – 15 Nov 2026 · days counted are shown for each store · in each store’s time zone · 3 as reported, 2 added up from daily data)
Fell: ¥350, 35 upsold orders · 5.0% of 700 · 9 – 15 Nov · 7 days, ↓ 50.0% less
Gap: €600.00, 60 upsold orders · 10.0% of 600 · 9 – 15 Nov · 6 of 7 days, not compared
Grew: $910.50, 91 upsold orders · 13.0% of 700 · 9 – 15 Nov · 7 days, ↑ 30.1% more
Late: no numbers, , –
Same: €700.00, 70 upsold orders · 10.0% of 700 · 9 – 15 Nov · 7 days, = no change
Tiny: €9,000.00, 3 upsold orders · 0.4% of 700 · 9 – 15 Nov · 7 days, ↑ 1,186% more
! Late: Upsell token refused · since 31 Oct.
Gap: 11 Nov is missing, so the true value may be higher.
Late: no data for this week.`)
}

func TestAHeadingOverStoresClaimsOnlyWhatHoldsForAll_N71(t *testing.T) {
	t.Parallel()
	all := agency(t)
	reporttest.Equal(t, "whole weeks", digestOf(t, all[0], all[1], all[3]).Window, "9 – 15 Nov 2026 · 7 days · in each store’s time zone · 2 as reported, 1 added up from daily data")
	gap := portfoliotest.New(t, "gaps", "Asia/Tokyo", "JPY", reporttest.Noon)
	gap.Without("2026-11-13")
	reporttest.Equal(t, "the same gap", digestOf(t, all[4], gap).Window, "9 – 15 Nov 2026 · 6 of 7 days · in each store’s time zone · added up from daily data")
	mixed := digestOf(t, all[0], all[4])
	if strings.Contains(mixed.Window+mixed.Subject, "7 days") {
		t.Errorf("a heading over 7 days and 6 of 7 says %q, %q", mixed.Subject, mixed.Window)
	}
	var rows []string
	for _, r := range mixed.Tables[len(mixed.Tables)-1].Rows {
		rows = append(rows, r.Under)
	}
	reporttest.Equal(t, "as reported", digestOf(t, all[0], all[1]).Window, "9 – 15 Nov 2026 · 7 days · in each store’s time zone · as reported")
	reporttest.Equal(t, "no numbers at all", digestOf(t, all[5], all[5]).Window, "9 – 15 Nov 2026 · in each store’s time zone")
	shifted := portfoliotest.List(t, locale.English, DigestQuery(digestWeek.Start), reporttest.Noon, all[0], all[1])
	shifted.Sections[0].Rows[1].Summary.Provenance.Window = new(reporttest.Span("2026-11-08", "2026-11-14"))
	if w := NewDigest(locale.English, shifted, time.Time{}); strings.Contains(w.Window+w.Subject, "7 days") {
		t.Errorf("a heading over two windows says %q, %q", w.Subject, w.Window)
	}
	reporttest.Equal(t, "rows", strings.Join(rows, "\n"), `60 upsold orders · 10.0% of 600 · 9 – 15 Nov · 6 of 7 days
91 upsold orders · 13.0% of 700 · 9 – 15 Nov · 7 days`)
}

// A reader in Tokyo gets the digest at 5:00 on Monday, when it's 15:00 on Sunday in New York.
var mondayInTokyo = time.Date(2026, time.November, 15, 20, 0, 0, 0, time.UTC)

func TestAReadersMondayIsAStoresSunday_N72(t *testing.T) {
	t.Parallel()
	york := portfoliotest.New(t, "york", "America/New_York", "USD", mondayInTokyo)
	for i := range york.Days { // sells ten times as much on Sundays
		if york.Days[i].Window.Start.In(time.UTC).Weekday() == time.Sunday {
			york.Days[i] = york.Day(york.Days[i].Window.Start.String(), "1000", 100, 1000)
		}
	}
	york.Answered(reporttest.Span("2026-11-02", "2026-11-08"), "1600", 160, 1600)
	tokyo := portfoliotest.New(t, "tokyo", "Asia/Tokyo", "JPY", mondayInTokyo)
	digest := func(stores ...portfoliotest.Store) Week {
		return NewDigest(locale.English, portfoliotest.List(t, locale.English, DigestQuery(digestWeek.Start), mondayInTokyo, stores...), mondayInTokyo.Add(6*time.Hour))
	}
	reporttest.Equal(t, "of New York alone", said(digest(york)), `1 store: 0 earned more, 1 less, 9 – 14 Nov
Your store earned less than in the same number of days before; 1 store is missing days.
9 – 14 Nov 2026 · 6 days · New York time · added up from daily data
compared with 3 – 8 Nov 2026 · 6 days
York ↓ 60.0% less. 9 – 14 Nov 2026 · 6 days · New York time · added up from daily data
All stores: 1 
Earned more: 0 of 1 compared
Earned less: 1 of 1 compared
Need attention: 0 of 1 store
== Fell most (Upsold value; 9 – 14 Nov 2026 · 6 days · New York time · added up from daily data)
York: $600.00, was $1,500.00, ↓ 60.0% less
== All stores (side by side, no total; 9 – 14 Nov 2026 · 6 days · New York time · added up from daily data)
York: $600.00, 60 upsold orders · 10.0% of 600, ↓ 60.0% less
York: 15 Nov is not over there yet and not counted.`)
	german := NewDigest(locale.German, portfoliotest.List(t, locale.English, DigestQuery(digestWeek.Start), mondayInTokyo, york), mondayInTokyo.Add(6*time.Hour)).Compared
	reporttest.Equal(t, "six days are called a period", strings.HasPrefix(german, "im Vergleich zum Zeitraum 3."), true)
	both := digest(york, tokyo)
	reporttest.Equal(t, "the heading", both.Window, "Week of 9 – 15 Nov 2026 · days counted are shown for each store · in each store’s time zone · added up from daily data")
	reporttest.Equal(t, "the comparison", both.Compared, "each store compared with the same number of days before")
	rows := both.Tables[len(both.Tables)-1].Rows
	reporttest.Equal(t, "Tokyo", rows[0].Under, "70 upsold orders · 10.0% of 700 · 9 – 15 Nov · 7 days · compared with 2 – 8 Nov")
	reporttest.Equal(t, "New York", rows[1].Under, "60 upsold orders · 10.0% of 600 · 9 – 14 Nov · 6 days · compared with 3 – 8 Nov")
	reporttest.Equal(t, "the one that fell", both.Tables[0].Window+" | "+both.Tables[0].Rows[0].Under, "9 – 14 Nov 2026 · 6 days · New York time · added up from daily data | was $1,500.00 · compared with 3 – 8 Nov")
	reporttest.Equal(t, "its page", rows[1].Href, "/stores/york?end=2026-11-14&start=2026-11-09")
}

func TestAStoreThatIsNotComparedHasNoSayInWhatTheOthersAreComparedWith_N74(t *testing.T) {
	t.Parallel()
	york := portfoliotest.New(t, "york", "America/New_York", "USD", mondayInTokyo)
	tokyo := portfoliotest.New(t, "tokyo", "Asia/Tokyo", "JPY", mondayInTokyo)
	gap := portfoliotest.New(t, "gap", "America/New_York", "USD", mondayInTokyo)
	gap.Without("2026-11-04")
	digest := func(stores ...portfoliotest.Store) Week {
		return NewDigest(locale.English, portfoliotest.List(t, locale.English, DigestQuery(digestWeek.Start), mondayInTokyo, stores...), time.Time{})
	}
	reporttest.Equal(t, "one is compared", digest(gap, tokyo).Compared, "compared with 2 – 8 Nov 2026 · 7 days")
	reporttest.Equal(t, "none is", digest(gap).Compared, "")
	all := digest(gap, tokyo, york)
	for _, r := range all.Tables[len(all.Tables)-1].Rows {
		reporttest.Equal(t, r.Name+" names a comparison", strings.Contains(r.Under, "compared with"), r.Name != "Gap")
	}
}

func TestADigestWaitsWhileDataCouldComeWhateverTheStoresHealth(t *testing.T) {
	t.Parallel()
	until := reporttest.Noon.Add(6 * time.Hour)
	behind := func(change func(*portfoliotest.Store)) portfoliotest.Store { // its Sunday hasn't arrived
		k := portfoliotest.New(t, "behind", "Europe/Berlin", "EUR", reporttest.Noon)
		k.Until("2026-11-14")
		change(&k)
		return k
	}
	for name, c := range map[string]struct {
		store portfoliotest.Store
		waits bool
	}{
		"a whole week": {portfoliotest.New(t, "whole", "Europe/Berlin", "EUR", reporttest.Noon), false},
		"a gap":        {behind(func(k *portfoliotest.Store) { k.LastDay = reporttest.On("2026-11-19"); k.Without("2026-11-11") }), true},
		"late":         {behind(func(*portfoliotest.Store) {}), true},
		"late, and its gift key is refused": {behind(func(k *portfoliotest.Store) {
			k.Credentials[1] = report.StoredCredential{Service: "gift", State: "paused"}
		}), true},
		"refused on Sunday": {behind(func(k *portfoliotest.Store) {
			k.Credentials[0].State, k.Credentials[0].PausedAt = "paused", reporttest.Noon.AddDate(0, 0, -5)
		}), true},
		"refused before the week": {behind(func(k *portfoliotest.Store) {
			k.Credentials[0].State, k.Credentials[0].PausedAt = "paused", reporttest.Noon.AddDate(0, 0, -20)
		}), false},
		"paused by a person": {behind(func(k *portfoliotest.Store) { k.Paused = true }), false},
		"never connected":    {behind(func(k *portfoliotest.Store) { k.Credentials = k.Credentials[1:] }), false},
		"new":                {behind(func(k *portfoliotest.Store) { k.Days, k.LastDay = nil, reporttest.On("0001-01-01").AddDays(-1) }), true},
	} {
		reporttest.Equal(t, name, NewDigest(locale.English, portfoliotest.List(t, locale.English, DigestQuery(digestWeek.Start), reporttest.Noon, c.store), until).Complete, !c.waits)
	}
	reporttest.Equal(t, "of nobody", digestOf(t).Complete, true)
}

func TestADigestWaitsForADayThatEndsWithinItsPatience_N72(t *testing.T) {
	t.Parallel()
	york := portfoliotest.New(t, "york", "America/New_York", "USD", mondayInTokyo)
	p := portfoliotest.List(t, locale.English, DigestQuery(digestWeek.Start), mondayInTokyo, york)
	reporttest.Equal(t, "nine hours before midnight", NewDigest(locale.English, p, mondayInTokyo.Add(6*time.Hour)).Complete, true)
	reporttest.Equal(t, "with ten hours of patience", NewDigest(locale.English, p, mondayInTokyo.Add(10*time.Hour)).Complete, false)
	york.Without("2026-11-14")
	p = portfoliotest.List(t, locale.English, DigestQuery(digestWeek.Start), mondayInTokyo, york)
	reporttest.Equal(t, "Saturday may still come", NewDigest(locale.English, p, mondayInTokyo.Add(6*time.Hour)).Complete, false)
}

func TestADigestSaysWhyAWholeWeekIsNotCompared_N74(t *testing.T) {
	t.Parallel()
	before := reporttest.Span("2026-11-02", "2026-11-08")
	for name, c := range map[string]struct {
		change func(*portfoliotest.Store)
		want   string
	}{
		"a day before is missing": {func(k *portfoliotest.Store) { k.Without("2026-11-03") }, "Acme is not compared: days of the week before are missing."},
		"nothing before":          {func(k *portfoliotest.Store) { k.Days = k.Days[len(k.Days)-11:] }, "Acme is not compared: the week before is not stored."},
		"another currency before": {func(k *portfoliotest.Store) { k.Answered(before, "1", 1, 1); k.Windows[0].Currency = "USD" }, "Acme is not compared: the week before is in another currency."},
		"last good numbers":       {func(k *portfoliotest.Store) { k.UpsellAt = reporttest.Noon.Add(-4 * time.Hour) }, "Acme is not compared: these are the last good numbers."},
		"answered too early": {func(k *portfoliotest.Store) {
			k.Days = nil
			k.Answered(digestWeek, "1", 1, 1)
			k.Windows[0].Partial = true
		}, "Acme is not compared: a day was updated before it was over."},
		"compared": {func(*portfoliotest.Store) {}, ""},
	} {
		k := portfoliotest.New(t, "acme", "Europe/Berlin", "EUR", reporttest.Noon)
		c.change(&k)
		d := digestOf(t, k)
		reporttest.Equal(t, name, strings.Join(d.Missing, "; "), c.want)
		if row := d.Tables[len(d.Tables)-1].Rows[0]; c.want != "" && row.Change() != "not compared" {
			t.Errorf("%s: its row says %q", name, row.Change())
		} else if strings.Contains(row.Under, locale.English.T("digest.last_good")) != (name == "last good numbers") {
			t.Errorf("%s: below its row is %q", name, row.Under)
		}
	}
}

func TestNoNumbersIsNeverSaidOfAStoreWithOrders(t *testing.T) {
	t.Parallel()
	empty := portfoliotest.New(t, "empty", "Asia/Bahrain", "BHD", reporttest.Noon)
	for i := range empty.Coverage {
		empty.Coverage[i].ActiveCount, empty.Coverage[i].TotalCount = 0, 0
	}
	for i := range empty.Days {
		empty.Days[i] = empty.Day(empty.Days[i].Window.Start.String(), "0", 0, 0)
	}
	empty.Answered(digestWeek, "0", 0, 344)
	moved := portfoliotest.New(t, "moved", "Europe/Zagreb", "EUR", reporttest.Noon)
	moved.Days[len(moved.Days)-8].Currency = "HRK"
	d := digestOf(t, empty, moved)
	var rows []string
	for _, r := range d.Tables[len(d.Tables)-1].Rows {
		rows = append(rows, r.Name+": "+r.Value+" ("+r.Under+"), "+r.Change())
	}
	reporttest.Equal(t, "rows", strings.Join(append(rows, d.Missing...), "\n"), "Empty: BHD\u00a00.000 (0 upsold orders · 0.0% of 344), no offers yet\nMoved: two currencies (), –\nMoved: its days are in two currencies, which are not added up.")
}

func TestAFlaggedNumberSaysSoInItsRow(t *testing.T) {
	t.Parallel()
	p := portfoliotest.List(t, locale.English, DigestQuery(digestWeek.Start), reporttest.Noon, agency(t)[0])
	row := &p.Sections[0].Rows[0]
	row.Summary.Provenance = row.Summary.Provenance.With(report.FlagRevised).With(report.FlagDrift).With(report.Flag("of another kind"))
	d := NewDigest(locale.English, p, time.Time{})
	reporttest.Equal(t, "row", d.Tables[len(d.Tables)-1].Rows[0].Under, "91 upsold orders · 13.0% of 700 · days don’t agree · being checked")
}

func TestADigestOfOneStoreOrNoneIsASentence(t *testing.T) {
	t.Parallel()
	all := agency(t)
	reporttest.Equal(t, "nobody's", digestOf(t).Headline, "You don’t have access to a store yet.")
	reporttest.Equal(t, "one", digestOf(t, all[0]).Headline, "Your store earned more than the week before.")
	reporttest.Equal(t, "one that fell", digestOf(t, all[1]).Headline, "Your store earned less than the week before.")
	unconnected := portfoliotest.New(t, "none", "Europe/Berlin", "EUR", reporttest.Noon)
	unconnected.Credentials, unconnected.Days, unconnected.UpsellAt = nil, nil, time.Time{}
	reporttest.Equal(t, "one that nothing is read of", digestOf(t, unconnected).Headline, "No store can be compared with the week before yet.")
	reporttest.Equal(t, "why", strings.Join(digestOf(t, unconnected).Missing, "; "), "None: upsells aren’t connected.")
	loading := portfoliotest.New(t, "new", "Europe/Berlin", "EUR", reporttest.Noon)
	loading.Days, loading.LastDay = nil, civil.Date{}
	reporttest.Equal(t, "why of a new one", strings.Join(digestOf(t, loading).Missing, "; "), "New: the first numbers are loading.")
	reporttest.Equal(t, "nothing to compare", digestOf(t, all[5]).Headline, "No store can be compared with the week before yet; 1 store is missing days; 1 store needs attention.")
}

func TestADigestSaysWhyAStoreNeedsAttentionInItsLanguage(t *testing.T) {
	t.Parallel()
	for tongue, want := range map[locale.Locale]string{
		locale.English: "Upsell token refused · since 31 Oct.", locale.German: "Upsell-Token abgelehnt · seit 31. Okt.", locale.French: "Jeton d’upsell refusé · depuis le 31 oct.", locale.Spanish: "Token de upsell rechazado · desde el 31 de oct.",
	} {
		w := NewDigest(tongue, portfoliotest.List(t, tongue, DigestQuery(digestWeek.Start), reporttest.Noon, agency(t)...), time.Time{})
		reporttest.Equal(t, tongue.Code()+" to-dos", len(w.Todos), 1)
		reporttest.Equal(t, tongue.Code(), w.Todos[0].Text, want)
	}
}

func TestANameStaysOnOneLineOfADigest(t *testing.T) {
	t.Parallel()
	var all []portfoliotest.Store
	for _, k := range agency(t) {
		k.Store.Name += "\nTo: everyone\u202e" + strings.Repeat("x", 2*report.NameLength)
		k.Notes = []report.DayNote{{Start: digestWeek.Start, End: digestWeek.Start, Text: "Noted"}}
		all = append(all, k)
	}
	d := digestOf(t, all...)
	for _, n := range d.Notes {
		d.Missing = append(d.Missing, n.Days)
	}
	for _, line := range strings.Split(said(d), "\n") {
		if strings.HasPrefix(line, "To:") || strings.Contains(line, "\u202e") || strings.Contains(line, strings.Repeat("x", report.NameLength)) {
			t.Errorf("a line is %q", line)
		}
	}
}

func TestALongDigestSaysHowManyStoresAreOnThePage(t *testing.T) {
	t.Parallel()
	var many []portfoliotest.Store
	for i := range 53 {
		many = append(many, portfoliotest.New(t, fmt.Sprintf("s%02d", i), "Europe/Berlin", "EUR", reporttest.Noon))
	}
	d := digestOf(t, many...)
	table := d.Tables[len(d.Tables)-1]
	reporttest.Equal(t, "rows", len(table.Rows), 40)
	reporttest.Equal(t, "the rest", table.Note, "the first 40 by name; 13 more on the page")
	reporttest.Equal(t, "all count", d.Figures[0].Value, "53")
}

func TestADigestSaysHowManyStoresItLeavesOut(t *testing.T) {
	t.Parallel()
	var many []portfoliotest.Store
	for i := range 20 {
		k := portfoliotest.New(t, fmt.Sprintf("s%02d", i), "Europe/Berlin", "EUR", reporttest.Noon)
		k.Days = nil
		many = append(many, k)
	}
	d := digestOf(t, many...)
	reporttest.Equal(t, "lines", len(d.Missing), 9)
	reporttest.Equal(t, "the rest", d.Missing[8], "12 more stores are incomplete; the page names them.")
}

func TestADigestListsTheFirstStoresThatNeedAttentionAndCountsTheRest(t *testing.T) {
	t.Parallel()
	late := agency(t)[5]
	d := digestOf(t, slices.Repeat([]portfoliotest.Store{late}, weekTodos+3)...)
	reporttest.Equal(t, "listed", len(d.Todos), weekTodos)
	reporttest.Equal(t, "the rest", d.MoreTodos, 3)
}

func TestADigestSaysOfEachStoreWhyHowItsGoalIsDoingAndWhatWasNoted(t *testing.T) {
	t.Parallel()
	grew, same := agency(t)[0], agency(t)[3]
	grew.Sold(reporttest.Span("2026-11-01", "2026-11-08"), "1000", 100, 1000)
	grew.Sold(digestWeek, "1400", 140, 1000)
	grew.Windows = nil
	grew.Answered(digestWeek, "9800", 980, 7000)
	grew.Goal = &report.StoredGoal{Kind: fact.GoalOrders, Amount: decimal.NewFromInt(4000), Days: grew.Days}
	grew.Notes = []report.DayNote{
		{Start: reporttest.On("2026-11-10"), End: reporttest.On("2026-11-10"), Text: "Newsletter", ForClients: true},
		{Start: reporttest.On("2026-11-11"), End: reporttest.On("2026-11-12"), Text: "New theme"},
	}
	d := digestOf(t, grew, same)
	rows := d.Tables[len(d.Tables)-1].Rows
	reporttest.Equal(t, "why and goal", rows[0].Under, "980 upsold orders · 14.0% of 7,000 · November goal: 70% expected, at risk · Success rate 10.0% → 14.0%")
	reporttest.Equal(t, "the one that grew", d.Tables[0].Rows[0].Under, "was $7,000.00 · Success rate 10.0% → 14.0%")
	reporttest.Equal(t, "a store without either", rows[1].Under, "70 upsold orders · 10.0% of 700")
	reporttest.Equal(t, "notes", fmt.Sprint(d.Notes), "[{Grew, 10 Nov Newsletter } {Grew, 11 – 12 Nov New theme Private}]")
}

func TestADigestShowsTwelveNotesAndCountsTheRest(t *testing.T) {
	t.Parallel()
	k := agency(t)[0]
	for range 15 {
		k.Notes = append(k.Notes, report.DayNote{Start: digestWeek.Start, End: digestWeek.Start, Text: "Noted", ForClients: true})
	}
	notes := digestOf(t, k).Notes
	reporttest.Equal(t, "notes", len(notes), 13)
	reporttest.Equal(t, "the rest", notes[12].Text, "And 3 more on the page.")
}
