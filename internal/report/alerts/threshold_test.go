package alerts

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"
)

// usualDays are nine whole weeks with 100 orders, 10 of them upsold, for $200 a day.
func usualDays() (days []report.StoredSummary) {
	views := int64(500)
	for back := 63; back >= 1; back-- {
		d := daysBefore(back)[0]
		d.TotalOrders, d.TotalUpsoldOrders, d.TotalUpsoldValue, d.OfferViews, d.Currency = 100, 10, decimal.NewFromInt(200), &views, "USD"
		days = append(days, d)
	}
	return days
}

func of(metric fact.ThresholdMetric, kind fact.ThresholdKind, amount int64) Threshold {
	return Threshold{ID: 7, Metric: metric, Kind: kind, Amount: decimal.NewFromInt(amount), LeastOrders: 50}
}

func TestAThresholdJudgesTheLastWholeDayOrWeek(t *testing.T) {
	t.Parallel()
	const fell = "wrong: Upsold value: 30% or more below usual: On Thursday, 19 Nov: $140.00. That is 30% less than usual on a Thursday: $200.00. Check whether an offer, the theme or the checkout has changed since. About $60 less on 19 Nov, against a usual Thursday"
	amount := func(day *report.StoredSummary, n int64) { day.TotalUpsoldValue = decimal.NewFromInt(n) }
	inMoney := func(t Threshold) Threshold { t.Currency = "USD"; return t }
	floor := func(t Threshold, n int) Threshold { t.LeastOrders = n; return t }
	socks := func(amount int64) Threshold {
		t := of(fact.ThresholdValue, fact.ThresholdDay, amount)
		t.Offer = WatchedOffer{ID: "o1", Name: "Socks", Placement: report.ThankYou}
		return t
	}
	soldSocks := func(n int64, whole bool) func(*Stored, *report.StoredSummary) {
		return func(in *Stored, d *report.StoredSummary) {
			value := decimal.NewFromInt(n)
			in.OfferDays.Ranked = []report.StoredRankedDay{{Day: d.Window.Start, Whole: whole, Currency: "USD"}}
			in.OfferDays.Days = []report.StoredOfferDay{{OfferID: "o1", Day: d.Window.Start, Revenue: &value, Currency: "USD"}}
			in.OfferDays.First = map[string]civil.Date{"o1": d.Window.Start}
		}
	}
	placed := of(fact.ThresholdValue, fact.ThresholdFall, 30)
	placed.Placement = report.ThankYou
	placedBelow := of(fact.ThresholdValue, fact.ThresholdDay, 60)
	placedBelow.Placement = report.ThankYou
	earned := func(n int64, currency string) func(*Stored, *report.StoredSummary) {
		return func(in *Stored, d *report.StoredSummary) {
			value := decimal.NewFromInt(n)
			in.StatDays = []report.StoredStat{{Window: d.Window, Placement: report.ThankYou, Revenue: &value, Currency: currency}}
		}
	}
	for name, c := range map[string]struct {
		threshold Threshold
		// change modifies the stored rows, and yesterday among its days.
		change func(in *Stored, day *report.StoredSummary)
		want   string
	}{
		"as far as the threshold":      {of(fact.ThresholdValue, fact.ThresholdFall, 30), func(_ *Stored, d *report.StoredSummary) { amount(d, 140) }, fell},
		"not as far":                   {of(fact.ThresholdValue, fact.ThresholdFall, 30), func(_ *Stored, d *report.StoredSummary) { amount(d, 141) }, "right: Upsold value: back above the threshold"},
		"fewer orders expected":        {floor(of(fact.ThresholdValue, fact.ThresholdFall, 30), 101), func(_ *Stored, d *report.StoredSummary) { amount(d, 0) }, "unknown: "},
		"a revised day":                {of(fact.ThresholdValue, fact.ThresholdFall, 30), func(_ *Stored, d *report.StoredSummary) { amount(d, 0); d.Revised = true }, "unknown: "},
		"a missing day":                {of(fact.ThresholdValue, fact.ThresholdFall, 30), func(in *Stored, _ *report.StoredSummary) { in.Days = in.Days[:62] }, "unknown: "},
		"five same weekdays":           {of(fact.ThresholdValue, fact.ThresholdFall, 30), func(in *Stored, d *report.StoredSummary) { amount(d, 0); in.Days = in.Days[63-7*6:] }, "unknown: "},
		"another currency":             {inMoney(of(fact.ThresholdValue, fact.ThresholdDay, 300)), func(_ *Stored, d *report.StoredSummary) { d.Currency = "EUR" }, "unknown: "},
		"another currency, few orders": {floor(inMoney(of(fact.ThresholdValue, fact.ThresholdDay, 300)), 0), func(_ *Stored, d *report.StoredSummary) { d.Currency = "EUR" }, "unknown: "},
		"usual days in another currency (N34)": {floor(of(fact.ThresholdValue, fact.ThresholdFall, 30), 0), func(in *Stored, d *report.StoredSummary) {
			for i := range in.Days[:62] {
				in.Days[i].Currency = "EUR"
			}
			amount(d, 100)
		}, "unknown: "},
		"usually nothing": {of(fact.ThresholdValue, fact.ThresholdFall, 30), func(in *Stored, _ *report.StoredSummary) {
			for i := range in.Days {
				amount(&in.Days[i], 0)
			}
		}, "unknown: "},
		"a rate of more than all":            {of(fact.ThresholdRate, fact.ThresholdDay, 11), func(_ *Stored, d *report.StoredSummary) { d.TotalUpsoldOrders = 101 }, "unknown: "},
		"before six in the morning":          {of(fact.ThresholdValue, fact.ThresholdFall, 30), func(in *Stored, d *report.StoredSummary) { amount(d, 0); in.Location = time.FixedZone("", -8*3600) }, "unknown: "},
		"below an amount":                    {inMoney(of(fact.ThresholdValue, fact.ThresholdDay, 201)), nil, "wrong: Upsold value: below $201.00 on one day: On Thursday, 19 Nov: $200.00. Check whether an offer, the theme or the checkout has changed since. "},
		"as much as the amount":              {inMoney(of(fact.ThresholdValue, fact.ThresholdDay, 200)), nil, "right: Upsold value: back above the threshold"},
		"below an amount without history":    {floor(inMoney(of(fact.ThresholdValue, fact.ThresholdDay, 201)), 0), func(in *Stored, _ *report.StoredSummary) { in.Days = in.Days[62:] }, "wrong: Upsold value: below $201.00 on one day: On Thursday, 19 Nov: $200.00. Check whether an offer, the theme or the checkout has changed since. "},
		"a week below an amount":             {floor(inMoney(of(fact.ThresholdValue, fact.ThresholdWeek, 1400)), 100), func(_ *Stored, d *report.StoredSummary) { amount(d, 199) }, "wrong: Upsold value: below $1,400.00 over 7 days: 13 – 19 Nov 2026: $1,399.00. Check whether an offer, the theme or the checkout has changed since. "},
		"a week with a day missing":          {inMoney(of(fact.ThresholdValue, fact.ThresholdWeek, 9999)), func(in *Stored, _ *report.StoredSummary) { in.Days[60].Partial = true }, "unknown: "},
		"orders":                             {of(fact.ThresholdOrders, fact.ThresholdDay, 11), nil, "wrong: Upsold orders: below 11 on one day: On Thursday, 19 Nov: 10. Check whether an offer, the theme or the checkout has changed since. "},
		"a rate":                             {of(fact.ThresholdRate, fact.ThresholdDay, 11), nil, "wrong: Upsell success rate: below 11.0% on one day: On Thursday, 19 Nov: 10.0%. Check whether an offer, the theme or the checkout has changed since. "},
		"a rate of a week":                   {of(fact.ThresholdRate, fact.ThresholdWeek, 10), nil, "right: Upsell success rate: back above the threshold"},
		"an average":                         {inMoney(of(fact.ThresholdAverage, fact.ThresholdDay, 21)), nil, "wrong: Average upsold value: below $21.00 on one day: On Thursday, 19 Nov: $20.00. Check whether an offer, the theme or the checkout has changed since. "},
		"an average of nothing":              {inMoney(of(fact.ThresholdAverage, fact.ThresholdDay, 21)), func(_ *Stored, d *report.StoredSummary) { d.TotalUpsoldOrders = 0 }, "unknown: "},
		"views":                              {of(fact.ThresholdViews, fact.ThresholdDay, 501), nil, "wrong: Offer views: below 501 on one day: On Thursday, 19 Nov: 500. Check whether an offer, the theme or the checkout has changed since. "},
		"views that aren't reported":         {of(fact.ThresholdViews, fact.ThresholdDay, 501), func(_ *Stored, d *report.StoredSummary) { d.OfferViews = nil }, "unknown: "},
		"a placement that isn't reported":    {placed, nil, "unknown: "},
		"a placement below an amount":        {floor(inMoney(placedBelow), 0), earned(59, "USD"), "wrong: Upsold value, Thank you page upsell: below $60.00 on one day: On Thursday, 19 Nov: $59.00. Check whether an offer, the theme or the checkout has changed since. "},
		"a placement's day that isn't over":  {floor(inMoney(placedBelow), 0), func(in *Stored, d *report.StoredSummary) { earned(59, "USD")(in, d); in.StatDays[0].Partial = true }, "unknown: "},
		"a placement's day that was revised": {floor(inMoney(placedBelow), 0), func(in *Stored, d *report.StoredSummary) { earned(59, "USD")(in, d); in.StatDays[0].Revised = true }, "unknown: "},
		"a placement in another currency":    {floor(inMoney(placedBelow), 0), earned(59, "EUR"), "unknown: "},
		"less than nothing": {floor(inMoney(of(fact.ThresholdValue, fact.ThresholdDay, 1)), 0), func(in *Stored, _ *report.StoredSummary) {
			for i := range in.Days {
				amount(&in.Days[i], 0)
			}
			amount(&in.Days[62], -5)
		}, "wrong: Upsold value: below $1.00 on one day: On Thursday, 19 Nov: −$5.00. Check whether an offer, the theme or the checkout has changed since. "},
		"an offer below an amount":       {floor(inMoney(socks(60)), 0), soldSocks(59, true), "wrong: Upsold value, \u2068Socks\u2069: below $60.00 on one day: On Thursday, 19 Nov: $59.00. Check whether an offer, the theme or the checkout has changed since. "},
		"an offer that isn't ranked":     {floor(inMoney(socks(60)), 0), func(in *Stored, d *report.StoredSummary) { soldSocks(59, true)(in, d); in.OfferDays.Days = nil }, "wrong: Upsold value, \u2068Socks\u2069: below $60.00 on one day: On Thursday, 19 Nov: $0.00. Check whether an offer, the theme or the checkout has changed since. "},
		"an offer missing in a cut list": {floor(inMoney(socks(60)), 0), func(in *Stored, d *report.StoredSummary) { soldSocks(59, false)(in, d); in.OfferDays.Days = nil }, "unknown: "},
		"an offer that never sold":       {floor(inMoney(socks(60)), 0), func(in *Stored, d *report.StoredSummary) { soldSocks(59, true)(in, d); in.OfferDays.First = nil }, "unknown: "},
		"a paused app":                   {of(fact.ThresholdOrders, fact.ThresholdDay, 11), func(in *Stored, _ *report.StoredSummary) { in.Credentials[0].State = "paused" }, "unknown: "},
	} {
		in := watched()
		in.Days, in.Thresholds = usualDays(), []Threshold{c.threshold}
		if c.change != nil {
			c.change(&in, &in.Days[62])
		}
		found, _ := Find(in, alertNow)
		for _, f := range found {
			if f.Rule != ThresholdRule {
				continue
			}
			got := []string{"unknown", "right", "wrong"}[f.Standing] + ": " + f.Title.In(locale.English)
			if f.Standing == Wrong {
				got += ": " + f.Text.In(locale.English) + " " + f.Effect.In(locale.English)
			}
			if f.Standing == Unknown {
				got = "unknown: "
			}
			if f.Subject != "7" || got != c.want {
				t.Errorf("%s: %s of %q\nwant %s", name, got, f.Subject, c.want)
			}
		}
	}
}

