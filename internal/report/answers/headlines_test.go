package answers_test

import (
	"testing"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
	"github.com/storeglass/storeglass/internal/report/gift"
	"github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/internal/report/reporttest"
)

func TestPlacementsAreSummedUpByWhatChangedMostNeverByATotal_N14(t *testing.T) {
	t.Parallel()
	values := func(was, is map[report.Placement]string) func(*answers.Input) {
		return func(in *answers.Input) {
			for i, r := range in.Placements.Rows {
				if is[r.Placement] != "" {
					v := decimal.RequireFromString(is[r.Placement])
					in.Placements.Rows[i].Revenue = &v
				}
				if was[r.Placement] != "" {
					v := decimal.RequireFromString(was[r.Placement])
					in.Placements.Rows[i].Previous = &overview.PlacementRow{Placement: r.Placement, Revenue: &v}
				}
			}
		}
	}
	type by = map[report.Placement]string
	for name, c := range map[string]struct {
		change func(*answers.Input)
		want   string
	}{
		"one fell, others rose": {
			func(*answers.Input) {},
			"Biggest change: the order status page earned 59.3% less than in the 30 days before. “gaiters” ended there on 3 Nov. By contrast, the post-purchase page earned 1.9% more. “kit” started there on 28 Oct.",
		},
		"both fell":      {values(by{report.ThankYou: "20000", report.PostPurchase: "35430"}, nil), "Biggest change: the thank-you page earned 22.3% less than in the 30 days before."},
		"one is new":     {values(by{report.ThankYou: "0"}, nil), "Biggest change: the thank-you page earned $15,532, after nothing in the 30 days before. By contrast, the order status page earned 59.3% less. “gaiters” ended there on 3 Nov."},
		"one is gone":    {values(nil, by{report.OrderStatus: "0"}), "Biggest change: the order status page earned nothing, after $4,720 in the 30 days before. “gaiters” ended there on 3 Nov. By contrast, the post-purchase page earned 1.9% more. “kit” started there on 28 Oct."},
		"about the same": {values(by{report.ThankYou: "15532", report.PostPurchase: "35430"}, by{report.OrderStatus: "4720"}), "No placement earned much more or less than in the 30 days before."},
		"nothing sold": {
			values(by{report.PostPurchase: "0", report.ThankYou: "0", report.OrderStatus: "0"}, by{report.PostPurchase: "0", report.ThankYou: "0", report.OrderStatus: "0"}), "",
		},
		"not compared":        {func(in *answers.Input) { in.Placements.Compared = nil }, "Earned the most: the post-purchase page, $35,430."},
		"a day missing":       {func(in *answers.Input) { in.Placements.Compared.Missed(then30.Start) }, "Earned the most: the post-purchase page, $35,430."},
		"only one that earns": {func(in *answers.Input) { in.Placements.Compared, in.Placements.Rows = nil, in.Placements.Rows[:1] }, ""},
	} {
		in := moved()
		c.change(&in)
		reporttest.Equal(t, name, reporttest.Unisolated(answers.New(in).Placements.In(locale.English)), c.want)
	}
}

