package answers_test

import (
	"testing"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
)

// earner is an offer with what it earned per day; days count back from yesterday.
type earner struct {
	id    string
	place report.Placement
	earns func(back int) int64
}

// even is a store whose days hardly differ: 30 upsells of $40 in two placements, plus what the offers earn.
func even(events []report.Event, offers ...earner) answers.Input {
	return evenOf(30, events, offers...)
}

func evenOf(upsells int64, events []report.Event, offers ...earner) answers.Input {
	in := steady(func(s *report.StoredSummary, back int) {
		s.TotalUpsoldOrders = max(0, s.TotalUpsoldOrders-30+upsells)
		for _, o := range offers {
			s.TotalUpsoldOrders += o.earns(back) / 40
		}
		s.TotalUpsoldValue = decimal.NewFromInt(s.TotalUpsoldOrders * 40)
	})
	in.Events = events
	for i, d := range in.Days {
		back, day := len(in.Days)-1-i, d.Window.Start
		in.Offers.Ranked = append(in.Offers.Ranked, report.StoredRankedDay{Day: day, Whole: true, Currency: "USD"})
		base := max(0, upsells+int64(back*3%4)) * 20
		byPlace := map[report.Placement]int64{report.PostPurchase: base, report.ThankYou: base}
		for _, o := range offers {
			earned := o.earns(back)
			byPlace[o.place] += earned
			if v := decimal.NewFromInt(earned); earned > 0 {
				in.Offers.Days = append(in.Offers.Days, report.StoredOfferDay{OfferID: o.id, Day: day, Revenue: &v})
			}
		}
		for _, p := range []report.Placement{report.PostPurchase, report.ThankYou} {
			v := decimal.NewFromInt(byPlace[p])
			in.PlacementDays = append(in.PlacementDays, report.StoredStat{Window: report.OneDay(day), Placement: p, Revenue: &v, Currency: "USD"})
		}
	}
	return in
}

// since earns starting that many days before yesterday; until earns up to then.
func since(day int, amount int64) func(int) int64 {
	return func(back int) int64 {
		if back <= day {
			return amount
		}
		return 0
	}
}

func until(day int, amount int64) func(int) int64 {
	return func(back int) int64 { return amount - since(day-1, amount)(back) }
}

func back(n int) civil.Date { return today.AddDays(-1 - n) }

func event(id string, start bool, day int, p report.Placement) report.Event {
	return report.Event{OfferID: id, Name: id, Start: start, Day: back(day), Placement: p}
}

