package report

import (
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/storeglass/storeglass/internal/locale"
)

const threeDaysOf = "start=2026-11-17&end=2026-11-19&compare="

func TestN74AGiftChangeFollowsTheComparisonInForce(t *testing.T) {
	t.Parallel()
	year := giftAnswer(span("2025-11-17", "2025-11-19"), 3)
	year.Revenue.Value, year.ConversionRate.Value = dec("4321.09"), dec("4.2")
	cases := map[string]struct {
		compare  string
		against  *Window
		previous *decimal.Decimal
		change   *decimal.Decimal
	}{
		"nothing":                  {"none", nil, nil, nil},
		"the window right before":  {"previous", ptr(span("2026-11-14", "2026-11-16")), dec("3999.01"), dec("8.05")},
		"a year earlier, reported": {"year", ptr(span("2025-11-17", "2025-11-19")), dec("4321.09"), dec("0")},
		"weekdays, not stored":     {"weekday", nil, nil, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := withGift(giftAnswer(span("2026-11-17", "2026-11-19"), 3))
			in.GiftAgainst = []StoredGift{year}
			g := overview(t, in, threeDaysOf+c.compare).Gift
			equal(t, "compared", g.Compared, c.against != nil)
			equal(t, "baseline", g.Against, c.against)
			equal(t, "previous", g.Revenue.Previous, c.previous)
			equal(t, "change", g.Revenue.ChangePercent, c.change)
		})
	}
}

func TestN74AComparisonIsMadeFromWholeDaysWhereNoAnswerIsStored(t *testing.T) {
	t.Parallel()
	in := withGift(giftAnswer(span("2026-11-17", "2026-11-19"), 3))
	in.GiftDays = []StoredGift{giftDay("2026-11-10", "1", "10", ""), giftDay("2026-11-11", "2", "20", ""), giftDay("2026-11-12", "3", "30.5", "")}
	g := overview(t, in, threeDaysOf+"weekday").Gift
	equal(t, "baseline", g.Against, ptr(span("2026-11-10", "2026-11-12")))
	equal(t, "previous", g.Revenue.Previous, dec("60.5"))
	equal(t, "a rate has no sum", g.ConversionRate.Previous, dec(""))
	equal(t, "the rate is not compared", g.ConversionRate.Uncompared, true)

	in.GiftDays = in.GiftDays[1:]
	equal(t, "with a day missing", overview(t, in, threeDaysOf+"weekday").Gift.Compared, false)
}

// The days in an answer from days ago may have been corrected since.
func TestN61AnOlderAnswersPreviousGivesWayToStoredDays(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		age  time.Duration
		want string
	}{"today's": {time.Hour, "61"}, "an older one": {72 * time.Hour, "5"}} {
		in := withGift(giftAnswer(span("2026-11-18", "2026-11-19"), 2))
		in.Gift[0].FetchedAt = noon.Add(-c.age)
		in.GiftAgainst = []StoredGift{giftDay("2026-11-16", "2", "20", ""), giftDay("2026-11-17", "3", "30", "")}
		in.GiftDays = in.GiftAgainst
		got := overview(t, in, "start=2026-11-18&end=2026-11-19").Gift.Orders.Previous
		if got == nil || got.String() != c.want {
			t.Errorf("%s: the orders before are %v, want %s", name, got, c.want)
		}
	}
}

func TestTheBaselineOfAnAnswerWithOtherDatesIsItsOwn_N43_N74(t *testing.T) {
	t.Parallel()
	g := overview(t, withGift(giftAnswer(span("2026-11-16", "2026-11-18"), 3)), threeDaysOf+"previous").Gift
	equal(t, "baseline", g.Against, ptr(span("2026-11-13", "2026-11-15")))
}

func TestARateKeepsTheDigitsThatItsChangeNeeds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ now, before, want string }{
		"a tenth":          {"8.0", "7.2", "8.0% was 7.2%: ↑ 0.8 points higher"},
		"a hundredth":      {"3.44", "3.42", "3.44% was 3.42%: ↑ 0.02 points higher"},
		"over a rounding":  {"3.46", "3.44", "3.46% was 3.44%: ↑ 0.02 points higher"},
		"down":             {"3.4", "4.4", "3.4% was 4.4%: ↓ 1.0 point lower"},
		"nothing":          {"3.42", "3.42", "3.4% was 3.4%: = no change"},
		"beyond all of it": {"3.420001", "3.42", "3.4200% was 3.4200%: ↑ under 0.0001 points higher"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			is, was, change := locale.English.ComparePercents(*dec(c.now), *dec(c.before))
			equal(t, "words", is.String()+" was "+was.String()+": "+change.String(), c.want)
		})
	}
}

func TestAWindowOfAnotherYearNamesIt(t *testing.T) {
	t.Parallel()
	today := on("2026-11-20")
	equal(t, "this year", locale.English.DatesNear(on("2026-08-24"), on("2026-11-19"), today), "24 Aug – 19 Nov")
	equal(t, "a year earlier", locale.English.DatesNear(on("2025-08-24"), on("2025-11-21"), today), "24 Aug – 21 Nov 2025")
	equal(t, "over New Year", locale.English.DatesNear(on("2025-12-30"), on("2026-01-02"), today), "30 Dec 2025 – 2 Jan 2026")
}

func TestARateChangesInPointsAndNeverInPercentOfItself_N18(t *testing.T) {
	t.Parallel()
	fell := GiftMetric{Value: dec("8.0"), Previous: dec("8.8"), ChangePercent: dec("-9.09"), Unit: Percentage}
	for l, want := range map[locale.Locale]string{locale.English: "↓ 0.8 points lower", locale.German: "↓ 0,8 Punkte niedriger", locale.French: "↓ en baisse de 0,8 point", locale.Spanish: "↓ 0,8 puntos menos"} {
		equal(t, l.Code(), fell.RateChange(l).String(), want)
	}
	for want, m := range map[string]GiftMetric{
		"↑ 0.3 points higher": {Value: dec("4.3"), Previous: dec("4.0"), ChangePercent: dec("7.5")},
		"↑ 1.0 point higher":  {Value: dec("5"), Previous: dec("4"), ChangePercent: dec("25")},
		"↓ 0.03 points lower": {Value: dec("3.91"), Previous: dec("3.94"), ChangePercent: dec("-0.76")},
		"= no change":         {Value: dec("4"), Previous: dec("4.00"), ChangePercent: dec("0")},
		"no baseline":         {Value: dec("4"), Previous: dec("0")},
		"not compared":        {Value: dec("4"), ChangePercent: dec("7.5")},
		"–":                   {Previous: dec("4"), ChangePercent: dec("-100")},
	} {
		equal(t, want, m.RateChange(locale.English).String(), want)
	}
}
