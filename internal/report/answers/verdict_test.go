package answers_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
	"github.com/storeglass/storeglass/internal/report/overview"
)

func day(m time.Month, d int) civil.Date { return civil.Date{Year: 2026, Month: m, Day: d} }

func TestTheVerdictSaysWhatHappenedInOneSentence(t *testing.T) {
	t.Parallel()
	last30 := choice(report.Last30, now30, then30)
	week := choice(report.Last7, report.WindowEnding(today.AddDays(-1), 7), report.WindowEnding(today.AddDays(-8), 7))
	yesterday := choice(report.Yesterday, report.OneDay(today.AddDays(-1)), report.OneDay(today.AddDays(-2)))
	toDate := choice(report.MonthToDate, report.Window{Start: day(11, 1), End: day(11, 23)}, report.Window{Start: day(10, 9), End: day(10, 31)})
	custom := choice(report.Custom, report.Window{Start: day(9, 3), End: day(9, 9)}, report.Window{Start: day(8, 27), End: day(9, 2)})
	year := choice(report.Custom, report.Window{Start: day(9, 3), End: day(9, 9)}, report.Window{Start: civil.Date{Year: 2025, Month: 9, Day: 3}, End: civil.Date{Year: 2025, Month: 9, Day: 9}})
	year.Comparison = report.CompareYear
	shifted := choice(report.Custom, report.Window{Start: day(9, 3), End: day(9, 12)}, report.Window{Start: day(8, 20), End: day(8, 29)})
	shifted.Comparison = report.CompareWeekday
	old := choice(report.Custom, report.Window{Start: civil.Date{Year: 2025, Month: 10, Day: 1}, End: civil.Date{Year: 2025, Month: 10, Day: 31}}, report.Window{Start: civil.Date{Year: 2025, Month: 9, Day: 1}, End: civil.Date{Year: 2025, Month: 9, Day: 30}})
	usual := sums{"42892.35", 1200, 9000}
	for name, c := range map[string]struct {
		choice        report.Choice
		currency      string
		before, after sums
		change        func(*answers.Input)
		want          string
		direction     locale.Direction
	}{
		"more":                                 {last30, "USD", usual, sums{"48210.12", 1300, 9500}, nil, "Upsells brought in $48,210 in the last 30 days, 12.4% more than in the 30 days before.", locale.Up},
		"less":                                 {last30, "USD", usual, sums{"41476.90", 1100, 9000}, nil, "Upsells brought in $41,477 in the last 30 days, 3.3% less than in the 30 days before.", locale.Down},
		"about the same":                       {last30, "USD", usual, sums{"43200.00", 1200, 9000}, nil, "Upsells brought in $43,200 in the last 30 days, about the same as in the 30 days before.", locale.Level},
		"the very same":                        {last30, "USD", usual, usual, nil, "Upsells brought in $42,892 in the last 30 days, about the same as in the 30 days before.", locale.Level},
		"small amounts":                        {week, "USD", sums{"20.00", 2, 30}, sums{"30.50", 3, 31}, nil, "Upsells brought in $30.50 in the last 7 days, 52.5% more than in the 7 days before.", locale.Up},
		"yen":                                  {last30, "JPY", sums{"1000000", 100, 900}, sums{"1463994", 120, 990}, nil, "Upsells brought in ¥1,463,994 in the last 30 days, 46.4% more than in the 30 days before.", locale.Up},
		"one day":                              {yesterday, "USD", sums{"200.00", 9, 90}, sums{"150.00", 8, 80}, nil, "Upsells brought in $150 yesterday, 25.0% less than the day before.", locale.Down},
		"month to date":                        {toDate, "USD", usual, sums{"48210.12", 1300, 9500}, nil, "Upsells brought in $48,210 in the period 1 – 23 Nov 2026, 12.4% more than in the 23 days before.", locale.Up},
		"own days":                             {custom, "USD", usual, sums{"48210.12", 1300, 9500}, nil, "Upsells brought in $48,210 in the period 3 – 9 Sep 2026, 12.4% more than in the 7 days before.", locale.Up},
		"a year earlier":                       {year, "USD", usual, sums{"48210.12", 1300, 9500}, nil, "Upsells brought in $48,210 in the period 3 – 9 Sep 2026, 12.4% more than a year earlier.", locale.Up},
		"same weekdays":                        {shifted, "USD", usual, sums{"48210.12", 1300, 9500}, nil, "Upsells brought in $48,210 in the period 3 – 12 Sep 2026, 12.4% more than in the period 20 – 29 Aug 2026.", locale.Up},
		"a month long ago":                     {old, "USD", usual, sums{"48210.12", 1300, 9500}, nil, "Upsells brought in $48,210 in the period 1 – 31 Oct 2025, 12.4% more than in the period 1 – 30 Sep 2025.", locale.Up},
		"zero baseline N46":                    {last30, "USD", sums{"0", 0, 300}, sums{"480.00", 13, 300}, nil, "Upsells brought in $480 in the last 30 days, after nothing in the 30 days before.", locale.NoBaseline},
		"nothing any more":                     {last30, "USD", usual, sums{"0", 0, 300}, nil, "No upsell was sold in the last 30 days, after $42,892 in the 30 days before.", locale.Down},
		"nothing ever":                         {last30, "USD", sums{"0", 0, 300}, sums{"0", 0, 300}, nil, "No upsell was sold in the last 30 days or in the 30 days before.", locale.Level},
		"nothing to compare with N74":          {last30, "USD", usual, usual, func(in *answers.Input) { in.Summary.Previous = nil }, "Upsells brought in $42,892 in the last 30 days.", locale.NotCompared},
		"nothing, and nothing to compare with": {last30, "USD", usual, sums{"0", 0, 9}, func(in *answers.Input) { in.Summary.Previous = nil }, "No upsell was sold in the last 30 days.", locale.NotCompared},
		"another currency N34":                 {last30, "USD", usual, usual, func(in *answers.Input) { in.Summary.Previous.Currency = "EUR" }, "Upsells brought in $42,892 in the last 30 days.", locale.NotCompared},
		"days are missing N1":                  {last30, "USD", usual, usual, func(in *answers.Input) { in.Summary.Provenance.Missed(now30.Start) }, "Upsells brought in $42,892 on 29 of 30 days (25 Oct – 23 Nov 2026).", locale.NotCompared},
		"today so far N27": {choice(report.TodayOnly, report.OneDay(today), report.OneDay(today.AddDays(-1))), "USD", usual, sums{"120.00", 3, 40}, func(in *answers.Input) {
			in.Summary.Provenance = in.Summary.Provenance.With(report.FlagPartial)
		}, "Upsells brought in $120 today so far.", locale.NotCompared},
		"no number": {last30, "USD", usual, usual, func(in *answers.Input) { in.Summary.Empty = &report.Empty{} }, "", locale.NoNumber},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := pair(c.choice, c.currency, c.before, c.after)
			if c.change != nil {
				c.change(&in)
			}
			v := answers.New(in).Verdict
			if got := v.What.In(locale.English); got != c.want || v.Direction != c.direction {
				t.Errorf("said %q, %s", got, v.Direction)
			}
			if v.Why.ID != "" {
				t.Errorf("without days a reason is a guess: %q", v.Why.In(locale.English))
			}
			for _, l := range locale.All() {
				if text, ok := v.What.Said(l); ok != (c.want != "") || strings.Contains(text, "answers.") {
					t.Errorf("%s said %q", l.Code(), text)
				}
				if change := v.Change.In(l); !strings.Contains(v.What.In(l), change) {
					t.Errorf("%s: a page can't find %q in %q", l.Code(), change, v.What.In(l))
				}
			}
		})
	}
}