// What a fall is compared with, and what it costs, leaves out days that can't be compared.
func TestAFallIsComparedOnlyWithDaysThatCanBe(t *testing.T) {
	t.Parallel()
	fell := func(rule string, change func(days []report.StoredSummary)) string {
		in := watched()
		in.Days = usualDays()
		in.Days[62].TotalUpsoldOrders, in.Days[62].TotalUpsoldValue = 0, decimal.Zero
		change(in.Days)
		found, _ := Find(in, alertNow)
		for _, f := range found {
			if f.Rule == rule && f.Standing == Wrong {
				return f.Text[2].In(locale.English) + " " + f.Effect.In(locale.English)
			}
		}
		return ""
	}
	thursday := func(days []report.StoredSummary) *report.StoredSummary { return &days[62-14] }
	for name, c := range map[string]struct {
		rule   string
		change func(days []report.StoredSummary)
		want   string
	}{
		"a rate":                            {"rate-fell", func([]report.StoredSummary) {}, "On the 8 Thursdays before, it was between 10.0% and 10.0%. About $200 less on 19 Nov, against a usual Thursday"},
		"a value":                           {"value-fell", func([]report.StoredSummary) {}, "On the 8 Thursdays before, it was between $200.00 and $200.00. About $200 less on 19 Nov, against a usual Thursday"},
		"a rate of more than all":           {"rate-fell", func(days []report.StoredSummary) { thursday(days).TotalUpsoldOrders = 101 }, "On the 7 Thursdays before, it was between 10.0% and 10.0%. About $200 less on 19 Nov, against a usual Thursday"},
		"a value below nothing":             {"value-fell", func(days []report.StoredSummary) { thursday(days).TotalUpsoldValue = decimal.NewFromInt(-5) }, "On the 7 Thursdays before, it was between $200.00 and $200.00. About $200 less on 19 Nov, against a usual Thursday"},
		"a value in another currency (N34)": {"value-fell", func(days []report.StoredSummary) { thursday(days).Currency = "EUR" }, "On the 7 Thursdays before, it was between $200.00 and $200.00. About $200 less on 19 Nov, against a usual Thursday"},
		"a rate whose usual value was in another currency (N34)": {"rate-fell", func(days []report.StoredSummary) {
			for i := range days[:62] {
				days[i].Currency = "EUR"
			}
		}, "On the 8 Thursdays before, it was between 10.0% and 10.0%. "},
	} {
		reporttest.Equal(t, name, fell(c.rule, c.change), c.want)
	}
}

