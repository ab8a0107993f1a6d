package answers_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
	"github.com/storeglass/storeglass/internal/report/overview"
)

// sums are a window's totals.
type sums struct {
	value          string
	upsold, orders int64
}

var (
	now30  = report.WindowEnding(today.AddDays(-1), 30)
	then30 = now30.Previous()
)

func summary(w report.Window, currency string, s sums) overview.Summary {
	d := report.StoredSum{Days: w.Days(), Currency: currency, TotalUpsoldValue: decimal.RequireFromString(s.value), TotalUpsoldOrders: s.upsold, TotalOrders: s.orders}
	return overview.Builder{}.Summed(w, d)
}

// pair is an input of two windows and nothing else.
func pair(c report.Choice, currency string, before, after sums) answers.Input {
	in := answers.Input{Choice: c, Summary: summary(c.Window, currency, after)}
	p := summary(*c.Against, currency, before)
	in.Summary.Previous = &p
	return in
}

func TestTheThreePartsAddUpToTheChangeExactly(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	draw := func(digits int32) sums {
		size := int64(1) << (1 + r.IntN(60))
		orders := 1 + r.Int64N(1<<(1+r.IntN(40)))
		return sums{decimal.New(1+r.Int64N(size), -digits).String(), 1 + r.Int64N(orders), orders}
	}
	for range 10_000 {
		currency := []string{"USD", "JPY", "BHD"}[r.IntN(3)]
		digits := locale.Digits(currency)
		before, after := draw(digits), draw(digits)
		if r.IntN(10) == 0 {
			after.value = before.value
		}
		d := answers.New(pair(choice(report.Last30, now30, then30), currency, before, after)).Drivers
		if d.Reason != answers.Divided {
			t.Fatalf("%v, %v: %s", before, after, d.Reason)
		}
		want := decimal.RequireFromString(after.value).Sub(decimal.RequireFromString(before.value))
		if sum := d.Orders.Part.Add(d.Rate.Part).Add(d.Value.Part); !sum.Equal(d.Change) || !d.Change.Equal(want) {
			t.Fatalf("%s, %v, %v: parts add up to %s, the change is %s", currency, before, after, sum, want)
		}
		for _, p := range []decimal.Decimal{d.Orders.Part, d.Rate.Part, d.Value.Part} {
			if !p.Equal(p.Round(digits)) {
				t.Fatalf("%s has the part %s", currency, p)
			}
		}
	}
}

func TestAFactorThatAloneMovedIsTheWholeChange(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		currency            string
		before, after       sums
		orders, rate, value string
	}{
		"orders":              {"USD", sums{"1000.00", 50, 500}, sums{"2000.00", 100, 1000}, "1000", "0", "0"},
		"success rate":        {"USD", sums{"1000.00", 50, 500}, sums{"1500.00", 75, 500}, "0", "500", "0"},
		"average":             {"USD", sums{"1000.00", 50, 500}, sums{"900.00", 50, 500}, "0", "0", "-100"},
		"nothing":             {"USD", sums{"1000.00", 50, 500}, sums{"1000.00", 50, 500}, "0", "0", "0"},
		"two that cancel out": {"USD", sums{"1000.00", 50, 500}, sums{"1000.00", 50, 1000}, "693.15", "-693.15", "0"},
		// The overview's picture: 8,968 → 9,427 orders, 1,427 → 1,323 upsold.
		"all three":       {"USD", sums{"54689.72", 1427, 8968}, sums{"52884.24", 1323, 9427}, "2684.54", "-6754.35", "2264.33"},
		"yen have none":   {"JPY", sums{"100000", 50, 500}, sums{"130000", 60, 550}, "10898", "9950", "9152"},
		"dinars have 3":   {"BHD", sums{"100.000", 50, 500}, sums{"130.000", 60, 550}, "10.898", "9.950", "9.152"},
		"beyond float64":  {"USD", sums{"90071992547409931.07", 50, 500}, sums{"90071992547409931.08", 50, 500}, "0", "0.01", "0"},
		"no common digit": {"USD", sums{"0.01", 1, 1_000_000_000}, sums{"1000000000.00", 1, 1}, "-818181818.16", "818181818.15", "1000000000"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := answers.New(pair(choice(report.Last30, now30, then30), c.currency, c.before, c.after)).Drivers
			near := decimal.New(2, -locale.Digits(c.currency)) // for rounding
			for what, x := range map[string][2]string{"orders": {c.orders, d.Orders.Part.String()}, "rate": {c.rate, d.Rate.Part.String()}, "value": {c.value, d.Value.Part.String()}} {
				if diff := decimal.RequireFromString(x[0]).Sub(decimal.RequireFromString(x[1])).Abs(); diff.GreaterThan(near) {
					t.Errorf("%s: got %s, want %s", what, x[1], x[0])
				}
			}
		})
	}
}