func TestGiftsAreSummedUpOnlyAsFarAsTheyAreKnown(t *testing.T) {
	t.Parallel()
	dec := func(s string) *decimal.Decimal { return new(decimal.RequireFromString(s)) }
	for name, c := range map[string]struct {
		change func(*gift.Analytics)
		want   string
	}{
		"rose":            {func(*gift.Analytics) {}, "Gifts brought in $39,104 in the last 30 days, 15.6% more than in the 30 days before. 412 orders had a gift (349 before) and were worth $94.91 on average ($96.95 before)."},
		"about the same":  {func(g *gift.Analytics) { g.Revenue.Previous = dec("39104") }, "Gifts brought in $39,104 in the last 30 days, about the same as in the 30 days before."},
		"no orders known": {func(g *gift.Analytics) { g.Orders.Previous = nil }, "Gifts brought in $39,104 in the last 30 days, 15.6% more than in the 30 days before."},
		"nothing before":  {func(g *gift.Analytics) { g.Revenue.Previous = dec("0") }, "Gifts brought in $39,104 in the last 30 days."},
		"no gifts":        {func(g *gift.Analytics) { g.Revenue.Value, g.Revenue.Previous = dec("0"), dec("0") }, "Gifts brought in nothing in the last 30 days."},
		"no longer any":   {func(g *gift.Analytics) { g.Revenue.Value = dec("0") }, "Gifts brought in nothing in the last 30 days, after $33,827 in the 30 days before."},
		"not compared":    {func(g *gift.Analytics) { g.Compared, g.Against = false, nil }, "Gifts brought in $39,104 in the last 30 days."},
		"not over yet N45": {
			func(g *gift.Analytics) { g.Provenance = g.Provenance.With(report.FlagPartial) }, "Gifts brought in $39,104 in the last 30 days so far.",
		},
		"a day missing N1":     {func(g *gift.Analytics) { g.Provenance.Missed(now30.Start) }, ""},
		"revenue not reported": {func(g *gift.Analytics) { g.Revenue.Value = nil }, ""},
		"nothing stored":       {func(g *gift.Analytics) { g.Empty = &report.Empty{} }, ""},
	} {
		g := gift.Analytics{
			Panel: report.Panel{Provenance: report.Builder{}.Stitched("", now30)}, Currency: "USD", Compared: true, Against: &then30,
			Orders: report.GiftMetric{Value: dec("412"), Previous: dec("349")}, Revenue: report.GiftMetric{Value: dec("39104.22"), Previous: dec("33827.18")},
			AOVByFG: report.GiftMetric{Value: dec("94.91"), Previous: dec("96.95")},
		}
		c.change(&g)
		reporttest.Equal(t, name, answers.Gifts(choice(report.Last30, now30, then30), g).In(locale.English), c.want)
	}
}

func TestAnOfferIsSummedUpOnlyAsFarAsItIsKnown(t *testing.T) {
	t.Parallel()
	dec := func(s string) *decimal.Decimal { return new(decimal.RequireFromString(s)) }
	brought := func(value string, was *decimal.Decimal) *answers.Brought {
		return &answers.Brought{Window: now30, Against: &then30, Value: *dec(value), Was: was, Currency: "USD"}
	}
	ended := report.Event{Day: reporttest.On("2026-11-03")}
	soFar := brought("680", dec("5934.60"))
	soFar.SoFar = true
	for name, c := range map[string]struct {
		brought *answers.Brought
		events  []report.Event
		want    string
	}{
		"fell and ended":      {brought("1398.60", dec("5934.60")), []report.Event{ended}, "This offer brought in $1,399 in the last 30 days, 76.4% less than in the 30 days before. It ended on 3 Nov."},
		"started":             {brought("680", dec("0")), []report.Event{{Day: ended.Day, Start: true}}, "This offer brought in $680 in the last 30 days. It started on 3 Nov."},
		"about the same":      {brought("680", dec("680")), nil, "This offer brought in $680 in the last 30 days, about the same as in the 30 days before."},
		"no longer any":       {brought("0", dec("5934.60")), nil, "This offer brought in nothing in the last 30 days, after $5,935 in the 30 days before."},
		"never any":           {brought("0", nil), nil, "This offer brought in nothing in the last 30 days."},
		"not over yet N45":    {soFar, nil, "This offer brought in $680 in the last 30 days so far."},
		"value not known N13": {nil, []report.Event{ended}, "It ended on 3 Nov."},
		"nothing known":       {nil, nil, ""},
	} {
		reporttest.Equal(t, name, answers.Offer(choice(report.Last30, now30, then30), c.brought, c.events).In(locale.English), c.want)
	}
}