func TestAnEventExplainsTheChangeOnlyWithEvidence(t *testing.T) {
	t.Parallel()
	started := event("Kit", true, 20, report.ThankYou)
	kit := earner{"Kit", report.ThankYou, since(20, 400)}
	for name, c := range map[string]struct {
		in   answers.Input
		want string
	}{
		"an offer starts": {even([]report.Event{started}, kit), "Since the offer “Kit” started on 3 Nov, the thank-you page earns about $400 more a day."},
		"an offer ends": {even([]report.Event{event("Kit", false, 20, report.PostPurchase)}, earner{"Kit", report.PostPurchase, until(20, 400)}),
			"Since the offer “Kit” ended on 3 Nov, the post-purchase page earns about $400 less a day."},
		"a gift campaign ends": {even([]report.Event{{Gift: true, Name: "Mug", Day: back(20)}}, earner{"x", report.ThankYou, until(20, 400)}),
			"Since the gift campaign “Mug” ended on 3 Nov, upsells bring in about $410 less a day."},
		"another does as much on nearly the same day": {even([]report.Event{started, event("Rival", true, 22, report.ThankYou)},
			kit, earner{"Rival", report.ThankYou, since(22, 320)}), "Most of it comes from a higher success rate: 21.7%, up from 15.3%."},
		"another does as much elsewhere": {even([]report.Event{started, event("Rival", true, 22, report.PostPurchase)},
			kit, earner{"Rival", report.PostPurchase, since(22, 320)}), "Most of it comes from a higher success rate: 21.7%, up from 15.3%."},
		"another campaign on nearly the same day": {even([]report.Event{{Gift: true, Name: "Mug", Day: back(20)}, {Gift: true, Start: true, Name: "Cap", Day: back(18)}},
			earner{"x", report.ThankYou, until(20, 400)}), "Most of it comes from a lower success rate: 16.9%, down from 20.1%."},
		"the days moved four days before a campaign": {even([]report.Event{{Gift: true, Name: "Mug", Day: back(16)}}, earner{"x", report.ThankYou, until(20, 400)}),
			"Most of it comes from a lower success rate: 16.9%, down from 20.1%."},
		"it earned before it started": {even([]report.Event{started}, earner{"Kit", report.ThankYou, func(b int) int64 { return 200 + since(20, 400)(b) }}),
			"Most of it comes from a higher success rate: 21.1%, up from 17.7%."},
		"too few sales": {evenOf(-2, []report.Event{started}, earner{"Kit", report.ThankYou, since(20, 40)}), "Most of it comes from a higher success rate: 0.5%, up from 0.1%."},
		"another of no account does not": {even([]report.Event{started, event("Small", true, 22, report.ThankYou)},
			kit, earner{"Small", report.ThankYou, since(22, 40)}), "Since the offer “Kit” started on 3 Nov, the thank-you page earns about $430 more a day."},
		"the offer earned too little itself": {even([]report.Event{started}, earner{"Kit", report.ThankYou, since(20, 80)}, earner{"y", report.ThankYou, since(20, 400)}),
			"Most of it comes from a higher success rate: 19.4%, up from 15.3%."},
		"what it earned is not known N16": {without(even([]report.Event{started}, kit), func(in *answers.Input) { in.Offers.Ranked = nil }),
			"Most of it comes from a higher success rate: 18.7%, up from 15.3%."},
		"the days moved a week earlier": {even([]report.Event{event("Kit", true, 13, report.ThankYou)}, earner{"Kit", report.ThankYou, since(13, 200)}, earner{"y", report.ThankYou, since(20, 400)}),
			"Most of it comes from a higher success rate: 19.8%, up from 15.3%."},
		"it is over again": {even([]report.Event{event("Kit", true, 28, report.ThankYou)},
			earner{"Kit", report.ThankYou, func(b int) int64 { return since(28, 400)(b) - since(13, 400)(b) }}), ""},
		"too little in all": {even([]report.Event{started}, earner{"Kit", report.ThankYou, since(20, 400)}, earner{"y", report.PostPurchase, since(29, 600)}),
			"Most of it comes from a higher success rate: 26.0%, up from 15.3%."},
		"the comparison is a year earlier": {without(even([]report.Event{started}, kit), func(in *answers.Input) {
			w := report.Window{Start: then30.Start.AddDays(-335), End: then30.End.AddDays(-335)}
			in.Choice.Against, in.Summary.Previous.Provenance.Window = &w, &w
		}), ""},
		"too recent": {even([]report.Event{event("Kit", true, 4, report.ThankYou)}, earner{"Kit", report.ThankYou, since(4, 800)}), ""},
		"days that changed N61": {without(even([]report.Event{started}, kit), func(in *answers.Input) {
			in.Summary.Provenance = in.Summary.Provenance.With(report.FlagChanged)
		}), ""},
		"a coupon reports no revenue N13": {even([]report.Event{event("10% off", true, 20, report.Coupon)}), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := answers.New(c.in)
			if got := plain(a.Verdict.Why.In(locale.English)); got != c.want {
				t.Errorf("said %q", got)
			}
		})
	}
}

// plain is a sentence without the characters that isolate names.
func plain(s string) string {
	out := []rune{}
	for _, r := range s {
		if r != '\u2068' && r != '\u2069' {
			out = append(out, r)
		}
	}
	return string(out)
}

func without(in answers.Input, change func(*answers.Input)) answers.Input {
	change(&in)
	return in
}

func TestTheReasonSpeaksEachLanguageAndSaysWhatItRestsOn(t *testing.T) {
	t.Parallel()
	v := answers.New(even([]report.Event{event("Kit", true, 20, report.ThankYou)}, earner{"Kit", report.ThankYou, since(20, 400)})).Verdict
	for l, want := range map[locale.Locale]string{
		locale.German:  "Seit das Angebot „Kit“ am 3. Nov. begann, bringt die Dankeseite etwa 400\u00a0$ mehr pro Tag ein.",
		locale.French:  "Depuis que l’offre «\u00a0Kit\u00a0» a commencé le 3 nov., la page de remerciement rapporte environ 400\u00a0$US de plus par jour.",
		locale.Spanish: "Desde que la oferta «Kit» empezó el 3 de nov., la página de agradecimiento aporta unos 400\u00a0US$ más al día.",
	} {
		if got := plain(v.Why.In(l)); got != want {
			t.Errorf("%s: said %q", l.Code(), got)
		}
	}
	if got, want := v.Evidence.In(locale.English), "14 days after (4 – 17 Nov 2026) compared with the same weekdays before (20 Oct – 2 Nov 2026)."; got != want {
		t.Errorf("said %q", got)
	}
	if got, want := plain(v.Short.In(locale.English)), "“Kit” started 3 Nov"; got != want {
		t.Errorf("said %q", got)
	}
}

