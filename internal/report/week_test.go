package report

import (
	"strings"
	"testing"
	"time"
)

// weekOf is what is said of 9 to 15 November, seen some days later.
func weekOf(in Stored) Week {
	c := WeekChoice(on("2026-11-09"), on("2026-11-20"))
	return NewWeek(NewOverview(in, c, noon), TopOffers{}, time.Time{})
}

func TestTheHeadlineSaysWhatTheNumbersAllow(t *testing.T) {
	t.Parallel()
	now, before := span("2026-11-09", "2026-11-15"), span("2026-11-02", "2026-11-08")
	stored := func(windows ...StoredSummary) Stored {
		s := connected()
		s.keep(daySummary("2026-11-08", "1", 1, 1))
		s.Windows = windows
		return s
	}
	gaps := connected()
	gaps.keep(daySummary("2026-11-09", "10.50", 1, 9), daySummary("2026-11-11", "5", 1, 9))
	euros := windowSummary(before, "80", 8, 90)
	euros.Currency = "EUR"
	none := stored(windowSummary(now, "0", 0, 90))
	none.TopLists = []StoredTopList{{Window: now, Direction: "highest", Whole: true, ShopOfferCount: n64(0), Currency: "USD", FetchedAt: noon}}
	for name, c := range map[string]struct {
		in   Stored
		want string
	}{
		"more":             {stored(windowSummary(now, "100", 10, 90), windowSummary(before, "80", 8, 90)), "Upsells brought in $100.00 last week, 25.0% more than the week before."},
		"less":             {stored(windowSummary(now, "60", 6, 90), windowSummary(before, "80", 8, 90)), "Upsells brought in $60.00 last week, 25.0% less than the week before."},
		"as much":          {stored(windowSummary(now, "80", 6, 90), windowSummary(before, "80", 8, 90)), "Upsells brought in $80.00 last week, as much as the week before."},
		"no baseline":      {stored(windowSummary(now, "80", 6, 90), windowSummary(before, "0", 0, 90)), "Upsells brought in $80.00 last week; the week before brought in nothing."},
		"nothing before":   {stored(windowSummary(now, "80", 6, 90)), "Upsells brought in $80.00 last week."},
		"other currency":   {stored(windowSummary(now, "80", 6, 90), euros), "Upsells brought in $80.00 last week."},
		"nothing sold":     {stored(windowSummary(now, "0", 0, 90), windowSummary(before, "80", 8, 90)), "No upsell was sold last week, after $80.00 the week before."},
		"no offers":        {none, "There is no offer yet, so upsells brought in nothing last week."},
		"days are missing": {gaps, "Upsells brought in $15.50 on 2 of 7 days of last week."},
		"nothing stored":   {connected(), "There are no upsell numbers for last week yet."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			equal(t, "headline", weekOf(c.in).Headline, c.want)
		})
	}
}

func TestAnEarlierWeekIsNamed(t *testing.T) {
	t.Parallel()
	w := span("2026-10-26", "2026-11-01")
	s := connected()
	s.Windows = []StoredSummary{windowSummary(w, "80", 6, 90)}
	c := WeekChoice(w.Start, on("2026-11-20"))
	equal(t, "headline", NewWeek(NewOverview(s, c, noon), TopOffers{}, time.Time{}).Headline, "Upsells brought in $80.00 in the week of 26 Oct – 1 Nov 2026.")
}

func TestARankingThatIsCutMovesNobodyItLacks_N16(t *testing.T) {
	t.Parallel()
	w := span("2026-11-09", "2026-11-15")
	list := func(earned *int, rows ...TopRow) TopOffers {
		return TopOffers{Panel: Panel{Provenance: Provenance{Window: &w}}, Currency: "USD", Highest: rows, Earned: earned}
	}
	a, b := TopRow{OfferID: "a", Name: "A", Revenue: dec("9")}, TopRow{OfferID: "b", Name: "B", Revenue: dec("5")}
	was := a
	was.Revenue = dec("10")
	names := func(rows []WeekRow, ok bool) string {
		if !ok {
			return "unknown"
		}
		var out []string
		for _, r := range rows {
			out = append(out, r.Name+" "+r.Under)
		}
		return strings.Join(out, ", ")
	}
	equal(t, "whole", names(English.movers(list(ptr(2), a, b), list(ptr(1), was))), "B was $0.00, A was $10.00")
	equal(t, "cut", names(English.movers(list(nil, a, b), list(nil, was))), "A was $10.00")
	equal(t, "not kept", names(English.movers(list(ptr(2), a, b), TopOffers{})), "unknown")
}