// Days with falls, gaps and corrections, checked every morning with what is stored by then.
func TestAPreviewNamesTheDaysOnWhichTheCheckWouldHaveOpenedAnAlert(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	today := civil.Date{Year: 2026, Month: time.November, Day: 20}
	var days []report.StoredSummary
	var stats []report.StoredStat
	socks := WatchedOffer{ID: "o1", Name: "Socks", Placement: report.ThankYou}
	sold := WatchedDays{First: map[string]civil.Date{"o1": today.AddDays(-80)}}
	for day := PreviewHistory(today).Start; day.Before(today); day = day.AddDays(1) {
		orders := 40 + r.Int64N(60)
		upsold := r.Int64N(orders)
		value, views := decimal.New(upsold*(1500+r.Int64N(1000)), -2), r.Int64N(900)
		s := report.StoredSummary{Window: report.OneDay(day), TotalOrders: orders, TotalUpsoldOrders: upsold, TotalUpsoldValue: value, OfferViews: &views, Currency: "USD", Revised: r.IntN(30) == 0}
		sold.Ranked = append(sold.Ranked, report.StoredRankedDay{Day: day, Whole: r.IntN(30) > 0, Currency: "USD"})
		if r.IntN(10) > 0 {
			sold.Days = append(sold.Days, report.StoredOfferDay{OfferID: "o1", Day: day, Revenue: &value, Currency: "USD"})
		}
		if half := value.Shift(-1); r.IntN(30) > 0 {
			days, stats = append(days, s), append(stats, report.StoredStat{Window: s.Window, Placement: report.ThankYou, Revenue: &half, Currency: "USD"})
		}
	}
	keys, watchable := Watchable([]WatchedOffer{socks})
	fired := 0
	for _, key := range keys {
		for kind, amount := range map[fact.ThresholdKind]int64{fact.ThresholdFall: 40, fact.ThresholdDay: 30, fact.ThresholdWeek: 2000} {
			threshold := watchable[key]
			threshold.ID, threshold.Kind, threshold.Amount, threshold.LeastOrders = 7, kind, decimal.NewFromInt(amount), 60
			var want []civil.Date
			in := watched()
			in.Thresholds = []Threshold{threshold}
			for back := PreviewDays; back >= 1; back-- {
				day := today.AddDays(-back)
				now := day.AddDays(1).In(time.UTC).Add(9 * time.Hour)
				in.UpsellAt, in.Days, in.StatDays, in.OfferDays = now, nil, nil, WatchedDays{First: sold.First}
				within := func(at civil.Date) bool { w := History(day.AddDays(1)); return !at.Before(w.Start) && !at.After(w.End) }
				for _, d := range sold.Ranked {
					if within(d.Day) {
						in.OfferDays.Ranked = append(in.OfferDays.Ranked, d)
					}
				}
				for _, d := range sold.Days {
					if within(d.Day) {
						in.OfferDays.Days = append(in.OfferDays.Days, d)
					}
				}
				for i, s := range days {
					if within(s.Window.Start) {
						in.Days, in.StatDays = append(in.Days, s), append(in.StatDays, stats[i])
					}
				}
				found, _ := Find(in, now)
				for _, step := range Steps(in.Open, found, now) {
					switch {
					case step.Rule != ThresholdRule:
					case step.Kind == StepOpen:
						want, in.Open = append(want, day), []Open{{Rule: ThresholdRule, Subject: "7", Since: now, OpenedAt: now}}
					case step.Kind == StepRecover:
						in.Open = nil
					}
				}
			}
			got := threshold.Preview(today, ThresholdDays{days, stats, sold})
			fired += len(want)
			reporttest.Equal(t, key+" "+string(kind), fmt.Sprint(got.Fired), fmt.Sprint(want))
		}
	}
	if fired < 30 {
		t.Errorf("only %d alerts in all", fired)
	}
}