func TestBothSidesOfAnEventHaveTheSameWeekdaysAndNotTheDayItself(t *testing.T) {
	t.Parallel()
	for ago := range 30 {
		in := even([]report.Event{event("Kit", true, ago, report.ThankYou)}, earner{"Kit", report.ThankYou, since(ago, 400)})
		b := answers.New(in).Events[0]
		if ago < 5 {
			if b.Reason != answers.TooRecent || b.Days != 0 || b.Store.Before != nil {
				t.Errorf("%d days ago: %+v", ago, b)
			}
			continue
		}
		if want := min(14, ago); b.Reason != "" || b.Days != want || b.Before.Days() != want || b.After.Days() != want {
			t.Errorf("%d days ago: %d days, %v and %v", ago, b.Days, b.Before, b.After)
		}
		if !b.Before.End.Before(b.Event.Day) || b.After.Start != b.Event.Day.AddDays(1) || b.After.Start.DaysSince(b.Before.Start)%7 != 0 && b.Days%7 != 0 {
			t.Errorf("%d days ago: %v and %v around %v", ago, b.Before, b.After, b.Event.Day)
		}
	}
}

func TestPlacementsStandBesideTheOfferAndTheStoresRate_N14(t *testing.T) {
	t.Parallel()
	b := answers.New(even([]report.Event{event("Kit", true, 20, report.ThankYou)}, earner{"Kit", report.ThankYou, since(20, 400)})).Events[0]
	if b.Offer.Before.String() != "0" || b.Offer.After.String() != "5600" || len(b.Placements) != 2 || !b.Clear || b.PerDay.Round(0).String() != "397" {
		t.Errorf("got %+v", b)
	}
	for _, p := range b.Placements {
		if same := p.Before.Sub(*p.After).Abs().LessThan(decimal.NewFromInt(100)); same != (p.Placement == report.PostPurchase) {
			t.Errorf("%s: %s, then %s", p.Placement, p.Before, p.After)
		}
	}
	if b.Rate.After.LessThanOrEqual(*b.Rate.Before) {
		t.Errorf("rate %s, then %s", b.Rate.Before, b.Rate.After)
	}
}

func TestAClearStepSaysBetweenWhichAmountsItMayBe(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in   answers.Input
		sign int
	}{
		"more":    {even([]report.Event{event("Kit", true, 20, report.ThankYou)}, earner{"Kit", report.ThankYou, since(20, 400)}), 1},
		"less":    {even([]report.Event{event("Kit", false, 20, report.ThankYou)}, earner{"Kit", report.ThankYou, until(20, 400)}), -1},
		"nothing": {even([]report.Event{event("Kit", true, 20, report.ThankYou)}, earner{"y", report.ThankYou, since(90, 400)}), 0},
	} {
		b := answers.New(c.in).Events[0]
		if b.Clear != (c.sign != 0) || b.Least.Sign() != c.sign || b.Most.Sign() != c.sign || b.Least.Abs().GreaterThan(b.Most.Abs()) {
			t.Errorf("%s: between %s and %s, clear %v", name, b.Least, b.Most, b.Clear)
		}
		if c.sign != 0 && (b.PerDay.Abs().LessThan(b.Least.Abs()) || b.PerDay.Abs().GreaterThan(b.Most.Abs())) {
			t.Errorf("%s: %s is not between %s and %s", name, b.PerDay, b.Least, b.Most)
		}
	}
}

func TestDaysAroundAnEventThatAreMissingAreNotGuessed_N1(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spoil func(*answers.Input)
		why   answers.EventReason
	}{
		"not stored":              {func(in *answers.Input) { in.Days[len(in.Days)-1-24].Partial = true }, answers.DaysMissing},
		"in another currency N34": {func(in *answers.Input) { in.Days[len(in.Days)-1-24].Currency = "EUR" }, answers.OtherCurrency},
		"all of them since N34": {func(in *answers.Input) {
			for i := len(in.Days) - 18; i < len(in.Days); i++ {
				in.Days[i].Currency = "EUR"
			}
		}, answers.OtherCurrency},
		"not for these readers": {func(in *answers.Input) { in.Within = &report.Window{Start: back(23), End: back(0)} }, answers.DaysMissing},
	} {
		in := even([]report.Event{event("Kit", true, 20, report.ThankYou)}, earner{"Kit", report.ThankYou, since(20, 400)})
		c.spoil(&in)
		a := answers.New(in)
		if a.Events[0].Reason != c.why || a.Explains != nil {
			t.Errorf("%s: %+v", name, a.Events[0])
		}
		for _, l := range locale.All() {
			if a.Events[0].Reason.In(l) == "" || answers.TooRecent.In(l) == "" {
				t.Errorf("%s says nothing", l.Code())
			}
		}
	}
}