func TestAPlacementThatFellToNothingShowsWhatItLost(t *testing.T) {
	t.Parallel()
	now, before := span("2026-11-09", "2026-11-15"), span("2026-11-02", "2026-11-08")
	stat := func(w Window, p Placement, revenue string) StoredStat {
		return StoredStat{Window: w, Placement: p, Impressions: 9, Claims: 1, Revenue: dec(revenue), Currency: "USD", FetchedAt: noon}
	}
	s := connected()
	s.Windows = []StoredSummary{windowSummary(now, "80", 8, 90), windowSummary(before, "800", 80, 90)}
	s.StatWindows = []StoredStat{
		stat(now, PostPurchase, "80"), stat(now, ThankYou, "0"), stat(now, OrderStatus, "0"),
		stat(before, PostPurchase, "60"), stat(before, ThankYou, "740"), stat(before, OrderStatus, "0"), stat(before, Coupon, "12.50"),
	}
	for _, p := range []Placement{ThankYou, OrderStatus} {
		s.Coverage = append(s.Coverage, StoredCover{Placement: p, TotalCount: 2, Window: now, Currency: "USD", FetchedAt: noon})
	}
	var rows []string
	for _, r := range weekOf(s).Tables[0].Rows {
		rows = append(rows, r.Name+": "+r.Value+", "+r.Change()+" ("+r.Under+")")
	}
	equal(t, "placements", strings.Join(rows, "\n"), `Post-purchase upsell: $80.00, ↑ 33.3% more (9 impressions · 1 claim)
Thank you page upsell: $0.00, ↓ 100.0% less (9 impressions · 1 claim · was $740.00 · switched off)
Coupon offer: no row sent, – (was $12.50)
Order status page upsell: $0.00, switched off (9 impressions · 1 claim)`)
}

// A reader in Tokyo gets the mail of a store in New York when it is Sunday there.
func TestAWeekThatIsNotOverInItsStoreCountsTheDaysThatAre_N72(t *testing.T) {
	t.Parallel()
	s := connected()
	for d := range span("2026-10-26", "2026-11-14").All() {
		s.keep(daySummary(d.String(), "100", 10, 100))
	}
	c := WeekChoice(on("2026-11-09"), on("2026-11-15"))
	o := NewOverview(s, c, mondayInTokyo)
	week := func(patience time.Duration) Week { return NewWeek(o, TopOffers{}, mondayInTokyo.Add(patience)) }
	w := week(6 * time.Hour)
	equal(t, "window", w.Window, "9 – 14 Nov 2026 · 6 days · New York time · added up from daily data")
	equal(t, "comparison", w.Compared, "compared with 3 – 8 Nov 2026 · 6 days · New York time · added up from daily data")
	equal(t, "headline", w.Headline, "Upsells brought in $600.00 on 6 of 7 days of last week.")
	equal(t, "value", w.Figures[0].Value+" "+w.Figures[0].Change(), "$600.00 = no change")
	equal(t, "missing", strings.Contains(strings.Join(w.Missing, " "), "15 Nov is not over there yet and not counted."), true)
	equal(t, "midnight is nine hours away", w.Complete, true)
	equal(t, "with ten hours of patience", week(10*time.Hour).Complete, false)
	o.Pulls.RefusedAt = mondayInTokyo.AddDate(0, 0, -9)
	equal(t, "with a token that was refused before", week(10*time.Hour).Complete, true)
}