func TestTheVerdictSpeaksEachLanguage(t *testing.T) {
	t.Parallel()
	v := answers.New(pair(choice(report.Last30, now30, then30), "USD", sums{"42892.35", 1200, 9000}, sums{"48210.12", 1300, 9500})).Verdict
	for l, want := range map[locale.Locale]string{
		locale.German:  "Upsells brachten in den letzten 30 Tagen 48.210\u00a0$ ein, 12,4\u00a0% mehr als in den 30 Tagen davor.",
		locale.French:  "Les upsells ont rapporté 48\u202f210\u00a0$US au cours des 30 derniers jours, soit 12,4\u00a0% de plus que pendant les 30 jours précédents.",
		locale.Spanish: "Los upsells aportaron 48.210\u00a0US$ en los últimos 30 días, un 12,4\u00a0% más que en los 30 días anteriores.",
	} {
		if got := v.What.In(l); got != want {
			t.Errorf("%s: said %q", l.Code(), got)
		}
	}
}

// A message may be stored; its amounts must still be money when read back.
func TestAStoredVerdictCanBeRead(t *testing.T) {
	t.Parallel()
	v := answers.New(pair(choice(report.Last30, now30, then30), "USD", sums{"42892.35", 1200, 9000}, sums{"48210.12", 1300, 9500})).Verdict
	text, err := json.Marshal(v.What)
	var back locale.Message
	if err != nil || json.Unmarshal(text, &back) != nil {
		t.Fatal(err)
	}
	if got := back.In(locale.English); got != "Upsells brought in $48,210.12 in the last 30 days, 12.4% more than in the 30 days before." {
		t.Errorf("said %q", got)
	}
}