func TestWhatCannotBeDividedSaysWhy(t *testing.T) {
	t.Parallel()
	usual := sums{"1000.00", 50, 500}
	for name, c := range map[string]struct {
		before, after sums
		change        func(*answers.Input)
		want          answers.Reason
	}{
		"nothing before N20":      {sums{"0", 0, 500}, usual, nil, answers.NothingBefore},
		"no order before N20":     {sums{"0", 0, 0}, usual, nil, answers.NothingBefore},
		"nothing now":             {usual, sums{"0", 0, 500}, nil, answers.NothingAfter},
		"nothing in either":       {sums{"0", 0, 500}, sums{"0", 0, 400}, nil, answers.NothingSold},
		"an amount without sales": {usual, sums{"12.00", 0, 500}, nil, answers.Contradictory},
		"sales without an amount": {usual, sums{"0", 3, 500}, nil, answers.Contradictory},
		"a negative amount":       {usual, sums{"-5.00", 3, 500}, nil, answers.Contradictory},
		"two currencies N34":      {usual, usual, func(in *answers.Input) { in.Summary.Previous.Currency = "EUR" }, answers.Currencies},
		"nothing to compare N74":  {usual, usual, func(in *answers.Input) { in.Summary.Previous = nil }, answers.NoComparison},
		"no numbers":              {usual, usual, func(in *answers.Input) { in.Summary.Empty = &report.Empty{} }, answers.NoComparison},
		"a missing day N1":        {usual, usual, func(in *answers.Input) { in.Summary.Previous.Provenance.Missed(then30.Start) }, answers.Incomplete},
		"a day that is not over N27": {usual, usual, func(in *answers.Input) {
			in.Summary.Provenance = in.Summary.Provenance.With(report.FlagPartial)
		}, answers.Incomplete},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := pair(choice(report.Last30, now30, then30), "USD", c.before, c.after)
			if c.change != nil {
				c.change(&in)
			}
			a := answers.New(in)
			if a.Drivers.Reason != c.want {
				t.Errorf("got %q, want %q", a.Drivers.Reason, c.want)
			}
			if !a.Drivers.Orders.Part.IsZero() || !a.Drivers.Rate.Part.IsZero() || !a.Drivers.Value.Part.IsZero() || a.Verdict.Why.ID != "" {
				t.Errorf("there are parts, or a reason: %+v", a)
			}
			for _, l := range locale.All() {
				if a.Drivers.Reason.In(l) == "" {
					t.Errorf("%s says nothing", l.Code())
				}
			}
		})
	}
}

func TestMonthsOfDifferentLengthAreAlsoComparedByTheDay(t *testing.T) {
	t.Parallel()
	october := report.Window{Start: civil.Date{Year: 2026, Month: time.October, Day: 1}, End: civil.Date{Year: 2026, Month: time.October, Day: 31}}
	september := report.Window{Start: civil.Date{Year: 2026, Month: time.September, Day: 1}, End: civil.Date{Year: 2026, Month: time.September, Day: 30}}
	a := answers.New(pair(choice(report.LastMonth, october, september), "USD", sums{"53106.40", 1392, 8841}, sums{"56214.80", 1449, 9262}))
	if p := a.Drivers.PerDay; p == nil || p.Before.String() != "1770.21" || p.After.String() != "1813.38" || p.DaysAfter != 31 {
		t.Errorf("per day %+v", p)
	}
	want := "Upsells brought in $56,215 in October, 5.9% more than in September. Per day it is 2.4% more: 31 days against 30."
	if got := a.Verdict.What.In(locale.English) + " " + a.Verdict.PerDay.In(locale.English); got != want {
		t.Errorf("said %q", got)
	}
	if a := answers.New(pair(choice(report.Last30, now30, then30), "USD", sums{"1", 1, 2}, sums{"2", 2, 4})); a.Drivers.PerDay != nil {
		t.Error("windows of the same length are compared by the day")
	}
}

func TestALongerMonthAloneIsNoReason(t *testing.T) {
	t.Parallel()
	october := report.Window{Start: civil.Date{Year: 2026, Month: time.October, Day: 1}, End: civil.Date{Year: 2026, Month: time.October, Day: 31}}
	september := report.Window{Start: civil.Date{Year: 2026, Month: time.September, Day: 1}, End: civil.Date{Year: 2026, Month: time.September, Day: 30}}
	for name, c := range map[string]struct {
		orders int64 // on a day in October
		why    string
	}{
		"the same days": {200, ""},
		"more orders":   {260, "Most of it comes from more store orders: 260 a day, up from 200."},
	} {
		in := answers.Input{Choice: choice(report.LastMonth, october, september)}
		var sums [2]report.StoredSum
		for i, w := range []report.Window{september, october} {
			for d := range w.All() {
				s := report.StoredSummary{Window: report.OneDay(d), TotalOrders: []int64{200, c.orders}[i], Currency: "USD"}
				s.TotalUpsoldOrders = s.TotalOrders / 10
				s.TotalUpsoldValue = decimal.NewFromInt(40 * s.TotalUpsoldOrders)
				in.Days = append(in.Days, s)
				sums[i].Add(d, s)
			}
		}
		in.Summary = overview.Builder{}.Summed(october, sums[1])
		before := overview.Builder{}.Summed(september, sums[0])
		in.Summary.Previous = &before
		if got := answers.New(in).Verdict.Why.In(locale.English); got != c.why {
			t.Errorf("%s: said %q", name, got)
		}
	}
}