// steady is a store with 60 identical days, each modified by change; back is 0 for yesterday.
func steady(change func(s *report.StoredSummary, back int)) answers.Input {
	in := answers.Input{Choice: choice(report.Last30, now30, then30)}
	var totals [2]report.StoredSum
	for back := 73; back >= 0; back-- {
		d := today.AddDays(-1 - back)
		wave := int64(back * 7 % 5)
		s := report.StoredSummary{Window: report.OneDay(d), TotalOrders: 200 + 3*wave, TotalUpsoldOrders: 30 + int64(back*3%4), Currency: "USD"}
		s.TotalUpsoldValue = decimal.NewFromInt(s.TotalUpsoldOrders * (40 + int64(back*5%3)))
		change(&s, back)
		in.Days = append(in.Days, s)
		for i, w := range []report.Window{then30, now30} {
			if w.Contains(d) {
				totals[i].Add(d, s)
			}
		}
	}
	in.Summary = overview.Builder{}.Summed(now30, totals[1])
	before := overview.Builder{}.Summed(then30, totals[0])
	in.Summary.Previous = &before
	return in
}

func TestMostOfTheChangeIsAFactorOnlyWhereItsDaysMoved(t *testing.T) {
	t.Parallel()
	late := func(back int) bool { return back < 30 }
	for name, c := range map[string]struct {
		change     func(*report.StoredSummary, int)
		after      func(*answers.Input)
		why, short string
	}{
		"more orders": {func(s *report.StoredSummary, back int) {
			if late(back) {
				s.TotalOrders, s.TotalUpsoldOrders = s.TotalOrders*3/2, s.TotalUpsoldOrders*3/2
				s.TotalUpsoldValue = decimal.NewFromInt(s.TotalUpsoldOrders * (40 + int64(back*5%3)))
			}
		}, nil, "Most of it comes from more store orders: 9,264, up from 6,180.", "Store orders 6,180 → 9,264"},
		"a lower rate": {func(s *report.StoredSummary, back int) {
			if late(back) {
				s.TotalUpsoldOrders -= 10
				s.TotalUpsoldValue = decimal.NewFromInt(s.TotalUpsoldOrders * (40 + int64(back*5%3)))
			}
		}, nil, "Most of it comes from a lower success rate: 10.4%, down from 15.3%.", "Success rate 15.3% → 10.4%"},
		"a higher average": {func(s *report.StoredSummary, back int) {
			if late(back) {
				s.TotalUpsoldValue = s.TotalUpsoldValue.Mul(decimal.RequireFromString("1.2"))
			}
		}, nil, "Most of it comes from a higher average upsold value: $49.20, up from $41.00.", "Average upsold value $41.00 → $49.20"},
		"a lower rate, and the others higher": {func(s *report.StoredSummary, back int) {
			if late(back) {
				s.TotalOrders, s.TotalUpsoldOrders = s.TotalOrders*5/4, s.TotalUpsoldOrders-8
				s.TotalUpsoldValue = decimal.NewFromInt(s.TotalUpsoldOrders * (43 + int64(back*5%3)))
			}
		}, nil, "A lower success rate outweighed the rest: 9.1%, down from 15.3%.", "Success rate 15.3% → 9.1%"},
		"about the same": {func(s *report.StoredSummary, back int) {
			s.TotalUpsoldOrders, s.TotalUpsoldValue = 30, decimal.NewFromInt(1200)
			if s.TotalOrders = 200; late(back) {
				s.TotalUpsoldValue = decimal.NewFromInt(1210)
			}
		}, nil, "", ""},
		"a handful of sales": {func(s *report.StoredSummary, back int) {
			s.TotalUpsoldOrders = 0
			if late(back) && back%3 > 0 || back == 50 {
				s.TotalUpsoldOrders = 1
			}
			s.TotalUpsoldValue = decimal.NewFromInt(s.TotalUpsoldOrders * 40)
		}, nil, "", ""},
		"one huge day": {func(s *report.StoredSummary, back int) {
			if back == 4 {
				s.TotalUpsoldValue = s.TotalUpsoldValue.Mul(decimal.NewFromInt(20))
			}
		}, nil, "", ""},
		"two factors alike": {func(s *report.StoredSummary, back int) {
			if late(back) {
				s.TotalOrders = s.TotalOrders * 5 / 4
				s.TotalUpsoldOrders = s.TotalUpsoldOrders * 25 / 16
				s.TotalUpsoldValue = decimal.NewFromInt(s.TotalUpsoldOrders * (40 + int64(back*5%3)))
			}
		}, nil, "", ""},
		"nothing": {func(*report.StoredSummary, int) {}, nil, "", ""},
		"days that changed and are pulled again N61": {func(s *report.StoredSummary, back int) {
			if late(back) {
				s.TotalUpsoldValue = s.TotalUpsoldValue.Mul(decimal.NewFromInt(2))
			}
		}, func(in *answers.Input) { in.Summary.Provenance = in.Summary.Provenance.With(report.FlagChanged) }, "", ""},
		"too few days stored N1": {func(s *report.StoredSummary, back int) {
			if late(back) {
				s.TotalUpsoldValue = s.TotalUpsoldValue.Mul(decimal.NewFromInt(2))
			}
		}, func(in *answers.Input) { in.Days = in.Days[:54] }, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := steady(c.change)
			if c.after != nil {
				c.after(&in)
			}
			v := answers.New(in).Verdict
			if why, short := v.Why.In(locale.English), v.Short.In(locale.English); why != c.why || short != c.short {
				t.Errorf("said %q, in short %q", why, short)
			}
		})
	}
}

func TestAnEstimateIsSaidWithTwoDigits(t *testing.T) {
	t.Parallel()
	for currency, c := range map[string]struct {
		earned int64
		want   string
	}{
		"USD": {1234, "about $1,200 more"}, "JPY": {987, "about ¥980 more"}, "BHD": {1560, "about BHD\u00a01,600 more"},
	} {
		in := even([]report.Event{event("Kit", true, 20, report.ThankYou)}, earner{"Kit", report.ThankYou, since(20, c.earned)})
		in.Summary.Currency, in.Summary.Previous.Currency = currency, currency
		for i := range in.Days {
			in.Days[i].Currency, in.Offers.Ranked[i].Currency = currency, currency
		}
		for i := range in.PlacementDays {
			in.PlacementDays[i].Currency = currency
		}
		if got := answers.New(in).Verdict.Why.In(locale.English); !strings.Contains(got, c.want) {
			t.Errorf("%s: said %q", currency, got)
		}
	}
}
